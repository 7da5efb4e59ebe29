//! mu's player as published, with its faults: a yardstick.

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, BeliefsError, Facts, Game, Layout, Reason, View};
use setrograde_cards::{Card, Hand, Seat};

use super::choice::{Clock, forced};
use super::tree::{Search, UNSET, random_finish};
use crate::player::{Player, PlayerChoice, PlayerError};

/// Monte-Carlo tree search as in mu: the tree has the observer's cards only,
/// all other seats play at random, the partner too; layouts are dealt by a
/// greedy roulette; the card visited most is played.
pub(super) struct Mu {
    pub(super) iterations: usize,
    pub(super) exploration: f64,
    pub(super) clock: Clock,
}

impl<G: Game> Player<G> for Mu {
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let mut determinizer = Determinizer::new(view)?;
        let game = view.game();
        let search = Search {
            view,
            iterations: self.iterations,
            exploration: self.exploration,
            layouts: |rng: &mut Rng| determinizer.layout(rng),
            in_tree: |seat: Seat| game.chooser(seat) == view.observer(),
            finish: |game: &G, state, rng: &mut Rng| Ok(random_finish(game, state, rng)),
        };
        search.run(&self.clock.start(), rng)
    }
}

/// mu's method of dealing the hidden cards: the cards with the fewest possible seats first, each to
/// a random seat with space. It is not uniform, and it can get stuck; it then restarts.
#[derive(Clone, Debug)]
pub struct Determinizer {
    unseen: Vec<Card>,
    possible: [Hand; 4],
    sizes: [u8; 4],
    dead_ends: u64,
}

impl Determinizer {
    /// The hidden cards of `view`.
    ///
    /// # Errors
    ///
    /// If no layout matches.
    pub(super) fn new<G: Game>(view: &View<G>) -> Result<Determinizer, BeliefsError> {
        let sizes = view.hidden_sizes();
        let unseen = view.unseen();
        let mut possible = sizes.map(|size| if size > 0 { unseen } else { Hand::EMPTY });
        for play in view.plays() {
            possible[play.seat] -= view.shown_by(&play);
        }
        Determinizer::with_possible(unseen, possible, sizes)
    }

    /// Cards; each seat can have those in `possible`.
    ///
    /// # Errors
    ///
    /// If no layout matches, because dealing would never end.
    pub fn with_possible(
        unseen: Hand,
        possible: [Hand; 4],
        sizes: [u8; 4],
    ) -> Result<Determinizer, BeliefsError> {
        let mut facts = Facts::new(unseen, sizes);
        for seat in Seat::ALL {
            facts.deny(seat, unseen - possible[seat], Reason::Given);
        }
        Beliefs::new(&facts)?;
        Ok(Determinizer {
            unseen: unseen.iter().collect(),
            possible,
            sizes,
            dead_ends: 0,
        })
    }

    /// Returns the number of times that dealing got stuck.
    pub const fn dead_ends(&self) -> u64 {
        self.dead_ends
    }

    /// Deals the hidden cards.
    pub fn layout(&mut self, rng: &mut Rng) -> Layout {
        loop {
            if let Some(layout) = self.try_layout(rng) {
                return layout;
            }
            self.dead_ends += 1;
        }
    }

    fn try_layout(&mut self, rng: &mut Rng) -> Option<Layout> {
        rng.shuffle(&mut self.unseen);
        let mut by_seats = [([UNSET; 52], 0); 5];
        for &card in &self.unseen {
            let holders = self
                .possible
                .iter()
                .filter(|set| set.contains(card))
                .count();
            let (cards, count) = &mut by_seats[holders];
            cards[*count] = card;
            *count += 1;
        }
        let mut room = self.sizes;
        let mut layout = [Hand::EMPTY; 4];
        for (cards, count) in &by_seats {
            for &card in &cards[..*count] {
                // mu's matrix of beliefs gives the same share to all possible seats of a card,
                // because it ignores hand sizes.
                let fits = |seat: &usize| room[*seat] > 0 && self.possible[*seat].contains(card);
                let open = (0..4).filter(fits).count();
                if open == 0 {
                    return None;
                }
                let at = rng.u32(0..open as u32) as usize;
                let seat = (0..4).filter(fits).nth(at)?;
                room[seat] -= 1;
                layout[seat] |= card.into();
            }
        }
        Some(layout)
    }
}
