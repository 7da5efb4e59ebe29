//! `--board`: some boards of the files that are read.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::Args;
use setrograde_beliefs::{listed, number};

/// `--board`, where files of boards are read.
#[derive(Args)]
pub struct BoardArgument {
    /// In files of boards, only those with these numbers: 3, or 3-7, or 1,4,9-12.
    #[arg(long, value_name = "N")]
    board: Option<BoardNumbers>,
}

impl BoardArgument {
    /// The boards that were asked for; `None` for all.
    pub fn numbers(&self) -> Option<&BoardNumbers> {
        self.board.as_ref()
    }
}

/// Numbers of boards, as ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNumbers(Vec<RangeInclusive<u32>>);

impl BoardNumbers {
    /// Returns true if a board with this number is among them.
    pub fn include(&self, number: Option<u32>) -> bool {
        number.is_some_and(|number| self.0.iter().any(|range| range.contains(&number)))
    }
}

impl FromStr for BoardNumbers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<BoardNumbers, Self::Err> {
        let range = |part: &str| -> Option<RangeInclusive<u32>> {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = number(first.trim())?..=number(last.trim())?;
            (!range.is_empty()).then_some(range)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges
            .map(BoardNumbers)
            .ok_or("expected numbers of boards, as 3, 3-7 or 1,4,9-12")
    }
}

impl fmt::Display for BoardNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            match (range.start(), range.end()) {
                (first, last) if first == last => write!(f, "{first}")?,
                (first, last) => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// The numbers of the boards of a file, in words: `boards 1 to 3, 5 and 7`.
pub fn in_words(mut numbers: Vec<u32>) -> String {
    /// More than these would not be read.
    const MOST: usize = 12;
    numbers.sort_unstable();
    numbers.dedup();
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let mut words: Vec<String> = Vec::new();
    for run in runs {
        match run {
            [first, _, .., last] => words.push(format!("{first} to {last}")),
            few => words.extend(few.iter().map(u32::to_string)),
        }
    }
    let board = if numbers.len() == 1 {
        "board"
    } else {
        "boards"
    };
    if words.len() > MOST {
        words.truncate(MOST);
        words.push("more".to_owned());
    }
    if words.is_empty() {
        "no numbers".to_owned()
    } else {
        format!("{board} {}", listed(&words, "and"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        let read = |text: &str| text.parse::<BoardNumbers>().expect(text);
        let some = read("1,4, 9-12");
        assert_eq!(some.to_string(), "1,4,9-12");
        let found: Vec<u32> = (0..20).filter(|&n| some.include(Some(n))).collect();
        assert_eq!(found, [1, 4, 9, 10, 11, 12]);
        assert!(!some.include(None));
        for bad in ["", "x", "+3", "3-", "7-3", "1,,2", "-1", "99999999999"] {
            assert!(bad.parse::<BoardNumbers>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_a_file_has_is_said() {
        for (numbers, words) in [
            (&[][..], "no numbers"),
            (&[7], "board 7"),
            (&[3, 1, 2, 2], "boards 1 to 3"),
            (&[1, 2, 5, 6, 7, 9], "boards 1, 2, 5 to 7 and 9"),
        ] {
            assert_eq!(in_words(numbers.to_vec()), words);
        }
        let many = in_words((0..40).map(|n| 2 * n).collect());
        assert!(many.ends_with("22 and more"), "{many}");
    }
}
