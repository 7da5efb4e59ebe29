//! Layouts that have refuted some line of play: they are the first to be tried
//! on others.
//!
//! A card after which double dummy fails in one layout is wrong, whatever else
//! is possible. Most wrong cards are wrong in one of few layouts, which the
//! search finds as it goes. A double-dummy solver for each says in microseconds
//! what would take a search over all that is possible.

use setrograde_cards::{Card, Deal, Hand, Position, Seat, Strain};
use setrograde_solver::{SolveError, Solver};

use crate::double_dummy::bad_layouts;
use crate::double_dummy::path::Path;
use crate::knowledge::Knowledge;
use crate::lanes;

/// The number of layouts that are kept.
const MOST: usize = 16;
/// The number that is tried on one card.
const TRIED: usize = 2;

/// The seats and cards that the layouts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Root {
    strain: Strain,
    visible: [(Seat, u64); 2],
    hidden: [Seat; 2],
    unseen: u64,
    /// The parity of the seats of the claimer's side.
    side: usize,
}

/// A layout, and what was learned about it.
#[derive(Debug)]
struct Refuter {
    layout: [u64; 2],
    solver: Solver,
    /// With how many tricks left it has refuted a card. With more it is not
    /// tried: that would take long, and seldom succeeds.
    reach: u8,
}

/// Layouts, the one that refuted last first.
#[derive(Debug)]
pub(crate) struct Refuters {
    options: setrograde_solver::Options,
    root: Option<Root>,
    list: Vec<Refuter>,
}

impl Refuters {
    /// No layouts yet; `options` are for the solver of each.
    pub fn new(options: setrograde_solver::Options) -> Refuters {
        Refuters {
            options,
            root: None,
            list: Vec::new(),
        }
    }

    /// Forgets all layouts.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Prepares for a search from `knowledge`: keeps the layouts that it has.
    pub fn start(&mut self, knowledge: &Knowledge) {
        let visible = knowledge.visible();
        let state = knowledge.state();
        let root = Some(Root {
            strain: knowledge.strain(),
            visible: [0, 1].map(|who| (visible[who], state.visible[who])),
            hidden: knowledge.hidden(),
            unseen: state.unseen,
            side: knowledge.claimer().index() % 2,
        });
        if self.root != root {
            self.list.clear();
            self.root = root;
        }
        self.list
            .retain(|refuter| knowledge.has_layout(refuter.layout.map(Hand::from_bits)));
    }

    /// Notes a layout that refuted a card with `left` tricks left, by the cards
    /// of its first hidden hand.
    pub fn add(&mut self, hand: u64, left: u8) {
        let Some(root) = &self.root else { return };
        if let Some(place) = self.list.iter().position(|old| old.layout[0] == hand) {
            let reach = &mut self.list[place].reach;
            *reach = left.max(*reach);
            self.list[..=place].rotate_right(1);
            return;
        }
        // The memory of a solver that goes serves the one that comes.
        let solver = match self.list.len() {
            0..MOST => Solver::new(self.options.clone()),
            _ => match self.list.pop() {
                Some(last) => last.solver,
                None => return,
            },
        };
        let refuter = Refuter {
            layout: [hand, root.unseen & !hand],
            solver,
            reach: left,
        };
        self.list.insert(0, refuter);
    }

    /// Whether double dummy fails to take `need` of the `left` tricks in one of the
    /// layouts that agree with the path. If so, the cards whose ranks mattered.
    pub fn refute(
        &mut self,
        path: &Path,
        leader: usize,
        need: u8,
        left: u8,
    ) -> Result<Option<u64>, SolveError> {
        let Some(root) = self.root else {
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
        for (place, refuter) in fitting.take(TRIED) {
            let Some(position) = root.position(path, leader, &refuter.layout) else {
                continue;
            };
            let solver = &mut refuter.solver;
            if let Some(cards) = bad_layouts::refutes(solver, &position, root.side, need)? {
                self.list[..=place].rotate_right(1);
                return Ok(Some(cards.bits()));
            }
        }
        Ok(None)
    }
}

impl Root {
    /// The position at the end of the path in one layout.
    fn position(&self, path: &Path, leader: usize, layout: &[u64; 2]) -> Option<Position> {
        let mut hands = [Hand::EMPTY; 4];
        for (seat, cards) in self.visible {
            hands[seat.index()] = Hand::from_bits(path.held(cards));
        }
        for (seat, &cards) in self.hidden.iter().zip(layout) {
            hands[seat.index()] = Hand::from_bits(path.held(cards));
        }
        let mut table = [Card::pack().next()?; 3];
        let count = path.table().len();
        for (place, &card) in table.iter_mut().zip(path.table()) {
            *place = lanes::card(card);
        }
        let deal = Deal::new(hands).ok()?;
        let leader = Seat::from_index(leader);
        Position::new(self.strain, leader, deal, table.get(..count)?).ok()
    }
}
