//! What is known about a database's levels, as a table and as JSON.

use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::{Value, json};
use setrograde_lookup::manifest::LevelRecord;

/// A table with a row for each level and one for their sum.
pub fn table(levels: &[LevelRecord]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(
        [
            "cards",
            "partitions",
            "states",
            "sets",
            "nodes",
            "largest",
            "bytes",
            "states/byte",
            "CPU s",
        ]
        .map(right),
    );
    for level in levels {
        table.add_row(
            [
                (4 * level.level).to_string(),
                grouped(level.partitions.into()),
                grouped(level.states),
                grouped(level.sets.into()),
                grouped(level.nodes.into()),
                grouped(level.largest.into()),
                grouped(level.bytes.into()),
                ratio(level.states, level.bytes),
                seconds(level.cpu_milliseconds),
            ]
            .map(right),
        );
    }
    let sum = |field: fn(&LevelRecord) -> u64| levels.iter().map(field).sum::<u64>();
    let states: u128 = levels.iter().map(|level| level.states).sum();
    table.add_row(
        [
            "all".to_owned(),
            grouped(sum(|level| level.partitions).into()),
            grouped(states),
            grouped(sum(|level| level.sets).into()),
            grouped(sum(|level| level.nodes).into()),
            String::new(),
            grouped(sum(|level| level.bytes).into()),
            ratio(states, sum(|level| level.bytes)),
            seconds(sum(|level| level.cpu_milliseconds)),
        ]
        .map(right),
    );
    table
}

/// One object for each level.
pub fn to_json(levels: &[LevelRecord]) -> Value {
    levels
        .iter()
        .map(|level| {
            json!({
                "cards": 4 * level.level,
                "method": level.method,
                "program": level.program,
                "partitions": level.partitions,
                // JSON has no integers beyond 64 bits.
                "states": u64::try_from(level.states).map_or_else(
                    |_| json!(level.states as f64),
                    |states| json!(states),
                ),
                "sets": level.sets,
                "nodes": level.nodes,
                "largest": level.largest,
                "bytes": level.bytes,
                "cpu_seconds": level.cpu_milliseconds as f64 / 1e3,
                "content": format!("{:016x}", level.content),
                "checksum": format!("{:016x}", level.checksum),
            })
        })
        .collect()
}

/// A cell whose text stands at its right edge.
pub fn right(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// A number with its digits in groups of three.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn ratio(states: u128, bytes: u64) -> String {
    let ratio = states as f64 / bytes.max(1) as f64;
    if ratio < 100.0 {
        format!("{ratio:.2}")
    } else {
        grouped(ratio as u128)
    }
}

fn seconds(milliseconds: u64) -> String {
    format!("{:.2}", milliseconds as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
