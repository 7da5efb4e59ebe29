//! Tables of numbers in columns.

use comfy_table::{Cell, CellAlignment, Table, presets};

/// An empty table without lines between its cells.
pub fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table
}

/// An empty table whose columns are headed by these texts, at their right edges.
pub fn headed<'a>(header: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = plain();
    table.set_header(header.into_iter().map(right));
    table
}

/// A cell whose text stands at its right edge.
pub fn right(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// A number with its digits in groups of three.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (number, text) in [
            (0_u32, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
