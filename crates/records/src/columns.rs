//! Tables with a column for each seat.

use setrograde_cards::Seat;

use crate::error::Problem;
use crate::facts::BoardFacts;
use crate::languages::seat;
use crate::lines::words;
use crate::lists::is_hand;
use crate::rows::hand;
use crate::signs::is_symbol;

/// Words beside the seat in the heading of a column.
const FIELDS: &[&str] = &["hand", "hands", "cards", "seat"];

/// The heading of a table: the text of each column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    names: Vec<String>,
    /// The seat that each names.
    seats: Vec<Option<Seat>>,
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
    let mut words = words(cell).filter(|word| !FIELDS.contains(&&*word.to_lowercase()));
    let named = seat(words.next()?)?;
    words.next().is_none().then_some(named)
}

/// Returns true if half of the words of a line name seats, two or more, and no fact.
pub(crate) fn names_seats(line: &str) -> bool {
    let seats = words(line).filter(|word| seat(word).is_some()).count();
    seats > 1 && 2 * seats >= words(line).count() && BoardFacts::of(line).is_none()
}

/// Returns true if the lines down to this one name seats, given whether those above it do: a heading
/// may be broken in two.
pub(crate) fn is_headed(line: &str, above: bool) -> bool {
    names_seats(line) || above && words(line).any(|word| seat(word).is_some())
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
        let seats = names.iter().map(|name| column(name)).collect();
        let is_table = line.contains(['\t', '|', ';', ',']);
        let columns = Columns { names, seats };
        let count = columns.seats().count();
        let is_heading = !columns.names.iter().any(|name| is_hand(name))
            && (count == 4 || count > 1 && is_table || count > 2 && columns.names.len() < 6);
        is_heading.then_some(columns)
    }

    /// The seats in the order of their columns.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> {
        self.seats.iter().flatten().copied()
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
        let seats: Vec<Seat> = self.seats().collect();
        let has_all = Seat::ALL.iter().all(|seat| seats.contains(seat));
        // Other words may stand before the seats.
        let names = self.names.iter().zip(&self.seats);
        let names = names.filter(|(_, seat)| cells.len() != seats.len() || seat.is_some());
        let named = names.zip(&cells);
        let of_seats = named.clone().filter(|((_, seat), _)| seat.is_some());
        let fits = has_all
            && seats.len() == 4
            && of_seats.filter(|(_, cell)| is_cards(cell)).count() == hands
            && hands == 4;
        let named = named.map(|((name, seat), cell)| {
            let name = seat.map_or(name.as_str(), |seat| seat.name());
            format!("{name}: {cell}")
        });
        let row = fits.then(|| named.collect::<Vec<_>>().join("  "));
        Some(row.ok_or_else(|| misfit(line)))
    }

    /// The holdings of a suit with its sign before each. `None` if they are not below the seats of the
    /// heading, which may have a cell above the signs.
    fn suits(&self, sign: &str, holdings: &[String]) -> Option<String> {
        let is_aligned = match self.seats[..] {
            [above, _, _, _, _] => above.is_none(),
            ref seats => seats.len() == 4,
        };
        let named = holdings.iter().map(|cards| format!("{sign} {cards}"));
        is_aligned.then(|| named.collect::<Vec<_>>().join("   "))
    }
}
