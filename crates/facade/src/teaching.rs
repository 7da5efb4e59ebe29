//! What a teacher says about a deal before the play: where tricks can come from, the entries, the
//! danger, and which suit to play on first.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::Serialize;
use setrograde_beliefs::{Beliefs, BridgeView, joined};
use setrograde_cards::{
    Card, Contract, Deal, Hand, Holding, Position, Rank, Seat, Side, Sorting, Strain, Suit,
};
use setrograde_parallel::{Stop, in_order};
use setrograde_single_dummy::{Sampling, SuitHolding, SuitLine, drawn, interval};
use setrograde_solver::{Options, Solver, Target, Wanted};

use crate::words::{Interval, Percent};
use crate::{Refusal, Words, cards_by_suit, layouts};

/// The least chance of a trick that is shown.
const LEAST: f64 = 0.005;

/// Maximum number of lines of a suit's plan in the text.
const LINES: usize = 8;

/// The tricks that a suit of declarer's two hands takes on its own.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SuitSource {
    /// The suit.
    pub suit: Suit,
    /// The cards of both hands; `-` for none.
    pub hands: BTreeMap<Seat, String>,
    /// The tricks of the top cards.
    pub top: usize,
    /// The tricks that are sure.
    pub sure: usize,
    /// Further tricks, each with its chance by the best line for that number.
    pub more: Vec<MoreTricks>,
    /// The best line for the first of these, a line of text for each step.
    pub plan: Vec<String>,
}

/// A number of tricks that a suit may take.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MoreTricks {
    /// The number of tricks.
    pub tricks: usize,
    /// The chance of the best line for them.
    pub chance: f64,
}

/// A suit that the defenders may run at no trump.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct DangerousSuit {
    /// The suit.
    pub suit: Suit,
    /// How often it is stopped if the defenders play it from the top.
    pub stops: usize,
    /// The number of their cards.
    pub cards: usize,
}

/// How often the contract makes if declarer's side leads a suit at its first turn to lead, with
/// the hidden hands seen afterwards.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FirstSuit {
    /// The suit.
    pub suit: Suit,
    /// The share of the drawn layouts.
    pub makes: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// What a teacher says before the play.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Teaching {
    /// The suits, from spades.
    pub sources: Vec<SuitSource>,
    /// The high cards with which each hand of declarer's side can be reached.
    pub entries: BTreeMap<Seat, Hand>,
    /// The suits that the defenders may run, the most dangerous first.
    pub danger: Vec<DangerousSuit>,
    /// The suits to play on first, the best first; empty if the contract is sure, or makes in no
    /// layout that was drawn.
    pub first: Vec<FirstSuit>,
    /// The number of layouts drawn for them.
    #[serde(skip)]
    pub drawn: u128,
}

impl Teaching {
    /// Finds what follows from declarer's two hands.
    pub(crate) fn of_hands(contract: Contract, deal: &Deal, stop: &Stop) -> Teaching {
        let seats = [contract.declarer, contract.declarer.partner()];
        let source = |suit: Suit| source(contract.declarer.side(), deal, suit, stop);
        let entries = seats.map(|seat| {
            let other = deal.hand(seat.partner());
            let of_suit = |suit| entries(deal.hand(seat).holding(suit), other.holding(suit), suit);
            (seat, Suit::ALL.into_iter().map(of_suit).collect::<Hand>())
        });
        let mut danger: Vec<DangerousSuit> = match contract.bid.strain() {
            Strain::NoTrump => Suit::ALL
                .into_iter()
                .filter_map(|suit| danger(seats, deal, suit))
                .collect(),
            Strain::Trump(_) => Vec::new(),
        };
        danger.in_order_by_key(|of| (of.stops, 13 - of.cards));
        Teaching {
            sources: Suit::ALL.into_iter().filter_map(source).collect(),
            entries: entries.into(),
            danger,
            first: Vec::new(),
            drawn: 0,
        }
    }

    /// Finds the suit to play on first, over layouts that are drawn.
    pub(crate) fn draw(
        &mut self,
        contract: Contract,
        led: &[Card],
        (view, beliefs): (&BridgeView, &Beliefs),
        sampling: Sampling,
        options: &Options,
    ) -> Result<(), Refusal> {
        /// Maximum number of layouts; more change the shares little.
        const MOST: usize = 50;
        let wanted = sampling.layouts.min(MOST) as u64;
        let mut makes = [0_u64; 4];
        let failed = in_order(
            0..wanted,
            sampling.threads,
            || Solver::new(options.clone()),
            |solver, number| {
                let layout = drawn(beliefs, sampling.seed, number, &options.stop)?;
                let state = view.state(&layout);
                let deal = Deal::new(*state.hands());
                let deal = deal.expect("a layout shares the cards out");
                let start = Position::new(contract.bid.strain(), contract.leader(), deal, led)?;
                of_first_leads(solver, start, contract)
            },
            |result: Option<Result<[bool; 4], Refusal>>| {
                match result {
                    Some(Ok(of)) => {
                        for (makes, of) in makes.iter_mut().zip(of) {
                            *makes += u64::from(of);
                        }
                    }
                    Some(Err(error)) => return ControlFlow::Break(error),
                    None => {}
                }
                ControlFlow::Continue(())
            },
        );
        if let ControlFlow::Break(error) = failed {
            return Err(error);
        }
        self.drawn = wanted.into();
        let suit = |(suit, makes): (Suit, u64)| {
            let makes = makes as f64 / wanted as f64;
            FirstSuit {
                suit,
                makes,
                interval: interval(makes, wanted.into()),
            }
        };
        let suits = Suit::ALL.into_iter().zip(makes).map(suit);
        self.first = suits.filter(|of| of.makes >= LEAST).collect();
        self.first.in_order_by(|a, b| b.makes.total_cmp(&a.makes));
        Ok(())
    }

    pub(crate) fn words(&self, to: &mut Words) {
        let tops = self.sources.iter().filter(|of| of.top > 0);
        let all: usize = tops.clone().map(|of| of.top).sum();
        let each = joined(
            tops.map(|of| format!("{}{}", of.suit.symbol(), of.top)),
            " ",
        );
        if all > 0 {
            to.line(format_args!(
                "  How many are at the top?\n    {all}: {each}."
            ));
        }
        self.sources_in_words(to);
        let entries = self.entries.iter().filter(|(_, cards)| !cards.is_empty());
        let entries = entries.map(|(seat, cards)| {
            let (seat, cards) = (seat.name(), cards_by_suit(cards.cards()));
            format!("to {seat} {cards}")
        });
        let entries = joined(entries, "; ");
        if !entries.is_empty() {
            to.line(format_args!("  What are the entries?\n    {entries}."));
        }
        if !self.danger.is_empty() {
            to.line("  What is the danger?");
        }
        for of in &self.danger {
            let stopped = match of.stops {
                0 => "is not stopped",
                _ => "is stopped once",
            };
            to.line(format_args!(
                "    {} {stopped}, and the defenders have {} cards of it.",
                of.suit.symbol(),
                of.cards
            ));
        }
        self.first_in_words(to);
    }

    fn sources_in_words(&self, to: &mut Words) {
        let mut sources = self
            .sources
            .iter()
            .filter(|of| !of.more.is_empty())
            .peekable();
        if sources.peek().is_some() {
            to.line("  Where can more tricks come from?");
        }
        for of in sources {
            let more = of.more.iter();
            let more = more.map(|more| format!("{} in {}", more.tricks, Percent(more.chance)));
            let sure = match of.sure {
                0 => String::new(),
                sure => format!("{sure} sure, "),
            };
            to.line(format_args!(
                "    {} {}: {sure}{}",
                of.suit.symbol(),
                joined(of.hands.values(), " with "),
                joined(more, ", ")
            ));
            let lines = of.plan.len();
            let shown = if lines > LINES { LINES - 1 } else { lines };
            for line in &of.plan[..shown] {
                to.line(format_args!("      {line}"));
            }
            if shown < lines {
                to.line("      …");
            }
        }
    }

    fn first_in_words(&self, to: &mut Words) {
        let differ = self.first.len() == 1
            || self.first.last().map(|of| of.makes) < self.first.first().map(|of| of.makes);
        if let Some((best, rest)) = self.first.split_first().filter(|_| differ) {
            let rest = rest.iter();
            let rest = rest.map(|of| format!("{} {}", of.suit.symbol(), Percent(of.makes)));
            let rest = match joined(rest, ", ") {
                rest if rest.is_empty() => rest,
                rest => format!("\n    The others: {rest}."),
            };
            to.line(format_args!(
                "  Which suit first?\n    {}: makes in {} ({}) of {} drawn,\n      with all hands seen from then on.{rest}",
                best.suit.symbol(),
                Percent(best.makes),
                Interval::percent(best.interval),
                layouts(self.drawn),
            ));
        }
    }
}

/// The tricks of a suit; `None` if neither hand has it, or the search ended.
fn source(side: Side, deal: &Deal, suit: Suit, stop: &Stop) -> Option<SuitSource> {
    // The search calls the two hands North and South.
    let (first, turns) = match side {
        Side::NorthSouth => (Seat::North, 0),
        Side::EastWest => (Seat::East, 1),
    };
    let seats = [first, first.partner()];
    let held = seats.map(|seat| deal.hand(seat).holding(suit));
    let holding = SuitHolding::new(held[0], held[1], Holding::EMPTY, [13, 13]).ok()?;
    let holding = holding.with_stop(stop.clone());
    let lines = (0..=holding.most()).map(|tricks| holding.line(tricks));
    let lines: Vec<SuitLine> = lines.collect::<Option<_>>()?;
    let sure = lines.iter().rposition(|line| line.chance > 1.0 - 1e-9);
    let sure = sure.unwrap_or(0);
    let text = |held: Holding| {
        if held.is_empty() {
            "-".to_owned()
        } else {
            held.to_string()
        }
    };
    let more: Vec<&SuitLine> = lines[sure + 1..]
        .iter()
        .filter(|line| line.chance >= LEAST)
        .collect();
    let plan = more.first().map_or(Vec::new(), |line| {
        line.plan.lines().map(|line| turned(line, turns)).collect()
    });
    let ours = held[0] | held[1];
    let top = Rank::all().take_while(|&rank| ours.contains(rank)).count();
    Some(SuitSource {
        suit,
        top: top.min(holding.most()),
        hands: seats.into_iter().zip(held.map(text)).collect(),
        sure,
        more: more
            .into_iter()
            .map(|line| MoreTricks {
                tricks: line.tricks,
                chance: line.chance,
            })
            .collect(),
        plan,
    })
}

/// A text with the seats `turns` clockwise.
fn turned(text: &str, turns: usize) -> String {
    if turns == 0 {
        return text.to_owned();
    }
    let names = Seat::ALL.map(Seat::name);
    let mut found = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let seat = Seat::ALL
            .into_iter()
            .find(|seat| rest.starts_with(names[seat.index()]));
        let length = match seat {
            Some(seat) => {
                found += seat.plus(turns).name();
                seat.name().len()
            }
            None => {
                let next = rest.chars().next().expect("the rest is not empty");
                found.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    found
}

/// Returns the entries of a hand: its top cards, at most as many as the other hand has lower ones.
fn entries(held: Holding, other: Holding, suit: Suit) -> Hand {
    let ours = held | other;
    let top = Rank::all().take_while(|&rank| ours.contains(rank));
    let winners: Vec<Rank> = top.filter(|&rank| held.contains(rank)).collect();
    let lowest = winners.last().copied();
    let leads = other
        .iter()
        .filter(|&rank| lowest.is_some_and(|lowest| rank < lowest))
        .count();
    winners
        .into_iter()
        .take(leads)
        .map(|rank| Card::new(suit, rank))
        .collect()
}

/// Returns a suit in which the defenders have at least five cards and declarer at most one stopper.
fn danger(seats: [Seat; 2], deal: &Deal, suit: Suit) -> Option<DangerousSuit> {
    let held = seats.map(|seat| deal.hand(seat).holding(suit));
    let ours = held[0] | held[1];
    let mut hands = held.map(|held| held.iter().collect::<Vec<Rank>>());
    let cards = 13 - ours.len();
    let mut stops = 0;
    // They lead from the top; the cheapest winner is played, or the lowest cards.
    for lead in Rank::all().filter(|&rank| !ours.contains(rank)) {
        let winner = |hand: &Vec<Rank>| hand.iter().rposition(|&rank| rank > lead);
        let by = (0..2)
            .filter_map(|at| winner(&hands[at]).map(|place| (hands[at][place], at, place)))
            .min();
        for (at, hand) in hands.iter_mut().enumerate() {
            match by {
                Some((_, of, place)) if of == at => drop(hand.remove(place)),
                _ => drop(hand.pop()),
            }
        }
        stops += usize::from(by.is_some());
        if hands.iter().all(Vec::is_empty) {
            break;
        }
    }
    (cards >= 5 && stops <= 1).then_some(DangerousSuit { suit, stops, cards })
}

/// Whether the contract makes if declarer's side leads each suit at its first turn to lead; until
/// then all play double dummy.
fn of_first_leads(
    solver: &mut Solver,
    start: Position,
    contract: Contract,
) -> Result<[bool; 4], Refusal> {
    let mut position = start;
    let needed = contract.bid.tricks();
    let all = position.tricks_left();
    while !position.is_trick_boundary() || position.leader().side() != contract.declarer.side() {
        if position.tricks_left() == 0 {
            return Ok([false; 4]);
        }
        let best = solver.solve(&position, Target::Most, Wanted::One)?;
        let card = best.cards.first().expect("a card can be played").card;
        position = position.play(card).expect("it is legal");
    }
    // Until now the defenders have won all tricks but the last, if there was one.
    let gone = all - position.tricks_left();
    let won = u8::from(gone > 0);
    let found = solver.solve(&position, Target::Most, Wanted::All)?;
    let mut makes = [false; 4];
    for of in &found.cards {
        makes[of.card.suit.index()] |= won + of.tricks >= needed;
    }
    Ok(makes)
}
