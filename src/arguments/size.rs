//! Sizes of memory, as in `64M` and `2G`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u64);

/// Units and the powers of two that they stand for.
const UNITS: [(char, u32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];

/// An exabyte: no machine has more, and all products below fit 64 bits.
const MOST: f64 = (1_u64 << 60) as f64;

impl Size {
    /// A size in bytes.
    pub const fn new(bytes: u64) -> Size {
        Size(bytes)
    }

    /// The number of bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// The size for something in memory: no more than can be addressed.
    pub fn addressable(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl FromStr for Size {
    type Err = String;

    /// Reads a number and a unit: `64M`, `0.5G`, also `64MiB`.
    fn from_str(text: &str) -> Result<Size, String> {
        let expected = || "expected a number and a unit, as in 64M or 2G".to_owned();
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let value: f64 = number.parse().map_err(|_| expected())?;
        let unit = text[number.len()..].to_ascii_uppercase();
        let Some(letter) = unit.chars().next() else {
            return Err(format!(
                "a size needs a unit: {text}M is {text} MiB, {text}G is {text} GiB"
            ));
        };
        let power = UNITS
            .iter()
            .find(|&&(unit, _)| unit == letter)
            .filter(|_| matches!(&unit[1..], "" | "B" | "IB"))
            .map(|&(_, power)| power)
            .ok_or_else(|| format!("{unit:?} is not a unit; expected one of K M G T"))?;
        let bytes = value * (1_u64 << power) as f64;
        if (1.0..MOST).contains(&bytes) {
            Ok(Size(bytes as u64))
        } else {
            Err("expected a size above 0 and below 1,000,000T".to_owned())
        }
    }
}

/// Writes a size to one decimal: `2.7 GiB`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, power) = UNITS
            .into_iter()
            .rev()
            .skip(1)
            .find(|&(_, power)| self.0 >> power > 0)
            .unwrap_or(UNITS[0]);
        write!(f, "{:.1} {unit}iB", self.0 as f64 / (1_u64 << power) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_units_and_written_to_one_decimal() {
        let read = ["64M", "2G", "0.5g", "1KiB", "3MB", "1T"].map(str::parse);
        let bytes = [64 << 20, 2 << 30, 1 << 29, 1 << 10, 3 << 20, 1 << 40];
        assert_eq!(read, bytes.map(|bytes| Ok(Size(bytes))));
        let written = [100, 3 << 19, 5 << 39].map(|bytes| Size(bytes).to_string());
        assert_eq!(written, ["0.1 KiB", "1.5 MiB", "2560.0 GiB"]);
    }

    #[test]
    fn what_is_no_size_says_what_is() {
        for (text, problem) in [
            ("4", "4M is 4 MiB"),
            ("", "a number and a unit"),
            ("G", "a number and a unit"),
            ("4X", "\"X\" is not a unit"),
            ("4Mx", "\"MX\" is not a unit"),
            ("-4M", "above 0"),
            ("0G", "above 0"),
            ("nanG", "a number and a unit"),
            ("9e30T", "below"),
        ] {
            let error = text.parse::<Size>().expect_err(text);
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
