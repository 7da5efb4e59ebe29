//! The view of a question about hidden cards.

use setrograde_beliefs::{Question, QuestionError, Step, Trump};
use setrograde_cards::{Hand, Seat};

use crate::game::Game;
use crate::jass::{Jass, Mode};
use crate::view::{Seen, View};
use crate::whist::Whist;

impl Trump for Mode {
    const PACK: Hand = Hand::from_bits(0x1ff0_1ff0_1ff0_1ff0);
    const EXPECTED: &'static str = "what is trump (D H S C, O or U)";
}

impl View<Whist> {
    /// The view of a question at bridge, of the play without a contract.
    ///
    /// # Errors
    ///
    /// As [`of_question`](Self::of_question).
    pub fn of_bridge(question: &Question) -> Result<View<Whist>, QuestionError> {
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
    /// The view of the seat that asks a question in `game`, in which the leader of the
    /// question leads first. A second visible hand is dummy's.
    ///
    /// # Errors
    ///
    /// A card that cannot be played, a condition that is not about the hidden cards or
    /// has alternatives: with its place in the question.
    pub fn of_question<T>(question: &Question<T>, game: G) -> Result<View<G>, QuestionError> {
        let visible = question.visible();
        let observer = question.by().unwrap_or(visible[0]);
        let dummy = visible.into_iter().find(|&seat| seat != observer);
        let (hands, unseen) = question.before_trick();
        let seen = Seen {
            observer,
            dummy,
            hands,
            unseen,
            limits: Default::default(),
        };
        let mut view = View::from_seen(game, &seen, &[])
            .map_err(|error| QuestionError::new(question.column(observer), error))?;
        for &(column, card) in question.table() {
            let played = view.play(card);
            played.map_err(|error| QuestionError::new(column, error))?;
        }
        for (place, step) in question.steps() {
            match step {
                Step::Play(card) => {
                    let played = view.play(*card);
                    played.map_err(|error| QuestionError::at(*place, error))?;
                }
                Step::If(condition) => {
                    let limits = condition.limits(&question.hidden(), view.unseen());
                    let limits = limits.map_err(|(column, error)| {
                        QuestionError::at(place.plus(column - 1), error)
                    })?;
                    for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
                        view.assume(seat, &limits);
                    }
                }
            }
        }
        Ok(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clues::Strengths;

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
        assert_eq!(
            error("NT N N:A.2.. ? K.3.. ? out=QJT9... if=E+SQ,W.S=1|E.S=2 SA"),
            "column 50: alternatives (`|`, and splits as 4-1) cannot be taken together here; \
             ask about each of them"
        );
        assert!(error("NT N N:A.2.. ? K.3.. ? out=QJT9... if=E+SQ,N.S=1").contains("visible"));
    }
}
