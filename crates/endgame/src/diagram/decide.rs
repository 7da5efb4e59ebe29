//! The question of a search: is a target reached, and by which top cards?
//!
//! The walk to the answer uses the owners of all cards that it asks for. It then drops the lowest
//! known card of each suit in turn, as long as every path that this opens proves the answer. All
//! open paths form a tree, which grows with each dropped card: wherever the tree asked for that
//! card, the owners other than the ending's own are new. The nodes of the tree are therefore read
//! once and stored by card, and a trial visits only the new branches.

use smallvec::SmallVec;

use super::{Diagram, Edge, FoundNode, MOST_DEPTH, TargetSide};
use crate::ending::Ending;
use crate::owners::{PackedOwners, TopCards};
use crate::partition::SuitOrder;

/// The decision whether an ending reaches a target, with its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// True if the leader's side takes at least the target.
    pub reached: bool,
    /// The top cards that prove it.
    pub known: TopCards,
}

/// Maximum number of nodes that one question visits, far more than any diagram of a builder needs.
/// A diagram made to be slow gets a narrower set, which is also correct.
const MOST_STEPS: u32 = 1 << 20;

/// Number of stored nodes without an allocation, enough for nearly every question.
const FEW: usize = 32;

impl Diagram<'_> {
    /// Decides whether the leader's side takes at least `target` tricks, and returns as few known
    /// cards as prove it; `None` if the ending leads to an interval that leaves the question open,
    /// or nowhere, which a valid diagram of its partition excludes.
    ///
    /// The set consists of the ending's own top cards, at most those that the walk visited, in a
    /// form that a transposition table can store.
    pub fn decide(&self, ending: &Ending, order: SuitOrder, target: u8) -> Option<Verdict> {
        let mut tree = ProofTree {
            diagram: *self,
            owners: ending.owners().in_order(order),
            leader: ending.leader_index(),
            side: TargetSide {
                target,
                reached: false,
            },
            known: SuitCounts::default(),
            suit: 0,
            waiting: SmallVec::new(),
            last: [[NONE; 16]; 4],
            steps: MOST_STEPS,
        };
        let (mut at, mut asked) = (self.root(), SuitCounts::default());
        let mut steps = MOST_DEPTH;
        while at.bounds().leave_open(target) {
            if at.is_interval() || steps == 0 {
                return None;
            }
            steps -= 1;
            let node = self.node(at);
            let suit = node.suit();
            let owner = tree.owner(suit, asked.of(suit));
            tree.wait(node, suit, owner, asked);
            asked.add(suit);
            at = self.child_of(&node, owner);
        }
        if at.is_nothing() {
            return None;
        }
        let reached = at.lo() >= target;
        tree.side.reached = reached;
        tree.known = asked;
        let mut known = [0; 4];
        for (index, suit) in order.suits().into_iter().enumerate() {
            known[suit] = tree.fewest(index).min(ending.total(suit)) as u8;
        }
        let known = TopCards::new(known);
        Some(Verdict { reached, known })
    }
}

/// Numbers of cards by suit, one byte each.
#[derive(Clone, Copy, Default)]
struct SuitCounts(u32);

impl SuitCounts {
    #[inline]
    fn of(self, suit: usize) -> usize {
        (self.0 >> (8 * (suit & 3))) as usize & 0xff
    }

    #[inline]
    fn add(&mut self, suit: usize) {
        self.0 = self.0.wrapping_add(1 << (8 * (suit & 3)));
    }

    #[inline]
    fn remove(&mut self, suit: usize) {
        self.0 = self.0.wrapping_sub(1 << (8 * (suit & 3)));
    }

    /// Returns true if none of the numbers, at most 127 each, is less than in `other`.
    #[inline]
    fn cover(self, other: SuitCounts) -> bool {
        const HIGHEST: u32 = 0x8080_8080;
        (self.0 | HIGHEST).wrapping_sub(other.0) & HIGHEST == HIGHEST
    }
}

/// A node that asked for a known card.
#[derive(Clone, Copy)]
struct WaitingNode<'a> {
    node: FoundNode<'a>,
    /// The ending's owner of the card, 0 for the leader.
    owner: u8,
    suit: u8,
    card: u8,
    /// The previous node that asked for the same card.
    before: u16,
    /// The cards that the path asked for, including this one.
    asked: SuitCounts,
}

/// Marks the end of a list of nodes.
const NONE: u16 = u16::MAX;

/// The paths that the known cards leave open. All of them prove the answer.
struct ProofTree<'a> {
    diagram: Diagram<'a>,
    /// Seats, in the diagram's suits.
    owners: PackedOwners,
    leader: u8,
    /// The values that prove the answer.
    side: TargetSide,
    /// By suit, the top cards with known owners: those of the ending.
    known: SuitCounts,
    /// The suit whose cards are being dropped. Those of earlier suits stay known.
    suit: usize,
    /// Nodes that asked for a card that may be dropped.
    waiting: SmallVec<[WaitingNode<'a>; FEW]>,
    /// By suit and card, the last of them.
    last: [[u16; 16]; 4],
    steps: u32,
}

impl<'a> ProofTree<'a> {
    /// The ending's owner of a card, 0 for the leader.
    #[inline]
    fn owner(&self, suit: usize, card: usize) -> usize {
        let seat = self.owners.owner(suit, card);
        seat.wrapping_sub(usize::from(self.leader)) & 3
    }

    /// Adds a node on a path that asked for the cards `asked` before.
    #[inline]
    fn wait(&mut self, node: FoundNode<'a>, suit: usize, owner: usize, mut asked: SuitCounts) {
        let card = asked.of(suit) & 15;
        asked.add(suit);
        let last = &mut self.last[suit & 3][card];
        let before = std::mem::replace(last, self.waiting.len() as u16);
        self.waiting.push(WaitingNode {
            node,
            owner: owner as u8,
            suit: suit as u8,
            card: card as u8,
            before,
            asked,
        });
    }

    /// Drops the lowest cards of a suit while the answer stays proved; returns the remaining known
    /// ones.
    fn fewest(&mut self, suit: usize) -> usize {
        self.suit = suit;
        while self.known.of(suit) > 0 {
            let before = self.waiting.len();
            self.known.remove(suit);
            let card = self.known.of(suit);
            if self.others_escape(suit, card) {
                self.known.add(suit);
                // The additions of the trial.
                while self.waiting.len() > before
                    && let Some(last) = self.waiting.pop()
                {
                    self.last[usize::from(last.suit & 3)][usize::from(last.card & 15)] =
                        last.before;
                }
                break;
            }
        }
        self.known.of(suit)
    }

    /// Returns true if another owner of a card than the ending's leads to a path that does not
    /// prove the answer.
    fn others_escape(&mut self, suit: usize, card: usize) -> bool {
        let mut next = self.last[suit & 3][card & 15];
        while let Some(&WaitingNode {
            node,
            owner,
            before,
            asked,
            ..
        }) = self.waiting.get(usize::from(next))
        {
            let Some(open) = self.diagram.open(&node, Some(owner.into()), self.side) else {
                return true;
            };
            for &child in open.edges() {
                if self.escapes(child, asked, MOST_DEPTH) {
                    return true;
                }
            }
            next = before;
        }
        false
    }

    /// Returns true if some path from the node at `at`, before which paths ask for the cards
    /// `asked`, does not prove the answer.
    fn escapes(&mut self, mut at: Edge, mut asked: SuitCounts, mut depth: u8) -> bool {
        loop {
            // Where nothing more is known, the bounds of the edge are exact.
            if asked.cover(self.known) || depth == 0 || self.steps == 0 {
                return true;
            }
            self.steps -= 1;
            depth -= 1;
            let node = self.diagram.node(at);
            let suit = node.suit();
            let card = asked.of(suit);
            if card < self.known.of(suit) {
                let owner = self.owner(suit, card);
                if suit > self.suit {
                    if self.waiting.len() >= usize::from(NONE) {
                        return true;
                    }
                    self.wait(node, suit, owner, asked);
                }
                at = self.diagram.child_of(&node, owner);
                if at.is_nothing() || self.side.contains(at) {
                    return false;
                }
                if !at.is_node() || !self.side.meets(at) {
                    return true;
                }
                asked.add(suit);
                continue;
            }
            asked.add(suit);
            let Some(open) = self.diagram.open(&node, None, self.side) else {
                return true;
            };
            let Some((&last, before)) = open.edges().split_last() else {
                return false;
            };
            for &child in before {
                if self.escapes(child, asked, depth) {
                    return true;
                }
            }
            at = last;
        }
    }
}
