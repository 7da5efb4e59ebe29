//! Chances: the tricks over all layouts of the hidden hands, or over some that are
//! drawn. A page asks for a part of them at a time, and adds the parts up.

use std::collections::BTreeMap;
use std::error::Error;

use serde_json::{Value, json};
use setrograde_beliefs::{Beliefs, Condition, Facts, Reason};
use setrograde_cards::{Card, Deal, Hand, Position, Seat, Suit};
use setrograde_solver::{Solver, Target, Wanted};

use crate::Answer;
use crate::position::Play;

/// The most layouts of one question.
const MOST: usize = 200;

/// The number of layouts that give each number of tricks, 0 to 13.
type Counts = [u32; 14];

/// A question about chances, as tabs divide it: the seats whose hands are seen, as
/// `NS`; `all` or `draw`; the first layout's number, or a seed; how many layouts; a
/// condition on the hidden cards that are left, or `-`; `STRAIN LEADER DEAL`; the cards
/// played since.
struct Question {
    seen: Vec<Seat>,
    all: bool,
    first: u64,
    count: usize,
    condition: Option<Condition>,
    play: Play,
}

impl Question {
    fn read(text: &str) -> Result<Question, Box<dyn Error>> {
        let mut fields = text.splitn(6, '\t');
        let mut field = |what: &str| fields.next().ok_or_else(|| format!("{what} is missing"));
        let seats = field("the seats that are seen")?;
        let seats: Result<Vec<Seat>, _> =
            seats.chars().map(|seat| seat.to_string().parse()).collect();
        let mut seen: Vec<Seat> = seats?;
        seen.sort_unstable_by_key(|seat| seat.index());
        seen.dedup();
        if !(1..=2).contains(&seen.len()) {
            return Err("one or two hands are seen".into());
        }
        let all = match field("`all` or `draw`")? {
            "all" => true,
            "draw" => false,
            other => return Err(format!("{other:?} is neither `all` nor `draw`").into()),
        };
        let first = field("the first layout")?.parse()?;
        let count = field("the number of layouts")?.parse()?;
        if count > MOST {
            return Err(format!("{count} layouts; at most {MOST} are looked at").into());
        }
        let condition = condition(field("the condition")?)?;
        let play = Play::read(field("the position")?)?;
        if play.end.is_finished() {
            return Err("all cards have been played".into());
        }
        Ok(Question {
            seen,
            all,
            first,
            count,
            condition,
            play,
        })
    }

    fn hidden(&self) -> impl Iterator<Item = Seat> + '_ {
        let seats = Seat::ALL.into_iter();
        seats.filter(|seat| !self.seen.contains(seat))
    }

    /// The beliefs of those who see these hands about the others: their cards together, how
    /// many each has, and which suits one did not follow.
    fn beliefs(&self) -> Result<Beliefs, Box<dyn Error>> {
        let deal = self.play.end.deal();
        let unseen = self.hidden().flat_map(|seat| deal.hand(seat).cards());
        let mut sizes = [0; 4];
        for seat in self.hidden() {
            sizes[seat.index()] = deal.hand(seat).len() as u8;
        }
        let mut facts = Facts::new(unseen.collect(), sizes);
        let mut position = self.play.start;
        for &card in &self.play.cards {
            let seat = position.to_play();
            let led = position.trick().led_suit();
            if let Some(suit) = led.filter(|&suit| suit != card.suit)
                && !self.seen.contains(&seat)
            {
                let none = Card::pack().filter(|card| card.suit == suit);
                facts.deny(seat, none.collect(), Reason::Play(card));
            }
            position = position.play(card)?;
        }
        if let Some(condition) = &self.condition {
            let hidden: Vec<Seat> = self.hidden().collect();
            let limits = condition.limits(&hidden, facts.unseen());
            let limits = limits.map_err(|(column, error)| in_condition(column, error))?;
            for seat in hidden {
                facts.limit(seat, limits[seat.index()], Reason::Told);
            }
        }
        Ok(Beliefs::new(&facts)?)
    }
}

/// A condition, or `-` for none.
pub(crate) fn condition(text: &str) -> Result<Option<Condition>, Box<dyn Error>> {
    Ok(match text {
        "-" => None,
        text => Some(text.parse()?),
    })
}

/// What is wrong in a condition, and where.
pub(crate) fn in_condition(column: usize, error: impl Error) -> String {
    format!("the condition, column {column}: {error}")
}

/// The counts over some layouts.
#[derive(Default)]
struct Found {
    layouts: u32,
    tricks: Counts,
    cards: BTreeMap<Card, Counts>,
    splits: [BTreeMap<[usize; 4], Counts>; 4],
}

impl Found {
    fn add(&mut self, solver: &mut Solver, position: &Position) -> Result<(), Box<dyn Error>> {
        let solution = solver.solve(position, Target::Most, Wanted::All)?;
        let most = usize::from(solution.cards.first().map_or(0, |of| of.tricks));
        self.layouts += 1;
        self.tricks[most] += 1;
        for of in solution.cards {
            for card in of.equal_cards().chain([of.card]) {
                self.cards.entry(card).or_default()[usize::from(of.tricks)] += 1;
            }
        }
        for suit in Suit::ALL {
            let lengths = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit).len());
            self.splits[suit.index()].entry(lengths).or_default()[most] += 1;
        }
        Ok(())
    }

    fn json(&self, left: usize) -> Value {
        let counts = |counts: &Counts| json!(counts[..=left]);
        let cards = self.cards.iter();
        let cards =
            cards.map(|(card, of)| json!({ "card": card.to_string(), "tricks": counts(of) }));
        let splits = Suit::ALL.map(|suit| {
            let splits = self.splits[suit.index()].iter();
            let split = |(lengths, of): (&[usize; 4], &Counts)| {
                json!({ "lengths": lengths, "tricks": counts(of) })
            };
            json!({ "suit": suit.letter().to_string(), "splits": splits.map(split).collect::<Vec<_>>() })
        });
        json!({
            "looked_at": self.layouts,
            "tricks": counts(&self.tricks),
            "cards": cards.collect::<Vec<_>>(),
            "splits": splits,
        })
    }
}

/// The tricks of the side to play with all cards seen, in each layout of a part.
pub(crate) fn chances(solver: &mut Solver, text: &str) -> Answer {
    let question = Question::read(text)?;
    let beliefs = question.beliefs()?;
    let position = &question.play.end;
    let mut rng = fastrand::Rng::with_seed(question.first);
    let mut found = Found::default();
    for n in 0..question.count {
        let layout = match question.all {
            true => match beliefs.layout(u128::from(question.first) + n as u128) {
                Some(layout) => layout,
                None => break,
            },
            false => beliefs.sample(&mut rng),
        };
        let mut hands = *position.deal().hands();
        for seat in question.hidden() {
            hands[seat.index()] = layout[seat.index()].into_iter().collect::<Hand>();
        }
        let deal = Deal::new(hands)?;
        let (strain, leader) = (position.strain(), position.leader());
        let position = Position::with_revokes(strain, leader, deal, position.played())?;
        found.add(solver, &position)?;
    }
    let mut answer = found.json(position.tricks_left());
    answer["seat"] = json!(position.to_play().to_string());
    answer["tricks_left"] = json!(position.tricks_left());
    answer["layouts"] = json!(beliefs.count().to_string());
    Ok(answer)
}
