//! Numbers among the options and arguments. Every one of them is read here, so an error always
//! says which numbers are accepted.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::ops::RangeBounds;

/// Returns the reader of a whole number in a range.
pub fn whole<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number: u64| T::try_from(number).ok());
        number.ok_or_else(|| {
            let low = match range.start_bound() {
                Included(&low) => low,
                Excluded(&low) => low + 1,
                Unbounded => 0,
            };
            let high = match range.end_bound() {
                Included(&high) => Some(high),
                Excluded(&high) => Some(high - 1),
                Unbounded => None,
            };
            match (low, high) {
                (_, Some(high)) => format!("expected a whole number from {low} to {high}"),
                (0, None) => "expected a whole number".to_owned(),
                (_, None) => format!("expected a whole number of at least {low}"),
            }
        })
    }
}

const CARDS: &str = "expected a multiple of 4, the cards of all hands together";

/// Reads the number of cards of a level. The command checks its range.
pub fn cards(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| CARDS)
}

/// Reads the number of cards of a level, which no database need have.
pub fn level(text: &str) -> Result<usize, &'static str> {
    let cards = cards(text)?;
    let is_level = cards > 0 && cards.is_multiple_of(4);
    is_level.then_some(cards).ok_or(CARDS)
}

/// Reads a finite number that is not negative.
pub fn not_negative(text: &str) -> Option<f64> {
    let number = text.parse().ok();
    number.filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

/// Reads a time in seconds.
pub fn seconds(text: &str) -> Result<f64, &'static str> {
    not_negative(text).ok_or("expected a number of seconds, as 10 or 0.5")
}

#[cfg(test)]
mod tests {
    use clap::Command;

    /// Every option and argument that has a value, after the words of its command.
    fn values(command: &Command, path: &[String], found: &mut Vec<(Vec<String>, String)>) {
        for argument in command.get_arguments() {
            if argument.get_action().takes_values() {
                let option = argument
                    .get_long()
                    .map_or(String::new(), |name| format!("--{name}="));
                found.push((path.to_vec(), option));
            }
        }
        for command in command.get_subcommands() {
            let name = command.get_name().to_owned();
            values(command, &[path, &[name]].concat(), found);
        }
    }

    #[test]
    fn no_error_is_in_the_words_of_a_library() {
        let mut found = Vec::new();
        let command = crate::commands::command();
        values(&command, &["setrograde".to_owned()], &mut found);
        let mut numbers = 0;
        for (path, option) in found {
            for text in ["abc", "4.0", "1e3", "", "-1", "99999999999999999999999"] {
                let words = [path.clone(), vec![format!("{option}{text}")]].concat();
                let Err(error) = command.clone().try_get_matches_from(&words) else {
                    continue;
                };
                let error = error.to_string();
                for words in [
                    "invalid digit",
                    "invalid float",
                    "parse integer",
                    " is not in ",
                ] {
                    assert!(!error.contains(words), "{path:?} {option}{text}: {error}");
                }
                numbers += u32::from(error.contains("expected a whole number"));
            }
        }
        assert!(numbers > 100, "{numbers}");
    }
}
