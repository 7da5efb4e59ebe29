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

/// A cell with text aligned to the right.
pub fn right(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}
