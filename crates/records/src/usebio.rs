//! USEBIO, the XML of scoring programs and of the English Bridge Union.
//!
//! A `BOARD` has its number and a `TRAVELLER_LINE` for each table, in a section or a match; the hands
//! of all boards are in a `HANDSET`, in the boards, or in the LIN of a line. Boards come in the order
//! of their numbers, each once, with the results of all sections.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use setrograde_cards::{Hand, Seat, Vulnerability};

use crate::board::complete;
use crate::error::{Problem, RecordError};
use crate::lin::LinBoards;
use crate::lines::{BoardResult, Lines, ReadBoards, boards_in, number};
use crate::text::decode_lines;
use crate::{Board, Options, ScoreTable};

/// Maximum length of a file, in bytes.
const FILE_LIMIT: usize = 1 << 24;

/// Maximum depth of elements.
const DEPTH: usize = 32;

/// The columns of the results, and the elements of a line that have them. Others follow from the
/// elements around it.
const COLUMNS: [(&str, &str); 18] = [
    ("Section", ""),
    ("Table", "TABLE_NUMBER"),
    ("PairId_NS", "NS_PAIR_NUMBER"),
    ("PairId_EW", "EW_PAIR_NUMBER"),
    ("Contract", "CONTRACT"),
    ("Declarer", "PLAYED_BY"),
    ("Result", "TRICKS"),
    ("Lead", "LEAD"),
    ("Score_NS", "SCORE"),
    ("MP_NS", "NS_MATCH_POINTS"),
    ("MP_EW", "EW_MATCH_POINTS"),
    ("Percentage_NS", ""),
    ("Percentage_EW", ""),
    ("IMP_NS", "NS_IMPS"),
    ("XImp_NS", "NS_CROSS_IMP_POINTS"),
    ("XImp_EW", "EW_CROSS_IMP_POINTS"),
    ("Names_NS", ""),
    ("Names_EW", ""),
];

/// Returns true if a line begins a USEBIO file.
pub(crate) fn is_usebio(line: &str) -> bool {
    let mut tags = line.match_indices('<').map(|(at, _)| &line[at + 1..]);
    tags.any(|tag| {
        tag.split_at_checked(6).is_some_and(|(name, after)| {
            let ends = after.starts_with(|c: char| c == '>' || c.is_whitespace());
            name.eq_ignore_ascii_case("USEBIO") && ends
        })
    })
}

/// An element with its text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    line: u64,
    attributes: BTreeMap<String, String>,
    text: String,
    inner: Vec<Element>,
}

impl Element {
    fn new(tag: &BytesStart<'_>, line: u64) -> Element {
        let attributes = tag.attributes().flatten().filter_map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((attribute.key.as_ref().to_uppercase(), value.into_owned()))
        });
        Element {
            name: tag.name().as_ref().to_uppercase(),
            line,
            attributes: attributes.collect(),
            ..Element::default()
        }
    }

    /// Reads a document.
    fn document(text: &str) -> Result<Element, RecordError> {
        let mut reader = Reader::from_str(text);
        // A tag without its end closes with the element around it.
        reader.config_mut().check_end_names = false;
        let mut open = vec![Element::default()];
        let (mut line, mut at) = (1, 0);
        loop {
            let here =
                usize::try_from(reader.buffer_position()).map_or(at, |here| here.min(text.len()));
            line += text.as_bytes()[at..here]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count() as u64;
            at = here;
            let read = reader.read_event();
            let event = read.map_err(|error| Problem::Xml(error.to_string()).at(line))?;
            let last = open.len() - 1;
            match event {
                Event::Start(tag) if open.len() < DEPTH => open.push(Element::new(&tag, line)),
                Event::Start(_) => {
                    let problem = Problem::TooLong {
                        what: "the path to an element",
                        limit: DEPTH,
                    };
                    return Err(problem.at(line));
                }
                Event::Empty(tag) => open[last].inner.push(Element::new(&tag, line)),
                Event::Text(text) => open[last].text += &text.xml10_content(),
                Event::CData(text) => open[last].text += &text.xml10_content(),
                Event::GeneralRef(name) => match name.resolve_char_ref() {
                    Ok(Some(letter)) => open[last].text.push(letter),
                    _ => {
                        open[last].text +=
                            resolve_predefined_entity(&name.xml10_content()).unwrap_or_default();
                    }
                },
                Event::End(_) | Event::Eof if last > 0 => {
                    let element = open.pop().unwrap_or_default();
                    open[last - 1].inner.push(element);
                }
                Event::Eof => return Ok(open.swap_remove(0)),
                _ => {}
            }
        }
    }

    /// The elements with this name, not those inside them.
    fn all(&self, name: &'static str) -> impl Iterator<Item = &Element> {
        self.inner.iter().filter(move |inner| inner.name == name)
    }

    /// The text of the first element with this name, if it has one.
    fn value(&self, name: &'static str) -> Option<&str> {
        let text = self.all(name).next()?.text.trim();
        (!text.is_empty()).then_some(text)
    }
}

/// What the elements around a board say.
#[derive(Clone, Default)]
struct Around {
    session: String,
    section: String,
    /// North's and South's number in a match, and the others'.
    pairs: [Option<String>; 2],
    scoring: Option<String>,
    competition: Option<String>,
}

/// A line of a traveller, by the names of [`COLUMNS`].
type TravellerLine = BTreeMap<&'static str, String>;

/// A board as far as it was read.
#[derive(Default)]
struct BoardDraft {
    board: Board,
    rows: Vec<TravellerLine>,
    problem: Option<RecordError>,
    /// True if its hands are those of another board.
    is_used: bool,
}

/// The boards of a document.
#[derive(Default)]
struct Document {
    /// By session and number.
    boards: BTreeMap<(String, u32), BoardDraft>,
    /// The names of the pairs, by section and number.
    names: BTreeMap<(String, String), String>,
}

impl Document {
    fn read(&mut self, element: &Element, around: &Around) {
        let mut around = around.clone();
        let id = |name| element.attributes.get(name).cloned().unwrap_or_default();
        match &*element.name {
            "EVENT" => {
                let kind = id("EVENT_TYPE").to_uppercase();
                let kinds = ["TEAM", "INDIVIDUAL", "PAIR"].into_iter().zip([
                    "Teams",
                    "Individual",
                    "Pairs",
                ]);
                let mut kinds = kinds.filter(|(word, _)| kind.contains(word));
                around.competition = kinds.next().map(|(_, name)| name.to_owned());
            }
            "SESSION" => around.session = id("SESSION_ID"),
            "SECTION" => around.section = id("SECTION_ID"),
            "MATCH" => {
                let team = |pair, team| {
                    element
                        .value(pair)
                        .or_else(|| element.value(team))
                        .map(str::to_owned)
                };
                around.pairs = [
                    team("NS_PAIR_NUMBER", "TEAM"),
                    team("EW_PAIR_NUMBER", "OPPOSING_TEAM"),
                ];
            }
            "PAIR" => {
                let names = element
                    .inner
                    .iter()
                    .flat_map(|inner| inner.inner.iter().chain([inner]));
                let names = names.filter_map(|player| player.value("PLAYER_NAME"));
                let names: Vec<&str> = names.collect();
                if let Some(pair) = element.value("PAIR_NUMBER").filter(|_| !names.is_empty()) {
                    let key = (around.section.clone(), pair.to_owned());
                    self.names.insert(key, names.join(" – "));
                }
            }
            "BOARD" => return self.board(element, &around),
            _ => {}
        }
        if let Some(scoring) = element.value("BOARD_SCORING_METHOD") {
            around.scoring = Some(match scoring {
                "MATCH_POINTS" => "MP".to_owned(),
                "CROSS_IMPS" => "IMP;Cross".to_owned(),
                "IMPS" => "IMP".to_owned(),
                other => other.to_owned(),
            });
        }
        for inner in &element.inner {
            self.read(inner, &around);
        }
    }

    fn board(&mut self, element: &Element, around: &Around) {
        let written = element.value("BOARD_NUMBER");
        let Some(number) = written.and_then(number) else {
            return;
        };
        let key = (around.session.clone(), number);
        let draft = self.boards.entry(key).or_default();
        let board = &mut draft.board;
        if board.number.is_none() {
            board.line = element.line;
            board.number = Some(number);
            board.scoring.clone_from(&around.scoring);
            board.competition.clone_from(&around.competition);
        }
        let dealer = element.value("DEALER").and_then(|text| text.parse().ok());
        board.dealer = board.dealer.or(dealer);
        let sides = element.value("VULNERABILITY");
        let sides = sides.and_then(|text| text.parse().ok());
        board.vulnerability = board.vulnerability.or(sides);
        for hand in element.all("HAND") {
            if let Err(problem) = draft.add_hand(hand) {
                draft.problem.get_or_insert(problem);
            }
        }
        for line in element.all("TRAVELLER_LINE") {
            draft.add_line(line, around, &self.names);
        }
    }
}

impl BoardDraft {
    fn add_hand(&mut self, element: &Element) -> Result<(), RecordError> {
        let direction = element.value("DIRECTION").unwrap_or_default();
        let seat: Result<Seat, _> = direction.parse();
        let at = |problem: Problem| problem.at(element.line);
        let seat = seat.map_err(|error| at(Problem::text("DIRECTION", direction, error)))?;
        // A tag may lack its end, so one hand may be in another.
        let names = element.inner.iter().map(|inner| &inner.name);
        if names.clone().collect::<BTreeSet<_>>().len() < names.count()
            || self.board.hands[seat].is_some()
        {
            let expected = "one direction and one element for each suit";
            return Err(at(Problem::expected("HAND", direction, expected)));
        }
        let suits = ["SPADES", "HEARTS", "DIAMONDS", "CLUBS"];
        let text = suits
            .map(|suit| element.value(suit).unwrap_or_default())
            .join(".");
        let hand: Result<Hand, _> = text.split_whitespace().collect::<String>().parse();
        self.board.hands[seat] =
            Some(hand.map_err(|error| at(Problem::text("HAND", &text, error)))?);
        Ok(())
    }

    fn add_line(
        &mut self,
        line: &Element,
        around: &Around,
        names: &BTreeMap<(String, String), String>,
    ) {
        let of_line = COLUMNS.iter().filter_map(|&(column, element)| {
            let value = line.value(element)?;
            Some((column, value.to_owned()))
        });
        let mut row: TravellerLine = of_line.collect();
        let mut pairs = around.pairs.clone();
        let direction = line.value("DIRECTION").unwrap_or_default();
        if direction.eq_ignore_ascii_case("EW") {
            pairs.reverse();
        }
        let columns = [("PairId_NS", "Names_NS"), ("PairId_EW", "Names_EW")];
        for (pair, (id, column)) in pairs.into_iter().zip(columns) {
            let Some(pair) = row.get(id).cloned().or(pair) else {
                continue;
            };
            let of = |section: &str| names.get(&(section.to_owned(), pair.clone()));
            let named = of(&around.section).or_else(|| of(""));
            row.extend(named.map(|names| (column, names.clone())));
            row.insert(id, pair);
        }
        row.insert("Section", around.section.clone());
        match row.get_mut("Contract") {
            Some(contract) => *contract = contract.replace(' ', ""),
            // An adjusted score has no score that means a contract.
            None => drop(row.remove("Score_NS")),
        }
        self.rows.push(row);
        if let Some(lin) = line
            .value("LIN_DATA")
            .filter(|_| self.board.hands == [None; 4])
        {
            let reader = LinBoards::default();
            let mut boards = boards_in(lin, Options::default(), reader).flatten();
            self.board.hands = boards.next().map_or([None; 4], |board| board.hands);
        }
    }

    /// Adds the percentages of adjusted scores, which are given as shares of a top.
    fn percentages(&mut self) {
        let points = |row: &TravellerLine| -> Option<[f64; 2]> {
            Some([
                row.get("MP_NS")?.parse().ok()?,
                row.get("MP_EW")?.parse().ok()?,
            ])
        };
        let tops = self.rows.iter().filter_map(points).map(|[ns, ew]| ns + ew);
        let top = tops.fold(0.0, f64::max);
        for row in self
            .rows
            .iter_mut()
            .filter(|row| !row.contains_key("Contract"))
        {
            if let Some([ns, ew]) = points(row).filter(|_| top > 0.0) {
                row.insert("Percentage_NS", (100.0 * ns / top).to_string());
                row.insert("Percentage_EW", (100.0 * ew / top).to_string());
            }
        }
    }

    fn board(mut self, number: u32) -> BoardResult {
        self.percentages();
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let mut board = self.board;
        let line = board.line;
        board.hands = complete(board.hands).map_err(|problem| problem.at(line))?;
        board.dealer = board.dealer.or(Some(Seat::dealer_of_board(number)));
        let sides = Vulnerability::of_board(number);
        board.vulnerability = board.vulnerability.or(Some(sides));
        let has = |column: &&str| self.rows.iter().any(|row| row.contains_key(*column));
        let columns = COLUMNS.iter().map(|&(column, _)| column);
        let columns: Vec<&str> = columns.filter(has).collect();
        let rows = self.rows.iter().map(|row| {
            let value = |column: &&str| row.get(*column).map_or("-", |value| value).to_owned();
            columns.iter().map(value).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if !rows.is_empty() {
            let table = ScoreTable::of_values(columns.join(";"), rows);
            for doubt in table.doubts(board.vulnerability) {
                board.doubt(line, doubt);
            }
            board.scores = Some(table);
        }
        Ok(board)
    }
}

/// The boards of a file, once it has been read.
#[derive(Debug, Default)]
pub(crate) struct UsebioBoards {
    boards: Option<std::vec::IntoIter<BoardResult>>,
}

impl<R: BufRead> ReadBoards<R> for UsebioBoards {
    /// The next board. The first reads the file, whose hands may be at its end.
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        if self.boards.is_none() {
            lines.number = 1;
            let (mut bytes, limit) = (Vec::new(), FILE_LIMIT as u64 + 1);
            (&mut lines.stream).take(limit).read_to_end(&mut bytes)?;
            self.boards = Some(boards(&bytes).into_iter());
        }
        Ok(self.boards.as_mut().and_then(Iterator::next))
    }
}

fn boards(bytes: &[u8]) -> Vec<BoardResult> {
    if bytes.len() > FILE_LIMIT {
        let problem = Problem::TooLong {
            what: "a USEBIO file",
            limit: FILE_LIMIT,
        };
        return vec![Err(problem.at(1))];
    }
    let mut document = Document::default();
    match Element::document(&decode_lines(bytes)) {
        Ok(root) => document.read(&root, &Around::default()),
        Err(error) => return vec![Err(error)],
    }
    // Hands outside of a session are those of each.
    let is_common = |(session, _): &(String, u32), draft: &BoardDraft| {
        session.is_empty() && draft.rows.is_empty()
    };
    let boards = document.boards.into_iter();
    let (mut common, mut boards): (BTreeMap<_, _>, BTreeMap<_, _>) =
        boards.partition(|(key, draft)| is_common(key, draft));
    for ((_, number), draft) in &mut boards {
        let key = (String::new(), *number);
        if let Some(of_all) = common.get_mut(&key) {
            of_all.is_used = true;
            if draft.board.hands == [None; 4] {
                draft.board.hands = of_all.board.hands;
                draft.problem = draft.problem.take().or(of_all.problem.clone());
            }
        }
    }
    common.retain(|_, draft| !draft.is_used);
    boards.append(&mut common);
    let boards = boards.into_iter().map(|((_, number), draft)| {
        let board = draft.board(number);
        board.map_err(|error| error.of_board(number))
    });
    boards.collect()
}
