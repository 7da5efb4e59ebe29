//! The zero-window search over the claimer's knowledge.
//!
#![doc = include_str!("method.md")]

use setrograde_parallel::Stop;

use crate::double_dummy::Refuters;
use crate::knowledge::case::Hidden;
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{each, open_gap};
use crate::ordered;
use crate::search::moves::{History, Move, MoveList, moves};
use crate::search::node::{End, Node, SearchProof, Trick};
use crate::search::table::{ShapeKey, Table};

pub(crate) mod bounds;
pub(crate) mod moves;
pub(crate) mod node;
pub(crate) mod table;

/// The points at which the search uses methods slower than a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Helps {
    /// Minimum number of remaining tricks for a search for a fixed order.
    pub order_tricks: u8,
    /// Minimum number of remaining tricks for double-dummy tests of cards.
    pub refuter_tricks: u8,
    /// The number of nodes before the first such test.
    pub refuter_nodes: u64,
    /// Minimum number of remaining tricks for rounds of cards.
    pub round_tricks: u8,
    /// The number of nodes that each card gets in the first round.
    pub first_round: u64,
}

impl Default for Helps {
    fn default() -> Helps {
        Helps {
            order_tricks: 5,
            refuter_tricks: 7,
            refuter_nodes: 100,
            round_tricks: 13,
            first_round: 64,
        }
    }
}

/// The factor by which each card gets more nodes in the next round.
const ROUND_FACTOR: u64 = 3;

/// A search; it is exact.
pub(crate) struct Search<'a> {
    pub seating: Seating,
    pub helps: Helps,
    pub table: &'a mut Table,
    /// The nodes that may still be searched.
    pub allowed: &'a mut u64,
    pub stop: &'a Stop,
    pub nodes: u64,
    pub refuters: &'a mut Refuters,
    /// The number of times that a card decided, by seat, cards on the table, and card.
    pub history: Box<History>,
}

impl Search<'_> {
    /// Returns true if the tricks that a node needs are sure.
    pub(crate) fn decide(&mut self, node: Node<'_>) -> Result<bool, End> {
        Ok(match node.trick {
            None => self.lead(node)?.reached,
            Some(_) if node.need == 0 || node.need > node.left => node.need == 0,
            Some(_) => self.turn(node)?.reached,
        })
    }

    /// Decides a node at which the seat is to lead.
    pub(crate) fn lead(&mut self, node: Node<'_>) -> Result<SearchProof, End> {
        let Node {
            state,
            seat,
            need,
            left,
            ..
        } = node;
        if need == 0 {
            return Ok(SearchProof::at_sight(true, 0));
        }
        if need > left {
            return Ok(self.failed(state, 0));
        }
        let sure = bounds::sure(&self.seating, state, seat, need);
        if sure.tricks >= need {
            return Ok(SearchProof::at_sight(true, sure.used));
        }
        let lost = bounds::lost(&self.seating, state, seat, left + 1 - need);
        if lost.tricks >= left + 1 - need {
            return Ok(self.failed(state, lost.used));
        }
        let shape = ShapeKey::new(state, seat);
        if let Some(known) = self.table.find(&shape, state, need) {
            return Ok(if known.reached {
                known
            } else {
                self.failed(state, known.used)
            });
        }
        if left >= self.helps.order_tricks
            && self.seating.has_partner()
            && let Role::Ours(who) = self.seating.roles[seat]
            && let Some(used) = ordered::at_sight(state, self.seating.trump, who, need)
        {
            return Ok(SearchProof::at_sight(true, used));
        }
        if self.nodes >= node.pause_at {
            return Err(End::Paused);
        }
        if *self.allowed == 0 {
            return Err(End::Limit);
        }
        *self.allowed -= 1;
        self.nodes += 1;
        if self.allowed.is_multiple_of(256) && self.stop.is_due() {
            return Err(End::Cancelled);
        }
        let first = self.table.lead(&shape);
        let mut steps = moves(&self.seating, &self.history, &node);
        if let Some(at) = steps.iter().position(|step| step.card == first) {
            steps[..=at].rotate_right(1);
        }
        let (mut proof, lead) = self.try_all(node, &steps)?;
        proof.used = self.table.store(shape, &node, proof, lead);
        Ok(proof)
    }

    /// The result for tricks that are not sure, with a refuting layout if it may be useful later.
    fn failed(&self, state: &State, used: u64) -> SearchProof {
        let wanted = self.nodes >= self.helps.refuter_nodes;
        SearchProof {
            layout: wanted.then(|| state.some_layout()).flatten(),
            ..SearchProof::at_sight(false, used)
        }
    }

    /// Decides a node in the middle of a trick.
    pub(crate) fn turn(&mut self, node: Node<'_>) -> Result<SearchProof, End> {
        let steps = moves(&self.seating, &self.history, &node);
        Ok(self.try_all(node, &steps)?.0)
    }

    /// The best of `moves`, and the card that decided; 0 if all were tried.
    ///
    /// With many tricks left one card may take more nodes than all others without deciding. So
    /// the cards are tried in rounds. Each round gives every open card a few times more nodes than
    /// the round before.
    fn try_all(&mut self, node: Node<'_>, moves: &[Move]) -> Result<(SearchProof, u64), End> {
        let claimers = self.seating.is_claimers(node.seat);
        let played = node.played();
        let (mut used, mut layout) = (0, None);
        let mut round = self.helps.first_round;
        let mut open = MoveList::from_slice(moves);
        while !open.is_empty() {
            let in_rounds = node.left >= self.helps.round_tricks && open.len() > 1;
            let mut put_off = MoveList::new();
            for step in open {
                let pause_at = if in_rounds {
                    node.pause_at.min(self.nodes.saturating_add(round))
                } else {
                    node.pause_at
                };
                let found = self.try_card(Node { pause_at, ..node }, step.card);
                let decided = match &found {
                    Err(End::Paused) if self.nodes < node.pause_at => {
                        put_off.push(step);
                        continue;
                    }
                    Err(_) => true,
                    Ok(proof) => proof.reached == claimers,
                };
                if decided {
                    let card = step.card.trailing_zeros() as usize;
                    self.history[node.seat][played][card] += 1 << node.left.min(13);
                    return Ok((found?, step.card));
                }
                let proof = found?;
                if let Some(hand) = proof.layout
                    && claimers
                {
                    layout = proof.layout;
                    if self.asks_double_dummy(node.left) {
                        self.refuters.add(node.path.first_hand(hand), node.left);
                    }
                }
                used |= proof.used;
                // An equal card leads to the same with the ranks of both swapped.
                if used & step.run != 0 {
                    used |= step.run;
                }
            }
            open = put_off;
            round = round.saturating_mul(ROUND_FACTOR);
        }
        let proof = SearchProof {
            reached: !claimers,
            used,
            layout,
        };
        Ok((proof, 0))
    }

    /// Returns true if cards are tried double dummy with `left` tricks left.
    fn asks_double_dummy(&self, left: u8) -> bool {
        left >= self.helps.refuter_tricks && self.nodes >= self.helps.refuter_nodes
    }

    /// Decides the node after one card.
    pub(crate) fn try_card(&mut self, mut node: Node<'_>, card: u64) -> Result<SearchProof, End> {
        let hidden = match self.seating.roles[node.seat] {
            Role::Hidden(hand) => Some(hand),
            _ => None,
        };
        let (after, next) = self.played(&node, card);
        if node.left >= self.helps.refuter_tricks {
            node.path.play(card, hidden);
        }
        if self.seating.is_claimers(node.seat)
            && self.asks_double_dummy(node.left)
            && let Some(used) = self.refuted(&node, &next)?
        {
            return Ok(SearchProof::at_sight(false, used));
        }
        let mut proof = self.after_card(node, after, &next)?;
        if let Some(hand) = &mut proof.layout
            && hidden == Some(Hidden::First)
        {
            *hand |= card;
        }
        Ok(proof)
    }

    /// The ranks that matter if double dummy fails with `trick` on the table, at the
    /// end of the node's path, in one of the layouts that have refuted before.
    fn refuted(&mut self, node: &Node<'_>, trick: &Trick) -> Result<Option<u64>, End> {
        let mut path = node.path;
        let (leader, need, left, by_rank) = if trick.played < 4 {
            (trick.leader, node.need, node.left, 0)
        } else {
            path.end_trick();
            let (need, by_rank) = self.won(trick, node.need);
            (trick.winner, need, node.left - 1, by_rank)
        };
        let refuted = self.refuters.refute(&path, leader, need, left);
        let cards = refuted.map_err(|error| End::Failed(Box::new(error)))?;
        Ok(cards.map(|cards| node.path.relative(cards) | by_rank))
    }

    /// The tricks needed after `trick`, complete, and the card that won it by its
    /// rank.
    #[inline]
    fn won(&self, trick: &Trick, need: u8) -> (u8, u64) {
        let won = u8::from(self.seating.is_ours(trick.winner));
        (need.saturating_sub(won), trick.winner_by_rank())
    }

    /// The knowledge after `card`, and the trick with it.
    #[inline]
    fn played(&self, node: &Node<'_>, card: u64) -> (State, Trick) {
        let led = node.trick.map(|trick| trick.led);
        let after = node.state.after(self.seating.roles[node.seat], card, led);
        let next = match node.trick {
            None => Trick::new(node.seat, card),
            Some(trick) => trick.with(card, self.seating.trump),
        };
        (after, next)
    }

    /// Decides the node with `trick` on the table.
    #[inline]
    fn after_card(
        &mut self,
        mut node: Node<'_>,
        mut state: State,
        trick: &Trick,
    ) -> Result<SearchProof, End> {
        if trick.played < 4 {
            return self.turn(Node {
                state: &state,
                seat: trick.to_play(),
                trick: Some(trick),
                ..node
            });
        }
        state.close_gaps(trick.cards);
        if node.left >= self.helps.refuter_tricks {
            node.path.end_trick();
        }
        let (need, by_rank) = self.won(trick, node.need);
        let mut proof = self.lead(Node {
            state: &state,
            seat: trick.winner,
            trick: None,
            need,
            left: node.left - 1,
            ..node
        })?;
        for card in each(trick.cards) {
            proof.used = open_gap(proof.used, card);
            proof.layout = proof.layout.map(|hand| open_gap(hand, card));
        }
        proof.used |= by_rank;
        Ok(proof)
    }
}
