//! Positions as the side sees them: the same cards played in many worlds.

use setrograde_beliefs::{CardSet, Layout};
use setrograde_cards::{Card, Seat};

use super::set::Worlds;
use setrograde_games::{Game, State, Tally, Trick, View};

/// What a search is about: the worlds, and what the side wants.
pub(crate) struct Subject<'a, G> {
    pub game: G,
    pub party: usize,
    /// The tricks wanted, with those won before.
    pub target: u8,
    pub worlds: &'a [Layout],
    /// The hands that the side sees, by seat.
    pub seen: [CardSet; 4],
}

/// A position in the worlds that are alive: those in which the opponents could
/// have played as they did.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The cards played since the root.
    pub played: CardSet,
    pub trick: Trick,
    pub tally: Tally,
    pub alive: Worlds,
}

impl<'a, G: Game> Subject<'a, G> {
    /// The side of the seat to play in `view` wants `target` of the tricks left.
    pub fn new(view: &View<G>, target: u8, worlds: &'a [Layout]) -> Subject<'a, G> {
        let party = view.game().party(view.to_play());
        Subject {
            game: *view.game(),
            party,
            target: view.tally().tricks[party] + target,
            worlds: &worlds[..worlds.len().min(Worlds::MOST)],
            seen: Seat::ALL.map(|seat| view.hand(seat).unwrap_or_default()),
        }
    }

    /// Where `view` stands, with all worlds alive.
    pub fn root(&self, view: &View<G>) -> At {
        At {
            played: CardSet::EMPTY,
            trick: *view.trick(),
            tally: *view.tally(),
            alive: Worlds::first(self.worlds.len()),
        }
    }

    /// What a seat holds in a world.
    pub fn hand(&self, seat: Seat, world: usize, played: CardSet) -> CardSet {
        (self.seen[seat.index()] | self.worlds[world][seat.index()]) - played
    }

    /// The position in one of the worlds.
    pub fn state(&self, at: &At, world: usize) -> State {
        let hands = Seat::ALL.map(|seat| self.hand(seat, world, at.played));
        State::at(hands, at.trick, at.tally)
    }

    /// Tricks that the side has won.
    pub fn won(&self, at: &At) -> u8 {
        at.tally.tricks[self.party]
    }

    /// Whether the side is to play.
    pub fn is_own(&self, at: &At) -> bool {
        self.game.party(at.trick.to_play()) == self.party
    }

    /// The position after a card that is played in the worlds `alive`.
    pub fn next(&self, at: &At, card: Card, alive: Worlds) -> At {
        let mut next = *at;
        next.alive = alive;
        next.played |= card.into();
        self.game.play_to(&mut next.trick, card);
        if next.trick.len() == 4 {
            let winner = next.trick.winner();
            next.tally.tricks[self.game.party(winner)] += 1;
            next.trick = Trick::new(winner);
        }
        next
    }

    /// The cards that the opponent to play may have, each with the worlds in
    /// which it may play it, those of the most worlds first.
    pub fn replies(&self, at: &At) -> Vec<(Card, Worlds)> {
        let seat = at.trick.to_play();
        let mut cards: Vec<(Card, Worlds)> = Vec::new();
        for world in at.alive.iter() {
            let hand = self.hand(seat, world, at.played);
            for card in self.game.legal(hand, &at.trick) {
                match cards.iter_mut().find(|(known, _)| *known == card) {
                    Some((_, worlds)) => worlds.insert(world),
                    None => cards.push((card, Worlds::one(world))),
                }
            }
        }
        cards.sort_by_key(|(_, worlds)| std::cmp::Reverse(worlds.len()));
        cards
    }

    /// The side's own cards: one of each run that no card outside the hand
    /// divides, the highest.
    pub fn own_cards(&self, at: &At) -> Vec<Card> {
        let seat = at.trick.to_play();
        let Some(world) = at.alive.iter().next() else {
            return Vec::new();
        };
        let hand = self.hand(seat, world, at.played);
        // The hidden cards are the same ones in all worlds.
        let others = Seat::ALL
            .into_iter()
            .filter(|&other| other != seat)
            .fold(at.trick.set(), |all, other| {
                all | self.hand(other, world, at.played)
            });
        let mut cards: Vec<Card> = Vec::new();
        for card in self.game.legal(hand, &at.trick) {
            let same = cards.last().is_some_and(|last| {
                let between = |other: Card| *last < other && other < card;
                last.suit == card.suit && !others.suit(card.suit).iter().any(between)
            });
            if same {
                cards.pop();
            }
            cards.push(card);
        }
        cards
    }
}
