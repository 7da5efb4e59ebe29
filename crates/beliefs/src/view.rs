//! The view of one seat.

use setrograde_cards::{Card, Hand, Seat};
use thiserror::Error;

use crate::beliefs::Beliefs;
use crate::condition::{Condition, ConditionError, Steps};
use crate::facts::{BeliefsError, Facts, Given, Reason};
use crate::games::{Game, Jass, Mode, Play, State, Strengths, Tally, Trick, Whist};
use crate::layouts::Layout;
use crate::limits::{ANY_CASE, Case, Limits};
use crate::question::{Question, Trump};
use crate::question_error::QuestionError;

/// A card that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotPlayable {
    /// A card that the hand does not have.
    #[error("{} is to play and does not hold {card}", seat.name())]
    NotHeld {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A card that the rules do not allow.
    #[error("{} may not play {card}; it must play one of {allowed}", seat.name())]
    NotAllowed {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// The cards that may be played.
        allowed: Hand,
    },
    /// All cards are played.
    #[error("all cards are played")]
    Over,
}

impl NotPlayable {
    /// Checks that `seat` has `card` in `hand` and may play it.
    ///
    /// # Errors
    ///
    /// The reason that it cannot.
    pub fn check(seat: Seat, card: Card, hand: Hand, allowed: Hand) -> Result<(), NotPlayable> {
        if hand.is_empty() {
            Err(NotPlayable::Over)
        } else if !hand.contains(card) {
            Err(NotPlayable::NotHeld { seat, card })
        } else if !allowed.contains(card) {
            Err(NotPlayable::NotAllowed {
                seat,
                card,
                allowed,
            })
        } else {
            Ok(())
        }
    }
}

/// The view of one seat: its own hand, dummy's, and the cards played. The other
/// hands are not in it, so a player that gets a view cannot look at them.
#[derive(Clone, Debug)]
pub struct View<G> {
    game: G,
    observer: Seat,
    dummy: Option<Seat>,
    pack: Hand,
    /// The position, without the hidden hands.
    state: State,
    history: Vec<Card>,
    limits: [Limits; 4],
    /// Conditions that limits cannot express, with cases of the hands as they were dealt, and the number
    /// of cards that had been played.
    given: Vec<(Given, usize)>,
}

impl Trump for Mode {
    const PACK: Hand = Hand::from_bits(0x1ff0_1ff0_1ff0_1ff0);
    const EXPECTED: &'static str = "what is trump (D H S C, O or U)";
}

/// The view of a play at bridge: that of whist, whose rules the play follows.
pub type BridgeView = View<Whist>;

impl BridgeView {
    /// The view of a question at bridge, of the play without a contract.
    ///
    /// # Errors
    ///
    /// As [`of_question`](Self::of_question).
    pub fn of_bridge(question: &Question) -> Result<BridgeView, QuestionError> {
        let dealer = question.leader().plus(3);
        View::of_question(question, Whist::new(*question.trump(), dealer, 13))
    }
}

impl View<Jass> {
    /// The view of a question at jass.
    ///
    /// # Errors
    ///
    /// As [`of_question`](Self::of_question).
    pub fn of_jass(question: &Question<Mode>) -> Result<View<Jass>, QuestionError> {
        let game = Jass::new(*question.trump(), question.leader(), 9);
        View::of_question(question, game)
    }
}

impl<G: Game> View<G> {
    /// The view of `observer` of a position with all hands, after the cards of `history`. `limits`
    /// are the common knowledge about the hands as they were dealt.
    pub fn of_state(
        game: G,
        observer: Seat,
        state: &State,
        history: &[Card],
        limits: [Limits; 4],
    ) -> View<G> {
        let open = |dummy: &Seat| *dummy != observer && !history.is_empty();
        let dummy = game.dummy().filter(open);
        let hands = Seat::ALL.map(|seat| {
            if seat == observer || Some(seat) == dummy {
                state.hands()[seat]
            } else {
                Hand::EMPTY
            }
        });
        View {
            game,
            observer,
            dummy,
            pack: state
                .hands()
                .iter()
                .copied()
                .flatten()
                .chain(history.iter().copied())
                .collect(),
            state: State::at(hands, *state.trick(), *state.tally()),
            history: history.to_vec(),
            limits,
            given: Vec::new(),
        }
    }

    /// The view of the seat that asks a question in `game`, in which the leader of the
    /// question leads first. A second visible hand is dummy's.
    ///
    /// # Errors
    ///
    /// A card that cannot be played, or a condition that is not about the hidden cards:
    /// with its column in the question.
    pub fn of_question<T>(question: &Question<T>, game: G) -> Result<View<G>, QuestionError> {
        let visible = question.visible();
        let observer = question.by().unwrap_or(visible[0]);
        let (hands, unseen) = question.before_trick();
        let mut view = View {
            game,
            observer,
            dummy: visible.into_iter().find(|&seat| seat != observer),
            pack: hands.into_iter().collect::<Hand>() | unseen,
            state: State::at(hands, Trick::new(game.first_leader()), Tally::default()),
            history: Vec::with_capacity(52),
            limits: ANY_CASE,
            given: Vec::new(),
        };
        for &(column, card) in question.table() {
            let played = view.play(card);
            played.map_err(|error| QuestionError::new(column, error))?;
        }
        let mut steps = Steps::default();
        question.replay(
            view,
            |mut view, card| view.play(card).map(|()| view),
            |mut view, condition| {
                let known = view.know(condition, question.hidden(), &mut steps);
                known.map(|()| view)
            },
        )
    }

    /// Takes a condition on the hidden hands as they are now.
    fn know(
        &mut self,
        condition: &Condition,
        hidden: Vec<Seat>,
        steps: &mut Steps,
    ) -> Result<(), (usize, ConditionError)> {
        let played = self.played_after(0);
        let dealt =
            |case: Case| -> Case { std::array::from_fn(|seat| case[seat].with(played[seat])) };
        let fitted = condition.fit(&hidden, self.unseen(), steps)?;
        let around = dealt(fitted.around);
        if !fitted.is_limits() {
            let cases = fitted.cases;
            let given = Given {
                condition: condition.clone(),
                hidden,
                played: [Hand::EMPTY; 4],
                cases: cases.map(|cases| cases.into_iter().map(dealt).collect()),
            };
            self.given.push((given, self.history.len()));
        }
        for (all, limits) in self.limits.iter_mut().zip(around) {
            *all = all.and(&limits);
        }
        Ok(())
    }

    fn play(&mut self, card: Card) -> Result<(), NotPlayable> {
        let seat = self.to_play();
        let hand = self.hand(seat).unwrap_or_else(|| self.unseen());
        NotPlayable::check(seat, card, hand, self.playable())?;
        self.state.play(&self.game, card);
        self.history.push(card);
        Ok(())
    }

    /// The rules.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The observer.
    pub const fn observer(&self) -> Seat {
        self.observer
    }

    /// The seat to play: the observer, or dummy if the observer declares. Another seat if it is not
    /// the observer's turn.
    pub const fn to_play(&self) -> Seat {
        self.state.to_play()
    }

    /// Dummy, once it is visible, unless it is the observer.
    pub const fn dummy(&self) -> Option<Seat> {
        self.dummy
    }

    /// The remaining cards of a seat; `None` if they are hidden.
    pub fn hand(&self, seat: Seat) -> Option<Hand> {
        let seen = seat == self.observer || Some(seat) == self.dummy;
        seen.then(|| self.state.hands()[seat])
    }

    /// All cards of the deal.
    pub const fn pack(&self) -> Hand {
        self.pack
    }

    /// The cards in hidden hands.
    pub fn unseen(&self) -> Hand {
        let played: Hand = self.history.iter().copied().collect();
        self.pack - played - self.state.hands().iter().copied().collect()
    }

    /// Returns the number of cards of each seat.
    pub fn sizes(&self) -> [u8; 4] {
        let left = self.tricks_left() as u8;
        let trick = self.trick();
        let has_played = |seat: Seat| seat.distance_from(trick.leader()) < trick.len();
        Seat::ALL.map(|seat| left - u8::from(has_played(seat)))
    }

    /// Returns the number of hidden cards of each seat: 0 for visible hands.
    pub fn hidden_sizes(&self) -> [u8; 4] {
        let mut sizes = self.sizes();
        for seat in [Some(self.observer), self.dummy].into_iter().flatten() {
            sizes[seat] = 0;
        }
        sizes
    }

    /// The cards played so far.
    pub fn history(&self) -> &[Card] {
        &self.history
    }

    /// The cards that each seat has played after the first `count` cards.
    fn played_after(&self, count: usize) -> [Hand; 4] {
        let mut played = [Hand::EMPTY; 4];
        for play in self.plays().skip(count) {
            played[play.seat] |= play.card.into();
        }
        played
    }

    /// The trick on the table.
    pub const fn trick(&self) -> &Trick {
        self.state.trick()
    }

    /// The points and tricks won so far.
    pub const fn tally(&self) -> &Tally {
        self.state.tally()
    }

    /// The limits, known to all, of the hands as they were dealt.
    pub const fn limits(&self) -> &[Limits; 4] {
        &self.limits
    }

    /// Tricks not finished yet.
    pub fn tricks_left(&self) -> usize {
        self.pack.len() / 4 - self.history.len() / 4
    }

    /// The cards that may be played; none unless it is the observer's turn to
    /// choose.
    pub fn legal(&self) -> Hand {
        match self.hand(self.to_play()) {
            Some(hand) if self.game.chooser(self.to_play()) == self.observer => {
                self.game.legal(hand, self.trick())
            }
            _ => Hand::EMPTY,
        }
    }

    /// The legal cards of the seat to play: from its hand if that is visible, else the hidden cards
    /// that it can have and play in some layout.
    pub fn playable(&self) -> Hand {
        match self.hand(self.to_play()) {
            Some(hand) => self.game.legal(hand, self.trick()),
            None => self.unseen(),
        }
    }

    /// The position with the hidden hands of `layout`.
    pub fn state(&self, layout: &Layout) -> State {
        let hands = std::array::from_fn(|seat| self.state.hands()[seat] | layout[seat]);
        State::at(hands, *self.trick(), *self.tally())
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

    /// The hidden cards that the seat of this play cannot have, because they would have made the
    /// play illegal.
    pub fn shown_by(&self, play: &Play) -> Hand {
        if play.trick.is_empty() {
            return Hand::EMPTY;
        }
        let chosen = Hand::of(play.card);
        let cannot_hold = |x: &Card| {
            let pair = chosen | Hand::of(*x);
            !self.game.legal(pair, &play.trick).contains(play.card)
        };
        self.unseen().iter().filter(cannot_hold).collect()
    }

    /// The observer's knowledge of the hidden hands. Hard facts follow from the rules of the game
    /// alone: a seat that played c cannot have x if c was illegal from c and x. The game's rules of
    /// thumb add weights.
    ///
    /// # Errors
    ///
    /// If a seat has played more than its limits allow, or a visible hand is not within them.
    pub fn facts(&self, strengths: &Strengths) -> Result<Facts, BeliefsError> {
        let unseen = self.unseen();
        let hidden = self.hidden_sizes();
        let mut facts = Facts::new(unseen, hidden);
        let played = self.played_after(0);
        for (seat, limits) in Seat::ALL.into_iter().zip(self.limits) {
            if limits == Limits::default() {
                continue;
            }
            let played = played[seat];
            let reason = Reason::Limits(limits);
            let impossible = BeliefsError::NoLayout { seat, reason };
            if hidden[seat] > 0 {
                facts.limit(seat, limits.without(played).ok_or(impossible)?, reason);
            } else if !limits.allow(played | self.hand(seat).unwrap_or_default()) {
                return Err(impossible);
            }
        }
        for (given, after) in &self.given {
            let rest = |case: &Case| -> Option<Case> {
                let mut rest = ANY_CASE;
                for seat in given.hidden.iter().map(|seat| seat.index()) {
                    rest[seat] = case[seat].without(played[seat])?;
                }
                Some(rest)
            };
            let cases = given.cases.as_ref();
            facts.given(Given {
                played: self.played_after(*after),
                cases: cases.map(|cases| cases.iter().filter_map(rest).collect()),
                ..given.clone()
            });
        }
        for play in self.plays() {
            if hidden[play.seat] > 0 {
                facts.deny(play.seat, self.shown_by(&play), Reason::Play(play.card));
            }
            if !strengths.are_off() && play.seat != self.observer {
                self.game.clues(&play, &mut |rule, seat, cards| {
                    if hidden[seat] > 0 {
                        facts.weigh(seat, cards, strengths.factor(G::RULES, rule));
                    }
                });
            }
        }
        Ok(facts)
    }

    /// All layouts of the hidden hands that match the observer's knowledge.
    ///
    /// # Errors
    ///
    /// If there is none, which takes limits that do not fit, or a play against
    /// the rules.
    pub fn beliefs(&self, strengths: &Strengths) -> Result<Beliefs, BeliefsError> {
        Beliefs::new(&self.facts(strengths)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<View<Whist>, QuestionError> {
        View::of_bridge(&text.parse()?)
    }

    fn layouts(text: &str) -> u128 {
        let view = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        view.beliefs(&Strengths::NONE).expect("layouts").count()
    }

    #[test]
    fn views_are_read() {
        let view = read("NT W N:AQ4... ? 532... ? out=KJT987... SK").expect("a view");
        assert_eq!(view.observer(), Seat::North);
        assert_eq!(view.dummy(), Some(Seat::South));
        assert_eq!(view.to_play(), Seat::North);
        assert_eq!(view.unseen().len(), 5);
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        assert_eq!(beliefs.count(), 10);
        let whole = read("S N N:AKQJT98765432... ? ? ?").expect("a view");
        assert_eq!(whole.unseen().len(), 39);
        let by = read("NT W N:AQ4... ? 532... ? out=KJT987... by=S").expect("a view");
        assert_eq!(by.observer(), Seat::South);
    }

    #[test]
    fn cards_on_the_table_and_conditions() {
        assert_eq!(layouts("NT S N:AQ... ? 32... ? out=KJT9... S2 S9"), 3);
        assert_eq!(layouts("NT S N:AQ... ? 3... ? out=KJT... played=S2,S9"), 3);
        assert_eq!(layouts("NT S N:AQ... ? 32... ? out=KJT9... if=W+SK"), 3);
        assert_eq!(layouts("NT S N:AQ... ? 32... ? out=KJT9... if=W.hcp=3"), 2);
        let of_cases = "NT N N:A.2.. ? K.3.. ? out=QJT9... if=E+SQ,W.S=1|E.S=2";
        assert_eq!(layouts(of_cases), 6);
        // Of the cards of the deal before the play, of those that are left after it.
        let question = "NT S N:AQ... ? 3... ? out=KJ.3..";
        assert_eq!(layouts(&format!("{question} played=S2,S9")), 3);
        assert_eq!(layouts(&format!("{question} played=S2,S9 if=W.S=1")), 2);
        assert_eq!(
            layouts(&format!("{question} played=S2,S9 SA SK if=E.S=1")),
            1
        );
        assert!(read(&format!("{question} played=S2,S9 SA SK if=E+SK")).is_err());
    }

    #[test]
    fn errors_name_their_column() {
        let error = |text: &str| read(text).expect_err("refused").to_string();
        assert_eq!(
            error("NT W N:A... ? K... ? out=QJ... S4"),
            "column 32: West is to play and does not hold S4"
        );
        assert_eq!(
            error("NT N N:A.2.. ? K.3.. ? out=QJT9... SA SQ H3"),
            "column 42: South may not play H3; it must play one of K..."
        );
        assert!(error("NT N N:A.2.. ? K.3.. ? out=QJT9... if=E+SQ,N.S=1").contains("visible"));
    }
}
