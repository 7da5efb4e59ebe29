//! Derives the lemmas of a strain from the solver's open search.
//!
//! A proof about one position names the cards that mattered, as in the solver: those that won a
//! trick over another card of their suit. It becomes a lemma about all positions with the same
//! leader, lengths and owners of these cards and all above them. The solver only says which moves
//! succeed.

use std::collections::HashMap;

use setrograde_cards::{Deal, Strain};
use setrograde_lookup::Database;
use setrograde_solver::{OpenSearch, Solver};

use crate::check::{Claim, Set};
use crate::endings::Endings;
use crate::mixing::Mixing;

/// A lemma, and the lead of its proof.
#[derive(Clone, Debug)]
pub struct Lemma {
    pub known: [u8; 4],
    pub owners: [u32; 4],
    pub claim: Claim,
    /// The card led: 16 times its suit, and its rank from the top.
    pub lead: u8,
}

/// The lemmas of a leader and shape, the most general first.
#[derive(Clone, Debug, Default)]
pub struct List {
    pub shape: u64,
    pub leader: usize,
    pub lemmas: Vec<Lemma>,
}

impl Lemma {
    fn total(&self) -> u8 {
        self.known.iter().sum()
    }

    fn has(&self, owners: &[u32; 4]) -> bool {
        (0..4).all(|suit| {
            (self.owners[suit] ^ owners[suit]) & ((1_u32 << (2 * self.known[suit])) - 1) == 0
        })
    }
}

/// All lemmas of a strain.
#[derive(Clone, Debug, Default)]
pub struct Lemmas {
    pub lists: Vec<List>,
    /// The list of a leader and shape.
    pub places: HashMap<(u64, usize), usize, Mixing>,
}

/// What the results of a strain follow from.
pub struct Derived {
    pub lemmas: Lemmas,
    /// The two bounds of each declarer's result.
    pub results: Vec<(Set, Claim)>,
    /// Positions whose claims were proved.
    pub positions: u64,
    /// Questions to the solver.
    pub questions: u64,
}

/// Derives the lemmas of a strain, in which the declarers from North on take these tricks.
pub fn derive(
    solver: &mut Solver,
    deal: &Deal,
    strain: Strain,
    theorems: bool,
    tricks: [u8; 4],
    database: Option<&Database>,
) -> Result<Derived, String> {
    let left = deal.cards_per_hand().ok_or("hands of unequal length")? as i32;
    solver.with_open_search(deal, strain, |search| {
        let mut derivation = Derivation {
            search,
            trumps: strain != Strain::NoTrump,
            theorems,
            endings: database.map(Endings),
            lemmas: Lemmas::default(),
            positions: 0,
            questions: 0,
            failure: None,
        };
        let mut results = Vec::new();
        for declarer in 0..4 {
            let leader = (declarer + 1) & 3;
            let tricks = i32::from(tricks[declarer]);
            let ours = declarer.is_multiple_of(2);
            let need = if ours { tricks } else { left - tricks };
            let reached = [true, false];
            for claim in reached.map(|reached| Claim {
                need: need + i32::from(!reached),
                reached,
            }) {
                derivation.prove(leader, left, claim);
                results.push((derivation.position(leader), claim));
            }
        }
        match derivation.failure {
            Some(error) => Err(error),
            None => Ok(Derived {
                lemmas: derivation.lemmas,
                results,
                positions: derivation.positions,
                questions: derivation.questions,
            }),
        }
    })
}

/// A derivation.
struct Derivation<'s, 'b, 'd> {
    search: &'s mut OpenSearch<'b>,
    trumps: bool,
    theorems: bool,
    endings: Option<Endings<'d>>,
    lemmas: Lemmas,
    positions: u64,
    questions: u64,
    failure: Option<String>,
}

impl Derivation<'_, '_, '_> {
    /// The set of the position alone.
    fn position(&self, leader: usize) -> Set {
        let shape = self.search.shape();
        let known = [0, 1, 2, 3].map(|suit| {
            let word = shape >> (16 * suit);
            (0..4).map(|hand| (word >> (4 * hand)) as u8 & 15).sum()
        });
        let owners = self.search.owners();
        Set {
            shape,
            leader,
            known,
            owners,
        }
    }

    /// Returns the lowest cards of each suit by which a claim holds, if a rule or a lemma proves it.
    fn known_proof(&mut self, leader: usize, left: i32, claim: Claim) -> Option<u64> {
        let goal = claim.goal(left);
        if goal <= 0 {
            return Some(0);
        }
        if goal > left {
            return None;
        }
        self.positions += 1;
        if left == 1 {
            return self.last_trick(leader, claim);
        }
        let set = self.position(leader);
        if let Some(endings) = &self.endings {
            match endings.ask(&set, claim, self.trumps) {
                Ok(Some(known)) => return Some(self.ranks(known)),
                Ok(None) => {}
                Err(error) => self.failure = Some(error),
            }
        }
        if self.theorems
            && self.trumps
            && let Some(known) = sure_trumps(&set, claim, goal)
        {
            return Some(self.ranks([0, 0, 0, known]));
        }
        if self.theorems
            && claim.is_by(leader)
            && let Some(known) = quick_tricks(&set, self.trumps, goal)
        {
            return Some(self.ranks(known));
        }
        let place = *self.lemmas.places.get(&set.key())?;
        let proves = |lemma: &&Lemma| claim.follows_from(lemma.claim) && lemma.has(&set.owners);
        let lemma = self.lemmas.lists[place].lemmas.iter().find(proves)?;
        Some(self.ranks(lemma.known))
    }

    /// Derives the lemmas of a claim that holds, and returns the lowest cards of each suit that
    /// matter.
    fn prove(&mut self, leader: usize, left: i32, claim: Claim) -> u64 {
        if let Some(ranks) = self.known_proof(leader, left, claim) {
            return ranks;
        }
        let set = self.position(leader);
        let (ranks, card) = self.trick(leader, &mut [0; 4], 0, left, claim);
        let lead = {
            let suit = suit_of(card);
            let above = self.search.all() & lane(suit) & !(card | (card - 1));
            16 * suit as u8 + above.count_ones() as u8
        };
        let known = self.known(ranks);
        let lemma = Lemma {
            known,
            owners: set.owners,
            claim,
            lead,
        };
        let place = *self.lemmas.places.entry(set.key()).or_insert_with(|| {
            self.lemmas.lists.push(List {
                shape: set.shape,
                leader,
                lemmas: Vec::new(),
            });
            self.lemmas.lists.len() - 1
        });
        let list = &mut self.lemmas.lists[place].lemmas;
        let at = list.partition_point(|other| other.total() <= lemma.total());
        list.insert(at, lemma);
        self.ranks(known)
    }

    /// Continues a trick of which `n` cards are on the table; returns what matters and the card
    /// played.
    fn trick(
        &mut self,
        leader: usize,
        played: &mut [u64; 4],
        n: usize,
        left: i32,
        claim: Claim,
    ) -> (u64, u64) {
        if n == 4 {
            let ranks = self.finish::<false>(leader, *played, left, claim);
            return (ranks.unwrap_or(0), 0);
        }
        let seat = (leader + n) & 3;
        let mut moves = [0; 14];
        let count = self.search.moves(leader, &played[..n], left, &mut moves);
        let moves = &moves[..count];
        if claim.is_by(seat) {
            if count > 1
                && let Some(proof) = self.reused(leader, played, n, left, claim)
            {
                return proof;
            }
            for (nth, &card) in moves.iter().enumerate() {
                played[n] = card;
                self.search.play(seat, card);
                let proof =
                    if nth + 1 == moves.len() || self.holds(leader, played, n + 1, left, claim) {
                        Some(self.trick(leader, played, n + 1, left, claim).0)
                    } else {
                        None
                    };
                self.search.take_back(seat, card);
                if let Some(ranks) = proof {
                    return (ranks, card);
                }
            }
            return (0, 1);
        }
        let (mut ranks, mut dead) = (0, 0);
        for &card in moves {
            if card & dead == 0 {
                played[n] = card;
                self.search.play(seat, card);
                let proof = self.trick(leader, played, n + 1, left, claim).0;
                self.search.take_back(seat, card);
                ranks |= proof;
                dead |= alike(card, proof);
            }
        }
        (ranks, moves[0])
    }

    /// Returns a proof after `n` cards that needs no new lemma.
    fn reused(
        &mut self,
        leader: usize,
        played: &mut [u64; 4],
        n: usize,
        left: i32,
        claim: Claim,
    ) -> Option<(u64, u64)> {
        if n == 4 {
            return Some((self.finish::<true>(leader, *played, left, claim)?, 0));
        }
        let seat = (leader + n) & 3;
        let mut moves = [0; 14];
        let count = self.search.moves(leader, &played[..n], left, &mut moves);
        let (mut ranks, mut dead) = (0, 0);
        for &card in &moves[..count] {
            if card & dead != 0 {
                continue;
            }
            played[n] = card;
            self.search.play(seat, card);
            let proof = self.reused(leader, played, n + 1, left, claim);
            self.search.take_back(seat, card);
            match (proof, claim.is_by(seat)) {
                (Some((proof, _)), true) => return Some((proof, card)),
                (Some((proof, _)), false) => {
                    ranks |= proof;
                    dead |= alike(card, proof);
                }
                (None, false) => return None,
                (None, true) => {}
            }
        }
        (!claim.is_by(seat)).then_some((ranks, moves[0]))
    }

    /// Returns whether the claim holds after these cards.
    fn holds(
        &mut self,
        leader: usize,
        played: &[u64; 4],
        n: usize,
        left: i32,
        claim: Claim,
    ) -> bool {
        self.questions += 1;
        if n < 4 {
            return self.search.reaches(leader, &played[..n], claim.need, left) == claim.reached;
        }
        let (winner, _) = winner(leader, played, self.trumps);
        let after = claim.after(winner);
        let cards = played.iter().fold(0, |all, card| all | card);
        self.search.toggle_trick(cards);
        let reached = self.search.reaches(winner, &[], after.need, left - 1);
        self.search.toggle_trick(cards);
        reached == claim.reached
    }

    /// The cards that matter after a finished trick; `None` if that needs a new lemma and `REUSED`
    /// forbids it.
    fn finish<const REUSED: bool>(
        &mut self,
        leader: usize,
        played: [u64; 4],
        left: i32,
        claim: Claim,
    ) -> Option<u64> {
        let (winner, best) = winner(leader, &played, self.trumps);
        let cards = played.iter().fold(0, |all, card| all | card);
        self.search.toggle_trick(cards);
        let ranks = if REUSED {
            self.known_proof(winner, left - 1, claim.after(winner))
        } else {
            Some(self.prove(winner, left - 1, claim.after(winner)))
        };
        self.search.toggle_trick(cards);
        let ranks = ranks?;
        let suit = lane(suit_of(best));
        if cards & suit == best {
            return Some(ranks);
        }
        // The cards of a refuted winner who has only equal cards all count.
        let held = (self.search.hands()[winner] & suit) | best;
        let low = held & held.wrapping_neg();
        let between = (best - 1) & !(low - 1) & self.search.all() & suit & !held;
        let runs_out = !claim.is_by(winner) && between == 0;
        Some(ranks | if runs_out { low } else { best })
    }

    fn last_trick(&mut self, leader: usize, claim: Claim) -> Option<u64> {
        let hands = self.search.hands();
        let played = [0, 1, 2, 3].map(|n| hands[(leader + n) & 3]);
        let (winner, best) = winner(leader, &played, self.trumps);
        let cards = played.iter().fold(0, |all, card| all | card);
        let alone = cards & lane(suit_of(best)) == best;
        claim.is_by(winner).then_some(if alone { 0 } else { best })
    }

    /// The lowest of the known cards of each suit.
    fn ranks(&self, known: [u8; 4]) -> u64 {
        let all = self.search.all();
        (0..4).fold(0, |ranks, suit| {
            let mut cards = all & lane(suit);
            let mut low = 0;
            for _ in 0..known[suit] {
                low = highest(cards);
                cards ^= low;
            }
            ranks | low
        })
    }

    /// The number of cards of each suit down to the lowest of `ranks`.
    fn known(&self, ranks: u64) -> [u8; 4] {
        [0, 1, 2, 3].map(|suit| {
            let ranks = ranks & lane(suit);
            let low = ranks & ranks.wrapping_neg();
            match low {
                0 => 0,
                low => (self.search.all() & lane(suit) & !(low - 1)).count_ones() as u8,
            }
        })
    }
}

/// The top cards that prove theorem 1 for one position, `None` if it does not apply.
fn sure_trumps(set: &Set, claim: Claim, goal: i32) -> Option<u8> {
    let length = |hand: usize| set.length(3, hand & 3) as i32;
    let mut best = None;
    for hand in (0..4).filter(|&hand| claim.is_by(hand)) {
        if length(hand) - length(hand + 1) - length(hand + 3) >= goal {
            return Some(0);
        }
        let mut sure = 0;
        for rank in 0..set.known[3] {
            let owner = set.owner(3, rank.into());
            sure += if owner == hand {
                1
            } else {
                -i32::from(!claim.is_by(owner))
            };
            if sure >= goal {
                best = Some(best.map_or(rank + 1, |best: u8| best.min(rank + 1)));
                break;
            }
        }
    }
    best
}

/// The top cards that prove theorem 2 for one position.
fn quick_tricks(set: &Set, trumps: bool, goal: i32) -> Option<[u8; 4]> {
    let hand = |n: usize| (set.leader + n) & 3;
    let length = |suit: usize, n: usize| set.length(suit, hand(n)) as i32;
    let tops = set.leader_tops();
    let longest = [0, 1, 2, 3].map(|suit| (1..4).map(|n| length(suit, n)).max().unwrap_or(0));
    let full = [0, 1, 2, 3].map(|suit| {
        if tops[suit] >= longest[suit] {
            length(suit, 0)
        } else {
            tops[suit]
        }
    });
    if full.iter().sum::<i32>() < goal {
        return None;
    }
    // The known cards that `wanted` tricks of a suit need.
    let known = |suit: usize, wanted: i32| {
        wanted.min(if tops[suit] >= longest[suit] {
            longest[suit]
        } else {
            13
        }) as u8
    };
    let partner_trumps = if trumps { length(3, 2) } else { 0 };
    let partner_others = set.left() - partner_trumps;
    for drawn in 0..=if trumps { full[3] } else { 0 } {
        let mut proof = [0; 4];
        if trumps {
            proof[3] = known(3, drawn);
        }
        if drawn >= goal {
            return Some(proof);
        }
        let with_trumps = [1, 3].map(|n| trumps && length(3, n) > drawn);
        let discards = (goal - drawn).max(0) + (drawn - partner_trumps).max(0);
        let free = with_trumps == [false; 2] || partner_trumps == 0 || partner_others >= discards;
        if !free {
            continue;
        }
        let mut wanted = goal - drawn;
        let mut suits = [0, 1, 2, 3].map(|suit| {
            let mut cap = if trumps && suit == 3 { 0 } else { 13 };
            for (n, with) in [1, 3].into_iter().zip(with_trumps) {
                if with {
                    cap = cap.min(length(suit, n));
                }
            }
            (
                cap.min(if with_trumps == [false; 2] {
                    full[suit]
                } else {
                    tops[suit]
                }),
                suit,
            )
        });
        // Suits that need the fewest cards for their tricks first.
        suits.sort_by_key(|&(tricks, suit)| (i32::from(known(suit, tricks)) - tricks, -tricks));
        for (tricks, suit) in suits {
            let tricks = tricks.min(wanted);
            if tricks > 0 {
                wanted -= tricks;
                proof[suit] = if with_trumps == [false; 2] {
                    known(suit, tricks)
                } else {
                    tricks as u8
                };
            }
        }
        if wanted <= 0 {
            return Some(proof);
        }
    }
    None
}

/// The winner of a trick and its card.
fn winner(leader: usize, played: &[u64; 4], trumps: bool) -> (usize, u64) {
    let mut best = (leader, played[0]);
    for (n, &card) in played.iter().enumerate().skip(1) {
        let suit = suit_of(card);
        if card > best.1 && (suit == suit_of(best.1) || trumps && suit == 3) {
            best = ((leader + n) & 3, card);
        }
    }
    best
}

/// The cards of the suit of `card` with the same proof, in which only `ranks` mattered.
fn alike(card: u64, ranks: u64) -> u64 {
    let suit = lane(suit_of(card));
    let low = ranks & suit & (ranks & suit).wrapping_neg();
    if low == 0 {
        suit
    } else if low > card {
        suit & (low - 1)
    } else {
        0
    }
}

fn lane(suit: usize) -> u64 {
    0xffff << (16 * suit)
}

fn suit_of(card: u64) -> usize {
    (card | 1).ilog2() as usize / 16
}

fn highest(cards: u64) -> u64 {
    1 << (cards | 1).ilog2()
}
