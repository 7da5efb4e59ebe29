//! What one seat sees of a board.

use setrograde_beliefs::{Beliefs, BeliefsError, CardSet, Facts, Layout, Limits, Reason};
use setrograde_cards::{Card, Seat};

use crate::clues::{Play, Strengths};
use crate::error::TableError;
use crate::game::{Game, Tally};
use crate::state::{State, pack_of};
use crate::trick::Trick;

/// What one seat sees: its own hand, dummy's, and what was played. The other
/// hands are not in it, so a player that gets a view cannot look at them.
#[derive(Clone, Debug)]
pub struct View<G> {
    game: G,
    observer: Seat,
    dummy: Option<Seat>,
    pack: CardSet,
    held: CardSet,
    /// The hands that are seen; the others are empty here.
    hands: [CardSet; 4],
    sizes: [u8; 4],
    history: Vec<Card>,
    trick: Trick,
    tally: Tally,
    limits: [Limits; 4],
}

impl<G: Game> View<G> {
    /// What `observer` sees of a table in `state`: `hands` are those that it sees,
    /// `pack` all cards that were dealt, and `held` those of the hands that it
    /// sees.
    pub(crate) fn of_table(
        game: G,
        (observer, dummy): (Seat, Option<Seat>),
        hands: [CardSet; 4],
        (pack, held): (CardSet, CardSet),
        (state, history): (&State, &[Card]),
        limits: [Limits; 4],
    ) -> View<G> {
        View {
            game,
            observer,
            dummy,
            pack,
            held,
            hands,
            sizes: state.hands().map(|hand| hand.len() as u8),
            history: history.to_vec(),
            trick: *state.trick(),
            tally: *state.tally(),
            limits,
        }
    }

    /// What `observer` sees after some cards: for views that come from elsewhere
    /// than a table. `hands` are those that it sees, its own and `dummy`'s, as
    /// they were dealt; `unseen` are the cards of the other hands together.
    ///
    /// # Errors
    ///
    /// If the hands are not equally long, a card is in two places, or a card
    /// was played that its seat does not hold or may not play.
    pub fn from_seen(
        game: G,
        (observer, dummy): (Seat, Option<Seat>),
        hands: [CardSet; 4],
        unseen: CardSet,
        cards: &[Card],
        limits: [Limits; 4],
    ) -> Result<View<G>, TableError> {
        let is_seen = |seat: Seat| seat == observer || Some(seat) == dummy;
        let length = hands[observer.index()].len();
        let hidden = Seat::ALL.into_iter().filter(|&seat| !is_seen(seat)).count();
        let of_seat = |seat: Seat| match is_seen(seat) {
            true => hands[seat.index()].len(),
            false => unseen.len() / hidden.max(1),
        };
        let lengths = Seat::ALL.map(of_seat);
        if lengths.iter().any(|&l| l != length || l == 0) || unseen.len() != hidden * length {
            return Err(TableError::UnequalHands(lengths));
        }
        let pack = pack_of([unseen].into_iter().chain(hands))?;
        let mut view = View {
            game,
            observer,
            dummy,
            pack,
            held: pack - unseen,
            hands,
            sizes: [length as u8; 4],
            history: Vec::with_capacity(52),
            trick: Trick::new(game.first_leader()),
            tally: Tally::default(),
            limits,
        };
        for &card in cards {
            view.play(card)?;
        }
        Ok(view)
    }

    fn play(&mut self, card: Card) -> Result<(), TableError> {
        let seat = self.trick.to_play();
        let at = seat.index();
        if self.sizes[at] == 0 {
            return Err(TableError::Over);
        }
        let hand = self.hand(seat);
        let allowed = match hand {
            Some(hand) => self.game.legal(hand, &self.trick),
            None => self.unseen(),
        };
        let seat = seat.name();
        if !hand.unwrap_or(allowed).contains(card) {
            return Err(TableError::NotHeld { seat, card });
        }
        if !allowed.contains(card) {
            return Err(TableError::NotAllowed {
                seat,
                card,
                allowed,
            });
        }
        self.hands[at] -= card.into();
        self.held -= card.into();
        self.sizes[at] -= 1;
        self.history.push(card);
        self.game.play_to(&mut self.trick, card);
        if self.trick.len() == 4 {
            let winner = self.trick.winner();
            let last = self.sizes == [0; 4];
            self.tally.take(&self.game, &self.trick, last);
            self.trick = Trick::new(winner);
        }
        Ok(())
    }

    /// The rules.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// Who looks.
    #[must_use]
    pub const fn observer(&self) -> Seat {
        self.observer
    }

    /// Whose card is to be played: the observer's, or dummy's if the observer
    /// declares. Somebody else's if it is not the observer's turn.
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// Dummy, once it is laid open, unless it is the observer.
    #[must_use]
    pub const fn dummy(&self) -> Option<Seat> {
        self.dummy
    }

    /// The cards that a seat still holds; `None` if they are hidden.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Option<CardSet> {
        let seen = seat == self.observer || Some(seat) == self.dummy;
        seen.then(|| self.hands[seat.index()])
    }

    /// All cards that were dealt.
    #[must_use]
    pub const fn pack(&self) -> CardSet {
        self.pack
    }

    /// The cards in hidden hands.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        let played: CardSet = self.history.iter().copied().collect();
        self.pack - played - self.held
    }

    /// How many cards each seat holds.
    #[must_use]
    pub const fn sizes(&self) -> [u8; 4] {
        self.sizes
    }

    /// How many hidden cards each seat holds: 0 for hands that are seen.
    #[must_use]
    pub fn hidden_sizes(&self) -> [u8; 4] {
        Seat::ALL.map(|seat| match self.hand(seat) {
            Some(_) => 0,
            None => self.sizes[seat.index()],
        })
    }

    /// The cards played so far.
    #[must_use]
    pub fn history(&self) -> &[Card] {
        &self.history
    }

    /// The trick on the table.
    #[must_use]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// What has been won.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What all know of the hands as they were dealt.
    #[must_use]
    pub const fn limits(&self) -> &[Limits; 4] {
        &self.limits
    }

    /// Tricks not finished yet.
    #[must_use]
    pub fn tricks_left(&self) -> usize {
        self.sizes[self.to_play().index()].into()
    }

    /// The cards that may be played; none unless it is the observer's turn to
    /// choose.
    #[must_use]
    pub fn legal(&self) -> CardSet {
        match self.hand(self.to_play()) {
            Some(hand) if self.game.chooser(self.to_play()) == self.observer => {
                self.game.legal(hand, &self.trick)
            }
            _ => CardSet::EMPTY,
        }
    }

    /// The cards that the seat to play may play: from its hand if that is seen,
    /// else those of the hidden cards that it may hold and play in some layout.
    #[must_use]
    pub fn playable(&self) -> CardSet {
        match self.hand(self.to_play()) {
            Some(hand) => self.game.legal(hand, &self.trick),
            None => self.unseen(),
        }
    }

    /// The position in which the hidden hands are as `layout` says.
    #[must_use]
    pub fn state(&self, layout: &Layout) -> State {
        let hands = std::array::from_fn(|seat| self.hands[seat] | layout[seat]);
        State::at(hands, self.trick, self.tally)
    }

    /// The plays so far, each with the trick before it.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        let mut trick = Trick::new(self.game.first_leader());
        self.history.iter().map(move |&card| {
            if trick.len() == 4 {
                trick = Trick::new(trick.winner());
            }
            let play = Play {
                observer: self.observer,
                seat: trick.to_play(),
                card,
                trick,
                pack: self.pack,
            };
            self.game.play_to(&mut trick, card);
            play
        })
    }

    /// The hidden cards that the seat that made this play cannot hold: with such a
    /// card beside the one that was played, the play would have been illegal.
    #[must_use]
    pub fn shown_by(&self, play: &Play) -> CardSet {
        if play.trick.is_empty() {
            return CardSet::EMPTY;
        }
        let chosen = CardSet::of(play.card);
        let cannot_hold = |x: &Card| {
            let pair = chosen | CardSet::of(*x);
            !self.game.legal(pair, &play.trick).contains(play.card)
        };
        self.unseen().iter().filter(cannot_hold).collect()
    }

    /// What the observer knows of the hidden hands. Hard facts follow from the
    /// rules of the game alone: a seat that played c cannot hold x if c could
    /// not have been played from c and x. The game's rules of thumb add weights.
    ///
    /// # Errors
    ///
    /// If a seat has played more than its limits allow, or a hand that is seen
    /// is not within them.
    pub fn facts(&self, strengths: &Strengths) -> Result<Facts, BeliefsError> {
        let unseen = self.unseen();
        let hidden = self.hidden_sizes();
        let mut facts = Facts::new(unseen, hidden);
        for (seat, limits) in Seat::ALL.into_iter().zip(self.limits) {
            if limits == Limits::default() {
                continue;
            }
            let of_seat = self.plays().filter(|play| play.seat == seat);
            let played = of_seat.map(|play| play.card).collect();
            let reason = Reason::Limits(limits);
            let impossible = BeliefsError::NoLayout { seat, reason };
            if hidden[seat.index()] > 0 {
                facts.limit(seat, limits.without(played).ok_or(impossible)?);
            } else if !limits.allow(played | self.hand(seat).unwrap_or(CardSet::EMPTY)) {
                return Err(impossible);
            }
        }
        for play in self.plays() {
            if hidden[play.seat.index()] > 0 {
                facts.deny(play.seat, self.shown_by(&play), Reason::Play(play.card));
            }
            if !strengths.are_off() && play.seat != self.observer {
                self.game.clues(&play, &mut |rule, seat, cards| {
                    if hidden[seat.index()] > 0 {
                        facts.weigh(seat, cards, strengths.factor(G::rules(), rule));
                    }
                });
            }
        }
        Ok(facts)
    }

    /// All layouts of the hidden hands that fit what the observer knows.
    ///
    /// # Errors
    ///
    /// If there is none, which takes limits that do not fit, or a play against
    /// the rules.
    pub fn beliefs(&self, strengths: &Strengths) -> Result<Beliefs, BeliefsError> {
        Beliefs::new(&self.facts(strengths)?)
    }
}
