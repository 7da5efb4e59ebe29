//! `setrograde claim --check`: compares with the answers in a file.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use setrograde_claim::{ClaimError, Claims, Knowledge, Options, QuestionError};

use crate::Outcome;
use crate::output::errors::one_line;

/// Names the lines of `file` where another number of tricks is sure. `read` makes of a
/// question what it says.
pub fn run(
    read: impl Fn(&str) -> Result<Knowledge, QuestionError>,
    options: Options,
    file: &Path,
) -> anyhow::Result<Outcome> {
    let place = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {place}"))?;
    let mut claims = Claims::new(options);
    let (mut right, mut wrong) = (0, 0);
    let mut out = io::stdout().lock();
    for (n, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = n + 1;
        let Some((question, expected)) = line.rsplit_once('\t') else {
            bail!("{place}: line {number}: expected QUESTION<tab>N, found no tab");
        };
        let expected: u8 = expected
            .trim()
            .parse()
            .with_context(|| format!("{place}: line {number}: {expected:?} is not a number"))?;
        let knowledge = read(question).with_context(|| format!("{place}: line {number}"))?;
        match claims.sure(&knowledge) {
            Ok(found) if found == expected => right += 1,
            Ok(found) => {
                wrong += 1;
                writeln!(
                    out,
                    "line {number}: {found} tricks are sure, not {expected}: {question}"
                )?;
            }
            Err(ClaimError::Cancelled) => return Ok(Outcome::Interrupted),
            Err(error) => {
                wrong += 1;
                writeln!(out, "line {number}: {}: {question}", one_line(&error))?;
            }
        }
    }
    writeln!(out, "{right} answers are right, {wrong} are not")?;
    Ok(if wrong == 0 {
        Outcome::Done
    } else {
        Outcome::NotSure
    })
}
