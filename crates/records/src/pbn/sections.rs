//! The auction and the play of a game.

use std::iter::Peekable;

use setrograde_cards::{Bid, Call, Card, Deal, Seat, Strain};

use super::scan::Tag;
use crate::auction::{self, all_pass, read_call};
use crate::board::{PlayEnd, winner};
use crate::error::Problem;

/// The calls of an auction.
#[derive(Debug)]
pub(super) struct Section {
    pub calls: Vec<Call>,
    /// True if it says that all others pass.
    pub over: bool,
    /// The columns before the first call.
    pub skipped: usize,
    /// The calls with a note (`=1=`), counted from 0, and the note's number.
    pub alerts: Vec<(usize, u8)>,
}

/// The calls of an auction, or the word that is not a call. Suffixes (`$2`) and irregularities
/// (`^I`) are left out, even without a space before them; notes (`=1=`) are returned separately.
///
/// `-` fills a column. `--` does so in the first `fillers` columns, and is a pass elsewhere.
pub(super) fn calls<'a>(
    words: impl Iterator<Item = &'a str>,
    fillers: usize,
) -> Result<Section, &'a str> {
    let mut section = Section {
        calls: Vec::new(),
        over: false,
        skipped: 0,
        alerts: Vec::new(),
    };
    let mut words = words.peekable();
    while let Some(whole) = words.next() {
        let calls = &mut section.calls;
        let word = without_notes(whole);
        let passes = |next: &&str| without_notes(next).eq_ignore_ascii_case("pass");
        match word {
            "" => {}
            "*" | "+" => break,
            "-" => section.skipped += usize::from(calls.is_empty()),
            "--" if calls.is_empty() && section.skipped < fillers => section.skipped += 1,
            "--" => calls.push(Call::Pass),
            _ if word.eq_ignore_ascii_case("all") && words.next_if(passes).is_some() => {
                section.over = true;
                all_pass(calls);
            }
            _ => match read_call(word).or_else(|| bid_in_two(word, &mut words)) {
                Some(call) => calls.push(call),
                None => auction::add(word, calls, &mut section.over).map_err(|_| whole)?,
            },
        }
        if let Some((note, last)) = note(whole).zip(section.calls.len().checked_sub(1)) {
            section.alerts.push((last, note));
        }
    }
    Ok(section)
}

/// The bid whose level is a word and whose strain is the next, which is taken from `words`.
fn bid_in_two<'a>(
    level: &str,
    words: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> Option<Call> {
    let level = level.parse().ok()?;
    let bid = Bid::new(level, words.peek()?.parse().ok()?)?;
    words.next();
    Some(Call::Bid(bid))
}

/// The rows of a play: a trick each, a column for each seat.
#[derive(Debug)]
pub(super) struct Rows {
    /// The cards; `None` where a column is filled without one.
    cells: Vec<Option<Card>>,
    end: PlayEnd,
}

/// The rows of a play, up to the word that ends it or to a word that is not a card, which is
/// returned with the problem.
pub(super) fn rows<'a>(words: impl Iterator<Item = &'a str>) -> (Rows, Option<(&'a str, Problem)>) {
    let mut cells = Vec::new();
    let mut end = PlayEnd::Open;
    let mut unread = None;
    for word in words.filter(|word| !without_notes(word).is_empty()) {
        match word {
            "*" => end = PlayEnd::Stopped,
            "+" => end = PlayEnd::InProgress,
            "-" | "--" => cells.push(None),
            _ => match without_notes(word).parse() {
                Ok(card) => cells.push(Some(card)),
                // The number of a trick.
                Err(_) if word.trim_end_matches('.').parse::<u8>().is_ok() => {}
                Err(error) => match auction::cards(without_notes(word)).collect() {
                    Ok::<Vec<Card>, _>(several) => cells.extend(several.into_iter().map(Some)),
                    Err(_) => {
                        unread = Some((word, Problem::text("Play", word, error)));
                        end = PlayEnd::Unknown;
                    }
                },
            },
        }
        if end != PlayEnd::Open {
            break;
        }
    }
    (Rows { cells, end }, unread)
}

impl Rows {
    /// The cards in the order of play, where the columns begin with `first`, who leads.
    ///
    /// The order within a trick depends on the winner of the previous trick; without a strain only
    /// the first trick is in order.
    pub(crate) fn by_column(&self, first: Seat, strain: Option<Strain>) -> (Vec<Card>, PlayEnd) {
        let mut leader = first;
        let mut cards = Vec::new();
        for row in self.cells.chunks(4) {
            for turn in 0..4 {
                let column = leader.plus(turn).distance_from(first);
                match row.get(column) {
                    Some(Some(card)) => cards.push(*card),
                    _ => return self.ended(cards),
                }
            }
            let trick = &cards[cards.len() - 4..];
            match strain.and_then(|strain| winner(leader, trick, strain)) {
                Some(winner) => leader = winner,
                None if self.cells.len() > cards.len() => return (cards, PlayEnd::Unknown),
                None => break,
            }
        }
        self.ended(cards)
    }

    /// The cards in the order of play, each played by the hand that holds it; `None` if a row lacks
    /// the card of a hand.
    pub(crate) fn by_owner(
        &self,
        deal: &Deal,
        leader: Seat,
        strain: Strain,
    ) -> Option<(Vec<Card>, PlayEnd)> {
        let mut leader = leader;
        let mut cards = Vec::new();
        for row in self.cells.chunks(4) {
            let row: Vec<Card> = row.iter().flatten().copied().collect();
            let of = |seat: Seat| row.iter().find(|&&card| deal.hand(seat).contains(card));
            let turns = (0..4).map_while(|turn| of(leader.plus(turn)).copied());
            let trick: Vec<Card> = turns.collect();
            if trick.len() < row.len() {
                return None;
            }
            cards.extend(&trick);
            match winner(leader, &trick, strain) {
                Some(winner) => leader = winner,
                None => break,
            }
        }
        Some(self.ended(cards))
    }

    /// The cards, and how the play ends after them. Only the part after the last card may be left
    /// out.
    fn ended(&self, cards: Vec<Card>) -> (Vec<Card>, PlayEnd) {
        let known = self.cells.iter().flatten().count();
        match self.end {
            PlayEnd::Open if known > cards.len() => (cards, PlayEnd::Unknown),
            end => (cards, end),
        }
    }
}

/// Returns true if a text after an empty line is a part of the tag's section: calls, cards, or rows
/// of a table.
pub(super) fn is_rows(tag: &Tag, text: &str) -> bool {
    let words = || text.split_whitespace();
    match &*tag.name {
        "Auction" => calls(words(), 4).is_ok_and(|read| read.over || !read.calls.is_empty()),
        "Play" => {
            let (rows, unread) = rows(words());
            let has_card = rows.cells.iter().any(Option::is_some);
            unread.is_none() && (has_card || matches!(text.trim(), "*" | "+"))
        }
        // Other text follows a table more often than more rows, unless all are apart.
        name if name.ends_with("Table") => {
            let rows = tag.section.trim_end();
            if !rows.is_empty() && !rows.contains("\n\n") {
                return false;
            }
            let columns = tag.value.split(';').count();
            let mut rows = text.lines().map(|row| row.split_whitespace().count());
            rows.all(|count| count == 0 || count == columns)
        }
        _ => false,
    }
}

/// Checks that each card belongs to the hand whose turn it is.
pub(super) fn is_played_by_owners(
    deal: &Deal,
    leader: Seat,
    strain: Strain,
    cards: &[Card],
) -> bool {
    let mut leader = leader;
    cards.chunks(4).all(|trick| {
        let mut turns = trick.iter().enumerate();
        let owned = turns.all(|(turn, &card)| deal.hand(leader.plus(turn)).contains(card));
        leader = winner(leader, trick, strain).unwrap_or(leader);
        owned
    })
}

/// The number in `=1=`.
fn note(word: &str) -> Option<u8> {
    word.split('=').nth(1)?.parse().ok()
}

/// A word without its annotation; an annotation of the previous word becomes empty.
fn without_notes(word: &str) -> &str {
    word.split(['=', '$', '^', '!', '?'])
        .next()
        .unwrap_or_default()
}
