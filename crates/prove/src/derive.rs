//! Derives the lemmas of a strain from the solver's search.
//!
//! A proof about one position names the cards that mattered, as in the solver: those that won a
//! trick over another card of their suit. It becomes a lemma about all positions with the same
//! leader, lengths and owners of these cards and all above them. The solver only says which moves
//! succeed.

use rustc_hash::FxHashMap;
use setrograde_cards::{Deal, Strain};
use setrograde_check::{Lemma, TRUMPS, theorems};
use setrograde_solver::{OpenSearch, Solver};

use crate::ProveError;

/// A lemma, and the lead of its proof.
#[derive(Clone, Debug)]
pub struct Derived {
    pub lemma: Lemma,
    /// The card led: 16 times its suit, and its rank from the top.
    pub lead: u8,
}

/// The lemmas of a strain. Those of a shape, leader and side form a list, the most general first.
#[derive(Clone, Debug, Default)]
pub struct Lemmas {
    lists: Vec<Vec<Derived>>,
    by_key: FxHashMap<(u64, u8, u8), usize>,
}

impl Derived {
    /// The number of known cards of each suit.
    pub fn known(&self) -> [u8; 4] {
        [0, 1, 2, 3].map(|suit| self.lemma.known(suit) as u8)
    }

    fn total(&self) -> u8 {
        self.known().iter().sum()
    }
}

impl Lemmas {
    /// The most general lemma from which a lemma follows.
    pub fn find(&self, lemma: &Lemma) -> Option<&Derived> {
        let list = *self.by_key.get(&(lemma.shape, lemma.leader, lemma.side))?;
        let mut lemmas = self.lists[list].iter();
        lemmas.find(|derived| lemma.follows_from(&derived.lemma))
    }

    fn insert(&mut self, derived: Derived) {
        let lemma = &derived.lemma;
        let key = (lemma.shape, lemma.leader, lemma.side);
        let list = *self.by_key.entry(key).or_insert_with(|| {
            self.lists.push(Vec::new());
            self.lists.len() - 1
        });
        let list = &mut self.lists[list];
        let at = list.partition_point(|other| other.total() <= derived.total());
        list.insert(at, derived);
    }
}

/// Derives the lemmas that prove results about a deal.
///
/// # Errors
///
/// If the search was cancelled, or a result is wrong.
pub fn derive(
    solver: &mut Solver,
    deal: &Deal,
    strain: Strain,
    results: &[Lemma],
) -> Result<Lemmas, ProveError> {
    solver.with_open_search(deal, strain, |search| {
        let mut derivation = Derivation {
            search,
            trumps: strain != Strain::NoTrump,
            lemmas: Lemmas::default(),
            wrong: None,
        };
        for lemma in results {
            derivation.prove(To::of(lemma), lemma.left());
        }
        derivation.search.finished()?;
        match derivation.wrong {
            Some(lemma) => Err(ProveError::Missing(lemma)),
            None => Ok(derivation.lemmas),
        }
    })
}

/// The leader, side and goal of a lemma.
#[derive(Clone, Copy)]
struct To {
    leader: usize,
    side: usize,
    goal: i32,
}

impl To {
    fn of(lemma: &Lemma) -> To {
        To {
            leader: lemma.leader.into(),
            side: lemma.side.into(),
            goal: lemma.goal.into(),
        }
    }

    fn is_by(self, hand: usize) -> bool {
        hand & 1 == self.side
    }

    fn after(self, winner: usize) -> To {
        To {
            leader: winner,
            goal: self.goal - i32::from(self.is_by(winner)),
            ..self
        }
    }

    /// Whether North and South are to take at least this number of tricks, or fewer.
    fn question(self, left: i32) -> (i32, bool) {
        if self.side == 0 {
            (self.goal, true)
        } else {
            (left - self.goal + 1, false)
        }
    }
}

struct Derivation<'s, 'b> {
    search: &'s mut OpenSearch<'b>,
    trumps: bool,
    lemmas: Lemmas,
    /// A lemma that would have to hold and does not: nothing more is derived.
    wrong: Option<Lemma>,
}

impl Derivation<'_, '_> {
    /// The lemma about the position alone.
    fn position(&self, to: To) -> Lemma {
        let shape = self.search.shape();
        let all = self.search.all();
        Lemma {
            shape,
            owners: self.search.owners(),
            masks: [0, 1, 2, 3].map(|suit| {
                let known = (all & lane(suit)).count_ones();
                (1 << (2 * known)) - 1
            }),
            leader: to.leader as u8,
            side: to.side as u8,
            goal: to.goal as i8,
        }
    }

    /// Returns the lowest cards of each suit by which a lemma holds, if a theorem or a lemma proves
    /// it.
    fn known_proof(&mut self, to: To, left: i32) -> Option<u64> {
        if to.goal <= 0 {
            return Some(0);
        }
        if to.goal > left {
            return None;
        }
        if left == 1 {
            return self.last_trick(to);
        }
        let lemma = self.position(to);
        if self.trumps
            && let Some(known) = sure_trumps(&lemma)
        {
            return Some(self.ranks([0, 0, 0, known]));
        }
        if to.is_by(to.leader)
            && let Some(known) = quick_tricks(&lemma, self.trumps)
        {
            return Some(self.ranks(known));
        }
        let derived = self.lemmas.find(&lemma)?;
        Some(self.ranks(derived.known()))
    }

    /// Derives the lemmas of a lemma that holds, and returns the lowest cards of each suit that
    /// matter.
    fn prove(&mut self, to: To, left: i32) -> u64 {
        if let Some(ranks) = self.known_proof(to, left) {
            return ranks;
        }
        let lemma = self.position(to);
        if to.goal > left {
            self.wrong = Some(lemma);
        }
        if self.wrong.is_some() {
            return 0;
        }
        let (ranks, card) = self.trick(to, &mut [0; 4], 0, left);
        let suit = suit_of(card);
        let above = self.search.all() & lane(suit) & !(card | (card - 1));
        let known = self.known(ranks);
        self.lemmas.insert(Derived {
            lemma: lemma.widened(known),
            lead: 16 * suit as u8 + above.count_ones() as u8,
        });
        self.ranks(known)
    }

    /// Continues a trick of which `n` cards are on the table; returns what matters and the card
    /// played.
    fn trick(&mut self, to: To, played: &mut [u64; 4], n: usize, left: i32) -> (u64, u64) {
        if n == 4 {
            return (self.finish::<false>(to, *played, left).unwrap_or(0), 0);
        }
        let seat = (to.leader + n) & 3;
        let mut moves = [0; 14];
        let count = self.search.moves(to.leader, &played[..n], left, &mut moves);
        let moves = &moves[..count];
        if to.is_by(seat) {
            if count > 1
                && let Some(proof) = self.reused(to, played, n, left)
            {
                return proof;
            }
            for (nth, &card) in moves.iter().enumerate() {
                played[n] = card;
                self.search.play(seat, card);
                let holds = nth + 1 == moves.len() || self.holds(to, played, n + 1, left);
                let proof = holds.then(|| self.trick(to, played, n + 1, left).0);
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
                let proof = self.trick(to, played, n + 1, left).0;
                self.search.take_back(seat, card);
                ranks |= proof;
                dead |= alike(card, proof);
            }
        }
        (ranks, moves[0])
    }

    /// Returns a proof after `n` cards that needs no new lemma.
    fn reused(&mut self, to: To, played: &mut [u64; 4], n: usize, left: i32) -> Option<(u64, u64)> {
        if n == 4 {
            return Some((self.finish::<true>(to, *played, left)?, 0));
        }
        let seat = (to.leader + n) & 3;
        let mut moves = [0; 14];
        let count = self.search.moves(to.leader, &played[..n], left, &mut moves);
        let (mut ranks, mut dead) = (0, 0);
        for &card in &moves[..count] {
            if card & dead != 0 {
                continue;
            }
            played[n] = card;
            self.search.play(seat, card);
            let proof = self.reused(to, played, n + 1, left);
            self.search.take_back(seat, card);
            match (proof, to.is_by(seat)) {
                (Some((proof, _)), true) => return Some((proof, card)),
                (Some((proof, _)), false) => {
                    ranks |= proof;
                    dead |= alike(card, proof);
                }
                (None, false) => return None,
                (None, true) => {}
            }
        }
        (!to.is_by(seat)).then_some((ranks, moves[0]))
    }

    /// Returns whether the lemma holds after these cards.
    fn holds(&mut self, to: To, played: &[u64; 4], n: usize, left: i32) -> bool {
        if n < 4 {
            let (need, reached) = to.question(left);
            return self.search.reaches(to.leader, &played[..n], need, left) == reached;
        }
        let (winner, _) = winner(to.leader, played, self.trumps);
        let (need, reached) = to.after(winner).question(left - 1);
        let cards = played.iter().fold(0, |all, card| all | card);
        self.search.toggle_trick(cards);
        let found = self.search.reaches(winner, &[], need, left - 1);
        self.search.toggle_trick(cards);
        found == reached
    }

    /// The cards that matter after a finished trick; `None` if that needs a new lemma and `REUSED`
    /// forbids it.
    fn finish<const REUSED: bool>(&mut self, to: To, played: [u64; 4], left: i32) -> Option<u64> {
        let (winner, best) = winner(to.leader, &played, self.trumps);
        let cards = played.iter().fold(0, |all, card| all | card);
        self.search.toggle_trick(cards);
        let ranks = if REUSED {
            self.known_proof(to.after(winner), left - 1)
        } else {
            Some(self.prove(to.after(winner), left - 1))
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
        let runs_out = !to.is_by(winner) && between == 0;
        Some(ranks | if runs_out { low } else { best })
    }

    fn last_trick(&mut self, to: To) -> Option<u64> {
        let hands = self.search.hands();
        let played = [0, 1, 2, 3].map(|n| hands[(to.leader + n) & 3]);
        let (winner, best) = winner(to.leader, &played, self.trumps);
        let cards = played.iter().fold(0, |all, card| all | card);
        let alone = cards & lane(suit_of(best)) == best;
        to.is_by(winner).then_some(if alone { 0 } else { best })
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

/// The top trumps that prove theorem 1 for one position, `None` if it does not apply.
fn sure_trumps(lemma: &Lemma) -> Option<u8> {
    let length = |hand: usize| lemma.length(TRUMPS, hand & 3);
    let goal = i32::from(lemma.goal);
    let mut best = None;
    for hand in (0..4).filter(|&hand| lemma.is_by(hand)) {
        if length(hand) - length(hand + 1) - length(hand + 3) >= goal {
            return Some(0);
        }
        let mut sure = 0;
        for rank in 0..lemma.known(TRUMPS) {
            let owner = lemma.owner(TRUMPS, rank);
            sure += i32::from(owner == hand) - i32::from(!lemma.is_by(owner));
            if sure >= goal {
                let known = rank as u8 + 1;
                best = Some(best.map_or(known, |best: u8| best.min(known)));
                break;
            }
        }
    }
    best
}

/// The top cards that prove theorem 2 for one position.
fn quick_tricks(lemma: &Lemma, trumps: bool) -> Option<[u8; 4]> {
    let leader = usize::from(lemma.leader);
    let goal = i32::from(lemma.goal);
    let length = |suit: usize, n: usize| lemma.length(suit, (leader + n) & 3);
    let tops = theorems::leader_tops(lemma);
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
    let partner_trumps = if trumps { length(TRUMPS, 2) } else { 0 };
    let partner_others = lemma.left() - partner_trumps;
    for drawn in 0..=if trumps { full[TRUMPS] } else { 0 } {
        let mut proof = [0; 4];
        if trumps {
            proof[TRUMPS] = known(TRUMPS, drawn);
        }
        if drawn >= goal {
            return Some(proof);
        }
        let with_trumps = [1, 3].map(|n| trumps && length(TRUMPS, n) > drawn);
        let discards = (goal - drawn).max(0) + (drawn - partner_trumps).max(0);
        let free = with_trumps == [false; 2] || partner_trumps == 0 || partner_others >= discards;
        if !free {
            continue;
        }
        let mut wanted = goal - drawn;
        let mut suits = [0, 1, 2, 3].map(|suit| {
            let mut cap = if trumps && suit == TRUMPS { 0 } else { 13 };
            for (n, with) in [1, 3].into_iter().zip(with_trumps) {
                if with {
                    cap = cap.min(length(suit, n));
                }
            }
            let most = if with_trumps == [false; 2] {
                full
            } else {
                tops
            };
            (cap.min(most[suit]), suit)
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
        if card > best.1 && (suit == suit_of(best.1) || trumps && suit == TRUMPS) {
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
