//! Tags that hold double-dummy results, read and written.

use setrograde_cards::{Card, Hand, Holding, Seat, Side, Strain, Suit};

use super::scan::Tag;
use crate::board::DoubleDummy;
use crate::error::Problem;
use crate::scores::column_names;

/// 20 hexadecimal digits, by declarer in the order of [`DECLARERS`] and then
/// by strain as in [`Strain::ALL`].
pub(super) const TRICKS: &str = "DoubleDummyTricks";

/// A table with a row for each declarer and strain.
pub(super) const TABLE: &str = "OptimumResultTable";

/// A table with a row for each card of the play, in order: the ranks of the cards that were best
/// there, a column for each suit.
pub(super) const PLAY: &str = "OptimumPlayTable";

/// The columns of that table, as in the example of the standard.
const SUITS: &str = "S\\8R;H\\8R;D\\8R;C\\8R";

/// Maximum number of cards of a play.
const MOST_CARDS: usize = 52;

/// The par score of a side, such as `NS 140`.
pub(super) const SCORE: &str = "OptimumScore";

/// The par contracts, in words of the writer's choice.
pub(super) const CONTRACT: &str = "ParContract";

/// The order in which declarers are written.
const DECLARERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

/// The columns of the table that we write.
const COLUMNS: &str = "Declarer;Denomination\\2R;Result\\2R";

type TableDigits = [[u8; 4]; 5];

/// The results in the value of a `DoubleDummyTricks` tag; `None` if it has
/// none.
pub(super) fn read_tricks(value: &str) -> Result<Option<TableDigits>, Problem> {
    let bad = || Problem::expected(TRICKS, value, "20 hexadecimal digits, none above d");
    let digits: Vec<u8> = value
        .chars()
        .filter(|digit| !digit.is_whitespace())
        .map(|digit| digit.to_digit(16).map(|tricks| tricks as u8))
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    if digits.is_empty() {
        return Ok(None);
    }
    if digits.len() != 20 || digits.iter().any(|&tricks| tricks > 13) {
        return Err(bad());
    }
    let mut table = TableDigits::default();
    for (declarer, tricks) in DECLARERS.into_iter().zip(digits.chunks(5)) {
        for (strain, &tricks) in table.iter_mut().zip(tricks) {
            strain[declarer] = tricks;
        }
    }
    Ok(Some(table))
}

pub(super) fn write_tricks(table: &TableDigits) -> String {
    let mut digits = String::new();
    for declarer in DECLARERS {
        for strain in table {
            let tricks = u32::from(strain[declarer]);
            digits.push(char::from_digit(tricks, 16).unwrap_or('*'));
        }
    }
    digits
}

/// The best cards in an `OptimumPlayTable`; `None` unless it has the columns of all suits.
pub(super) fn read_play(tag: &Tag) -> Result<Option<Vec<Hand>>, Problem> {
    let columns: Vec<&str> = column_names(&tag.value).collect();
    let column = |suit: Suit| {
        let is = |column: &&str| column.eq_ignore_ascii_case(&suit.letter().to_string());
        columns.iter().position(is)
    };
    let [Some(spades), Some(hearts), Some(diamonds), Some(clubs)] = Suit::ALL.map(column) else {
        return Ok(None);
    };
    let words: Vec<&str> = tag.words().collect();
    let mut rows = Vec::new();
    for row in words.chunks(columns.len()) {
        let bad = || {
            let found = row.join(" ");
            Problem::expected(PLAY, &found, "ranks or - for each of the four suits")
        };
        let mut best = Hand::EMPTY;
        for (suit, at) in Suit::ALL.into_iter().zip([spades, hearts, diamonds, clubs]) {
            let ranks = row.get(at).ok_or_else(bad)?;
            let ranks: Holding = match *ranks {
                "-" => Holding::EMPTY,
                ranks => ranks.parse().map_err(|_| bad())?,
            };
            for rank in ranks {
                best.insert(Card::new(suit, rank));
            }
        }
        if best.is_empty() || rows.len() == MOST_CARDS {
            return Err(bad());
        }
        rows.push(best);
    }
    Ok((!rows.is_empty()).then_some(rows))
}

/// The table, with lines that end with `line_break`, but for the last.
pub(super) fn write_play(rows: &[Hand], line_break: &str) -> String {
    let mut text = format!("[{PLAY} \"{SUITS}\"]");
    for best in rows {
        let ranks = Suit::ALL.map(|suit| match best.holding(suit) {
            none if none.is_empty() => "-".to_owned(),
            ranks => ranks.to_string(),
        });
        let row: String = ranks.iter().map(|ranks| format!("{ranks:<7} ")).collect();
        text.push_str(line_break);
        text.push_str(row.trim_end());
    }
    text
}

/// The results in an `OptimumResultTable`; `None` unless all 20 are there.
pub(super) fn read_table(tag: &Tag) -> Result<Option<TableDigits>, Problem> {
    let columns: Vec<&str> = column_names(&tag.value).collect();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| column.eq_ignore_ascii_case(name))
    };
    let (Some(declarers), Some(strains), Some(results)) =
        (column("Declarer"), column("Denomination"), column("Result"))
    else {
        return Ok(None);
    };
    let words: Vec<&str> = tag.words().collect();
    let mut table = [[None; 4]; 5];
    for row in words.chunks(columns.len()) {
        let expected = "a declarer, a strain and 0 to 13";
        let bad = || Problem::expected(TABLE, &row.join(" "), expected);
        let cell = |at: usize| row.get(at).copied().ok_or_else(bad);
        let (declarer, strain, result) = (cell(declarers)?, cell(strains)?, cell(results)?);
        if matches!(result, "-" | "?") {
            continue;
        }
        let declarer: Seat = declarer.parse().map_err(|_| bad())?;
        let strain: Strain = strain.parse().map_err(|_| bad())?;
        let tricks = result.parse().ok().filter(|&tricks| tricks <= 13);
        table[strain][declarer] = Some(tricks.ok_or_else(bad)?);
    }
    if table.as_flattened().contains(&None) {
        return Ok(None);
    }
    Ok(Some(
        table.map(|strain| strain.map(Option::unwrap_or_default)),
    ))
}

/// The table, with lines that end with `line_break`, but for the last.
pub(super) fn write_table(table: &TableDigits, line_break: &str) -> String {
    let mut text = format!("[{TABLE} \"{COLUMNS}\"]");
    for declarer in DECLARERS {
        for strain in Strain::ALL {
            let tricks = table[strain][declarer];
            let strain = strain.to_string();
            text.push_str(&format!("{line_break}{declarer} {strain:>2} {tricks:>2}"));
        }
    }
    text
}

/// The score of North and South in `NS 140` or `EW 140`; `None` for another
/// text.
pub(crate) fn read_score(value: &str) -> Option<i32> {
    let (side, score) = value.trim().split_once(char::is_whitespace)?;
    let score: i32 = score.trim().parse().ok()?;
    match side.parse().ok()? {
        Side::NorthSouth => Some(score),
        Side::EastWest => score.checked_neg(),
    }
}

/// Reads the tags of a game; `value` gives the value of a tag by its name. Also returns the
/// problems, with the names of their tags.
pub(super) fn read<'a>(
    tags: &[Tag],
    value: impl Fn(&str) -> Option<&'a str>,
) -> (DoubleDummy, Vec<(&'static str, Problem)>) {
    type Problems = Vec<(&'static str, Problem)>;
    /// What was read of a tag, unless that is a problem.
    fn read_or_note<T>(
        problems: &mut Problems,
        name: &'static str,
        read: Option<Result<Option<T>, Problem>>,
    ) -> Option<T> {
        let read = read?.map_err(|problem| problems.push((name, problem)));
        read.ok().flatten()
    }
    let mut problems = Problems::new();
    let tag = |name: &str| tags.iter().find(|tag| tag.name == name);
    let tricks = read_or_note(&mut problems, TRICKS, value(TRICKS).map(read_tricks));
    let table = read_or_note(&mut problems, TABLE, tag(TABLE).map(read_table));
    let play = read_or_note(&mut problems, PLAY, tag(PLAY).map(read_play));
    let score = |text| {
        let bad = || Problem::expected(SCORE, text, "a side and a score, as NS 140");
        read_score(text).map(Some).ok_or_else(bad)
    };
    let par_score = read_or_note(&mut problems, SCORE, value(SCORE).map(score));
    let results = DoubleDummy {
        tricks: tricks.or(table),
        par_score,
        par_contract: value(CONTRACT)
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        play,
    };
    (results, problems)
}
