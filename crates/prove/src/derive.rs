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
    /// The indices of the lists, by tricks left and key.
    by_key: FxHashMap<(i32, u64), usize>,
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
        let list = *self.by_key.get(&(lemma.left(), lemma.key()))?;
        let mut lemmas = self.lists[list].iter();
        lemmas.find(|derived| lemma.follows_from(&derived.lemma))
    }

    fn insert(&mut self, derived: Derived) {
        let lemma = &derived.lemma;
        let key = (lemma.left(), lemma.key());
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
            goal: lemma.goal,
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
        let all = self.search.all();
        let owners = self.search.owners();
        let (mut packed, mut mask) = (0, 0);
        for (suit, owners) in owners.into_iter().enumerate() {
            let known = (all & lane(suit)).count_ones();
            packed |= u128::from(owners) << (32 * suit);
            mask |= ((1_u128 << (2 * known)) - 1) << (32 * suit);
        }
        Lemma {
            shape: self.search.shape(),
            owners: packed,
            mask,
            trumps: self.trumps,
            leader: to.leader as u8,
            side: to.side as u8,
            goal: to.goal,
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
        if let Some(known) = theorem(&lemma) {
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
        let options = self.options(seat, &played[..n]);
        if to.is_by(seat) {
            let mut moves = [options; 14];
            let mut count = 1;
            if !options.is_power_of_two() {
                if let Some(proof) = self.reused(to, played, n, left) {
                    return proof;
                }
                count = self.search.moves(to.leader, &played[..n], left, &mut moves);
            }
            for (nth, &card) in moves[..count].iter().enumerate() {
                played[n] = card;
                self.search.play(seat, card);
                let holds = nth + 1 == count || self.holds(to, played, n + 1, left);
                let proof = holds.then(|| self.trick(to, played, n + 1, left).0);
                self.search.take_back(seat, card);
                if let Some(ranks) = proof {
                    return (ranks, card);
                }
            }
            return (0, 1);
        }
        let (mut ranks, mut left_to_try) = (0, options);
        while left_to_try != 0 {
            let card = lowest(left_to_try);
            played[n] = card;
            self.search.play(seat, card);
            let proof = self.trick(to, played, n + 1, left).0;
            self.search.take_back(seat, card);
            ranks |= proof;
            left_to_try &= !(card | alike(card, proof));
        }
        (ranks, highest(options))
    }

    /// Returns a proof after `n` cards that needs no new lemma.
    fn reused(&mut self, to: To, played: &mut [u64; 4], n: usize, left: i32) -> Option<(u64, u64)> {
        if n == 4 {
            return Some((self.finish::<true>(to, *played, left)?, 0));
        }
        let seat = (to.leader + n) & 3;
        let mut options = self.options(seat, &played[..n]);
        let (mut ranks, first) = (0, highest(options));
        while options != 0 {
            let card = highest(options);
            options ^= card;
            played[n] = card;
            self.search.play(seat, card);
            let proof = self.reused(to, played, n + 1, left);
            self.search.take_back(seat, card);
            match (proof, to.is_by(seat)) {
                (Some((proof, _)), true) => return Some((proof, card)),
                (Some((proof, _)), false) => {
                    ranks |= proof;
                    options &= !alike(card, proof);
                }
                (None, false) => return None,
                (None, true) => {}
            }
        }
        (!to.is_by(seat)).then_some((ranks, first))
    }

    /// The legal cards of a seat after those on the table: the highest of each run of adjacent cards.
    fn options(&self, seat: usize, table: &[u64]) -> u64 {
        let hand = self.search.hands()[seat];
        let led = table.first().map_or(0, |&led| hand & lane(suit_of(led)));
        let mut cards = if led != 0 { led } else { hand };
        let others = self.search.all() & !hand;
        let mut options = 0;
        while cards != 0 {
            let top = highest(cards);
            options |= top;
            // The run ends above the next card of another hand, or with the suit.
            let below = others & lane(suit_of(top)) & (top - 1);
            let end = if below != 0 {
                highest(below)
            } else {
                lowest(lane(suit_of(top)))
            };
            cards &= end - 1;
        }
        options
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

/// The known cards by which a theorem proves a lemma, if one does; with one less of a suit, none
/// does.
fn theorem(lemma: &Lemma) -> Option<[u8; 4]> {
    let proves = |known: [u8; 4]| theorems::prove(&lemma.widened(known));
    let mut known = if lemma.trumps && theorems::sure_trumps(lemma) {
        [0, 0, 0, lemma.known(TRUMPS) as u8]
    } else if lemma.is_by(lemma.leader.into()) && theorems::quick_tricks(lemma) {
        theorems::leader_tops(lemma).map(|tops| tops as u8)
    } else {
        return None;
    };
    for suit in (0..4).rev() {
        let mut fewer = known;
        fewer[suit] = 0;
        while known[suit] > 0 && !proves(fewer) {
            fewer[suit] += 1;
        }
        known = fewer;
    }
    Some(known)
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

fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}

fn highest(cards: u64) -> u64 {
    1 << (cards | 1).ilog2()
}
