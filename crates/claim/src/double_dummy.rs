//! Double dummy against a claim: layouts in which no play takes the tricks refute it
//! without a search over plans.
//!
//! [`bad_layouts`] are tried before a search. During a search, layouts that refuted one line of
//! play are tried first on other lines: a card after which double dummy fails in one layout is
//! wrong in every plan, and a few layouts refute most wrong cards. For one layout, a double-dummy
//! solver finds this in microseconds.

use setrograde_cards::{Card, Deal, Hand, Position, Seat, Side};
use setrograde_parallel::Stop;
use setrograde_solver::{SolveError, Solver};
use smallvec::SmallVec;

use crate::knowledge::Knowledge;
use crate::knowledge::case::Hidden;
use crate::knowledge::layouts::each_layout;
use crate::lanes::{self, count, each, lane, suit_of, union};

/// The orders of suits in which a hidden hand gets its maximum length.
const ORDERS: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [1, 2, 3, 0],
    [2, 3, 0, 1],
    [3, 0, 1, 2],
    [0, 2, 3, 1],
    [1, 3, 0, 2],
    [2, 0, 1, 3],
    [3, 1, 2, 0],
];

/// Returns layouts that are likely to be bad: long suits in one hand, and the high cards in one
/// hand or with the length.
pub(crate) fn bad_layouts(knowledge: &Knowledge) -> Vec<[u64; 2]> {
    let state = knowledge.state();
    let mut found: Vec<[u64; 2]> = Vec::new();
    for case in &state.cases {
        for order in ORDERS {
            for long in Hidden::BOTH {
                let Some(long) = case.stretched(order, long, state.unseen, state.cards) else {
                    continue;
                };
                for high in Hidden::BOTH {
                    let hand = long.dealt(high, state.unseen);
                    let layout = [hand, state.unseen & !hand];
                    if !found.contains(&layout) {
                        found.push(layout);
                    }
                }
            }
        }
    }
    found
}

/// Returns these layouts, with all others if there are at most `most`.
pub(crate) fn all_or_bad(knowledge: &Knowledge, most: u64) -> Vec<[u64; 2]> {
    let state = knowledge.state();
    let mut found = bad_layouts(knowledge);
    if knowledge.layouts() <= most {
        for case in &state.cases {
            for hand in each_layout(case, state.unseen, state.cards) {
                let layout = [hand, state.unseen & !hand];
                if !found.contains(&layout) {
                    found.push(layout);
                }
            }
        }
    }
    found
}

/// The position with the hidden hands revealed.
pub(crate) fn open(knowledge: &Knowledge, layout: [u64; 2]) -> Option<Position> {
    let trick = knowledge.trick();
    opened(
        knowledge,
        layout,
        |cards| cards,
        trick.leader(),
        trick.cards(),
    )
}

/// The position in one layout after a play: `left` removes the played cards from a hand.
fn opened(
    root: &Knowledge,
    layout: [u64; 2],
    left: impl Fn(u64) -> u64,
    leader: Seat,
    table: &[Card],
) -> Option<Position> {
    let mut hands = [Hand::EMPTY; 4];
    let visible = root.visible().into_iter().zip(root.state().visible);
    for (seat, cards) in visible.chain(root.hidden().into_iter().zip(layout)) {
        hands[seat] = Hand::from_bits(left(cards));
    }
    let deal = Deal::new(hands).ok()?;
    Position::new(root.strain(), leader, deal, table).ok()
}

/// Returns the tricks of a side with all cards visible.
///
/// # Errors
///
/// If the solver is cancelled or fails.
pub fn tricks_of_side(
    solver: &mut Solver,
    position: &Position,
    side: Side,
) -> Result<u8, SolveError> {
    let tricks = solver.tricks(position)?;
    Ok(if position.leader().side() == side {
        tricks
    } else {
        position.tricks_left() as u8 - tricks
    })
}

/// The cards whose ranks mattered if `side` takes fewer than `need` tricks double dummy; `None` if
/// it takes them. `need` is 1 to the tricks left.
///
/// # Errors
///
/// If the solver is cancelled or fails.
pub fn refutes(
    solver: &mut Solver,
    position: &Position,
    side: Side,
    need: u8,
) -> Result<Option<Hand>, SolveError> {
    let ours = position.leader().side() == side;
    let target = if ours {
        need
    } else {
        position.tricks_left() as u8 + 1 - need
    };
    let reach = solver.reaches(position, target)?;
    Ok((reach.reached != ours).then_some(reach.cards))
}

/// The path from the root of a search to its current node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// The cards held or on the table when the trick began.
    here: u64,
    /// The cards on the table, in order, and their number.
    table: [u64; 4],
    count: usize,
    /// The cards that each hidden hand has played.
    played: [u64; 2],
    /// The suits in which each hidden hand has shown out.
    void: [u64; 2],
}

impl Path {
    /// The root: `held` is in the hands, `table` on the table.
    pub(crate) fn new(held: u64, table: impl Iterator<Item = u64>) -> Path {
        let mut path = Path {
            here: held,
            table: [0; 4],
            count: 0,
            played: [0; 2],
            void: [0; 2],
        };
        for card in table {
            path.here |= card;
            path.put(card);
        }
        path
    }

    fn put(&mut self, card: u64) {
        if let Some(nth) = self.table.get_mut(self.count) {
            *nth = card;
            self.count += 1;
        }
    }

    /// A card of relative rank is played; `hidden` says which hidden hand played
    /// it, if one did.
    pub(crate) fn play(&mut self, card: u64, hidden: Option<Hidden>) {
        let card = self.real(card);
        if let Some(who) = hidden.map(Hidden::index) {
            self.played[who] |= card;
            let led = suit_of(self.table[0]);
            if self.count > 0 && suit_of(card) != led {
                self.void[who] |= lane(led);
            }
        }
        self.put(card);
    }

    /// The trick is over.
    pub(crate) fn end_trick(&mut self) {
        self.here &= !union(self.table);
        self.table = [0; 4];
        self.count = 0;
    }

    /// The cards held or on the table when the trick began.
    pub(crate) fn here(&self) -> u64 {
        self.here
    }

    /// The cards on the table, in order.
    pub(crate) fn table(&self) -> &[u64] {
        &self.table[..self.count]
    }

    /// Returns the cards of `hand` at the root that have not been played.
    pub(crate) fn held(&self, hand: u64) -> u64 {
        self.table()
            .iter()
            .fold(hand & self.here, |hand, card| hand & !card)
    }

    /// Returns true if the play so far is possible in a layout of the root.
    pub(crate) fn agrees(&self, layout: &[u64; 2]) -> bool {
        (0..2).all(|who| {
            let left = layout[who] & !self.played[who];
            self.played[who] & !layout[who] == 0 && left & self.void[who] == 0
        })
    }

    /// The first hidden hand of the root that holds the `relative` cards now.
    pub(crate) fn first_hand(&self, relative: u64) -> u64 {
        self.played[0] | union(each(relative).map(|card| self.real(card)))
    }

    /// The real card of a relative rank.
    pub(crate) fn real(&self, relative: u64) -> u64 {
        let mut cards = self.here & lane(suit_of(relative));
        for _ in 0..relative.trailing_zeros() % 16 {
            cards &= cards.wrapping_sub(1);
        }
        cards & cards.wrapping_neg()
    }

    /// The relative ranks of real cards.
    pub(crate) fn relative(&self, cards: u64) -> u64 {
        let relative = |card: u64| {
            let suit = suit_of(card);
            1 << (16 * suit + usize::from(count(self.here & (card - 1), suit)))
        };
        union(each(cards).map(relative))
    }
}

/// Maximum number of stored layouts.
const MOST: usize = 16;
/// Maximum number of layouts tried on one card.
const TRIED: usize = 2;

/// A layout, and the results about it.
#[derive(Debug)]
struct Refuter {
    layout: [u64; 2],
    solver: Solver,
    /// The number of tricks left when it refuted a card. With more tricks left it is not tried,
    /// because that is slow and rarely succeeds.
    reach: u8,
}

/// Layouts, the most recent refutation first.
#[derive(Debug)]
pub(crate) struct Refuters {
    options: setrograde_solver::Options,
    /// The knowledge at the root of the search.
    root: Option<Knowledge>,
    list: Vec<Refuter>,
}

impl Refuters {
    /// Makes an empty store; `options` are for the solver of each layout.
    pub(crate) fn new(options: setrograde_solver::Options) -> Refuters {
        Refuters {
            options,
            root: None,
            list: Vec::new(),
        }
    }

    /// Sets the end of the searches that follow.
    pub(crate) fn set_stop(&mut self, stop: &Stop) {
        self.options.stop = stop.clone();
        for refuter in &mut self.list {
            refuter.solver.set_stop(stop.clone());
        }
    }

    /// Removes all layouts.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Prepares for a search from `knowledge`: keeps the layouts that match it.
    pub(crate) fn start(&mut self, knowledge: &Knowledge) {
        self.root = Some(knowledge.clone());
        self.list
            .retain(|refuter| knowledge.has_layout(refuter.layout.map(Hand::from_bits)));
    }

    /// Stores a layout that refuted a card with `left` tricks left, by the cards of its first
    /// hidden hand.
    pub(crate) fn add(&mut self, hand: u64, left: u8) {
        let Some(root) = &self.root else { return };
        if let Some(nth) = self.list.iter().position(|old| old.layout[0] == hand) {
            let reach = &mut self.list[nth].reach;
            *reach = left.max(*reach);
            self.list[..=nth].rotate_right(1);
            return;
        }
        // A new solver reuses the memory of the old one.
        let solver = match self.list.len() {
            0..MOST => Solver::new(self.options.clone()),
            _ => match self.list.pop() {
                Some(last) => last.solver,
                None => return,
            },
        };
        let refuter = Refuter {
            layout: [hand, root.state().unseen & !hand],
            solver,
            reach: left,
        };
        self.list.insert(0, refuter);
    }

    /// Tests whether double dummy fails to take `need` of the `left` tricks in one of the layouts
    /// that match the path. If so, returns the cards whose ranks mattered.
    pub(crate) fn refute(
        &mut self,
        path: &Path,
        leader: usize,
        need: u8,
        left: u8,
    ) -> Result<Option<u64>, SolveError> {
        let Some(root) = &self.root else {
            return Ok(None);
        };
        if need == 0 || need > left {
            return Ok(None);
        }
        let fitting = self
            .list
            .iter_mut()
            .enumerate()
            .filter(|(_, refuter)| left <= refuter.reach && path.agrees(&refuter.layout));
        for (nth, refuter) in fitting.take(TRIED) {
            let Some(position) = at_the_end_of(path, root, leader, &refuter.layout) else {
                continue;
            };
            let side = root.claimer().side();
            if let Some(cards) = refutes(&mut refuter.solver, &position, side, need)? {
                self.list[..=nth].rotate_right(1);
                return Ok(Some(cards.bits()));
            }
        }
        Ok(None)
    }
}

/// The position at the end of the path in one layout.
fn at_the_end_of(
    path: &Path,
    root: &Knowledge,
    leader: usize,
    layout: &[u64; 2],
) -> Option<Position> {
    let table: SmallVec<[Card; 3]> = path.table().iter().map(|&card| lanes::card(card)).collect();
    let left = |cards| path.held(cards);
    opened(root, *layout, left, Seat::from_index(leader), &table)
}
