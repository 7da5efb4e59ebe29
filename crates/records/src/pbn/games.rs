//! Cutting a PBN file into games.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;

use super::board::{BOARD_TAGS, read_board};
use super::scan::{Scanned, Tag, name_length, scan};
use super::sections::is_rows;
use crate::error::{Problem, RecordError};
use crate::lines::{BoardResult, Lines, Piece, ReadBoards, only_number};
use crate::text::{BOM, line_start};
use crate::{Board, Options};

/// Maximum length of a game, in bytes.
const GAME_LIMIT: usize = 1 << 20;

/// Maximum number of values kept for later games, and maximum length of each.
const KEPT_LIMIT: usize = 1 << 10;

/// Tags that begin a game if the game has them already.
const FIRST_TAGS: [&[u8]; 3] = [b"Event", b"Board", b"Deal"];

/// The tag of [`FIRST_TAGS`] that `line` begins with.
fn first_tag(line: &[u8]) -> Option<usize> {
    let tag = line_start(line).strip_prefix(b"[")?.trim_ascii_start();
    // Most lines are other tags.
    if !b"EeBbDd".contains(tag.first()?) {
        return None;
    }
    let name = &tag[..name_length(tag)];
    FIRST_TAGS
        .iter()
        .position(|tag| name.eq_ignore_ascii_case(tag))
}

/// The games of a PBN file, one after another.
///
/// The bytes of all games together are the bytes of the file. A game ends before an `Event`,
/// `Board` or `Deal` tag that it already has, also within a line. After an empty line it also ends
/// before any other tag that it has, and before `Event` or `Board` if it has a number, a
/// deal, a contract or cards; other tags, and rows of an auction, a play or a table, continue it.
///
/// ```
/// use setrograde_records::pbn::Games;
///
/// let file = "[Board \"1\"]\n[Deal \"N:A... K... Q... J...\"]\n\n[Board \"2\"]\n";
/// let games: Vec<_> = Games::new(file.as_bytes(), "two.pbn").collect::<Result<_, _>>()?;
/// let bytes: Vec<u8> = games.iter().flat_map(|game| game.bytes().to_vec()).collect();
/// assert_eq!(bytes, file.as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Games<R> {
    lines: Lines<R>,
    reader: GameReader,
}

/// A file as far as it was cut into games.
#[derive(Debug, Default)]
pub(crate) struct GameReader {
    /// The line that begins the next game, read too early.
    pending: Option<Piece>,
    /// The position in a game beyond the limit at which reading stopped.
    unfinished: Option<GameProgress>,
    inherited: Inherited,
    /// The paragraph that begins the next game, read too early, or the error of the stream.
    ahead: Option<io::Result<Paragraph>>,
}

/// A game: its bytes, and the board that they describe.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) bytes: Vec<u8>,
    pub(super) tags: Vec<Tag>,
    pub(super) board: Option<BoardResult>,
    pub(super) unclosed: Option<Problem>,
}

impl Game {
    /// The bytes of the game in the file, with comments, blank lines and
    /// escaped lines before it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The board, or why it cannot be read; `None` if there is none, as after
    /// the last game.
    pub fn board(&self) -> Option<Result<&Board, &RecordError>> {
        self.board.as_ref().map(Result::as_ref)
    }

    /// The first tag or comment without an end, which makes it impossible to write into the game.
    pub fn unclosed(&self) -> Option<&Problem> {
        self.unclosed.as_ref()
    }
}

/// A game up to an empty line, or a part of one beyond the limit.
#[derive(Debug)]
struct Paragraph {
    bytes: Vec<u8>,
    /// True if an empty line ends it, and the game may go on.
    apart: bool,
    /// The [`FIRST_TAGS`] in it.
    seen: [bool; FIRST_TAGS.len()],
    /// The tags, or the fault that costs the board.
    scanned: Result<Scanned, RecordError>,
    /// The names of its tags, as many as `named` says: a set, in a type that is used elsewhere.
    names: BTreeMap<String, String>,
    named: usize,
}

impl Paragraph {
    /// Returns true if it has no tags, and text may follow it.
    fn is_text(&self) -> bool {
        let tagless = self.scanned.as_ref().is_ok_and(|read| read.tags.is_empty());
        tagless && self.apart && self.bytes.len() <= GAME_LIMIT
    }

    /// Returns true if the game with this paragraph continues with `next`.
    fn continues_with(&mut self, next: &Paragraph) -> bool {
        let (Ok(before), Ok(more)) = (&self.scanned, &next.scanned) else {
            return false;
        };
        if !self.apart || self.bytes.len() + next.bytes.len() > GAME_LIMIT {
            return false;
        }
        // Text belongs to the game after it.
        let Some(last) = before.tags.last() else {
            return true;
        };
        if more.tags.is_empty() {
            return is_rows(last, &more.before);
        }
        let mut seen = self.seen.iter().zip(&next.seen);
        if seen.any(|(before, next)| *before && *next) {
            return false;
        }
        let [event, board, _] = next.seen;
        let is_of_board = |tag: &Tag| BOARD_TAGS.contains(&&*tag.name);
        if (event || board) && before.tags.iter().any(is_of_board) {
            return false;
        }
        for tag in &before.tags[self.named..] {
            self.names.insert(tag.name.clone(), String::new());
        }
        self.named = before.tags.len();
        // A game may have several notes.
        let repeats = |tag: &Tag| tag.name != "Note" && self.names.contains_key(&tag.name);
        !more.tags.iter().any(repeats)
    }

    /// Adds the next paragraph.
    fn add(&mut self, next: Paragraph) {
        match (&mut self.scanned, next.scanned) {
            (Ok(scanned), Ok(more)) => scanned.add(more, self.bytes.len()),
            (scanned, Err(error)) => *scanned = Err(error),
            (Err(_), Ok(_)) => {}
        }
        self.bytes.extend_from_slice(&next.bytes);
        self.apart = next.apart;
        for (seen, next) in self.seen.iter_mut().zip(next.seen) {
            *seen |= next;
        }
    }
}

/// The state of reading a game, as far as needed to find its end.
#[derive(Debug, Default)]
struct GameProgress {
    in_comment: bool,
    /// True if a part of a line ended within quotes.
    in_value: bool,
    /// True if it has a tag, or other text outside comments.
    has_text: bool,
    seen: [bool; FIRST_TAGS.len()],
}

impl GameProgress {
    /// Returns true if `line` begins another game.
    fn is_cut_before(&self, line: &[u8]) -> bool {
        let first = first_tag(line);
        // Within an unclosed comment, a repeated tag marks the next game.
        first.is_some_and(|tag| self.seen[tag])
    }

    /// Adds a line, up to a tag within it that begins another game.
    fn add(&mut self, line: &[u8], starts: bool) -> GameEnd {
        if !self.in_comment && starts {
            if line_start(line).is_empty() {
                let ends = self.has_text;
                return if ends { GameEnd::After } else { GameEnd::Later };
            }
            if line.starts_with(b"%") {
                return GameEnd::Later;
            }
        }
        let after_value = |at: usize| -> Option<usize> {
            let end = line[at..].iter().position(|&byte| byte == b'"');
            end.map(|end| at + end + 1)
        };
        let mut at = 0;
        if std::mem::take(&mut self.in_value) && !starts {
            let end = after_value(0);
            self.in_value = end.is_none();
            at = end.unwrap_or(line.len());
        }
        while let Some(&byte) = line.get(at) {
            at += 1;
            self.has_text |=
                !self.in_comment && !byte.is_ascii_whitespace() && !b"{;".contains(&byte);
            match byte {
                b'}' => self.in_comment = false,
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b'[' => {
                    if let Some(tag) = first_tag(&line[at - 1..]) {
                        if self.seen[tag] {
                            return GameEnd::Before(at - 1);
                        }
                        self.seen[tag] = true;
                    }
                }
                b';' => break,
                b'"' => match after_value(at) {
                    Some(end) => at = end,
                    // The line continues, or its quotes do not match.
                    None => self.in_value = true,
                },
                _ => {}
            }
        }
        GameEnd::Later
    }
}

/// The end of a game, as a line shows it.
enum GameEnd {
    /// In a later line.
    Later,
    /// After the line.
    After,
    /// Before this byte of the line.
    Before(usize),
}

impl<R: BufRead> Games<R> {
    /// The games of a stream; errors call it `file`.
    pub fn new(reader: R, file: &str) -> Games<R> {
        Games {
            lines: Lines::new(reader, file, Options::default()),
            reader: GameReader::default(),
        }
    }

    /// The first line read that has text outside any game.
    pub fn text_between(&self) -> Option<u64> {
        self.lines.between
    }
}

impl<R: BufRead> ReadBoards<R> for GameReader {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while let Some(game) = self.next_game(lines)? {
            if game.board.is_some() {
                return Ok(game.board);
            }
        }
        Ok(None)
    }
}

impl GameReader {
    /// The next game up to an empty line or to the limit.
    fn next_paragraph<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> io::Result<Option<Paragraph>> {
        let goes_on = self.unfinished.is_some();
        let mut progress = self.unfinished.take().unwrap_or_default();
        let mut bytes = Vec::new();
        let mut first_line = None;
        let (mut apart, mut is_whole) = (false, true);
        loop {
            let line = match self.pending.take() {
                Some(line) => line,
                None => match lines.piece()? {
                    Some(line) => line,
                    None => break,
                },
            };
            if progress.is_cut_before(&line.bytes) {
                if first_line.is_some() {
                    self.pending = Some(line);
                    break;
                }
                progress = GameProgress::default();
            }
            first_line.get_or_insert(line.number);
            let mark = line.number == 1 && line.starts && line.bytes.starts_with(BOM);
            let content = &line.bytes[if mark { BOM.len() } else { 0 }..];
            let end = progress.add(content, line.starts);
            if let GameEnd::Before(at) = end {
                let (game, next) = line.bytes.split_at(at + line.bytes.len() - content.len());
                bytes.extend_from_slice(game);
                self.pending = Some(Piece {
                    bytes: next.to_vec(),
                    starts: false,
                    ..line
                });
                break;
            }
            bytes.extend_from_slice(&line.bytes);
            if matches!(end, GameEnd::After) {
                apart = !goes_on;
                break;
            }
            if bytes.len() > GAME_LIMIT {
                is_whole = false;
                break;
            }
        }
        let Some(line) = first_line else {
            return Ok(None);
        };
        let seen = progress.seen;
        let scanned = if goes_on {
            Ok(Scanned::default())
        } else if is_whole {
            scan(&bytes, line)
        } else {
            let problem = Problem::TooLong {
                what: "a game",
                limit: GAME_LIMIT,
            };
            Err(problem.at(line))
        };
        self.unfinished = (!is_whole).then_some(progress);
        Ok(Some(Paragraph {
            bytes,
            apart,
            seen,
            scanned,
            names: BTreeMap::new(),
            named: 0,
        }))
    }

    /// Adds the paragraphs that belong to a game; returns the first of the next game.
    fn finish<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        game: &mut Paragraph,
    ) -> io::Result<Option<Paragraph>> {
        let mut text: Option<Paragraph> = None;
        while let Some(next) = self.next_paragraph(lines)? {
            let next = match text.take() {
                Some(mut text) => {
                    text.add(next);
                    text
                }
                None => next,
            };
            if game.continues_with(&next) {
                game.add(next);
            } else if !next.is_text() {
                return Ok(Some(next));
            } else {
                text = Some(next);
            }
        }
        Ok(text)
    }

    /// Reads the board of a game.
    fn game<R: BufRead>(&mut self, lines: &mut Lines<R>, game: Paragraph) -> Game {
        let mut read = Game {
            bytes: game.bytes,
            tags: Vec::new(),
            board: None,
            unclosed: None,
        };
        let scanned = match game.scanned {
            Ok(scanned) => scanned,
            Err(error) => {
                read.board = Some(Err(error));
                return read;
            }
        };
        lines.between = lines.between.or(scanned.text);
        read.unclosed = scanned.problems.first().map(|at| at.problem.clone());
        read.tags = scanned.tags;
        let values = self.inherited.resolve(&read.tags);
        let board = read_board(&read.tags, &values, &read.bytes, lines.options);
        read.board = board.map(|board| match board {
            Ok(mut board) => {
                for RecordError { line, problem, .. } in scanned.problems {
                    board.doubt(line, problem);
                }
                Ok(board)
            }
            Err(error) => {
                let board = values.get("Board").and_then(|value| only_number(value));
                Err(error.of_board(board))
            }
        });
        read
    }

    /// The next game.
    fn next_game<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<Option<Game>> {
        let first = match self.ahead.take() {
            Some(ahead) => Some(ahead?),
            None => self.next_paragraph(lines)?,
        };
        let Some(mut game) = first else {
            return Ok(None);
        };
        if game.apart {
            self.ahead = self.finish(lines, &mut game).transpose();
        }
        Ok(Some(self.game(lines, game)))
    }
}

/// An error ends the games.
impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<io::Result<Game>> {
        let game = self.reader.next_game(&mut self.lines).transpose()?;
        Some(game.map(|game| Game {
            board: self.lines.named(game.board),
            ..game
        }))
    }
}

/// Values of earlier games that a game may repeat (PBN 2.1, section 4.8).
///
/// `#` means the value in the game before. `##` does so, too, or sets the
/// value that follows it, and keeps it for all games that lack the tag. Longer
/// values than [`KEPT_LIMIT`] are not repeated.
#[derive(Debug, Default)]
struct Inherited {
    previous: Arc<BTreeMap<String, String>>,
    kept: BTreeMap<String, String>,
}

impl Inherited {
    /// The values of a game by the names of its tags; of a tag that occurs
    /// twice, the first.
    fn resolve(&mut self, tags: &[Tag]) -> Arc<BTreeMap<String, String>> {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        for tag in tags {
            if values.contains_key(&tag.name) {
                continue;
            }
            // A long one, repeated by every game, would cost more time than the file explains.
            let before = || {
                let value = self.previous.get(&tag.name);
                let short = value.filter(|value| value.len() <= KEPT_LIMIT);
                short.cloned().unwrap_or_default()
            };
            let value = match tag.value.strip_prefix("##") {
                Some(value) => {
                    let value = if value.is_empty() {
                        before()
                    } else {
                        value.to_owned()
                    };
                    if self.kept.len() < KEPT_LIMIT && value.len() <= KEPT_LIMIT {
                        self.kept.insert(tag.name.clone(), value.clone());
                    }
                    value
                }
                None if tag.value == "#" => before(),
                None => {
                    self.kept.remove(&tag.name);
                    tag.value.clone()
                }
            };
            values.insert(tag.name.clone(), value);
        }
        for (name, value) in &self.kept {
            if !tags.is_empty() && !values.contains_key(name) {
                values.insert(name.clone(), value.clone());
            }
        }
        let values = Arc::new(values);
        if !tags.is_empty() {
            self.previous = Arc::clone(&values);
        }
        values
    }
}
