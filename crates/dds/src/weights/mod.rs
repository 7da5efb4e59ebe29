//! The weights by which DDS sorts the moves of a position.

mod fourth;
mod lead;
mod second;
mod third;

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

    /// The highest rank that this hand holds in a suit, or 0.
    fn top(&self, n: usize, suit: usize) -> Rank {
        self.suit(n, suit).first().copied().unwrap_or(0)
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

    /// The cards that the hand `n` seats on may play to the trick.
    fn answers(&self, n: usize) -> impl Iterator<Item = (usize, Rank)> {
        let led = self.played[0].0;
        let follows = !self.suit(n, led).is_empty();
        (0..4)
            .filter(move |&suit| !follows || suit == led)
            .flat_map(move |suit| self.suit(n, suit).iter().map(move |&rank| (suit, rank)))
    }

    /// Whether the hand `n` seats on can beat a card of the trick.
    fn can_beat(&self, n: usize, best: (usize, Rank)) -> bool {
        self.answers(n).any(|card| self.beats(card, best))
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
}
