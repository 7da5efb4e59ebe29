//! Tables with a column for each seat.

use setrograde_cards::Seat;

use crate::error::Problem;
use crate::facts::BoardFacts;
use crate::languages::seat;
use crate::lists::{is_hand, is_symbol};
use crate::rows::hand;

/// Words beside the seat in the heading of a column.
const FIELDS: [&str; 4] = ["hand", "hands", "cards", "seat"];

/// The heading of a table: the text of each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    names: Vec<String>,
}

/// The cells of a row in a table, or the words of a line.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_matches('|');
    // Of several signs that of most cells; one more is a slip.
    let signs = [',', ';', '|', '\t'].map(|sign| (line.matches(sign).count(), sign));
    let (count, sign) = signs
        .into_iter()
        .max_by_key(|(count, _)| *count)
        .unwrap_or_default();
    if count == 0 {
        return line.split_whitespace().map(bare).collect();
    }
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            // After a quoted text its cell ends.
            '"' if is_quoted && rest.as_str().starts_with(char::is_alphanumeric) => cell.push(c),
            '"' => is_quoted = !is_quoted,
            _ if c == sign && !is_quoted => cells.push(bare(&std::mem::take(&mut cell))),
            _ => cell.push(c),
        }
    }
    cells.push(bare(&cell));
    cells
}

/// A cell without bold signs and quotes.
fn bare(cell: &str) -> String {
    let is_sign = |c: char| c.is_whitespace() || "*'\"`_".contains(c);
    cell.trim_matches(is_sign).to_owned()
}

/// The seat that heads a column, alone or beside the name of a player or of the field.
fn column(cell: &str) -> Option<Seat> {
    let (cell, _) = cell.split_once('(').unwrap_or((cell, ""));
    let words = cell.split(|c: char| !c.is_alphanumeric());
    let mut words =
        words.filter(|word| !word.is_empty() && !FIELDS.contains(&&*word.to_lowercase()));
    let named = seat(words.next()?)?;
    words.next().is_none().then_some(named)
}

/// Returns true if half of the words of a line name seats, two or more, and no fact.
pub(crate) fn names_seats(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let seats = words.iter().filter(|word| seat(word).is_some()).count();
    seats > 1 && 2 * seats >= words.len() && BoardFacts::of(line).is_none()
}

/// Returns true if the lines down to this one name seats, given whether those above it do: a heading
/// may be broken in two.
pub(crate) fn is_headed(line: &str, above: bool) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric());
    names_seats(line) || above && words.any(|word| seat(word).is_some())
}

/// The problem of hands that are not below the names of their seats.
pub(crate) fn misfit(line: &str) -> Problem {
    let expected = "the columns of the heading above, which names seats";
    Problem::expected("row", line.trim(), expected)
}

impl Columns {
    /// The heading of a table that names two seats or more.
    pub(crate) fn heading(line: &str) -> Option<Columns> {
        let names = cells(line);
        let is_table = line.contains(['\t', '|', ';', ',']);
        let columns = Columns { names };
        let count = columns.seats().count();
        let is_heading = !columns.names.iter().any(|name| is_hand(name))
            && (count == 4 || count > 1 && is_table || count > 2 && columns.names.len() < 6);
        is_heading.then_some(columns)
    }

    /// The seats in the order of their columns.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> {
        self.names.iter().filter_map(|name| column(name))
    }

    /// Returns true if the heading names seats.
    pub(crate) fn are_named(&self) -> bool {
        !self.names.is_empty()
    }

    /// A row of the table with the name of its column before each cell, or with the suit that begins
    /// it before each if the heading `heads` suits. Nothing for double-dummy results, if a hand
    /// `starts` here. `None` if the line is no row, an error if its hands are in other columns.
    pub(crate) fn row(
        &self,
        line: &str,
        starts: bool,
        heads: bool,
    ) -> Option<Result<String, Problem>> {
        if !self.are_named() {
            return None;
        }
        let cells = cells(line);
        if let [sign, holdings @ ..] = &cells[..]
            && sign.chars().count() == 1
            && sign.contains(is_symbol)
        {
            let is_result = |cell: &String| cell.parse::<u8>().is_ok_and(|tricks| tricks <= 13);
            if starts && holdings.iter().all(is_result) {
                return Some(Ok(String::new()));
            }
            let suits = self.suits(sign, holdings).ok_or_else(|| misfit(line));
            return (heads && holdings.len() == 4).then_some(suits);
        }
        let is_cards = |cell: &String| is_hand(cell) || hand(cell).is_some_and(|hand| hand.is_ok());
        let hands = cells.iter().filter(|cell| is_cards(cell)).count();
        if hands < 2 {
            return None;
        }
        // Other words may stand before the seats.
        let seats = self.seats().count();
        let has_all = Seat::ALL
            .iter()
            .all(|&seat| self.seats().any(|named| named == seat));
        let names: Vec<&String> = self
            .names
            .iter()
            .filter(|name| cells.len() != seats || column(name).is_some())
            .collect();
        let of_seats = names
            .iter()
            .zip(&cells)
            .filter(|(name, _)| column(name).is_some());
        let fits = has_all
            && seats == 4
            && of_seats.filter(|(_, cell)| is_cards(cell)).count() == hands
            && hands == 4;
        let named = names
            .iter()
            .zip(&cells)
            .map(|(name, cell)| match column(name) {
                Some(seat) => format!("{}: {cell}", seat.name()),
                None => format!("{name}: {cell}"),
            });
        Some(if fits {
            Ok(named.collect::<Vec<_>>().join("  "))
        } else {
            Err(misfit(line))
        })
    }

    /// The holdings of a suit with its sign before each. `None` if they are not below the seats of the
    /// heading, which may have a cell above the signs.
    fn suits(&self, sign: &str, holdings: &[String]) -> Option<String> {
        let is_aligned = match &self.names[..] {
            [above, _, _, _, _] => column(above).is_none(),
            names => names.len() == 4,
        };
        let named = holdings.iter().map(|cards| format!("{sign} {cards}"));
        is_aligned.then(|| named.collect::<Vec<_>>().join("   "))
    }
}
