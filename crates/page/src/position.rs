//! A point of the play: everything that a page shows of it, so the page needs no rules, and the
//! tricks with each card.

use std::error::Error;

use serde::Serialize;
use setrograde::{CardList, SolvedCard};
use setrograde_beliefs::Question;
use setrograde_cards::{Card, Hand, Position, Seat, Strain};
use setrograde_solver::{Solver, Target, Wanted};

use crate::EngineAnswer;
use crate::evening::points;

/// Maximum number of cards of a play.
const MOST_CARDS: usize = 52;

/// A point of the play, before anything is solved.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PlayPoint {
    strain: Strain,
    /// The seat to play.
    to_play: Seat,
    /// The seat that leads, or led, to the trick.
    leader: Seat,
    /// The tricks left, the trick under way included.
    tricks_left: usize,
    /// The tricks won by North and South, and by East and West.
    won: [u8; 2],
    /// The high-card points of the hands.
    points: [u8; 4],
    /// The hands now, from North.
    hands: [Hand; 4],
    /// The cards of the trick under way, each with its seat.
    on_table: Vec<(Seat, Card)>,
    /// The last trick that was finished.
    last_trick: Vec<(Seat, Card)>,
    /// The cards that may be played.
    legal: Vec<Card>,
}

/// A point of the play, and the tricks with each card.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SolvedPoint {
    #[serde(flatten)]
    point: PlayPoint,
    /// The cards that may be played, with the tricks of the side to play.
    cards: Vec<SolvedCard>,
    /// The tricks of the declarer's side in all.
    takes: u8,
}

/// A play from a position on.
pub(crate) struct Play {
    pub start: Position,
    pub cards: Vec<Card>,
    /// The position at its end.
    pub end: Position,
    /// The tricks that each side has won, North and South's first.
    pub won: [u8; 2],
    /// The last trick that was finished, and who won it.
    last: Vec<(Seat, Card)>,
}

impl Play {
    /// Reads `STRAIN LEADER DEAL` and, after a tab, the cards played since.
    pub fn read(text: &str) -> Result<Play, Box<dyn Error>> {
        let (start, played) = text.split_once('\t').unwrap_or((text, ""));
        let start: Position = start.parse()?;
        let cards = read_cards(played)?;
        let mut play = Play {
            start,
            cards: Vec::with_capacity(cards.len()),
            end: start,
            won: [0; 2],
            last: Vec::new(),
        };
        for (index, card) in cards.into_iter().enumerate() {
            let seat = play.end.to_play();
            let mut trick: Vec<(Seat, Card)> = play.end.trick().plays().collect();
            let next = play.end.play(card);
            play.end = next.map_err(|error| format!("card {} of the play: {error}", index + 1))?;
            play.cards.push(card);
            if play.end.is_trick_boundary() {
                trick.push((seat, card));
                play.last = trick;
                play.won[play.end.leader().side()] += 1;
            }
        }
        Ok(play)
    }

    /// The seat whose side's tricks are shown: the declarer of a full deal, in an ending the
    /// leader.
    pub fn declarer(&self) -> Seat {
        let leader = self.start.leader();
        if self.is_ending() {
            leader
        } else {
            leader.partner().next()
        }
    }

    /// Returns true if cards were played before the start: then the declarer is unknown.
    pub fn is_ending(&self) -> bool {
        self.start.deal().cards_left() + self.start.played().len() < 52
    }

    /// The tricks of the declarer's side in all, if the side to play takes `most` of those left.
    pub fn takes(&self, most: u8) -> u8 {
        let side = self.declarer().side();
        let left = if side.includes(self.end.to_play()) {
            most
        } else {
            self.end.tricks_left() as u8 - most
        };
        self.won[side] + left
    }

    /// Everything but the tricks with each card.
    fn point(self) -> PlayPoint {
        let position = &self.end;
        PlayPoint {
            strain: position.strain(),
            to_play: position.to_play(),
            leader: position.leader(),
            tricks_left: position.tricks_left(),
            won: self.won,
            points: points(position.deal().hands()),
            hands: *position.deal().hands(),
            on_table: position.trick().plays().collect(),
            last_trick: self.last,
            legal: position.legal_cards().collect(),
        }
    }
}

/// A play as some of the seats know it.
pub(crate) struct SeatsView {
    /// The seats with visible hands, the asking seat first.
    pub seats: Vec<Seat>,
    pub play: Play,
    pub question: Question,
}

impl SeatsView {
    /// Reads the seats, as `NS`; a condition on the hidden cards that are left, or `-`;
    /// and a play, with a tab after each.
    pub fn read(text: &str) -> Result<SeatsView, Box<dyn Error>> {
        let (seats, rest) = field(text, "the condition")?;
        let (condition, play) = field(rest, "the position")?;
        let seats = seats
            .chars()
            .map(|seat| seat.to_string().parse())
            .collect::<Result<Vec<Seat>, _>>()?;
        if !matches!(seats[..], [_] | [_, _]) || seats[1..].contains(&seats[0]) {
            return Err("one or two hands are seen".into());
        }
        let play = Play::read(play)?;
        if !play.start.is_trick_boundary() {
            return Err("the play must begin with a trick".into());
        }
        if play.end.is_finished() {
            return Err("all cards have been played".into());
        }
        let deal = play.start.deal();
        let hands = Seat::ALL.map(|seat| {
            if seats.contains(&seat) {
                deal.hand(seat).to_string()
            } else {
                "?".to_owned()
            }
        });
        let hidden = Seat::ALL.into_iter().filter(|seat| !seats.contains(seat));
        let out: Hand = hidden.flat_map(|seat| deal.hand(seat).cards()).collect();
        let (strain, leader, hands) = (play.start.strain(), play.start.leader(), hands.join(" "));
        let cards: Vec<String> = play.cards.iter().map(Card::to_string).collect();
        let cards = cards.join(" ");
        let text = format!("{strain} {leader} N:{hands} out={out} {cards}");
        let mut question = text.parse::<Question>()?.asked_by(seats[0]);
        if condition != "-" {
            question = question.at_end(condition.parse()?);
        }
        Ok(SeatsView {
            seats,
            play,
            question,
        })
    }

    /// The seats whose hands are hidden.
    pub fn hidden(&self) -> impl Iterator<Item = Seat> {
        let seats = Seat::ALL.into_iter();
        seats.filter(|seat| !self.seats.contains(seat))
    }
}

/// Cards with blanks or commas between them.
pub(crate) fn read_cards(text: &str) -> Result<Vec<Card>, Box<dyn Error>> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let cards: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if cards.len() > MOST_CARDS {
        return Err(format!("{} cards; a play has at most {MOST_CARDS}", cards.len()).into());
    }
    let mut read = Vec::with_capacity(cards.len());
    for card in cards {
        read.push(card.parse()?);
    }
    Ok(read)
}

/// The text before the first tab, which says `what`, and the text after it.
pub(crate) fn field<'a>(text: &'a str, what: &str) -> Result<(&'a str, &'a str), String> {
    let missing = || format!("{what} is missing");
    text.split_once('\t').ok_or_else(missing)
}

/// Everything that a page shows of a position before anything is solved.
pub(crate) fn position(text: &str) -> EngineAnswer<PlayPoint> {
    Ok(Play::read(text)?.point())
}

/// The same, with the tricks of the side to play for each card that may be played:
/// those not finished yet, the trick under way included; and what the declarer's side takes in all.
pub(crate) fn cards(solver: &mut Solver, text: &str) -> EngineAnswer<SolvedPoint> {
    let play = Play::read(text)?;
    let mut cards = Vec::new();
    if !play.end.is_finished() {
        let solution = solver.solve(&play.end, Target::Most, Wanted::All)?;
        cards = CardList::new(&play.end, &solution, true).cards;
    }
    let most = cards.iter().map(|of| of.tricks).max().unwrap_or(0);
    Ok(SolvedPoint {
        takes: play.takes(most),
        point: play.point(),
        cards,
    })
}
