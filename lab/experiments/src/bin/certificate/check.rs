//! The checker: accepts the lemmas of a certificate one by one, or names the first that fails. It
//! shares no code with the solver.
//!
//! A lemma says that one side takes a number of tricks in all endings of a set: those with its
//! leader, its suit lengths, and its owners of the top cards of each suit. The other cards, the x's,
//! may lie anywhere. The checker plays one trick from the set. The certificate names a move of the
//! claiming side; each move of the other side is tried. After the trick the claim must hold by the
//! number of tricks left, by a counting rule, or by a lemma that includes the set that remains.

use std::collections::HashMap;

use crate::mixing::Mixing;

/// Card `16 * suit + rank`, where rank 0 is the top of its suit, and this is an x.
pub const X: usize = 15;

/// The suit that may be trumps.
const TRUMPS: usize = 3;

/// The endings with a leader, suit lengths, and owners of the top cards of each suit.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Suit lengths: 4 bits each, hand by hand within suit by suit.
    pub shape: u64,
    pub leader: usize,
    /// The number of top cards of each suit whose owners are known.
    pub known: [u8; 4],
    /// Their owners: 2 bits each, the top card's lowest. Higher bits are not used.
    pub owners: [u32; 4],
}

impl Set {
    pub fn length(&self, suit: usize, hand: usize) -> usize {
        (self.shape >> (16 * suit + 4 * hand)) as usize & 15
    }

    pub fn owner(&self, suit: usize, rank: usize) -> usize {
        (self.owners[suit] >> (2 * rank)) as usize & 3
    }

    /// The tricks left.
    pub fn left(&self) -> i32 {
        (0..4).map(|suit| self.length(suit, 0) as i32).sum()
    }

    /// The top cards of each suit that the leader is known to hold.
    pub fn leader_tops(&self) -> [i32; 4] {
        [0, 1, 2, 3].map(|suit| {
            // The lowest bits differ at the first card of another hand, or below the known cards.
            let others = self.owners[suit] ^ (0x5555_5555 * self.leader as u32);
            (others | 1 << (2 * self.known[suit])).trailing_zeros() as i32 / 2
        })
    }

    /// The part of a set that lemmas are found by.
    pub fn key(&self) -> (u64, usize) {
        (self.shape, self.leader)
    }

    /// Returns true if all endings of `other`, of the same key, are in this set.
    pub fn includes(&self, other: &Set) -> bool {
        (0..4).all(|suit| {
            let mask = (1_u32 << (2 * self.known[suit])) - 1;
            self.known[suit] <= other.known[suit]
                && (self.owners[suit] ^ other.owners[suit]) & mask == 0
        })
    }

    /// The moves of each hand, a bit for each card: the known cards, one for each run of adjacent
    /// ones, and an x in each suit where the hand has any.
    pub fn moves(&self) -> [u64; 4] {
        let mut moves = [0; 4];
        for suit in 0..4 {
            let mut count = [0; 4];
            for rank in 0..usize::from(self.known[suit]) {
                let owner = self.owner(suit, rank);
                count[owner] += 1;
                if rank == 0 || self.owner(suit, rank - 1) != owner {
                    moves[owner] |= 1 << (16 * suit + rank);
                }
            }
            for hand in 0..4 {
                if self.length(suit, hand) > count[hand] {
                    moves[hand] |= 1 << (16 * suit + X);
                }
            }
        }
        moves
    }

    /// The set after a trick that a hand won.
    pub fn after(&self, cards: [usize; 4], winner: usize) -> Set {
        let mut after = *self;
        after.leader = winner;
        let mut taken = 0_u64;
        for (n, card) in cards.into_iter().enumerate() {
            let (suit, hand) = (card / 16, (self.leader + n) & 3);
            after.shape -= 1 << (16 * suit + 4 * hand);
            if card % 16 != X {
                taken |= 1 << card;
            }
        }
        while taken != 0 {
            // The lowest rank of the last suit first: higher ranks keep their slots.
            let card = 63 - taken.leading_zeros() as usize;
            taken ^= 1 << card;
            let (suit, rank) = (card / 16, card % 16);
            let owners = after.owners[suit];
            let above = (1 << (2 * rank)) - 1;
            after.owners[suit] = owners & above | owners >> 2 & !above;
            after.known[suit] -= 1;
        }
        after
    }

    /// Returns true if the lengths and owners describe endings.
    fn is_sound(&self) -> bool {
        let left = self.left();
        let sum = |lengths: [usize; 4]| lengths.iter().sum::<usize>();
        let hands = [0, 1, 2, 3];
        (1..14).contains(&left)
            && self.leader < 4
            && hands.iter().all(|&hand| {
                let lengths = hands.map(|suit| self.length(suit, hand));
                sum(lengths) == left as usize
            })
            && hands.iter().all(|&suit| {
                let lengths = hands.map(|hand| self.length(suit, hand));
                let mut rest = lengths;
                let mut ranks = 0..usize::from(self.known[suit]);
                sum(lengths) < 14
                    && ranks.all(|rank| {
                        let rest = &mut rest[self.owner(suit, rank)];
                        *rest = rest.wrapping_sub(1);
                        *rest < 14
                    })
            })
    }
}

/// A claim: North and South take at least `need` tricks if `reached`, fewer if not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub need: i32,
    pub reached: bool,
}

impl Claim {
    /// Returns true if this hand is of the claiming side.
    pub fn is_by(self, hand: usize) -> bool {
        hand.is_multiple_of(2) == self.reached
    }

    /// The claim after a trick.
    pub fn after(self, winner: usize) -> Claim {
        Claim {
            need: self.need - i32::from(winner.is_multiple_of(2)),
            ..self
        }
    }

    /// The tricks that the claiming side needs.
    pub fn goal(self, left: i32) -> i32 {
        if self.reached {
            self.need
        } else {
            left - self.need + 1
        }
    }

    /// Returns true if this claim follows from `other`.
    pub fn follows_from(self, other: Claim) -> bool {
        self.reached == other.reached
            && if self.reached {
                other.need >= self.need
            } else {
                other.need <= self.need
            }
    }
}

/// The legal moves of a hand after a lead.
pub fn playable(moves: u64, led: usize) -> u64 {
    let suit = 0xffff << (16 * (led / 16));
    if moves & suit != 0 {
        moves & suit
    } else {
        moves
    }
}

/// The hands, one bit each, that may win a trick: more than one if x's compete for it.
pub fn winners(leader: usize, cards: [usize; 4], trumps: bool) -> u32 {
    let (mut best, mut hands) = (cards[0], 1_u32 << leader);
    for (n, &card) in cards.iter().enumerate().skip(1) {
        let hand = 1 << ((leader + n) & 3);
        if card == best {
            hands |= hand;
        } else if card / 16 == best / 16 && card < best
            || trumps && card / 16 == TRUMPS && best / 16 != TRUMPS
        {
            (best, hands) = (card, hand);
        }
    }
    hands
}

/// The rules of a strain's lemmas.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// True if the last suit is trumps.
    pub trumps: bool,
    /// True if the theorems may be used.
    pub theorems: bool,
}

/// A rule that decides a claim without a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The tricks left decide.
    TricksLeft,
    /// The last trick, which plays itself.
    LastTrick,
    /// Theorem 1: see [`sure_trumps`].
    SureTrumps,
    /// Theorem 2: see [`quick_tricks`].
    QuickTricks,
    /// The database says so.
    Database,
}

/// Decides claims by a database.
pub trait Leaves {
    /// Returns true if the claim surely holds for all endings of the set.
    fn hold(&mut self, set: &Set, claim: Claim, trumps: bool) -> Result<bool, String>;
}

/// Returns a rule by which the claim holds in all endings of the set.
pub fn rule(
    set: &Set,
    claim: Claim,
    rules: Rules,
    leaves: &mut Option<&mut dyn Leaves>,
) -> Result<Option<Rule>, String> {
    let left = set.left();
    let goal = claim.goal(left);
    Ok(if goal <= 0 {
        Some(Rule::TricksLeft)
    } else if goal > left {
        None
    } else if left == 1 {
        last_trick(set, claim, rules.trumps).then_some(Rule::LastTrick)
    } else if rules.theorems && rules.trumps && sure_trumps(set, claim, goal) {
        Some(Rule::SureTrumps)
    } else if rules.theorems && claim.is_by(set.leader) && quick_tricks(set, rules.trumps, goal) {
        Some(Rule::QuickTricks)
    } else if let Some(leaves) = leaves
        && leaves.hold(set, claim, rules.trumps)?
    {
        Some(Rule::Database)
    } else {
        None
    })
}

fn last_trick(set: &Set, claim: Claim, trumps: bool) -> bool {
    let moves = set.moves();
    let cards = [0, 1, 2, 3].map(|n| moves[(set.leader + n) & 3].trailing_zeros() as usize);
    let winners = winners(set.leader, cards, trumps);
    (0..4).all(|hand| winners >> hand & 1 == 0 || claim.is_by(hand))
}

/// Theorem 1. Let `j` trumps of one hand have `e` trumps of the opponents above the lowest of them.
/// They are played in different tricks, and each wins one for its side unless an opponent spends
/// one of the `e` on it. So the side takes at least `j - e` tricks. All its trumps may be
/// counted: then at most all trumps of the opponents are above.
fn sure_trumps(set: &Set, claim: Claim, goal: i32) -> bool {
    let length = |hand: usize| set.length(TRUMPS, hand & 3) as i32;
    (0..4).filter(|&hand| claim.is_by(hand)).any(|hand| {
        let mut sure = 0;
        let by_rank = (0..usize::from(set.known[TRUMPS])).any(|rank| {
            let owner = set.owner(TRUMPS, rank);
            if owner == hand {
                sure += 1;
            } else if !claim.is_by(owner) {
                sure -= 1;
            }
            sure >= goal
        });
        by_rank || length(hand) - length(hand + 1) - length(hand + 3) >= goal
    })
}

/// Theorem 2. The leader cashes top cards: `t` trumps first, then the top cards of side suits. All
/// cards of a suit win if its top cards last until the other hands have none left. While an
/// opponent has trumps, only the rounds to which this opponent follows count. The partner must then
/// have enough cards besides trumps never to be forced to ruff: the proof needs it, although no
/// position is known in which the claim would be false. If no opponent has a trump, a
/// partner who is forced to ruff has trumps alone, and takes all tricks that are left.
fn quick_tricks(set: &Set, trumps: bool, goal: i32) -> bool {
    let hand = |n: usize| (set.leader + n) & 3;
    let length = |suit: usize, n: usize| set.length(suit, hand(n)) as i32;
    let tops = set.leader_tops();
    let full = [0, 1, 2, 3].map(|suit| {
        let longest = (1..4).map(|n| length(suit, n)).max().unwrap_or(0);
        if tops[suit] >= longest {
            length(suit, 0)
        } else {
            tops[suit]
        }
    });
    let most = full.iter().sum::<i32>();
    if most < goal || !trumps {
        return most >= goal;
    }
    let partner_trumps = length(TRUMPS, 2);
    let partner_others = set.left() - partner_trumps;
    (0..=full[TRUMPS]).any(|drawn| {
        let with_trumps = [1, 3].map(|n| length(TRUMPS, n) > drawn);
        let others: i32 = (0..TRUMPS)
            .map(|suit| match with_trumps {
                [false, false] => full[suit],
                [true, false] => tops[suit].min(length(suit, 1)),
                [false, true] => tops[suit].min(length(suit, 3)),
                [true, true] => tops[suit].min(length(suit, 1)).min(length(suit, 3)),
            })
            .sum();
        let discards = (goal - drawn).max(0) + (drawn - partner_trumps).max(0);
        let free = with_trumps == [false; 2] || partner_trumps == 0 || partner_others >= discards;
        drawn >= goal || drawn + others >= goal && free
    })
}

/// The columns of a strain's lemmas.
pub const COLUMNS: usize = 5;

/// The bytes of a column that are not read yet.
struct Column<'a>(&'a [u8]);

impl<'a> Column<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or("it ends too soon")?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A number of some bytes, the lowest first.
    fn number(&mut self, bytes: usize) -> Result<u64, String> {
        let bytes = self.take(bytes)?.iter().rev();
        Ok(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

type Lemmas = HashMap<(u64, usize), Vec<(Set, Claim)>, Mixing>;

/// One check of a strain's lemmas.
struct Check<'a, 'd> {
    lemmas: Lemmas,
    moves: Column<'a>,
    rules: Rules,
    leaves: Option<&'d mut dyn Leaves>,
}

/// Checks the lemmas of one strain, and that each of `results` follows from one of them. Returns the
/// number of lemmas.
pub fn check(
    bytes: &[u8],
    rules: Rules,
    results: &[(Set, Claim)],
    leaves: Option<&mut dyn Leaves>,
) -> Result<usize, String> {
    let mut all = Column(bytes);
    let mut columns = Vec::new();
    for _ in 0..COLUMNS {
        let length = all.number(4)? as usize;
        columns.push(Column(all.take(length)?));
    }
    let [mut groups, mut counts, mut heads, mut owners, moves] =
        <[Column; COLUMNS]>::try_from(columns).map_err(|_| "columns are missing")?;
    let mut order = Vec::new();
    let mut lemmas = Lemmas::default();
    while !groups.0.is_empty() {
        let (shape, leader) = (groups.number(8)?, groups.number(1)? as usize);
        let mut list = Vec::new();
        for _ in 0..counts.number(2)? {
            let need = heads.number(1)? as i32;
            let claim = Claim {
                need: need >> 1,
                reached: need & 1 == 1,
            };
            let lengths = heads.number(2)?;
            let known = [0, 4, 8, 12].map(|shift| (lengths >> shift) as u8 & 15);
            let mut set = Set {
                shape,
                leader,
                known,
                owners: [0; 4],
            };
            for (word, known) in set.owners.iter_mut().zip(known) {
                *word = owners.number(usize::from(known).div_ceil(4))? as u32;
            }
            if !set.is_sound() || claim.goal(set.left()) > set.left() {
                return Err(format!("{set:?} {claim:?} makes no sense"));
            }
            list.push((set, claim));
        }
        order.push((shape, leader));
        lemmas.insert((shape, leader), list);
    }
    let mut check = Check {
        lemmas,
        moves,
        rules,
        leaves,
    };
    let mut count = 0;
    for key in &order {
        for nth in 0..check.lemmas[key].len() {
            let (set, claim) = check.lemmas[key][nth];
            check
                .trick(&set, claim, &set.moves(), [0; 4], 0)
                .map_err(|error| format!("{set:?} {claim:?}: {error}"))?;
            count += 1;
        }
    }
    if !check.moves.0.is_empty() {
        return Err("there are bytes left".into());
    }
    for (set, claim) in results {
        check.leaf(set, *claim)?;
    }
    Ok(count)
}

impl Check<'_, '_> {
    /// Continues a trick of which `n` cards are on the table.
    fn trick(
        &mut self,
        set: &Set,
        claim: Claim,
        moves: &[u64; 4],
        cards: [usize; 4],
        n: usize,
    ) -> Result<(), String> {
        if n == 4 {
            let winners = winners(set.leader, cards, self.rules.trumps);
            let mut hands = (0..4).filter(|hand| winners >> hand & 1 == 1);
            return hands
                .try_for_each(|hand| self.leaf(&set.after(cards, hand), claim.after(hand)));
        }
        let hand = (set.leader + n) & 3;
        let mut options = moves[hand];
        if n > 0 {
            options = playable(options, cards[0]);
        }
        if claim.is_by(hand) {
            // The lowest move, or the one that the certificate names.
            let named = !options.is_power_of_two();
            for _ in 0..self.moves.number(named.into())? {
                options &= options.wrapping_sub(1);
            }
            if options == 0 {
                return Err("a move is missing".into());
            }
            options &= options.wrapping_neg();
        }
        while options != 0 {
            let mut next = cards;
            next[n] = options.trailing_zeros() as usize;
            options &= options - 1;
            self.trick(set, claim, moves, next, n + 1)?;
        }
        Ok(())
    }

    /// Checks that the claim holds after a trick.
    fn leaf(&mut self, set: &Set, claim: Claim) -> Result<(), String> {
        if rule(set, claim, self.rules, &mut self.leaves)?.is_some() || self.has(set, claim) {
            return Ok(());
        }
        Err(format!("{claim:?} in {set:?} follows from no lemma"))
    }

    /// Returns true if a lemma proves the claim for a set.
    fn has(&self, set: &Set, claim: Claim) -> bool {
        let list = self.lemmas.get(&set.key());
        list.is_some_and(|list| {
            list.iter()
                .any(|(of, proved)| claim.follows_from(*proved) && of.includes(set))
        })
    }
}
