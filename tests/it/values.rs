//! Values: against answers of other programs, against plain search, and
//! against themselves in other clothes.

use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Strain, Suit};
use setrograde_lookup::{Database, Ending, Located};

use crate::database::{sixteen_cards, twelve_cards_open};
use crate::positions::{minimax, random_position};

fn ending(position: &Position) -> Ending {
    Ending::from_position(position).expect("an ending")
}

/// Tricks for the side of the trick's leader, by trying all ways to play it; `rest` returns the tricks of the next leader's
/// side after it.
fn search_trick(position: &Position, rest: &dyn Fn(&Position) -> u8) -> u8 {
    let leader = position.leader();
    let ours = position.to_play().distance_from(leader).is_multiple_of(2);
    let mut best = if ours { 0 } else { u8::MAX };
    for card in position.legal_cards() {
        let next = position.play(card).expect("legal");
        let value = if !next.is_trick_boundary() {
            search_trick(&next, rest)
        } else if next.leader().distance_from(leader).is_multiple_of(2) {
            1 + rest(&next)
        } else {
            next.tricks_left() as u8 - rest(&next)
        };
        best = if ours {
            best.max(value)
        } else {
            best.min(value)
        };
    }
    best
}

#[test]
fn endings_of_twelve_cards_and_fewer_agree_with_plain_search() {
    let database = twelve_cards_open();
    let mut random = fastrand::Rng::with_seed(12);
    for (cards, count) in [(1, 300), (2, 1_000), (3, 150)] {
        for _ in 0..count {
            let position = random_position(&mut random, cards);
            let value = value_of(database, &ending(&position));
            let expected = minimax(&position, position.leader().side());
            assert_eq!(value, expected, "{position}");
        }
    }
}

fn located<'a>(database: &'a Database, ending: &Ending) -> Located<'a> {
    database.locate(ending).expect("sound").expect("held")
}

fn value_of(database: &Database, ending: &Ending) -> u8 {
    located(database, ending).value().expect("sound")
}

/// Endings with the answers of other programs, which all agree; see
/// `data/README.md`.
fn answered(lines: &'static str) -> impl Iterator<Item = (Position, u8)> {
    lines.lines().map(|line| {
        let (question, tricks) = line.rsplit_once(' ').expect("a question and an answer");
        let position = question.parse().expect("a position");
        (position, tricks.parse().expect("a number"))
    })
}

#[test]
fn a_thousand_endings_of_sixteen_cards_agree_with_other_programs() {
    let database = Database::open(sixteen_cards()).expect("it opens");
    let mut checked = 0;
    for (position, tricks) in answered(include_str!("../../data/endings_16.txt")) {
        let ending = ending(&position);
        let answer = located(&database, &ending).answer().expect("sound");
        assert_eq!(answer.value, tricks, "{position}");
        checked += 1;
    }
    assert_eq!(checked, 1_000);
}

/// The first trick is searched; the level of 16 cards knows the rest.
#[test]
fn a_thousand_endings_of_twenty_cards_agree_a_trick_away() {
    let database = Database::open(sixteen_cards()).expect("it opens");
    let look_up = |position: &Position| value_of(&database, &ending(position));
    let mut checked = 0;
    for (position, tricks) in answered(include_str!("../../data/endings_20.txt")) {
        assert_eq!(search_trick(&position, &look_up), tricks, "{position}");
        checked += 1;
    }
    assert_eq!(checked, 1_000);
}

/// The same position with seats turned, suits exchanged and ranks respaced.
fn disguised(position: &Position, random: &mut fastrand::Rng) -> Position {
    let turn = random.usize(..4);
    let mut suits = Suit::ALL;
    random.shuffle(&mut suits);
    let mut hands = [Hand::EMPTY; 4];
    for suit in Suit::ALL {
        let held = |seat: Seat| position.deal().hand(seat).holding(suit);
        let count = Seat::ALL
            .iter()
            .map(|&seat| held(seat).len())
            .sum::<usize>();
        let mut ranks: Vec<Rank> = Rank::all().collect();
        while ranks.len() > count {
            ranks.remove(random.usize(..ranks.len()));
        }
        let mut next = ranks.into_iter();
        for rank in Rank::all() {
            if let Some(seat) = Seat::ALL
                .into_iter()
                .find(|&seat| held(seat).contains(rank))
            {
                let rank = next.next().expect("as many ranks as cards");
                hands[seat.plus(turn)].insert(Card::new(suits[suit], rank));
            }
        }
    }
    let strain = match position.strain() {
        Strain::NoTrump => Strain::NoTrump,
        Strain::Trump(suit) => Strain::Trump(suits[suit]),
    };
    let deal = Deal::new(hands).expect("no card twice");
    Position::new(strain, position.leader().plus(turn), deal, &[]).expect("a position")
}

#[test]
fn turned_exchanged_and_respaced_endings_have_one_value_and_one_set_size() {
    let database = twelve_cards_open();
    let mut random = fastrand::Rng::with_seed(56);
    for _ in 0..5_000 {
        let cards = random.usize(1..4);
        let position = random_position(&mut random, cards);
        let other = disguised(&position, &mut random);
        let value = |position: &Position| value_of(database, &ending(position));
        assert_eq!(value(&position), value(&other), "{position} and {other}");
    }
}

#[test]
fn endings_survive_text() {
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..2_000 {
        let cards = random.usize(1..14);
        let original = ending(&random_position(&mut random, cards));
        let text = original.to_position().to_string();
        let again: Position = text.parse().expect("a position");
        assert_eq!(again.to_string(), text);
        assert_eq!(ending(&again), original, "{text}");
    }
}

#[test]
fn a_batch_answers_as_single_questions_do() {
    let database = twelve_cards_open();
    let mut random = fastrand::Rng::with_seed(90);
    let endings: Vec<Ending> = (0..1_000)
        .map(|_| {
            let cards = random.usize(1..4);
            ending(&random_position(&mut random, cards))
        })
        .collect();
    let singly: Vec<Option<u8>> = endings
        .iter()
        .map(|ending| Some(value_of(database, ending)))
        .collect();
    assert_eq!(database.values(&endings).expect("held"), singly);

    let mut with_a_stranger = endings;
    let stranger = random_position(&mut random, 4);
    with_a_stranger[777] = ending(&stranger);
    let mut expected = singly;
    expected[777] = None;
    assert_eq!(database.values(&with_a_stranger).expect("sound"), expected);
    let error = database.not_held(&with_a_stranger[777]).to_string();
    assert!(error.contains("16 cards"), "{error}");
}
