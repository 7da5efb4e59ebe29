//! A game with double-dummy results written into it.

use setrograde_cards::Sorting;
use std::ops::Range;

use super::double_dummy::{self, CONTRACT, PLAY, SCORE, TABLE, TRICKS};
use super::games::Game;
use super::scan::Tag;
use crate::board::DoubleDummy;
use crate::text::with_blanks;

impl Game {
    /// The game with the results in `results`, and every other byte unchanged.
    ///
    /// Writes `OptimumResultTable` and `DoubleDummyTricks` for the tricks, `OptimumScore` for the
    /// par score, `ParContract` for the par contracts and `OptimumPlayTable` for the best cards of
    /// the play; `None` is not written. A tag that says the same already stays as it is; a
    /// different one is replaced in its position; a missing one comes after the last tag and its
    /// section. A game without tags, or with an [unclosed](Game::unclosed) tag, is returned
    /// unchanged. A comment between the rows of a table that is replaced goes with it.
    ///
    /// ```
    /// use setrograde_records::{DoubleDummy, pbn::Games};
    ///
    /// let file = "[Board \"1\"]\n[OptimumScore \"NS 0\"]\n; my notes\n\n";
    /// let game = Games::new(file.as_bytes(), "one.pbn").next().unwrap()?;
    /// let par = DoubleDummy { par_score: Some(-140), ..DoubleDummy::default() };
    /// assert_eq!(
    ///     game.with_double_dummy(&par),
    ///     b"[Board \"1\"]\n[OptimumScore \"NS -140\"]\n; my notes\n\n"
    /// );
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_double_dummy(&self, results: &DoubleDummy) -> Vec<u8> {
        let last = self.tags.last().filter(|_| self.unclosed.is_none());
        let Some(last) = last else {
            return self.bytes.clone();
        };
        let line_break = if self.bytes.windows(2).any(|pair| pair == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let mut added = String::new();
        for (name, text) in wanted(results, line_break) {
            match self.tags.iter().find(|tag| tag.name == name) {
                Some(tag) if says(tag, results) => {}
                Some(tag) => {
                    let mut range = tag.range.clone();
                    if name == TABLE || name == PLAY {
                        range.end = tag.end;
                    }
                    let apart = if self.follows_a_quote(tag) {
                        line_break
                    } else {
                        ""
                    };
                    edits.push((range, format!("{apart}{text}")));
                }
                None => {
                    added.push_str(line_break);
                    added.push_str(&text);
                }
            }
        }
        if !added.is_empty() {
            let at = self.after(last.end);
            edits.push((at..at, added));
        }
        edits.in_order_by_key(|(range, _)| (range.start, range.end));
        let mut bytes = Vec::with_capacity(self.bytes.len() + 512);
        let mut at = 0;
        for (range, text) in edits {
            bytes.extend_from_slice(&self.bytes[at..range.start]);
            bytes.extend_from_slice(text.as_bytes());
            at = range.end;
        }
        bytes.extend_from_slice(&self.bytes[at..]);
        bytes
    }

    /// Returns true if a quote is between the tag and the text before it in its line: together with
    /// a quote of the tag, it could hide the tag's bracket.
    fn follows_a_quote(&self, tag: &Tag) -> bool {
        let before = &self.bytes[..tag.range.start];
        let line = before.iter().rposition(|&byte| byte == b'\n');
        let ends = self.tags.iter().map(|tag| tag.range.end);
        let last = ends.take_while(|&end| end <= before.len()).last();
        let start = line.map_or(0, |at| at + 1).max(last.unwrap_or(0));
        before[start..].contains(&b'"')
    }

    /// The end of the line in which `end` lies: the rest of it may be a
    /// comment.
    fn after(&self, end: usize) -> usize {
        let rest = &self.bytes[end..];
        let mut in_comment = false;
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                b'{' => in_comment = true,
                b'}' => in_comment = false,
                b';' if !in_comment => {
                    let line = rest[at..].iter().position(|&byte| byte == b'\n');
                    let end_of_line = end + line.map_or(rest.len(), |line| at + line);
                    return self.before_return(end_of_line);
                }
                b'\n' if !in_comment => return self.before_return(end + at),
                _ => {}
            }
        }
        self.bytes.len()
    }

    /// Returns `at`, or the offset of a carriage return just before it.
    fn before_return(&self, at: usize) -> usize {
        at - usize::from(self.bytes[..at].ends_with(b"\r"))
    }
}

/// The tags to write, by name.
pub(super) fn wanted(results: &DoubleDummy, line_break: &str) -> Vec<(&'static str, String)> {
    let mut tags = Vec::new();
    if let Some(tricks) = &results.tricks {
        let digits = double_dummy::write_tricks(tricks);
        tags.push((TRICKS, format!("[{TRICKS} \"{digits}\"]")));
    }
    if let Some(score) = results.par_score {
        tags.push((SCORE, format!("[{SCORE} \"NS {score}\"]")));
    }
    if let Some(contract) = &results.par_contract {
        tags.push((CONTRACT, format!("[{CONTRACT} \"{}\"]", quoted(contract))));
    }
    if let Some(tricks) = &results.tricks {
        tags.push((TABLE, double_dummy::write_table(tricks, line_break)));
    }
    if let Some(play) = &results.play {
        tags.push((PLAY, double_dummy::write_play(play, line_break)));
    }
    tags
}

/// A text as the value of a tag, [with blanks](with_blanks). A space before it keeps it from being a
/// value to which PBN gives a meaning.
pub(super) fn quoted(text: &str) -> String {
    let text = with_blanks(text).replace('\\', "\\\\").replace('"', "\\\"");
    if text.starts_with('#') || text == "?" {
        format!(" {text}")
    } else {
        text
    }
}

/// Returns true if `tag` holds these results.
fn says(tag: &Tag, results: &DoubleDummy) -> bool {
    match tag.name.as_str() {
        TRICKS => double_dummy::read_tricks(&tag.value) == Ok(results.tricks),
        SCORE => double_dummy::read_score(&tag.value) == results.par_score,
        CONTRACT => Some(&tag.value) == results.par_contract.as_ref(),
        PLAY => double_dummy::read_play(tag).as_ref() == Ok(&results.play),
        _ => double_dummy::read_table(tag) == Ok(results.tricks),
    }
}
