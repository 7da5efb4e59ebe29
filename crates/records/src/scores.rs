//! The results of a board at several tables.

use setrograde_cards::{Call, Card, Contract, PartialContract, Seat};

use crate::auction::with_result;
use crate::lines::number;

/// The results of a board at several tables: PBN's `ScoreTable`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreTable {
    /// The columns as the tag has them: `Table\2R;Contract\4L;Declarer\1R`.
    pub columns: String,
    /// The lines of the section as the file has them, without empty ones.
    pub text: String,
    /// The rows, one for each table.
    pub rows: Vec<ScoreRow>,
}

/// The result of a board at one table. Fields that the table lacks are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreRow {
    /// The values by column, without quotes; `-` for none.
    pub values: Vec<String>,
    /// The contract with its declarer.
    pub contract: Option<Contract>,
    /// True if all four players passed.
    pub passed_out: bool,
    /// The tricks that the declarer took.
    pub result: Option<u8>,
    /// The opening lead.
    pub lead: Option<Card>,
    /// The score of North and South, in points. `Score_NS` or the negated `Score_EW`; adjusted
    /// scores have none.
    pub score: Option<i32>,
}

impl ScoreTable {
    /// Reads the rows of a section with these `columns`.
    #[must_use]
    pub fn new(columns: &str, section: &str) -> ScoreTable {
        let lines: Vec<&str> = section
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        let mut table = ScoreTable {
            columns: columns.to_owned(),
            text: lines.join("\n"),
            rows: Vec::new(),
        };
        // Comments and escaped lines are no rows.
        let rows = lines
            .iter()
            .filter(|line| !line.starts_with(['%', ';', '{']));
        table.rows = rows.map(|row| table.row(row)).collect();
        table
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let columns = self
            .columns
            .split(';')
            .map(|column| column.split('\\').next());
        columns.map(|name| {
            name.unwrap_or_default()
                .trim()
                .trim_start_matches(['+', '-'])
        })
    }

    /// Returns the value in a column of a row, such as `PairId_NS`, `Table`, `MP_NS` or
    /// `Percentage_EW`. `None` without the column or with `-` in it.
    #[must_use]
    pub fn value<'a>(&self, row: &'a ScoreRow, column: &str) -> Option<&'a str> {
        let at = self
            .names()
            .position(|name| name.eq_ignore_ascii_case(column))?;
        let value = row.values.get(at)?;
        (!matches!(&**value, "" | "-" | "?")).then_some(value)
    }

    fn row(&self, line: &str) -> ScoreRow {
        let values = self.values(line);
        let mut row = ScoreRow {
            values,
            ..ScoreRow::default()
        };
        let value = |column| self.value(&row, column);
        let seat: Option<Seat> = value("Declarer").and_then(|text| text.parse().ok());
        let result = value("Result").unwrap_or_default();
        let text = value("Contract").unwrap_or_default();
        let (text, behind) = with_result(text);
        let passed_out = text.parse() == Ok(Call::Pass) || Call::all_pass_at_start(text).is_some();
        let contract = text.parse::<PartialContract>().ok().and_then(|partial| {
            let declarer = seat.or(partial.declarer)?;
            Some(partial.or_by(declarer))
        });
        let over = with_result(result).1.or(behind);
        let tricks = number(result).or_else(|| contract?.bid.tricks().checked_add_signed(over?));
        let score = |column| value(column).and_then(|text| text.parse::<i32>().ok());
        let score = score("Score_NS").or_else(|| score("Score_EW")?.checked_neg());
        let lead = value("Lead").and_then(|text| text.parse().ok());
        (row.contract, row.passed_out, row.lead) = (contract, passed_out, lead);
        row.result = tricks.filter(|&tricks| tricks <= 13);
        row.score = score.or(passed_out.then_some(0));
        row
    }

    /// The values of a row: words, texts in quotes, and names up to a gap or to their width.
    fn values(&self, line: &str) -> Vec<String> {
        let mut rest = line;
        let columns: Vec<&str> = self.columns.split(';').collect();
        let value = |(at, column): (usize, &&str)| {
            rest = rest.trim_start();
            let is_name = column.to_ascii_lowercase().contains("name");
            let width = column
                .split('\\')
                .nth(1)
                .unwrap_or_default()
                .trim_end_matches(|c: char| !c.is_ascii_digit())
                .parse()
                .unwrap_or(0);
            let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let end = match rest.strip_prefix('"').and_then(|text| text.find('"')) {
                Some(end) => end + 2,
                None if is_name && at + 1 == columns.len() => rest.len(),
                None if is_name => {
                    let wide = rest
                        .char_indices()
                        .nth(width)
                        .map_or(rest.len(), |(at, _)| at);
                    rest.find("  ").unwrap_or(wide).max(word)
                }
                None => word,
            };
            let (value, after) = rest.split_at(end);
            rest = after;
            value.trim().trim_matches('"').to_owned()
        };
        columns.iter().enumerate().map(value).collect()
    }
}
