//! Layouts as text: a deal on each line, or PBN.

use setrograde_cards::{Deal, TextError};
use thiserror::Error;

use super::MOST_LAYOUTS;

/// Reads layouts and their weights: a deal on each line, such as `N:AQT... K.KT.. J.Q9.. 9.AJ..`,
/// with a weight after it or 1; or the `[Deal "..."]` tags of PBN. Blank lines, other tags and
/// lines that begin with `#`, `%`, `;`, `{` or `*` say nothing.
///
/// # Errors
///
/// The first line that is neither, with its number; no layouts, or more than [`MOST_LAYOUTS`].
pub fn read_layouts(text: &str) -> Result<(Vec<Deal>, Vec<f64>), LayoutsError> {
    let (mut deals, mut weights) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim().trim_start_matches('\u{feff}');
        let line = match line.strip_prefix("[Deal \"") {
            Some(rest) => rest.split('"').next().unwrap_or_default(),
            None if line.is_empty() || line.starts_with(['#', '%', '[', '{', ';', '*']) => continue,
            None => line,
        };
        if deals.len() == MOST_LAYOUTS {
            return Err(LayoutsError::TooMany(number));
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let (deal, weight) = match words[..] {
            [.., weight] if words.len() == 5 => {
                let read = weight.parse::<f64>().ok();
                let read = read.filter(|read| read.is_finite() && *read > 0.0);
                let wrong = || LayoutsError::Weight(number, weight.chars().take(20).collect());
                (words[..4].join(" "), read.ok_or_else(wrong)?)
            }
            _ => (line.to_owned(), 1.0),
        };
        deals.push(
            deal.parse()
                .map_err(|error| LayoutsError::Deal(number, error))?,
        );
        weights.push(weight);
    }
    if deals.is_empty() {
        Err(LayoutsError::Nothing)
    } else {
        Ok((deals, weights))
    }
}

/// A text without valid layouts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutsError {
    /// A line that is not a deal.
    #[error("line {0}: {1}")]
    Deal(usize, TextError),
    /// An invalid weight.
    #[error("line {0}: `{1}` is not a weight; expected a positive number")]
    Weight(usize, String),
    /// Too many layouts.
    #[error("line {0}: more than {MOST_LAYOUTS} layouts")]
    TooMany(usize),
    /// No layout.
    #[error(
        "there are no layouts; expected a deal on each line, as `N:AQ... 76... 54... K3...`, or PBN"
    )]
    Nothing,
}
