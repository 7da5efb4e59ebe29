//! *Normal* plays of a player who has claimed without further statement, including careless or
//! inferior plays but not irrational ones. `docs/claim.md` has the rules and their sources.

use smallvec::{SmallVec, smallvec};

use crate::knowledge::case::Hidden;
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{above, count, each, following, lane, suit_of, top, union};
use crate::search::node::Trick;

/// Playable cards, one for each relevant choice.
pub(crate) type Plays = SmallVec<[u64; 8]>;

/// The table as a player of the claimer's side sees it.
pub(crate) struct Outlook {
    trump: Option<usize>,
    /// The cards of the seat to play.
    hand: u64,
    /// The visible cards of its side, including its own.
    ours: u64,
    /// True if the partner is winning the trick so far.
    partner_wins: bool,
    /// The cards that each opponent who is still to play may play to the trick.
    to_come: SmallVec<[u64; 2]>,
    /// The cards of the opponents, and of the partner if it is hidden.
    out: u64,
    /// Maximum number of cards of each suit in another hand.
    longest: [u8; 4],
    /// The cards that are stated for later.
    pub stated: u64,
    /// The conceded tricks that have not been lost yet.
    pub concedes: u8,
    /// True if trumps are to be drawn.
    pub draws_trumps: bool,
    /// True if the player assumes that no opponent has a trump.
    pub no_trumps_out: bool,
}

impl Outlook {
    /// The outlook of the claimer, whose visible hand `who` sits at `seat`.
    pub(crate) fn of_claimer(
        seating: &Seating,
        known: &State,
        who: usize,
        seat: usize,
        trick: Option<&Trick>,
    ) -> Outlook {
        let mut out = known.unseen;
        let mut longest: [u8; 4] = std::array::from_fn(|suit| known.longest(suit));
        let mut ours = 0;
        for role in seating.roles {
            match role {
                Role::Theirs(theirs) => {
                    out |= known.visible[theirs];
                    for (suit, longest) in longest.iter_mut().enumerate() {
                        *longest = (*longest).max(count(known.visible[theirs], suit));
                    }
                }
                Role::Ours(hand) => ours |= known.visible[hand],
                Role::Hidden(_) => {}
            }
        }
        let may_play = |at: usize, led: usize| match seating.roles[at] {
            Role::Hidden(hand) => known.playable(hand, Some(led)),
            Role::Theirs(theirs) => following(known.visible[theirs], Some(led)),
            Role::Ours(_) => 0,
        };
        let mut outlook = Outlook::new(seating, seat, trick, may_play);
        outlook.hand = known.visible[who];
        outlook.ours = ours;
        outlook.out = out;
        outlook.longest = longest;
        outlook
    }

    /// The outlook of a defender's partner, hidden hand `hand` in the one layout `truth`.
    pub(crate) fn of_partner(
        seating: &Seating,
        truth: &State,
        hand: Hidden,
        seat: usize,
        trick: Option<&Trick>,
    ) -> Outlook {
        let holding = union(truth.cases.iter().map(|case| case.pinned[hand.index()]));
        let theirs = |at: usize| match seating.roles[at] {
            Role::Hidden(_) => truth.unseen & !holding,
            Role::Theirs(theirs) => truth.visible[theirs],
            Role::Ours(_) => 0,
        };
        let opponents = [(seat + 1) % 4, (seat + 3) % 4].map(theirs);
        let mut outlook = Outlook::new(seating, seat, trick, |at, led| {
            following(theirs(at), Some(led))
        });
        outlook.hand = holding;
        outlook.ours = holding;
        outlook.out = union(opponents);
        let most = |suit| opponents.map(|cards| count(cards, suit)).into_iter().max();
        outlook.longest = std::array::from_fn(|suit| most(suit).unwrap_or(0));
        outlook
    }

    fn new(
        seating: &Seating,
        seat: usize,
        trick: Option<&Trick>,
        may_play: impl Fn(usize, usize) -> u64,
    ) -> Outlook {
        let to_come = trick.into_iter().flat_map(|trick| {
            let later = (1..4 - trick.played).map(|n| (seat + n) % 4);
            let opponents = later.filter(|&at| !seating.is_ours(at));
            opponents.map(|at| may_play(at, trick.led))
        });
        Outlook {
            trump: seating.trump,
            hand: 0,
            ours: 0,
            partner_wins: trick.is_some_and(|trick| seating.is_ours(trick.winner)),
            to_come: to_come.collect(),
            out: 0,
            longest: [0; 4],
            stated: 0,
            concedes: 0,
            draws_trumps: false,
            no_trumps_out: false,
        }
    }

    /// The cards of the trump suit.
    fn trumps(&self) -> u64 {
        self.trump.map_or(0, lane)
    }

    /// The opponents' cards as the player counts them.
    fn counted_out(&self) -> u64 {
        if self.no_trumps_out {
            self.out & !self.trumps()
        } else {
            self.out
        }
    }

    /// The normal leads, from the top: the suits that the player may consider good, or all if there
    /// is none. If trumps are to be drawn, they are led first while some are out; once none is out,
    /// other cards are led if there are any.
    pub(crate) fn leads(&self) -> Plays {
        let trumps = self.trumps();
        let out = self.out & trumps != 0;
        let from = match self.hand & trumps {
            0 => self.hand,
            own if out && self.draws_trumps => own,
            own if !out && self.hand != own => self.hand & !trumps,
            _ => self.hand,
        };
        let tops = |suits: &mut dyn Iterator<Item = usize>| -> Plays {
            let tops = suits.map(|suit| top(from & lane(suit)));
            tops.filter(|&card| card != 0).collect()
        };
        let good = tops(&mut (0..4).filter(|&suit| self.may_be_good(suit)));
        if good.is_empty() {
            tops(&mut (0..4))
        } else {
            good
        }
    }

    /// Returns true if the player may consider the highest card of the two hands in a suit good:
    /// the number of cards that beat it is at most the number of tricks conceded, or one card was
    /// overlooked.
    fn may_be_good(&self, suit: usize) -> bool {
        let best = top(self.ours & lane(suit));
        let higher = count(self.out & !(best | best.wrapping_sub(1)), suit);
        best != 0 && higher <= self.concedes.max(1)
    }

    /// The leads, from the top, of suits in which this hand or its partner has the highest card, as
    /// the player counts them.
    pub(crate) fn winning_leads(&self) -> Plays {
        let out = self.counted_out();
        let tops = (0..4).map(lane).filter_map(|suit| {
            let own = top(self.hand & suit);
            (own != 0 && above(self.ours & suit, out & suit) != 0).then_some(own)
        });
        tops.collect()
    }

    /// The normal plays to a trick.
    pub(crate) fn follows(&self, trick: &Trick) -> Plays {
        let trumps = self.trumps();
        let holds = self.partner_wins && !self.is_threatened(trick.winning);
        let follow = self.hand & lane(trick.led);
        if follow != 0 {
            return self.in_suit(trick, follow, holds);
        }
        let ruffs =
            union(each(self.hand & trumps).filter(|&card| trick.is_beaten_by(card, self.trump)));
        if holds || ruffs == 0 {
            return self.discards();
        }
        let mut plays = match self.cheapest_safe(ruffs) {
            Some(card) => smallvec![card],
            None => ends(ruffs),
        };
        if self.concedes > 0 && self.hand & !trumps != 0 {
            plays.extend(self.discards());
        }
        plays
    }

    /// The plays that follow suit: the lowest if partner wins the trick; the cheapest that wins it
    /// for sure; the cheapest that only a ruff can beat, or the lowest; otherwise the cheapest or
    /// highest card that wins so far, or the lowest.
    fn in_suit(&self, trick: &Trick, follow: u64, holds: bool) -> Plays {
        let lowest = self.lowest(follow);
        let beats = union(each(follow).filter(|&card| trick.is_beaten_by(card, self.trump)));
        if holds || beats == 0 {
            return smallvec![lowest];
        }
        if let Some(card) = self.cheapest_safe(beats) {
            return smallvec![card];
        }
        let theirs = union(self.to_come.iter().copied()) & lane(trick.led);
        let mut plays: Plays = match each(above(beats, theirs)).next() {
            Some(card) => smallvec![card],
            None => ends(beats),
        };
        if !plays.contains(&lowest) {
            plays.push(lowest);
        }
        plays
    }

    /// The lowest card of each suit, but no winner if there are other cards. Trumps are kept as
    /// long as there is another suit.
    fn discards(&self) -> Plays {
        let hand = match self.hand & !self.trumps() {
            0 => self.hand,
            others => others,
        };
        let mut lows: Plays = SmallVec::new();
        let mut losers: Plays = SmallVec::new();
        for suit in 0..4 {
            let holding = hand & lane(suit);
            if holding == 0 {
                continue;
            }
            let low = self.lowest(holding);
            lows.push(low);
            if !self.runs(suit) && low & self.stated == 0 {
                losers.push(low);
            }
        }
        if losers.is_empty() { lows } else { losers }
    }

    /// Returns true if all cards of the hand in a suit are winners: each is high, or the opponents
    /// are out of the suit after the high ones.
    fn runs(&self, suit: usize) -> bool {
        let holding = self.hand & lane(suit);
        let high = above(holding, self.counted_out() & lane(suit));
        high == holding || count(high, suit) >= self.longest[suit]
    }

    /// The lowest card, if possible one that is not stated for later.
    fn lowest(&self, cards: u64) -> u64 {
        let free = match cards & !self.stated {
            0 => cards,
            free => free,
        };
        free & free.wrapping_neg()
    }

    /// The cheapest of some cards of a suit that no opponent can beat any more.
    fn cheapest_safe(&self, cards: u64) -> Option<u64> {
        each(cards).find(|&card| !self.is_threatened(card))
    }

    /// Returns true if an opponent who is still to play may beat a card that wins so far.
    fn is_threatened(&self, card: u64) -> bool {
        let suit = lane(suit_of(card));
        let mut beaten_by = suit & !(card | (card - 1));
        if suit != self.trumps() {
            beaten_by |= self.trumps();
        }
        if self.no_trumps_out {
            beaten_by &= !self.trumps();
        }
        self.to_come.iter().any(|&cards| cards & beaten_by != 0)
    }
}

/// The lowest card and the highest of one suit.
fn ends(cards: u64) -> Plays {
    let (low, high) = (cards & cards.wrapping_neg(), top(cards));
    if low == high {
        smallvec![low]
    } else {
        smallvec![low, high]
    }
}
