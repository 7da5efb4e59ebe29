//! The method of P. M. Bethe, "DTAC: A method for planning to claim
//! in Bridge", MSc thesis, NYU, 2010.
//!
//! Its rules B and C are unsound: a defender may discard down to a void on another
//! suit. `docs/claim.md` has the smallest positions in which it claims too much.

use std::collections::HashMap;

use setrograde_cards::{Hand, Suit};
use setrograde_claim::Knowledge;

/// The combined defender of section 3.2.1: one opponent who may hold the
/// highest card of each suit, and ruffs whenever either defender may be void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Defender {
    /// The unseen cards: the highest of a suit is *H*.
    unseen: u64,
    /// *L*, the maximum number of cards of each suit that either defender may hold.
    most: [u8; 4],
    /// *M*, the minimum number.
    least: [u8; 4],
}

/// A position of findClaim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Point {
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
    seen: HashMap<(Point, u8), bool>,
    options: PaperOptions,
    nodes: u64,
    moves: u64,
}

/// Options of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperOptions {
    /// 0, or 1 to search again with a loser where none is too few.
    pub losers: u8,
    /// True if positions that failed are kept in a table (section 3.3.3).
    pub table: bool,
    /// Maximum number of positions to look at.
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

/// The answer of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperAnswer {
    /// True if it finds a claim; `None` if the limit was reached, or the claimer does not play both
    /// visible hands and lead.
    pub found: Option<bool>,
    /// Number of positions that it looked at.
    pub nodes: u64,
    /// Number of pairs of cards that it tried there.
    pub moves: u64,
}

impl Method {
    /// *accept* of section 3.3: whether the combined defender cannot win.
    fn accepts(&self, point: &Point, led: usize, winning: u64) -> bool {
        let (defender, rounds) = (&point.defender, &point.rounds);
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
    fn choices(&self, point: &Point, who: usize, led: Option<usize>) -> Vec<u64> {
        let hand = point.hands[who];
        let pool = match led {
            Some(led) if hand & lane(led) != 0 => hand & lane(led),
            _ => hand,
        };
        let others = point.defender.unseen | point.hands[1 - who];
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
    fn find(&mut self, point: Point, need: u8) -> Option<bool> {
        if need == 0 {
            return Some(true);
        }
        if point.hands[0] == 0 {
            return Some(false);
        }
        if self.options.table
            && let Some(&known) = self.seen.get(&(point, need))
        {
            return Some(known);
        }
        if self.nodes >= self.options.limit {
            return None;
        }
        self.nodes += 1;
        self.seen.insert((point, need), false);
        let first = point.leader;
        for card in self.choices(&point, first, point.led_by_them) {
            let led = point.led_by_them.unwrap_or(suit_of(card));
            for other in self.choices(&point, 1 - first, Some(led)) {
                self.moves += 1;
                if self.trick(&point, led, [card, other], need)? {
                    self.seen.insert((point, need), true);
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

    /// Returns whether the claim continues after our hands play `card` and `other`.
    fn trick(
        &mut self,
        point: &Point,
        led: usize,
        [card, other]: [u64; 2],
        need: u8,
    ) -> Option<bool> {
        let first = point.leader;
        let (winning, winner) = if self.strength(led, other) > self.strength(led, card) {
            (other, 1 - first)
        } else {
            (card, first)
        };
        let mut next = *point;
        next.hands[first] ^= card;
        next.hands[1 - first] ^= other;
        next.rounds[led] += 1;
        next.leader = winner;
        next.led_by_them = None;
        if self.strength(led, winning) > 0 && self.accepts(point, led, winning) {
            return self.find(next, need - 1);
        }
        if point.losers == 0 || point.led_by_them.is_some() {
            return Some(false);
        }
        // One loser (section 3.4): every way in which they may take it or not.
        let suit = suit_of(winning);
        let out = |suit: usize| point.defender.unseen & lane(suit);
        let left = point.defender.most[led].saturating_sub(point.rounds[led]);
        let may_ruff = self.trump.is_some_and(|trump| {
            trump != led
                && point.defender.most[trump] > point.rounds[trump]
                && point.defender.least[led] <= point.rounds[led]
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
            let above = if suit == trump { higher } else { out(trump) };
            if above != 0 && !self.lost(next, led, above & above.wrapping_neg(), need)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether the claim continues after they have won with `card`, whatever suit they
    /// lead.
    fn lost(&mut self, mut next: Point, led: usize, card: u64, need: u8) -> Option<bool> {
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

/// Asks the method about a claim of `need` tricks.
///
/// ```
/// use setrograde_claim::Knowledge;
/// use setrograde_experiments::paper::{PaperOptions, paper};
///
/// // Figure 3.5: the loser is ruffed high.
/// let knowledge: Knowledge = "S W W:AKJ.2.. ? Q9..2.2 ? out=T.KQ.AKQ.AK".parse()?;
/// assert_eq!(paper(&knowledge, 4, PaperOptions::default()).found, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn paper(knowledge: &Knowledge, need: u8, options: PaperOptions) -> PaperAnswer {
    let leader = knowledge.to_play();
    let visible = knowledge.visible();
    if !knowledge.trick().cards().is_empty()
        || visible[0].partner() != visible[1]
        || !knowledge.plays_for(leader)
    {
        return PaperAnswer {
            found: None,
            nodes: 0,
            moves: 0,
        };
    }
    let bits = Hand::bits;
    let lengths = Suit::ALL.map(|suit| knowledge.lengths(suit));
    let point = Point {
        hands: visible.map(|seat| knowledge.hand(seat).map_or(0, bits)),
        rounds: [0; 4],
        leader: usize::from(visible[1] == leader),
        led_by_them: None,
        defender: Defender {
            unseen: bits(knowledge.unseen()),
            most: lengths.map(|(_, most)| most),
            least: lengths.map(|(least, _)| least),
        },
        losers: 0,
    };
    let mut method = Method {
        trump: knowledge.strain().trump().map(Suit::index),
        seen: HashMap::default(),
        options,
        nodes: 0,
        moves: 0,
    };
    let mut found = method.find(point, need);
    // The code searches without a loser first.
    let losers = options.losers;
    if found == Some(false) && losers > 0 && usize::from(need) < knowledge.tricks_left() {
        found = method.find(Point { losers, ..point }, need);
    }
    PaperAnswer {
        found,
        nodes: method.nodes,
        moves: method.moves,
    }
}

/// The bits of a suit: sixteen for each, spades lowest.
fn lane(suit: usize) -> u64 {
    0xffff << (16 * suit)
}

/// The suit of a card.
fn suit_of(card: u64) -> usize {
    card.trailing_zeros() as usize / 16
}

/// The highest of some cards of one suit; 0 if there is none.
fn top(cards: u64) -> u64 {
    cards.checked_ilog2().map_or(0, |bit| 1 << bit)
}

/// The cards one by one, from the lowest bit.
fn each(mut cards: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let low = cards & cards.wrapping_neg();
        cards ^= low;
        (low != 0).then_some(low)
    })
}

#[cfg(test)]
mod tests {
    use setrograde_claim::{Claims, Options, Verdict, check_core};

    use super::*;

    fn says(knowledge: &Knowledge, tricks: u8, losers: u8) -> bool {
        let options = PaperOptions {
            losers,
            ..PaperOptions::default()
        };
        paper(knowledge, tricks, options).found == Some(true)
    }

    /// Small positions in which the method claims a trick too many. While declarer
    /// ruffs high, the defender with the trump discards from the suit of which he
    /// was sure to have a card.
    #[test]
    fn it_claims_too_much() {
        for (line, tricks) in [
            // Rule B: the ace of hearts is ruffed.
            ("S E W:A.A.. ? ...42 ? out=2.KQJ..", 2),
            // Rule C: dummy's ruff of a heart is over-ruffed.
            ("S E W:A.2.. ? 3...2 ? out=4.KQJ..", 2),
            // Rule B in the second round of a suit.
            ("S E W:A.AK.. ? ...432 ? out=2.QJT98..", 3),
        ] {
            let knowledge: Knowledge = line.parse().expect("a question");
            assert!(says(&knowledge, tricks, 0), "{line}");
            let mut claims = Claims::new(Options::default());
            let Ok(Verdict::Refuted(Some(core))) = claims.decide(&knowledge, tricks) else {
                panic!("{line}");
            };
            check_core(&knowledge, &core).expect("a core");
        }
    }

    /// The figures of the thesis, without and with a loser.
    #[test]
    fn figures() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/claim_figures.txt");
        let text = std::fs::read_to_string(path).expect("the figures");
        let mut count = 0;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.splitn(4, ' ').collect();
            let [name, tricks, verdicts, question] = fields[..] else {
                panic!("{line}");
            };
            let knowledge: Knowledge = question.parse().expect("a question");
            let tricks = tricks.parse().expect("a number");
            let found = [0, 1].map(|losers| says(&knowledge, tricks, losers));
            let letters = found.map(|says| if says { 'y' } else { 'n' });
            assert_eq!(String::from_iter(letters), verdicts[2..], "figure {name}");
            count += 1;
        }
        assert_eq!(count, 20);
    }
}
