//! Derives the lemmas of a strain from the solver's search.
//!
//! A proof about one position names the cards that mattered, as in the solver: those that won a
//! trick over another card of their suit. It becomes a lemma about all positions with the same
//! leader, lengths and owners of these cards and all above them. The solver only says which moves
//! succeed.

use rustc_hash::FxHashMap;
use setrograde_cards::{Deal, Strain};
use setrograde_check::{Lemma, TRUMPS, theorems};
use setrograde_solver::lanes::{alike, highest, lowest, suit_mask, suit_of};
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
    by_key: FxHashMap<u64, Vec<Derived>>,
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
        let mut lemmas = self.by_key.get(&lemma.key())?.iter();
        lemmas
            .find(|derived| derived.lemma.goal >= lemma.goal && derived.lemma.knows_part_of(lemma))
    }

    fn insert(&mut self, derived: Derived) {
        let list = self.by_key.entry(derived.lemma.key()).or_default();
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

/// A trick of a position.
struct Trick {
    to: To,
    /// The tricks left, with this one.
    left: i32,
    /// The cards to try of each hand: the highest of each run of adjacent cards.
    options: [u64; 4],
    /// The cards on the table, from the lead on.
    played: [u64; 4],
}

impl Trick {
    /// The cards that a seat may play after `n` cards.
    fn options(&self, seat: usize, n: usize) -> u64 {
        let options = self.options[seat];
        let led = options & suit_mask(suit_of(self.played[0]));
        if n > 0 && led != 0 { led } else { options }
    }

    /// The four cards.
    fn cards(&self) -> u64 {
        let [a, b, c, d] = self.played;
        a | b | c | d
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
        // The length of each suit, as a number in its lane.
        let pairs = (shape & 0x0f0f_0f0f_0f0f_0f0f) + (shape >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
        let lengths = pairs + (pairs >> 8);
        Lemma {
            shape,
            owners: self.search.owners(),
            mask: [0, 1, 2, 3].map(|suit| (1 << (2 * (lengths >> (16 * suit) & 15))) - 1),
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
            return Some(self.search.ranks_of(known));
        }
        let derived = self.lemmas.find(&lemma)?;
        Some(self.search.ranks_of(derived.known()))
    }

    /// Derives a lemma that holds and those that it needs, and returns the lowest cards of each
    /// suit that matter.
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
        let (ranks, card) = self.trick(&mut self.start(to, left), 0);
        let suit = suit_of(card);
        let above = self.search.all() & suit_mask(suit) & !(card | (card - 1));
        let known = self.search.known(ranks);
        self.lemmas.insert(Derived {
            lemma: lemma.widened(known),
            lead: 16 * suit as u8 + above.count_ones() as u8,
        });
        self.search.ranks_of(known)
    }

    /// The start of a trick.
    fn start(&self, to: To, left: i32) -> Trick {
        Trick {
            to,
            left,
            options: [0, 1, 2, 3].map(|seat| self.search.tops_of_runs(seat)),
            played: [0; 4],
        }
    }

    /// Continues a trick of which `n` cards are on the table; returns what matters and the card
    /// played.
    fn trick(&mut self, trick: &mut Trick, n: usize) -> (u64, u64) {
        if n == 4 {
            return (self.finish::<false>(trick).unwrap_or(0), 0);
        }
        let Trick { to, left, .. } = *trick;
        let seat = (to.leader + n) & 3;
        let options = trick.options(seat, n);
        if to.is_by(seat) {
            let mut moves = [options; 14];
            let mut count = 1;
            if !options.is_power_of_two() {
                if let Some(proof) = self.reused(trick, n) {
                    return proof;
                }
                let table = &trick.played[..n];
                count = self.search.moves(to.leader, table, left, &mut moves);
            }
            for (nth, &card) in moves[..count].iter().enumerate() {
                trick.played[n] = card;
                self.search.play(seat, card);
                let holds = nth + 1 == count || self.holds(trick, n + 1);
                let proof = holds.then(|| self.trick(trick, n + 1).0);
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
            trick.played[n] = card;
            self.search.play(seat, card);
            let proof = self.trick(trick, n + 1).0;
            self.search.take_back(seat, card);
            ranks |= proof;
            left_to_try &= !(card | alike(card, proof));
        }
        (ranks, highest(options))
    }

    /// Returns a proof after `n` cards that needs no new lemma.
    fn reused(&mut self, trick: &mut Trick, n: usize) -> Option<(u64, u64)> {
        if n == 4 {
            return Some((self.finish::<true>(trick)?, 0));
        }
        let seat = (trick.to.leader + n) & 3;
        let mut options = trick.options(seat, n);
        let (mut ranks, first) = (0, highest(options));
        while options != 0 {
            let card = highest(options);
            options ^= card;
            trick.played[n] = card;
            self.search.play(seat, card);
            let proof = self.reused(trick, n + 1);
            self.search.take_back(seat, card);
            match (proof, trick.to.is_by(seat)) {
                (Some((proof, _)), true) => return Some((proof, card)),
                (Some((proof, _)), false) => {
                    ranks |= proof;
                    options &= !alike(card, proof);
                }
                (None, false) => return None,
                (None, true) => {}
            }
        }
        (!trick.to.is_by(seat)).then_some((ranks, first))
    }

    /// Returns whether the lemma holds after `n` cards.
    fn holds(&mut self, trick: &Trick, n: usize) -> bool {
        let Trick { to, left, .. } = *trick;
        if n < 4 {
            let (need, reached) = to.question(left);
            return self
                .search
                .reaches(to.leader, &trick.played[..n], need, left)
                == reached;
        }
        let winner = self.search.winner(to.leader, &trick.played);
        let (need, reached) = to.after(winner).question(left - 1);
        self.search.toggle_trick(trick.cards());
        let found = self.search.reaches(winner, &[], need, left - 1);
        self.search.toggle_trick(trick.cards());
        found == reached
    }

    /// The cards that matter after a finished trick; `None` if that needs a new lemma and `REUSED`
    /// forbids it.
    fn finish<const REUSED: bool>(&mut self, trick: &Trick) -> Option<u64> {
        let Trick { to, played, .. } = trick;
        let winner = self.search.winner(to.leader, played);
        let cards = trick.cards();
        self.search.toggle_trick(cards);
        let ranks = if REUSED {
            self.known_proof(to.after(winner), trick.left - 1)
        } else {
            Some(self.prove(to.after(winner), trick.left - 1))
        };
        self.search.toggle_trick(cards);
        let is_by_north_south = to.side == 0;
        Some(
            self.search
                .add_winner(to.leader, played, is_by_north_south, ranks?),
        )
    }

    fn last_trick(&mut self, to: To) -> Option<u64> {
        let (north_south_take_it, ranks) = self.search.last_trick(to.leader);
        (north_south_take_it == (to.side == 0)).then_some(ranks)
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
