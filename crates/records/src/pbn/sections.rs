//! The auction and the play of a game.

use setrograde_cards::{Card, Seat, Strain};

use crate::auction::Call;
use crate::board::{PlayEnd, winner};
use crate::error::Problem;

/// The calls of an auction; `None` if a word is not a call. Notes (`=1=`),
/// suffixes (`$2`) and irregularities (`^I`) are left out.
pub(super) fn calls<'a>(words: impl Iterator<Item = &'a str>) -> (Option<Vec<Call>>, bool) {
    let mut calls = Vec::new();
    let mut over = false;
    for word in words.filter(|word| !is_annotation(word)) {
        match word {
            "*" | "+" => break,
            "-" => {}
            _ if word.eq_ignore_ascii_case("AP") => {
                over = true;
                let bid = calls.iter().any(|call| matches!(call, Call::Bid(_)));
                let passes = if bid { 3 } else { 4 };
                let made = calls.iter().rev();
                let made = made.take_while(|&&call| call == Call::Pass).count();
                calls.extend((made..passes).map(|_| Call::Pass));
            }
            _ => match Call::read(word) {
                Some(call) => calls.push(call),
                None => return (None, over),
            },
        }
    }
    (Some(calls), over)
}

/// The play of a game whose columns begin with `first`, in the order of play.
///
/// Each row is a trick, each column a seat, so the order within a trick
/// depends on who won the one before; without a strain only the first trick is
/// in order.
pub(super) fn play<'a>(
    first: Seat,
    strain: Option<Strain>,
    words: impl Iterator<Item = &'a str>,
) -> Result<(Vec<Card>, PlayEnd), Problem> {
    let mut cells = Vec::new();
    let mut end = PlayEnd::Open;
    for word in words.filter(|word| !is_annotation(word)) {
        match word {
            "*" => end = PlayEnd::Stopped,
            "+" => end = PlayEnd::InProgress,
            "-" | "--" => cells.push(None),
            _ => cells.push(Some(read_card(word)?)),
        }
        if matches!(word, "*" | "+") {
            break;
        }
    }
    let mut leader = first;
    let mut cards = Vec::new();
    for row in cells.chunks(4) {
        for turn in 0..4 {
            let column = leader.plus(turn).distance_from(first);
            match row.get(column) {
                Some(Some(card)) => cards.push(*card),
                _ => {
                    // Only what comes after the last card may be left out.
                    let known = cells.iter().flatten().count();
                    if end == PlayEnd::Open && known > cards.len() {
                        end = PlayEnd::Unknown;
                    }
                    return Ok((cards, end));
                }
            }
        }
        let trick = &cards[cards.len() - 4..];
        match strain.and_then(|strain| winner(leader, trick, strain)) {
            Some(winner) => leader = winner,
            None => {
                if cells.len() > cards.len() {
                    end = PlayEnd::Unknown;
                }
                return Ok((cards, end));
            }
        }
    }
    Ok((cards, end))
}

fn read_card(word: &str) -> Result<Card, Problem> {
    let name = word.trim_end_matches(['!', '?']);
    name.parse()
        .map_err(|error| Problem::text("Play", word, error))
}

/// Whether a word says something about the call or card before it.
fn is_annotation(word: &str) -> bool {
    word.starts_with(['=', '$', '^', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(first: Seat, strain: &str, rows: &str) -> (String, PlayEnd) {
        let strain = strain.parse().ok();
        let (cards, end) = play(first, strain, rows.split_whitespace()).unwrap();
        let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
        (cards.join(" "), end)
    }

    #[test]
    fn rows_are_seats_and_not_turns() {
        let rows = "SK =1= H3 S4 S3\nC5 C2 C6 CK\nS2 H6 S5 S7 *";
        // East ruffs, and leads from the second column.
        let (cards, end) = order(Seat::North, "H", rows);
        assert_eq!(cards, "SK H3 S4 S3 C2 C6 CK C5 S7 S2 H6 S5");
        assert_eq!(end, PlayEnd::Stopped);
        let (cards, _) = order(Seat::North, "NT", rows);
        assert_eq!(cards, "SK H3 S4 S3 C5 C2 C6 CK S7 S2 H6 S5");
        let first = "SK H3 S4 S3".to_owned();
        assert_eq!(
            order(Seat::North, "?", rows),
            (first.clone(), PlayEnd::Unknown)
        );
        assert_eq!(order(Seat::North, "?", &first), (first, PlayEnd::Open));
    }

    #[test]
    fn cards_that_are_not_named() {
        let unknown = order(Seat::North, "NT", "SK S2 S3 S4 SQ - S6 S7");
        assert_eq!(unknown, ("SK S2 S3 S4 SQ".to_owned(), PlayEnd::Unknown));
        let claimed = order(Seat::North, "NT", "SK S2 S3 S4 SQ - - - *");
        assert_eq!(claimed, ("SK S2 S3 S4 SQ".to_owned(), PlayEnd::Stopped));
        let cut = order(Seat::North, "NT", "SK S2 S3 S4 SQ");
        assert_eq!(cut, ("SK S2 S3 S4 SQ".to_owned(), PlayEnd::Open));
        assert_eq!(order(Seat::North, "NT", "").0, "");
    }

    #[test]
    fn auctions() {
        let read = |text: &str| {
            let (calls, over) = calls(text.split_whitespace());
            (calls.map(|calls| crate::auction::text(&calls)), over)
        };
        assert_eq!(
            read("1D 1S 3H =1= 4S AP"),
            (Some("1D 1S 3H 4S Pass Pass Pass".to_owned()), true)
        );
        assert_eq!(read("pass $1 Pass AP").0.unwrap(), "Pass Pass Pass Pass");
        assert_eq!(read("1D - X +").0.unwrap(), "1D X");
        assert_eq!(read("1D hello").0, None);
    }
}
