//! The mistakes of many boards, by player and by pair.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use setrograde_beliefs::counted;
use setrograde_cards::{Seat, Side, Sorting};

use crate::{Board, Report, Review, Step, Words};

/// Maximum number of characters of a name in the output.
const WIDEST: usize = 30;

/// The mistakes of many boards, by player and by pair. Boards may be added in any order.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(from = "SummaryObject", into = "SummaryObject")
)]
pub struct Summary {
    boards: u64,
    players: BTreeMap<String, Losses>,
    pairs: BTreeMap<String, Losses>,
}

/// The mistakes of a player or a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Losses {
    /// The name; a seat or a side where the record has no names.
    pub name: String,
    /// Number of boards.
    pub boards: u64,
    /// Number of cards played; declarer plays dummy's too.
    pub cards: u64,
    /// Number of cards with a cost.
    pub mistakes: u64,
    /// The tricks that they cost.
    pub tricks: u64,
    /// Of these, by the opening lead.
    pub on_lead: u64,
    /// Of these, as declarer.
    pub declaring: u64,
    /// Of these, in defence after the opening lead.
    pub defending: u64,
}

impl Losses {
    fn add(&mut self, review: &Review, step: &Step, opening: bool) {
        let cost = u64::from(step.cost);
        self.cards += 1;
        self.mistakes += u64::from(cost > 0);
        self.tricks += cost;
        let declares = step.seat.side() == review.side() && review.contract.is_some();
        *match (opening, declares) {
            (true, _) => &mut self.on_lead,
            (_, true) => &mut self.declaring,
            (_, false) => &mut self.defending,
        } += cost;
    }
}

impl Summary {
    /// The number of boards.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// Adds a board and its review.
    pub fn add(&mut self, board: &Board, review: &Review) {
        self.boards += 1;
        for seat in Seat::ALL {
            of(&mut self.players, name(board, seat)).boards += 1;
        }
        for side in Side::ALL {
            of(&mut self.pairs, pair(board, side)).boards += 1;
        }
        for (index, step) in review.steps.iter().enumerate() {
            let player = review.player(step);
            let opening = index == 0 && step.trick == 1;
            let losses = of(&mut self.players, name(board, player));
            losses.add(review, step, opening);
            let losses = of(&mut self.pairs, pair(board, player.side()));
            losses.add(review, step, opening);
        }
    }

    /// The players, in descending order of lost tricks.
    fn players(&self) -> Vec<Losses> {
        worst_first(&self.players)
    }

    /// The pairs, in descending order of lost tricks.
    fn pairs(&self) -> Vec<Losses> {
        worst_first(&self.pairs)
    }
}

/// A summary as an object.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Summary")
)]
struct SummaryObject {
    /// The mistakes of all boards.
    summary: SummaryLists,
}

/// The mistakes of all boards.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SummaryLists {
    /// Number of boards.
    boards: u64,
    /// The players.
    players: Vec<Losses>,
    /// The pairs.
    pairs: Vec<Losses>,
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SummaryObject::from(self).serialize(to)
    }
}

impl From<&Summary> for SummaryObject {
    fn from(summary: &Summary) -> SummaryObject {
        SummaryObject {
            summary: SummaryLists {
                boards: summary.boards,
                players: summary.players(),
                pairs: summary.pairs(),
            },
        }
    }
}

impl Report for Summary {
    fn words(&self, to: &mut Words) {
        let boards = counted(self.boards as usize, "board");
        to.title(format_args!("\nTricks lost by mistakes, {boards}"));
        for (title, list) in [("player", self.players()), ("pair", self.pairs())] {
            let width = list
                .iter()
                .map(|of| of.name.chars().count())
                .max()
                .unwrap_or(0)
                .clamp(title.len(), WIDEST);
            to.line(format_args!(
                "  {title:width$}  boards  mistakes  tricks  lead  declarer  defence"
            ));
            for of in list {
                let name: String = of.name.chars().take(width).collect();
                to.line(format_args!(
                    "  {name:width$}  {:6}  {:8}  {:6}  {:4}  {:8}  {:7}",
                    of.boards, of.mistakes, of.tricks, of.on_lead, of.declaring, of.defending
                ));
            }
        }
    }
}

fn of(all: &mut BTreeMap<String, Losses>, name: String) -> &mut Losses {
    all.entry(name.clone()).or_insert_with(|| Losses {
        name,
        ..Losses::default()
    })
}

/// A player's name, or the seat's name if the record has none.
fn name(board: &Board, seat: Seat) -> String {
    let names = board.players.as_ref();
    let name = names.map_or("", |names| names[seat].as_str());
    match name {
        "" => seat.name().to_owned(),
        name => name.to_owned(),
    }
}

/// The names of a side's players.
fn pair(board: &Board, side: Side) -> String {
    side.seats().map(|seat| name(board, seat)).join(" – ")
}

fn worst_first(all: &BTreeMap<String, Losses>) -> Vec<Losses> {
    let mut list: Vec<Losses> = all.values().cloned().collect();
    list.in_order_by(|a, b| b.tricks.cmp(&a.tricks).then_with(|| a.name.cmp(&b.name)));
    list
}
