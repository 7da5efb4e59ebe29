//! The weights by which DDS sorts the moves of a position.

use setrograde_cards::{Card, Hand, Holding, Position, Rank, Seat, Suit};
use setrograde_solver::Choice;

/// A position as the weights see it.
pub struct Table {
    hands: [Hand; 4],
    /// The cards on the table.
    played: Vec<Card>,
    /// The trump suit, if a card of it is left.
    trump: Option<Suit>,
    seat: Seat,
    /// The ranks of the suit led that may be played, one of each run.
    runs: Vec<Rank>,
}

/// A card's rank as a part of its weight: 2 to 14.
fn value(card: Card) -> i32 {
    card.rank.value().into()
}

impl Table {
    /// A position whose legal cards, one of each run, are `legal`.
    pub fn new(position: &Position, legal: &[Choice]) -> Table {
        let led = position.trick().led_suit();
        let runs = legal.iter().filter(|choice| Some(choice.card.suit) == led);
        let mut table = Table {
            hands: *position.deal().hands(),
            played: position.played().to_vec(),
            trump: position.strain().trump(),
            seat: position.to_play(),
            runs: runs.map(|choice| choice.card.rank).collect(),
        };
        let left = |trump: &Suit| !table.in_play(*trump).is_empty();
        table.trump = table.trump.filter(left);
        table
    }

    /// The weight of a legal card.
    pub fn weight(&self, choice: &Choice) -> i32 {
        let (card, equals) = (choice.card, !choice.equals.is_empty());
        let follows = self.played.first().map(|led| led.suit) == Some(card.suit);
        match (self.played.len(), follows) {
            (0, _) => self.lead(card, equals),
            (1, true) => self.second_following(card, equals),
            (1, false) => self.second_discarding(card),
            (2, true) => self.third_following(card),
            (2, false) => self.third_discarding(card),
            (_, true) => self.fourth_following(card),
            (_, false) => self.fourth_discarding(card),
        }
    }

    /// A suit of the hand `n` seats after the one to play.
    fn suit(&self, n: usize, suit: Suit) -> Holding {
        self.hands[self.seat.plus(n)].holding(suit)
    }

    /// The highest rank that this hand holds in a suit.
    fn top(&self, n: usize, suit: Suit) -> Option<Rank> {
        self.suit(n, suit).highest()
    }

    /// The cards of a suit in all hands.
    fn held(&self, suit: Suit) -> Holding {
        let all: Hand = self.hands.into_iter().collect();
        all.holding(suit)
    }

    /// The cards of a suit in all hands and on the table.
    fn in_play(&self, suit: Suit) -> Holding {
        let played: Hand = self.played.iter().copied().collect();
        self.held(suit) | played.holding(suit)
    }

    /// The holder of the best card of a suit, or of the second best. Cards on the table count as
    /// North's, as in DDS.
    fn owner(&self, suit: Suit, nth: usize) -> Option<Seat> {
        let card = Card::new(suit, self.in_play(suit).iter().nth(nth)?);
        let mut seats = Seat::ALL.into_iter();
        let holder = seats.find(|&seat| self.hands[seat].contains(card));
        Some(holder.unwrap_or(Seat::North))
    }

    fn is_trump(&self, card: Card) -> bool {
        self.trump == Some(card.suit)
    }

    fn beats(&self, card: Card, best: Card) -> bool {
        if card.suit == best.suit {
            card.rank > best.rank
        } else {
            self.is_trump(card)
        }
    }

    /// The card that wins so far and who played it, counted from the leader;
    /// `extra` is played last.
    fn winning(&self, extra: Option<Card>) -> (usize, Card) {
        let mut winner = (0, self.played[0]);
        let played = self.played.iter().copied().chain(extra);
        for (nth, card) in played.enumerate().skip(1) {
            if self.beats(card, winner.1) {
                winner = (nth, card);
            }
        }
        winner
    }

    /// The cards that the hand `n` seats on may play to the trick.
    fn answers(&self, n: usize) -> Hand {
        let hand = self.hands[self.seat.plus(n)];
        let following = hand.suit(self.played[0].suit);
        if following.is_empty() {
            hand
        } else {
            following
        }
    }

    /// Returns true if the hand `n` seats on can beat a card of the trick.
    fn can_beat(&self, n: usize, best: Card) -> bool {
        self.answers(n).iter().any(|card| self.beats(card, best))
    }

    /// The part of a discard's weight that comes from the length of its suit: a
    /// part of 64 for each card, less for a guarded second best or a bare best.
    fn length_bonus(&self, suit: Suit, divisor: i32, guarded: i32, bare: i32) -> i32 {
        let length = self.suit(0, suit).len() as i32;
        let owns = |nth: usize| self.owner(suit, nth) == Some(self.seat);
        let less = match length {
            1 if owns(0) => bare,
            2 if owns(1) => guarded,
            _ => 0,
        };
        length * 64 / divisor - less
    }
}

// The leader.

/// A suit that may be led, as the leader sees it. Hands are counted from the
/// leader: 0 itself, 1 the next, 2 its partner, 3 the last to play.
struct LedSuit {
    suit: Suit,
    /// Cards by hand.
    lengths: [usize; 4],
    /// The holders of the best, the second best and the third best card.
    owners: [Option<usize>; 3],
    /// True if it is not trump while there are trumps.
    side: bool,
    /// By hand, whether it can ruff.
    ruffs: [bool; 4],
}

impl LedSuit {
    fn new(table: &Table, suit: Suit) -> LedSuit {
        let lengths = [0, 1, 2, 3].map(|n| table.suit(n, suit).len());
        let owner = |nth| Some(table.owner(suit, nth)?.distance_from(table.seat));
        let side = table.trump.filter(|&trump| trump != suit);
        let trumps = |n: usize| side.is_some_and(|trump| !table.suit(n, trump).is_empty());
        LedSuit {
            suit,
            lengths,
            owners: [0, 1, 2].map(owner),
            side: side.is_some(),
            ruffs: [0, 1, 2, 3].map(|n| lengths[n] == 0 && trumps(n)),
        }
    }

    fn is(&self, nth: usize, owner: usize) -> bool {
        self.owners[nth] == Some(owner)
    }

    /// Returns true if an opponent has nothing but the best card.
    fn bare_best(&self) -> bool {
        [1, 3]
            .into_iter()
            .any(|n| self.lengths[n] == 1 && self.is(0, n))
    }

    /// The opponents' cards, a hand without any counting as much as all of the
    /// leader's cards: a suit with few replies is searched fast.
    fn replies(&self, hand: usize) -> i32 {
        let count = |length: usize| if length == 0 { hand } else { length } as i32;
        count(self.lengths[1]) + count(self.lengths[3])
    }

    /// Returns true if the last hand's best or second best card speaks against the suit.
    fn under_the_last(&self) -> bool {
        (self.is(0, 3) || self.is(1, 3)) && self.lengths[3] != 1
    }

    /// Returns true if the suit goes through the best card to partner's second best.
    fn through_the_best(&self) -> bool {
        self.is(0, 1) && self.is(1, 2) && self.lengths[2] != 1
    }

    /// The weight added if the leader's side cannot win the trick but has both the
    /// second and the third best card.
    fn next_two(&self, partner: i32, both: i32) -> i32 {
        if self.is(1, 2) && self.is(2, 2) {
            partner
        } else if self.lengths[2] > 1
            && (self.is(1, 0) && self.is(2, 2) || self.is(1, 2) && self.is(2, 0))
        {
            both
        } else {
            0
        }
    }
}

impl Table {
    /// The weight of a lead. `equals`: whether lower cards of the hand touch
    /// it.
    fn lead(&self, card: Card, equals: bool) -> i32 {
        let better = self.in_play(card.suit).iter();
        let nth = better.take_while(|&rank| rank > card.rank).count() as i32 + 1;
        let suit = LedSuit::new(self, card.suit);
        let replies = 128 * suit.replies(self.hands[self.seat].len());
        match self.trump {
            None => self.no_trump_lead(&suit, nth, equals) - replies / 19,
            Some(_) => self.trump_lead(&suit, card, nth, equals) - replies / 13,
        }
    }

    fn no_trump_lead(&self, suit: &LedSuit, nth: i32, equals: bool) -> i32 {
        let void = if suit.lengths[2] == 0 { -9 } else { 0 };
        if nth == 1 || self.partner_tops(suit) {
            let second = match suit.owners[1] {
                Some(3) if suit.lengths[3] != 1 => -28,
                Some(1) if suit.lengths[1] != 1 => -5,
                Some(1) => 16,
                _ => 0,
            };
            return 45 + nth + second + void;
        }
        let delta = if suit.under_the_last() {
            -10
        } else if suit.through_the_best() {
            31
        } else {
            0
        };
        let base = if suit.bare_best() {
            28 + nth
        } else if suit.is(0, 0) {
            nth - 17
        } else if !equals {
            12 + nth
        } else if nth == 2 {
            48
        } else {
            29 - nth
        };
        base + delta + void + suit.next_two(35, 25)
    }

    fn trump_lead(&self, suit: &LedSuit, card: Card, nth: i32, equals: bool) -> i32 {
        let mut delta = 0;
        if suit.ruffs[1] || suit.ruffs[3] {
            delta -= 12;
        }
        if suit.ruffs[2] && suit.lengths[3] > 0 {
            delta += 17;
        }
        if suit.under_the_last() {
            delta -= 12;
        } else if suit.through_the_best() {
            delta += 27;
        }
        // Partner wins, and may return the suit for a ruff.
        let own_trumps = self
            .trump
            .is_some_and(|trump| !self.suit(0, trump).is_empty());
        let singleton = suit.side && own_trumps && suit.lengths[0] == 1;
        if singleton && suit.is(0, 2) && suit.lengths[2] > 1 {
            delta += 19;
        }
        if self.lead_wins(suit, nth) {
            return delta + Self::winning_trump_lead(suit, nth, equals);
        }
        let base = if suit.bare_best() {
            2 + nth
        } else if suit.is(0, 0) && suit.is(1, 2) {
            33 + nth
        } else if suit.is(0, 0) {
            if nth == 1 { 38 } else { nth - 14 }
        } else if suit.is(0, 2) {
            34 + nth
        } else if equals && nth == 2 {
            35
        } else {
            17 - value(card)
        };
        base + delta + suit.next_two(20, 13)
    }

    fn winning_trump_lead(suit: &LedSuit, nth: i32, equals: bool) -> i32 {
        if suit.bare_best() {
            35 + nth
        } else if suit.is(0, 0) && suit.is(1, 2) {
            48 + nth
        } else if suit.is(0, 0) {
            if nth == 1 { 31 } else { nth - 3 }
        } else if suit.is(0, 2) {
            (if suit.is(1, 0) { 42 } else { 28 }) + nth
        } else if equals && nth == 2 {
            40
        } else if equals {
            22 + nth
        } else {
            11 + nth
        }
    }

    /// Returns true if partner's best card of the suit beats the opponents'.
    fn partner_tops(&self, suit: &LedSuit) -> bool {
        let top = |n: usize| self.top(n, suit.suit);
        top(2) > top(1).max(top(3))
    }

    /// Returns true if the leader's side wins the trick, all playing as well as they can.
    fn lead_wins(&self, suit: &LedSuit, nth: i32) -> bool {
        let ruff = |n: usize| match self.trump {
            Some(trump) if suit.ruffs[n] => self.top(n, trump),
            _ => None,
        };
        let (ours, theirs) = (ruff(2), ruff(1).max(ruff(3)));
        if ours.is_some() || theirs.is_some() {
            ours > theirs
        } else {
            nth == 1 || self.partner_tops(suit)
        }
    }
}

// The second hand.

impl Table {
    /// Returns true if the second hand's side wins the trick with a card of the second
    /// hand, all playing as well as they can.
    fn second_wins(&self, card: Card) -> bool {
        let lead = self.played[0];
        let ours = self.beats(card, lead);
        let best = if ours { card } else { lead };
        self.answers(1).iter().all(|third| {
            let beaten = self.beats(third, best);
            (ours && !beaten) || self.can_beat(2, if beaten { third } else { best })
        })
    }

    /// The weight of a card of the suit led. `equals`: whether lower cards
    /// of the hand touch it.
    fn second_following(&self, card: Card, equals: bool) -> i32 {
        let (rank, led) = (value(card), card.suit);
        let [third, fourth] = [1, 2].map(|n| self.suit(n, led));
        let [third_top, fourth_top, leader_top] = [1, 2, 3].map(|n| self.top(n, led));
        let (own, lead) = (Some(card.rank), Some(self.played[0].rank));
        let below = |hand: Holding| hand.iter().last().is_some_and(|lowest| card.rank < lowest);
        let better = self.held(led).iter().filter(|&other| other > card.rank);
        let nth = better.count() as i32 + 1;
        if self.trump.is_none() {
            return if fourth_top > lead.max(third_top) {
                -rank
            } else if own > lead.max(third_top) {
                81 - rank
            } else if below(third) || below(fourth) {
                nth - 3
            } else if own < lead {
                nth - 11
            } else {
                (if equals { 40 } else { 13 }) - rank
            };
        }
        if self.second_wins(card) {
            if below(third) {
                40 + nth
            } else if lead < fourth_top && fourth_top < leader_top {
                41 + nth
            } else if own < lead {
                (if fourth.is_empty() { 40 } else { 47 }) - rank
            } else if own < fourth_top {
                78 - rank
            } else if own > third_top {
                73 - rank
            } else {
                (if equals { 62 } else { 49 }) - rank
            }
        } else if below(third) || below(fourth) {
            nth - 9
        } else if own < lead {
            nth - 16
        } else {
            (if equals { 22 } else { 10 }) - rank
        }
    }

    /// The weight of a card of another suit.
    fn second_discarding(&self, card: Card) -> i32 {
        let wins = self.second_wins(card);
        let bonus = match (self.trump, wins) {
            (None, true) => self.length_bonus(card.suit, 23, 2, 3),
            (None, false) => self.length_bonus(card.suit, 33, 6, 8),
            (Some(_), true) => self.length_bonus(card.suit, 44, 0, 0),
            (Some(_), false) => self.length_bonus(card.suit, 36, 4, 0),
        };
        let base = match (wins, self.is_trump(card)) {
            (true, true) => 24,
            (true, false) => 60,
            (false, true) => 15,
            (false, false) => -2,
        };
        base - value(card) + bonus
    }
}

// The third hand.

impl Table {
    fn third_following(&self, card: Card) -> i32 {
        let (winner, best) = self.winning(Some(card));
        let (winning, _) = self.winning(None);
        let ours = winner != 1;
        if ours && !self.can_beat(1, best) {
            if self.runs.first() == Some(&card.rank) && self.overtakes() {
                100
            } else {
                60 - value(card)
            }
        } else if winner == 2
            && (self.forcing() == Some(card.rank)
                || (winning == 1 && self.suit(1, card.suit).is_empty()))
        {
            40 - value(card)
        } else {
            -10 - value(card)
        }
    }

    /// The cheapest card that makes the last hand spend its top card, where it
    /// could have won with less.
    fn forcing(&self) -> Option<Rank> {
        let led = self.played[0].suit;
        let (winner, best) = self.winning(None);
        let fourth = self.suit(1, led);
        let top = fourth.highest()?;
        if best.suit != led {
            return None;
        }
        // The cards below the fourth hand's top run.
        let mut others = self.in_play(led).iter();
        let gap = others.find(|&rank| rank < top && !fourth.contains(rank))?;
        let next = fourth.iter().find(|&rank| rank < gap)?;
        if winner != 1 && next <= best.rank {
            return None;
        }
        let useful = |rank: &Rank| *rank > next && *rank > best.rank;
        let useful = || self.runs.iter().copied().filter(useful);
        if useful().any(|rank| rank > top) {
            return None;
        }
        useful().min()
    }

    /// Returns true if the third hand takes over a trick that its partner wins, at no
    /// trump with partner out of the suit, to run the rest of it.
    fn overtakes(&self) -> bool {
        let Card {
            suit: led,
            rank: lead,
        } = self.played[0];
        let [own, fourth, partner, second] = [0, 1, 2, 3].map(|n| self.suit(n, led));
        let (winner, _) = self.winning(None);
        if self.trump.is_some()
            || winner != 0
            || !partner.is_empty()
            || fourth.highest() > Some(lead)
            || self.runs.len() < 2
        {
            return false;
        }
        let followed = self.played[1].suit == led;
        let most = fourth.len().max(second.len() + usize::from(followed));
        if own.highest() < Some(lead) {
            return self.seat == Seat::North && most <= 1;
        }
        let top = self.in_play(led).iter().filter(|&rank| rank != lead);
        let sure = top.take_while(|&rank| own.contains(rank)).count();
        self.runs[1] < lead && sure >= most
    }

    fn third_discarding(&self, card: Card) -> i32 {
        let rank = value(card);
        let bonus = match self.trump {
            None => self.length_bonus(card.suit, 24, 4, 4),
            Some(_) => self.length_bonus(card.suit, 40, 0, 0),
        };
        let (winner, best) = self.winning(Some(card));
        let wins = winner != 1 && !self.can_beat(1, best);
        let ruffs = self.is_trump(card);
        if self.winning(None).0 == 0 {
            match (ruffs, wins) {
                (true, true) => 30 - rank + bonus,
                (true, false) => self.suit(0, card.suit).len() as i32 - 12 - rank,
                (false, true) => 60 - rank + bonus,
                (false, false) => bonus - rank,
            }
        } else if !ruffs {
            bonus - rank
        } else if winner == 2 {
            (if wins { 200 } else { 100 }) - rank + bonus
        } else {
            -100 - rank
        }
    }
}

// The last hand.

impl Table {
    fn fourth_following(&self, card: Card) -> i32 {
        let (winner, best) = self.winning(None);
        if winner == 1 || (best.suit == card.suit && card.rank > best.rank) {
            30 - value(card)
        } else {
            14 - value(card)
        }
    }

    fn fourth_discarding(&self, card: Card) -> i32 {
        let rank = value(card);
        let bonus = match self.trump {
            None => self.length_bonus(card.suit, 27, 6, 8),
            Some(_) => self.length_bonus(card.suit, 24, 2, 0),
        };
        let (winner, best) = self.winning(None);
        let ruffs = self.is_trump(card);
        if winner == 1 {
            (if ruffs { 7 } else { 30 }) - rank + bonus
        } else if ruffs && self.beats(card, best) {
            100 - rank + bonus
        } else if ruffs {
            -100 - rank
        } else {
            14 - rank + bonus
        }
    }
}
