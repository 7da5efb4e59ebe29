//! Winners of tricks, checked against the laws stated in another way and against
//! hands played out on paper.

use proptest::prelude::*;
use setrograde_cards::{Card, Position, Seat, Strain, Trick};

/// "A trick containing a trump is won by the player who has contributed to it
/// the highest trump. A trick that does not contain a trump is won by the
/// player who has contributed to it the highest card of the suit led."
fn winner_by_law(strain: Strain, leader: Seat, cards: [Card; 4]) -> Seat {
    let trumps = cards
        .iter()
        .filter(|card| strain.trump() == Some(card.suit));
    let led = cards.iter().filter(|card| card.suit == cards[0].suit);
    let highest = trumps
        .max_by_key(|card| card.rank.value())
        .or_else(|| led.max_by_key(|card| card.rank.value()))
        .expect("the lead is of the suit led");
    let index = cards.iter().position(|card| card == highest).unwrap();
    leader.plus(index)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn winners_agree_with_the_law(
        pack in Just(Card::pack().collect::<Vec<_>>()).prop_shuffle(),
        leader in 0usize..4,
    ) {
        let leader = Seat::from_index(leader);
        for cards in pack.chunks_exact(4) {
            let trick = cards.iter().fold(Trick::new(leader), |trick, &card| {
                trick.with(card).expect("room for four cards")
            });
            for strain in Strain::ALL {
                let expected = winner_by_law(strain, leader, cards.try_into().unwrap());
                prop_assert_eq!(trick.winner(strain), Some(expected));
            }
        }
    }
}

/// Plays `cards` from the position `line` and returns who wins each trick.
fn winners(line: &str, cards: &str) -> String {
    let mut position: Position = line.parse().expect("a position");
    let mut winners = String::new();
    for card in cards.split(' ') {
        position = position
            .play(card.parse().expect("a card"))
            .unwrap_or_else(|error| panic!("{line}, {card}: {error}"));
        if position.is_trick_boundary() {
            winners.push(position.leader().letter());
        }
    }
    winners
}

#[test]
fn tricks_played_out_on_paper() {
    // Following suit: the highest card wins wherever it is played from.
    assert_eq!(winners("NT W N:A... K... Q... J...", "SJ SA SK SQ"), "N");
    assert_eq!(winners("NT S N:A... K... Q... J...", "SQ SJ SA SK"), "N");
    // Discards lose to the lead, however high.
    let discards = "N:2... .A.. ..A. ...A";
    assert_eq!(winners(&format!("NT N {discards}"), "S2 HA DA CA"), "N");
    // A ruff wins; the same cards in other strains give other winners.
    assert_eq!(winners(&format!("H N {discards}"), "S2 HA DA CA"), "E");
    assert_eq!(winners(&format!("D N {discards}"), "S2 HA DA CA"), "S");
    assert_eq!(winners(&format!("C N {discards}"), "S2 HA DA CA"), "W");
    // Overruff by the fourth hand, and an underruff that does not help.
    let ruffs = "N:A... .3.. K... .2..";
    assert_eq!(winners(&format!("H N {ruffs}"), "SA H3 SK H2"), "E");
    assert_eq!(winners(&format!("H S {ruffs}"), "SK H2 SA H3"), "E");
    // The winner leads to the next trick: East ruffs, and its club wins the
    // second trick because nobody can follow or ruff.
    assert_eq!(
        winners("H N N:AK... .2..2 43... 65...", "SA H2 S3 S5 C2 S4 S6 SK"),
        "EE"
    );
}
