//! `setrograde claim --check`: compares with the answers in a file.

use std::io::{self, Write};

use anyhow::{Context, bail};
use setrograde_beliefs::QuestionError;
use setrograde_claim::{ClaimError, Claims, Knowledge, Options};

use crate::Outcome;
use crate::output::errors::one_line;
use crate::questions::lines::{LONGEST, Lines};
use crate::questions::sources::Source;

/// Names the lines of `source` where another number of tricks is sure. `read` makes of
/// a question what it says.
pub fn run(
    read: impl Fn(&str) -> Result<Knowledge, QuestionError>,
    options: Options,
    source: &Source,
) -> anyhow::Result<Outcome> {
    let place = source.name();
    let mut lines = Lines::new(source.open()?);
    let mut claims = Claims::new(options);
    let (mut right, mut wrong) = (0, 0);
    let mut out = io::stdout().lock();
    while let Some(batch) = lines
        .next_batch()
        .with_context(|| format!("{place}: cannot read"))?
    {
        for (number, line) in (batch.first..).zip(batch.text.lines()) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.len() > LONGEST {
                bail!("{place}: line {number}: longer than {LONGEST} bytes");
            }
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
                        "line {number}: {found} sure, not {expected}: {question}"
                    )?;
                }
                Err(ClaimError::Cancelled) => return Ok(Outcome::Interrupted),
                Err(error) => {
                    wrong += 1;
                    writeln!(out, "line {number}: {}: {question}", one_line(&error))?;
                }
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
