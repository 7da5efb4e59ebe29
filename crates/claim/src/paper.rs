//! The method of the paper: P. M. Bethe, "DTAC: A method for planning to claim
//! in Bridge", MSc thesis, NYU, 2010.
//!
//! It is a witness, not a judge: its rules B and C are unsound, for a defender
//! may discard down to a void on another suit. `docs/claim.md` has the smallest
//! positions in which it claims too much.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::knowledge::Knowledge;
use crate::knowledge::case::Hidden;
use crate::lanes::{each, lane, suit_of, top};
use crate::mix::Mix;

/// The combined defender of section 3.2.1: one opponent who may hold the
/// highest card of each suit, and ruffs whenever either defender may be void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Defender {
    /// The unseen cards: the highest of a suit is *H*.
    unseen: u64,
    /// *L*, the most cards of each suit that either defender may hold.
    most: [u8; 4],
    /// *M*, the fewest that either may hold.
    least: [u8; 4],
}

/// A position of findClaim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    hands: [u64; 2],
    /// The rounds of each suit led since the claim.
    rounds: [u8; 4],
    leader: usize,
    /// The suit that the opponents lead, if they do.
    led_by_them: Option<usize>,
    defender: Defender,
    losers: u8,
}

/// The search of the paper.
struct Method {
    trump: Option<usize>,
    seen: HashMap<(Place, u8), bool, BuildHasherDefault<Mix>>,
    options: PaperOptions,
    nodes: u64,
    moves: u64,
}

/// Options of the paper's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperOptions {
    /// 0, or 1 to search again with a loser where none is too few.
    pub losers: u8,
    /// Whether positions that failed are kept in a table (section 3.3.3).
    pub table: bool,
    /// The most positions that it may look at.
    pub limit: u64,
}

impl Default for PaperOptions {
    fn default() -> PaperOptions {
        PaperOptions {
            losers: 1,
            table: true,
            limit: 10_000_000,
        }
    }
}

/// The answer of the paper's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperAnswer {
    /// Whether it finds a claim; `None` if the limit was reached, or the claimer
    /// does not play both visible hands and lead.
    pub found: Option<bool>,
    /// The number of positions that it looked at.
    pub nodes: u64,
    /// The number of pairs of cards that it tried there.
    pub moves: u64,
}

impl Method {
    /// *accept* of section 3.3: whether the combined defender cannot win.
    fn accepts(&self, place: &Place, led: usize, winning: u64) -> bool {
        let (defender, rounds) = (&place.defender, &place.rounds);
        let suit = suit_of(winning);
        let higher = top(defender.unseen & lane(suit)) > winning;
        let trumps_out = self
            .trump
            .is_some_and(|trump| defender.most[trump] > rounds[trump]);
        let void = defender.least[led] <= rounds[led];
        if suit == led {
            let rule_a = rounds[suit] < defender.most[suit] && higher;
            let rule_b = self.trump != Some(suit) && void && trumps_out;
            !rule_a && !rule_b
        } else {
            let rule_c = void && trumps_out && higher;
            !rule_c
        }
    }

    /// Cards of a hand, the last suit first, low to high, touching cards once.
    fn choices(&self, place: &Place, who: usize, led: Option<usize>) -> Vec<u64> {
        let hand = place.hands[who];
        let pool = match led {
            Some(led) if hand & lane(led) != 0 => hand & lane(led),
            _ => hand,
        };
        let others = place.defender.unseen | place.hands[1 - who];
        let mut found = Vec::new();
        for suit in (0..4).rev() {
            let mut last = 0_u64;
            for card in each(pool & lane(suit)) {
                let between = (card - 1) & !(last | last.wrapping_sub(1));
                if last == 0 || others & lane(suit) & between != 0 {
                    found.push(card);
                }
                last = card;
            }
        }
        found
    }

    /// *findClaim*: whether `need` more tricks can be claimed.
    fn find(&mut self, place: Place, need: u8) -> Option<bool> {
        if need == 0 {
            return Some(true);
        }
        if place.hands[0] == 0 {
            return Some(false);
        }
        if self.options.table
            && let Some(&known) = self.seen.get(&(place, need))
        {
            return Some(known);
        }
        if self.nodes >= self.options.limit {
            return None;
        }
        self.nodes += 1;
        self.seen.insert((place, need), false);
        let first = place.leader;
        for card in self.choices(&place, first, place.led_by_them) {
            let led = place.led_by_them.unwrap_or(suit_of(card));
            for other in self.choices(&place, 1 - first, Some(led)) {
                self.moves += 1;
                if self.trick(&place, led, card, other, need)? {
                    self.seen.insert((place, need), true);
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    fn strength(&self, led: usize, card: u64) -> u64 {
        let suit = suit_of(card);
        if Some(suit) == self.trump {
            card >> (16 * suit) << 16
        } else if suit == led {
            card >> (16 * suit)
        } else {
            0
        }
    }

    /// Whether the claim goes on after our hands play `card` and `other`.
    fn trick(
        &mut self,
        place: &Place,
        led: usize,
        card: u64,
        other: u64,
        need: u8,
    ) -> Option<bool> {
        let first = place.leader;
        let (winning, winner) = if self.strength(led, other) > self.strength(led, card) {
            (other, 1 - first)
        } else {
            (card, first)
        };
        let mut next = *place;
        next.hands[first] ^= card;
        next.hands[1 - first] ^= other;
        next.rounds[led] += 1;
        next.leader = winner;
        next.led_by_them = None;
        if self.strength(led, winning) > 0 && self.accepts(place, led, winning) {
            return self.find(next, need - 1);
        }
        if place.losers == 0 || place.led_by_them.is_some() {
            return Some(false);
        }
        // One loser (section 3.4): every way in which they may take it or not.
        let suit = suit_of(winning);
        let out = |suit: usize| place.defender.unseen & lane(suit);
        let left = place.defender.most[led].saturating_sub(place.rounds[led]);
        let may_ruff = self.trump.is_some_and(|trump| {
            trump != led
                && place.defender.most[trump] > place.rounds[trump]
                && place.defender.least[led] <= place.rounds[led]
        });
        let ducks = left >= 2 || left == 0 && may_ruff;
        if ducks && !self.find(next, need - 1)? {
            return Some(false);
        }
        let higher = out(suit) & !(winning | (winning - 1));
        if suit == led && higher != 0 && left > 0 {
            let cheapest = higher & higher.wrapping_neg();
            if !self.lost(next, led, cheapest, need)? {
                return Some(false);
            }
        }
        if let Some(trump) = self.trump.filter(|_| may_ruff) {
            let above = match suit == trump {
                true => higher,
                false => out(trump),
            };
            if above != 0 && !self.lost(next, led, above & above.wrapping_neg(), need)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the claim goes on after they have won with `card`, whatever suit
    /// they lead.
    fn lost(&mut self, mut next: Place, led: usize, card: u64, need: u8) -> Option<bool> {
        let suit = suit_of(card);
        let used = next.rounds[suit] + u8::from(suit != led);
        next.defender.unseen &= !card;
        next.defender.most[suit] = next.defender.most[suit].saturating_sub(used);
        next.defender.least[suit] = next.defender.least[suit].saturating_sub(used);
        next.rounds[suit] = 0;
        next.losers -= 1;
        for led in 0..4 {
            if next.defender.most[led] <= next.rounds[led] {
                continue;
            }
            // They lead; both our hands follow, in either order.
            let mut found = false;
            for leader in 0..2 {
                next.leader = leader;
                next.led_by_them = Some(led);
                found = found || self.find(next, need)?;
            }
            if !found {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Asks the paper's method about a claim of `need` tricks.
///
/// ```
/// use setrograde_claim::{Knowledge, PaperOptions, paper};
///
/// // Figure 3.5: the loser is ruffed high.
/// let knowledge: Knowledge = "S W W:AKJ.2.. ? Q9..2.2 ? out=T.KQ.AKQ.AK".parse()?;
/// assert_eq!(paper(&knowledge, 4, PaperOptions::default()).found, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn paper(knowledge: &Knowledge, need: u8, options: PaperOptions) -> PaperAnswer {
    let seating = knowledge.seating();
    let leader = knowledge.to_play();
    if !knowledge.trick().cards().is_empty()
        || !seating.has_partner()
        || !knowledge.plays_for(leader)
    {
        return PaperAnswer {
            found: None,
            nodes: 0,
            moves: 0,
        };
    }
    let state = knowledge.state();
    let bound = |suit: usize, most: bool| {
        let of = |hand: Hidden| {
            let cases = state.cases.iter();
            match most {
                true => cases.map(|case| case.most(hand, suit, state.unseen)).max(),
                false => cases.map(|case| case.least(hand, suit, state.unseen)).min(),
            }
            .unwrap_or(0)
        };
        match most {
            true => of(Hidden::First).max(of(Hidden::Second)),
            false => of(Hidden::First).min(of(Hidden::Second)),
        }
    };
    let place = Place {
        hands: state.visible,
        rounds: [0; 4],
        leader: usize::from(knowledge.visible()[1] == leader),
        led_by_them: None,
        defender: Defender {
            unseen: state.unseen,
            most: std::array::from_fn(|suit| bound(suit, true)),
            least: std::array::from_fn(|suit| bound(suit, false)),
        },
        losers: 0,
    };
    let mut method = Method {
        trump: seating.trump,
        seen: HashMap::default(),
        options,
        nodes: 0,
        moves: 0,
    };
    let mut found = method.find(place, need);
    // The code searches without a loser first.
    let losers = options.losers;
    if found == Some(false) && losers > 0 && usize::from(need) < knowledge.tricks_left() {
        found = method.find(Place { losers, ..place }, need);
    }
    PaperAnswer {
        found,
        nodes: method.nodes,
        moves: method.moves,
    }
}
