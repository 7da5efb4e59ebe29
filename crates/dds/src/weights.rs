//! The weights by which DDS sorts the moves of a position.

use setrograde_cards::{Position, Seat, Strain, Suit};
use setrograde_solver::CardTricks;

/// A rank, 2 to 14.
type Rank = i32;

/// A position as the weights see it.
pub struct Table {
    /// Ranks from the top by seat and suit.
    hands: [[Vec<Rank>; 4]; 4],
    /// The cards on the table.
    played: Vec<(usize, Rank)>,
    /// The trump suit, if a card of it is left.
    trump: Option<usize>,
    seat: usize,
    /// The ranks of the suit led that may be played, one of each run.
    runs: Vec<Rank>,
}

impl Table {
    /// A position whose legal cards, one of each run, are `legal`.
    pub fn new(position: &Position, legal: &[CardTricks]) -> Table {
        let hands = Seat::ALL.map(|seat| {
            let hand = position.deal().hand(seat);
            Suit::ALL.map(|suit| {
                let ranks = hand.holding(suit).iter();
                ranks.map(|rank| Rank::from(rank.value())).collect()
            })
        });
        let played: Vec<(usize, Rank)> = position
            .played()
            .iter()
            .map(|card| (card.suit.index(), Rank::from(card.rank.value())))
            .collect();
        let mut table = Table {
            hands,
            played,
            trump: None,
            seat: position.to_play().index(),
            runs: Vec::new(),
        };
        if let Strain::Trump(trump) = position.strain() {
            let left = !table.ranked(trump.index()).is_empty();
            table.trump = left.then_some(trump.index());
        }
        if let Some(&(led, _)) = table.played.first() {
            let runs = legal.iter().filter(|card| card.card.suit.index() == led);
            table.runs = runs
                .map(|card| Rank::from(card.card.rank.value()))
                .collect();
        }
        table
    }

    /// The weight of a legal card.
    pub fn weight(&self, card: &CardTricks) -> i32 {
        let suit = card.card.suit.index();
        let rank = Rank::from(card.card.rank.value());
        let follows = self.played.first().is_some_and(|&(led, _)| led == suit);
        match (self.played.len(), follows) {
            (0, _) => self.lead(suit, rank, !card.equals.is_empty()),
            (1, true) => self.second_following(rank, !card.equals.is_empty()),
            (1, false) => self.second_discarding(suit, rank),
            (2, true) => self.third_following(rank),
            (2, false) => self.third_discarding(suit, rank),
            (_, true) => self.fourth_following(rank),
            (_, false) => self.fourth_discarding(suit, rank),
        }
    }

    /// A suit of the hand `n` seats after the one to play.
    fn suit(&self, n: usize, suit: usize) -> &[Rank] {
        &self.hands[(self.seat + n) & 3][suit]
    }

    /// A suit's cards from the top with their owners. Cards on the table count
    /// as North's, as in DDS.
    fn ranked(&self, suit: usize) -> Vec<(Rank, usize)> {
        let mut ranked: Vec<(Rank, usize)> = (0..4)
            .flat_map(|seat| self.hands[seat][suit].iter().map(move |&rank| (rank, seat)))
            .chain(
                self.played
                    .iter()
                    .filter(|card| card.0 == suit)
                    .map(|card| (card.1, 0)),
            )
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked
    }

    /// Who holds the best card of a suit, or the second best.
    fn owner(&self, suit: usize, place: usize) -> Option<usize> {
        self.ranked(suit).get(place).map(|&(_, owner)| owner)
    }

    fn is_trump(&self, suit: usize) -> bool {
        self.trump == Some(suit)
    }

    fn beats(&self, card: (usize, Rank), best: (usize, Rank)) -> bool {
        if card.0 == best.0 {
            card.1 > best.1
        } else {
            self.is_trump(card.0)
        }
    }

    /// The card that wins so far and who played it, counted from the leader;
    /// `extra` is played last.
    fn winning(&self, extra: Option<(usize, Rank)>) -> (usize, (usize, Rank)) {
        let mut winner = (0, self.played[0]);
        let played = self.played.iter().copied().chain(extra);
        for (place, card) in played.enumerate().skip(1) {
            if self.beats(card, winner.1) {
                winner = (place, card);
            }
        }
        winner
    }

    /// Whether the hand `n` seats on can beat a card of the trick.
    fn can_beat(&self, n: usize, best: (usize, Rank)) -> bool {
        let led = self.played[0].0;
        let follows = !self.suit(n, led).is_empty();
        (0..4).filter(|&suit| !follows || suit == led).any(|suit| {
            self.suit(n, suit)
                .iter()
                .any(|&rank| self.beats((suit, rank), best))
        })
    }

    /// What the length of a suit adds to the weight of a discard from it: a
    /// part of 64 for each card, less for a guarded second best or a bare best.
    fn length_bonus(&self, suit: usize, divisor: i32, guarded: i32, bare: i32) -> i32 {
        let length = self.suit(0, suit).len() as i32;
        let owns = |place: usize| self.owner(suit, place) == Some(self.seat);
        let less = match length {
            1 if owns(0) => bare,
            2 if owns(1) => guarded,
            _ => 0,
        };
        length * 64 / divisor - less
    }

    fn fourth_following(&self, rank: Rank) -> i32 {
        let (winner, best) = self.winning(None);
        let led = self.played[0].0;
        if winner == 1 || (best.0 == led && rank > best.1) {
            30 - rank
        } else {
            14 - rank
        }
    }

    fn fourth_discarding(&self, suit: usize, rank: Rank) -> i32 {
        let bonus = match self.trump {
            None => self.length_bonus(suit, 27, 6, 8),
            Some(_) => self.length_bonus(suit, 24, 2, 0),
        };
        let (winner, best) = self.winning(None);
        let ruffs = self.is_trump(suit);
        if winner == 1 {
            (if ruffs { 7 } else { 30 }) - rank + bonus
        } else if ruffs && self.beats((suit, rank), best) {
            100 - rank + bonus
        } else if ruffs {
            -100 - rank
        } else {
            14 - rank + bonus
        }
    }

    fn third_following(&self, rank: Rank) -> i32 {
        let led = self.played[0].0;
        let (winner, best) = self.winning(Some((led, rank)));
        let (winning, _) = self.winning(None);
        let ours = winner != 1;
        if ours && !self.can_beat(1, best) {
            if self.runs.first() == Some(&rank) && self.overtakes() {
                100
            } else {
                60 - rank
            }
        } else if winner == 2
            && (self.forcing() == Some(rank) || (winning == 1 && self.suit(1, led).is_empty()))
        {
            40 - rank
        } else {
            -10 - rank
        }
    }

    /// The cheapest card that makes the last hand spend its top card, where it
    /// could have won with less.
    fn forcing(&self) -> Option<Rank> {
        let led = self.played[0].0;
        let (winner, best) = self.winning(None);
        let fourth = self.suit(1, led);
        if fourth.is_empty() || best.0 != led {
            return None;
        }
        let others: Vec<Rank> = [0, 2, 3]
            .into_iter()
            .flat_map(|n| self.suit(n, led).iter().copied())
            .chain(
                self.played
                    .iter()
                    .filter(|card| card.0 == led)
                    .map(|card| card.1),
            )
            .collect();
        // The cards below the fourth hand's top run.
        let broken = fourth
            .windows(2)
            .position(|pair| others.iter().any(|&rank| pair[1] < rank && rank < pair[0]))?;
        let rest = &fourth[broken + 1..];
        if !rest.iter().any(|&rank| winner == 1 || rank > best.1) {
            return None;
        }
        let useful = || {
            self.runs
                .iter()
                .copied()
                .filter(|&rank| rank > rest[0] && rank > best.1)
        };
        if useful().any(|rank| rank > fourth[0]) {
            return None;
        }
        useful().min()
    }

    /// Whether the third hand takes over a trick that its partner wins, at no
    /// trump with partner out of the suit, to run the rest of it.
    fn overtakes(&self) -> bool {
        let (led, lead) = self.played[0];
        let (fourth, second, own) = (self.suit(1, led), self.suit(3, led), self.suit(0, led));
        let (winner, _) = self.winning(None);
        if self.trump.is_some()
            || winner != 0
            || !self.suit(2, led).is_empty()
            || fourth.iter().any(|&rank| rank > lead)
            || self.runs.len() < 2
        {
            return false;
        }
        let followed = self.played[1].0 == led;
        let most = fourth.len().max(second.len() + usize::from(followed));
        if own[0] < lead {
            return self.seat == 0 && most <= 1;
        }
        let ranked = self.ranked(led);
        let top = ranked.iter().filter(|&&(rank, _)| rank != lead);
        let sure = top.take_while(|&&(rank, _)| own.contains(&rank)).count();
        self.runs[1] < lead && sure >= most
    }

    fn third_discarding(&self, suit: usize, rank: Rank) -> i32 {
        let bonus = match self.trump {
            None => self.length_bonus(suit, 24, 4, 4),
            Some(_) => self.length_bonus(suit, 40, 0, 0),
        };
        let (winner, best) = self.winning(Some((suit, rank)));
        let wins = winner != 1 && !self.can_beat(1, best);
        let ruffs = self.is_trump(suit);
        if self.winning(None).0 == 0 {
            match (ruffs, wins) {
                (true, true) => 30 - rank + bonus,
                (true, false) => self.suit(0, suit).len() as i32 - 12 - rank,
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

    /// The cards that the hand `n` seats on may play to a trick in `led`.
    fn answers(&self, n: usize, led: usize) -> Vec<(usize, Rank)> {
        let follows = !self.suit(n, led).is_empty();
        (0..4)
            .filter(|&suit| !follows || suit == led)
            .flat_map(|suit| self.suit(n, suit).iter().map(move |&rank| (suit, rank)))
            .collect()
    }

    /// Whether the second hand's side wins the trick with a card of the second
    /// hand, all playing as well as they can.
    fn second_wins(&self, card: (usize, Rank)) -> bool {
        let (led, lead) = self.played[0];
        let ours = self.beats(card, (led, lead));
        let best = if ours { card } else { (led, lead) };
        self.answers(1, led).into_iter().all(|third| {
            let beaten = self.beats(third, best);
            (ours && !beaten) || self.can_beat(2, if beaten { third } else { best })
        })
    }

    fn second_following(&self, rank: Rank, equals: bool) -> i32 {
        let (led, lead) = self.played[0];
        let (third, fourth, leader) = (self.suit(1, led), self.suit(2, led), self.suit(3, led));
        let lowest = |hand: &[Rank]| hand.last().copied();
        let better = if equals { 15 } else { 0 };
        if self.second_wins((led, rank)) {
            let top = leader.first().copied().unwrap_or(0);
            if lowest(third).is_some_and(|low| low > rank) {
                45 - rank
            } else if fourth.iter().any(|&card| lead < card && card < top) {
                60 - rank
            } else if rank > lead {
                if lowest(fourth).is_some_and(|low| rank < low) {
                    75 - rank
                } else if rank > top {
                    70 - rank
                } else {
                    45 + better - rank
                }
            } else if !fourth.is_empty() && equals {
                50 - rank
            } else {
                45 - rank
            }
        } else if lowest(third).is_some_and(|low| low > rank)
            || lowest(fourth).is_some_and(|low| low > rank)
            || rank < lead
        {
            -rank
        } else if equals {
            20 - rank
        } else {
            10 - rank
        }
    }

    fn second_discarding(&self, suit: usize, rank: Rank) -> i32 {
        let bonus = self.length_bonus(suit, 36, 2, 0);
        let ruffs = self.is_trump(suit);
        let base = match (self.second_wins((suit, rank)), ruffs) {
            (true, true) => 30,
            (true, false) => 60,
            (false, true) => 15,
            (false, false) => 0,
        };
        base - rank + bonus
    }

    /// Whether the leader's side wins the trick with a lead, all playing as well
    /// as they can.
    fn lead_wins(&self, suit: usize, rank: Rank) -> bool {
        let top = |n: usize, suit: usize| self.suit(n, suit).first().copied().unwrap_or(0);
        let ruff = |n: usize| match self.trump {
            Some(trump) if trump != suit && self.suit(n, suit).is_empty() => top(n, trump),
            _ => 0,
        };
        let (ours, theirs) = (ruff(2), ruff(1).max(ruff(3)));
        if ours > 0 || theirs > 0 {
            ours > theirs
        } else {
            rank.max(top(2, suit)) > top(1, suit).max(top(3, suit))
        }
    }

    fn lead(&self, suit: usize, rank: Rank, equals: bool) -> i32 {
        let (left, partner, right) = (self.suit(1, suit), self.suit(2, suit), self.suit(3, suit));
        let seat = |n: usize| Some((self.seat + n) & 3);
        let (best, second) = (self.owner(suit, 0), self.owner(suit, 1));
        let own_trumps = |n: usize| {
            self.trump
                .is_some_and(|trump| trump != suit && !self.suit(n, trump).is_empty())
        };
        let depth = 4 * self.hands[self.seat].iter().map(Vec::len).sum::<usize>() as i32 - 4;
        let count = |hand: &[Rank]| match hand.len() as i32 {
            0 => depth + 4,
            length => 4 * length,
        };
        let mut delta = -(count(left) + count(right)) * 32 / 15;
        if (left.is_empty() && own_trumps(1)) || (right.is_empty() && own_trumps(3)) {
            delta -= 10;
        }
        if best == seat(3) || second == seat(3) {
            delta -= 18;
        }
        let alone = self.suit(0, suit).len() == 1;
        if alone && own_trumps(0) && best == seat(2) && partner.len() >= 2 {
            delta += 16;
        }
        let bare = (left.len() == 1 && best == seat(1)) || (right.len() == 1 && best == seat(3));
        let wins = self.lead_wins(suit, rank);
        let pick = |winning: i32, losing: i32| if wins { winning } else { losing };
        delta
            + if bare {
                pick(40, 29) - rank
            } else if best == seat(0) {
                if second == seat(2) {
                    pick(50, 44) - rank
                } else if self.suit(0, suit).first() == Some(&rank) {
                    pick(31, 25)
                } else {
                    pick(19, 13) - rank
                }
            } else if best == seat(2) {
                (if second == seat(0) {
                    pick(50, 44)
                } else {
                    pick(35, 29)
                }) - rank
            } else if second == seat(0) && equals {
                pick(40, 29)
            } else {
                pick(30, 13) - rank
            }
    }
}
