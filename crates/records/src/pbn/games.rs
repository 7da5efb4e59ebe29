//! Cutting a PBN file into games.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;

use super::board::read_board;
use super::scan::{Tag, name_length, scan};
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{TextLine, TextLines, only_number};
use crate::text::{BOM, line_start};
use crate::{Board, Doubt, Options};

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
/// The bytes of all games together are the bytes of the file. A game ends with
/// an empty line that is not in a comment, or before an `Event`, `Board` or
/// `Deal` tag that it already has, also within a line.
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
    lines: TextLines<R>,
    file: Arc<str>,
    options: Options,
    /// The line that begins the next game, read too early.
    pending: Option<TextLine>,
    /// The place in a game beyond the limit where reading stopped.
    unfinished: Option<GameProgress>,
    inherited: Inherited,
    text: Option<u64>,
}

/// A game: its bytes, and the board that they describe.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) bytes: Vec<u8>,
    pub(super) tags: Vec<Tag>,
    pub(super) board: Option<Result<Board, RecordError>>,
    pub(super) unclosed: Option<Problem>,
}

impl Game {
    /// The bytes of the game in the file, with comments, blank lines and
    /// escaped lines before it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The board, or why it cannot be read; `None` if there is none, as after
    /// the last game.
    #[must_use]
    pub fn board(&self) -> Option<Result<&Board, &RecordError>> {
        self.board.as_ref().map(Result::as_ref)
    }

    /// The first tag or comment without an end, which makes it impossible to write into the game.
    #[must_use]
    pub fn unclosed(&self) -> Option<&Problem> {
        self.unclosed.as_ref()
    }

    pub(crate) fn into_board(self) -> Option<Result<Board, RecordError>> {
        self.board
    }
}

/// A game, or a part of one beyond the limit.
struct GamePiece {
    /// Number of the first line.
    line: u64,
    bytes: Vec<u8>,
    /// True if it is not the first part of its game.
    goes_on: bool,
}

/// The state of reading a game, as far as needed to find its end.
#[derive(Debug, Default)]
struct GameProgress {
    in_comment: bool,
    /// True if a part of a line ended within quotes.
    in_value: bool,
    has_tag: bool,
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
                return match self.has_tag {
                    true => GameEnd::After,
                    false => GameEnd::Later,
                };
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
                    self.has_tag = true;
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
    #[must_use]
    pub fn new(reader: R, file: &str) -> Games<R> {
        Games::with_options(reader, file, Options::default())
    }

    /// The games of a stream, read with `options`.
    #[must_use]
    pub fn with_options(reader: R, file: &str, options: Options) -> Games<R> {
        Games {
            lines: TextLines::new(reader),
            file: file.into(),
            options,
            pending: None,
            unfinished: None,
            inherited: Inherited::default(),
            text: None,
        }
    }

    /// The first line read that has text outside any game.
    #[must_use]
    pub fn text_between(&self) -> Option<u64> {
        self.text
    }

    /// The number of the line read last.
    pub(crate) fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The bytes up to the end of the next game or to the limit.
    fn next_piece(&mut self) -> io::Result<Option<GamePiece>> {
        let goes_on = self.unfinished.is_some();
        let mut progress = self.unfinished.take().unwrap_or_default();
        let mut bytes = Vec::new();
        let mut first_line = None;
        loop {
            let line = match self.pending.take() {
                Some(line) => line,
                None => match self.lines.next()? {
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
                self.pending = Some(TextLine {
                    bytes: next.to_vec(),
                    starts: false,
                    ..line
                });
                break;
            }
            bytes.extend_from_slice(&line.bytes);
            if matches!(end, GameEnd::After) {
                break;
            }
            if bytes.len() > GAME_LIMIT {
                self.unfinished = Some(progress);
                break;
            }
        }
        Ok(first_line.map(|line| GamePiece {
            line,
            bytes,
            goes_on,
        }))
    }

    fn read(&mut self, piece: GamePiece) -> Game {
        let GamePiece {
            line,
            bytes,
            goes_on,
        } = piece;
        let mut game = Game {
            bytes,
            tags: Vec::new(),
            board: None,
            unclosed: None,
        };
        if self.unfinished.is_some() && !goes_on {
            let problem = Problem::TooLong {
                what: "a game",
                limit: GAME_LIMIT,
            };
            game.board = Some(Err(AtLine { line, problem }.in_file(&self.file, None)));
        } else if !goes_on {
            self.read_tags(line, &mut game);
        }
        game
    }

    /// Reads the tags of a game, and its board.
    fn read_tags(&mut self, line: u64, game: &mut Game) {
        let scanned = match scan(&game.bytes, line) {
            Ok(scanned) => scanned,
            Err(error) => {
                game.board = Some(Err(error.in_file(&self.file, None)));
                return;
            }
        };
        self.text = self.text.or(scanned.text);
        game.unclosed = scanned.problems.first().map(|at| at.problem.clone());
        game.tags = scanned.tags;
        let values = self.inherited.resolve(&game.tags);
        let board = read_board(&game.tags, &values, self.options);
        game.board = board.map(|read| match read {
            Ok(mut board) => {
                for AtLine { line, problem } in scanned.problems {
                    board.doubt(line, Doubt::Value(problem));
                }
                Ok(board)
            }
            Err(error) => {
                let board = values.get("Board").and_then(|value| only_number(value));
                Err(error.in_file(&self.file, board))
            }
        });
    }
}

/// An error ends the games.
impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<Game>;

    fn next(&mut self) -> Option<io::Result<Game>> {
        match self.next_piece() {
            Ok(None) => None,
            Ok(Some(piece)) => Some(Ok(self.read(piece))),
            Err(error) => Some(Err(error)),
        }
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
