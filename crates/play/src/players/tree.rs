//! Monte-Carlo tree search over determinizations, shared by mu and ISMCTS.

use fastrand::Rng;
use setrograde_beliefs::{Game, Layout, State, Tally, View};
use setrograde_cards::{Card, Hand, Rank, Seat, Suit};

use super::choice::{Running, sort_worth};
use crate::player::{CardWorth, PlayerChoice, PlayerError};

/// The card in places that have none.
pub(super) const UNSET: Card = Card::new(Suit::Spades, Rank::new(2).expect("a rank"));

const NONE: u32 = u32::MAX;

struct VisitedCard {
    card: Card,
    visits: u32,
    /// Number of times that the card could have been chosen.
    availability: u32,
    /// Sum of rewards of the seat that chose the card.
    total: f64,
    first_child: u32,
    next_sibling: u32,
}

impl VisitedCard {
    fn new(card: Card) -> VisitedCard {
        VisitedCard {
            card,
            visits: 0,
            availability: 1,
            total: 0.0,
            first_child: NONE,
            next_sibling: NONE,
        }
    }
}

/// The differences between the searches.
pub(super) struct Search<'a, G, Layouts, InTree, Finish> {
    pub view: &'a View<G>,
    pub iterations: usize,
    pub exploration: f64,
    /// The layout for an iteration.
    pub layouts: Layouts,
    /// True if the cards of a seat are nodes of the tree.
    pub in_tree: InTree,
    /// Plays a board to its end.
    pub finish: Finish,
}

impl<G, Layouts, InTree, Finish> Search<'_, G, Layouts, InTree, Finish>
where
    G: Game,
    Layouts: FnMut(&mut Rng) -> Layout,
    InTree: Fn(Seat) -> bool,
    Finish: FnMut(&G, State, &mut Rng) -> Result<Tally, PlayerError>,
{
    /// Searches, and chooses the card that was visited most.
    pub(super) fn run(
        mut self,
        clock: &Running<'_>,
        rng: &mut Rng,
    ) -> Result<PlayerChoice, PlayerError> {
        let game = self.view.game();
        let root = VisitedCard::new(UNSET);
        let mut nodes = Vec::with_capacity(self.iterations.min(1 << 20) + 1);
        nodes.push(root);
        let mut path: Vec<(u32, usize)> = Vec::with_capacity(52);
        let (low, high) = game.utility_range();
        let span = (high - low).max(f64::MIN_POSITIVE);
        let mut done = 0;
        while done < self.iterations {
            if done % 64 == 0 {
                clock.check_cancelled()?;
                if done > 0 && clock.is_over() {
                    break;
                }
            }
            done += 1;
            let mut state = self.view.state(&(self.layouts)(rng));
            path.clear();
            let mut at = 0;
            let mut inside = true;
            while inside && !state.is_over() {
                let seat = state.to_play();
                let legal = state.legal(game);
                if !(self.in_tree)(seat) {
                    let card = random_card(legal, rng);
                    state.play(game, card);
                    continue;
                }
                let (best, untried) = self.select(&mut nodes, at, legal);
                at = if untried.is_empty() {
                    best
                } else {
                    inside = false;
                    let mut node = VisitedCard::new(random_card(untried, rng));
                    node.next_sibling = nodes[at as usize].first_child;
                    let new = nodes.len() as u32;
                    nodes[at as usize].first_child = new;
                    nodes.push(node);
                    new
                };
                path.push((at, game.party(seat)));
                state.play(game, nodes[at as usize].card);
            }
            let tally = (self.finish)(game, state, rng)?;
            let mut rewards = [f64::NAN; 2];
            for &(node, party) in &path {
                if rewards[party].is_nan() {
                    rewards[party] = (game.utility(&tally, party) - low) / span;
                }
                let node = &mut nodes[node as usize];
                node.visits += 1;
                node.total += rewards[party];
            }
        }
        let mut worth = Vec::new();
        let mut child = nodes[0].first_child;
        while child != NONE {
            let node = &nodes[child as usize];
            worth.push(CardWorth {
                card: node.card,
                value: low + span * node.total / f64::from(node.visits.max(1)),
                visits: node.visits as usize,
            });
            child = node.next_sibling;
        }
        sort_worth(&mut worth, |of| of.visits as f64);
        Ok(PlayerChoice {
            card: worth.first().ok_or(PlayerError::NothingToPlay)?.card,
            worth,
            layouts: done,
            effective: done as f64,
        })
    }

    /// The best child that may be chosen, and the cards that have no child.
    fn select(&self, nodes: &mut [VisitedCard], at: u32, legal: Hand) -> (u32, Hand) {
        let mut untried = legal;
        let mut best = (f64::NEG_INFINITY, NONE);
        let mut child = nodes[at as usize].first_child;
        while child != NONE {
            let node = &mut nodes[child as usize];
            if legal.contains(node.card) {
                node.availability += 1;
                untried -= node.card.into();
                let visits = f64::from(node.visits);
                let spread = (f64::from(node.availability).ln() / visits).sqrt();
                let bound = node.total / visits + self.exploration * spread;
                if bound > best.0 {
                    best = (bound, child);
                }
            }
            child = node.next_sibling;
        }
        (best.1, untried)
    }
}

/// One of the cards, all equally likely.
#[inline]
pub(super) fn random_card(cards: Hand, rng: &mut Rng) -> Card {
    let count = cards.len();
    let at = if count > 1 {
        rng.u32(0..count as u32)
    } else {
        0
    };
    let card = cards.iter().nth(at as usize);
    card.expect("a seat that has cards may play one of them")
}

/// Plays random cards to the end.
#[inline]
pub(super) fn random_finish<G: Game>(game: &G, mut state: State, rng: &mut Rng) -> Tally {
    while !state.is_over() {
        let card = random_card(state.legal(game), rng);
        state.play(game, card);
    }
    *state.tally()
}
