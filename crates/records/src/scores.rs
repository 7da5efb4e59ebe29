//! The results of a board at several tables.

use setrograde_cards::{Card, Contract, PartialContract, Seat, Side, Vulnerability, quote};

use crate::Doubt;
use crate::auction::{is_passed_out, tricks, with_result};
use crate::lines::{divided, number};

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
    /// The percentages of North-South and East-West that the director gave in words: 60 for
    /// `AVE+`, 50 for `AVE`, 40 for `AVE-`, both for `A6040`.
    pub adjusted: [Option<u8>; 2],
}

impl ScoreTable {
    /// Reads the rows of a section with these `columns`.
    pub fn new(columns: &str, section: &str) -> ScoreTable {
        let lines = section.lines().map(str::trim_end);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let text = lines.join("\n");
        let table = ScoreTable {
            columns: columns.to_owned(),
            text,
            rows: Vec::new(),
        };
        // Comments and escaped lines are no rows.
        let is_row = |line: &&str| !line.starts_with(['%', ';', '{']);
        let rows = lines.into_iter().filter(is_row);
        let rows = rows.map(|row| table.values(row)).collect();
        table.with_rows(rows)
    }

    /// The table of these values, without quotes in them.
    pub(crate) fn of_values(columns: String, rows: Vec<Vec<String>>) -> ScoreTable {
        let written = |value: &String| {
            if value.is_empty() || value.contains(|c: char| c.is_whitespace() || c == '"') {
                format!("\"{}\"", value.replace('"', "'"))
            } else {
                value.clone()
            }
        };
        let line = |row: &Vec<String>| row.iter().map(written).collect::<Vec<_>>().join(" ");
        let table = ScoreTable {
            columns,
            text: rows.iter().map(line).collect::<Vec<_>>().join("\n"),
            rows: Vec::new(),
        };
        table.with_rows(rows)
    }

    fn with_rows(mut self, rows: Vec<Vec<String>>) -> ScoreTable {
        self.rows = rows.into_iter().map(|values| self.row(values)).collect();
        self
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        column_names(&self.columns)
    }

    /// Returns the value in a column of a row, such as `PairId_NS`, `Table`, `MP_NS` or
    /// `Percentage_EW`. `None` without the column or with `-` in it.
    pub fn value<'a>(&self, row: &'a ScoreRow, column: &str) -> Option<&'a str> {
        let at = self
            .names()
            .position(|name| name.eq_ignore_ascii_case(column))?;
        let value = row.values.get(at)?;
        (!matches!(&**value, "" | "-" | "?")).then_some(value)
    }

    fn row(&self, values: Vec<String>) -> ScoreRow {
        let mut row = ScoreRow {
            values,
            ..ScoreRow::default()
        };
        let value = |column| self.value(&row, column);
        let seat: Option<Seat> = value("Declarer").and_then(|text| text.parse().ok());
        let result = value("Result").unwrap_or_default();
        let text = value("Contract").unwrap_or_default();
        let (text, behind) = with_result(text);
        let passed_out = is_passed_out(text);
        let contract = text.parse::<PartialContract>().ok().and_then(|partial| {
            let declarer = seat.or(partial.declarer)?;
            Some(partial.or_by(declarer))
        });
        let over = with_result(result).1.or(behind);
        let made = number(result).or_else(|| tricks(contract?.bid, over?));
        let score = |column| value(column).and_then(|text| text.parse::<i32>().ok());
        let score = score("Score_NS").or_else(|| score("Score_EW")?.checked_neg());
        let lead = value("Lead").and_then(|text| text.parse().ok());
        (row.contract, row.passed_out, row.lead) = (contract, passed_out, lead);
        row.result = made.filter(|&tricks| tricks <= 13);
        row.score = score.or(passed_out.then_some(0));
        row.adjusted = self.adjusted(&row);
        row
    }

    /// The percentages that words in the columns of the contract, the result or the scores give.
    fn adjusted(&self, row: &ScoreRow) -> [Option<u8>; 2] {
        let value = |column| self.value(row, column).unwrap_or_default();
        let both = ["Contract", "Result", "Score_NS", "Score_EW"].map(|column| both(value(column)));
        let both = both.into_iter().flatten().next();
        both.unwrap_or_else(|| ["Score_NS", "Score_EW"].map(|column| average(value(column))))
    }

    /// Returns the doubts about rows: those that count for nobody, and those whose contract, result
    /// and score contradict each other.
    pub(crate) fn doubts(&self, vulnerability: Option<Vulnerability>) -> Vec<Doubt> {
        let number =
            |row: &ScoreRow, column| -> Option<f64> { self.value(row, column)?.parse().ok() };
        let doubt = |row: &ScoreRow| {
            let shown = || {
                let values = row.values.iter().filter(|value| !value.is_empty());
                quote(&values.map(String::as_str).collect::<Vec<_>>().join(" "))
            };
            let (contract, tricks) = (row.contract.zip(row.result)).unzip();
            let points = contract.zip(tricks).zip(vulnerability);
            let points = points
                .map(|((contract, tricks), vul)| contract.score(tricks, vul, Side::NorthSouth));
            if let Some((points, score)) = points.zip(row.score)
                && points != score
            {
                let row = shown();
                return Some(Doubt::Score { row, points, score });
            }
            let lacks = |columns: [&'static str; 2]| {
                columns.iter().all(|column| number(row, column).is_none())
            };
            let pairs = ["PairId_NS", "PairId_EW"].map(|column| self.value(row, column).is_some());
            let counts = row.score.is_some()
                || points.is_some()
                || row.adjusted != [None; 2]
                || pairs[0] != pairs[1]
                || !lacks(["Percentage_NS", "Percentage_EW"])
                || !lacks(["MP_NS", "MP_EW"]);
            (!counts).then(|| Doubt::NoScore(shown()))
        };
        self.rows.iter().filter_map(doubt).collect()
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

/// The names of the columns in the value of a table's tag, without their widths and orders.
pub(crate) fn column_names(columns: &str) -> impl Iterator<Item = &str> {
    columns.split(';').map(|column| {
        let (name, _) = divided(column, |c| c == '\\');
        name.trim().trim_start_matches(['+', '-'])
    })
}

/// The percentages of both sides, as in `A6040`.
fn both(text: &str) -> Option<[Option<u8>; 2]> {
    if average(text) == Some(50) {
        return Some([Some(50); 2]);
    }
    let digits = text.strip_prefix(['A', 'a'])?;
    let percent = |digits: &str| digits.parse().ok().filter(|&percent: &u8| percent <= 100);
    let (ours, theirs) = digits.split_at_checked(2).filter(|_| digits.len() == 4)?;
    Some([Some(percent(ours)?), Some(percent(theirs)?)])
}

/// The percentage of an artificial score of one side (Law 12C2).
fn average(text: &str) -> Option<u8> {
    let text = text.to_ascii_uppercase();
    let sign = text
        .strip_prefix("AVERAGE")
        .or_else(|| text.strip_prefix("AVE"));
    match sign
        .or_else(|| text.strip_prefix("AVG"))
        .or_else(|| text.strip_prefix("AV"))?
    {
        "+" => Some(60),
        "" | "=" => Some(50),
        "-" => Some(40),
        _ => None,
    }
}
