//! Random positions for tests, and their layouts.

use setrograde_beliefs::{Condition, Measure, Term};
use setrograde_cards::{Card, Hand, Seat, Strain, Suit, Trick};
use setrograde_claim::{Claims, How, Knowledge, Line, LineStep};

/// The knowledge in a random position of `left` tricks, few suits and high
/// cards, in the middle of a trick now and then.
pub fn random(rng: &mut fastrand::Rng, left: usize) -> Knowledge {
    loop {
        let suits = rng.usize((4 * left).div_ceil(13).max(2)..=4);
        let ranks = rng.usize((4 * left).div_ceil(suits)..=13);
        let mut pack: Vec<Card> = Card::pack()
            .filter(|card| card.suit.index() < suits && card.rank.index() >= 13 - ranks)
            .collect();
        rng.shuffle(&mut pack);
        let hand = |seat: usize| -> Hand {
            pack[seat * left..(seat + 1) * left]
                .iter()
                .copied()
                .collect()
        };
        let claimer = rng.usize(0..4);
        let dummy = (claimer + [2, 2, 1, 3][rng.usize(0..4)]) % 4;
        let unseen: Hand = (0..4)
            .filter(|&seat| seat != claimer && seat != dummy)
            .flat_map(|seat| hand(seat).cards())
            .collect();
        let knowledge = Knowledge::new(
            Strain::ALL[rng.usize(0..5)],
            Trick::new(Seat::from_index(rng.usize(0..4))),
            [claimer, dummy].map(|seat| (Seat::from_index(seat), hand(seat))),
            unseen,
            Some(Seat::from_index(claimer)),
        );
        let mut knowledge = knowledge.expect("the hands are of one deal");
        if rng.bool() {
            let suit = Suit::from_index(rng.usize(0..suits));
            let all = unseen.holding(suit).len() as u8;
            let least = rng.u8(0..=all);
            let (seat, most) = (knowledge.hidden()[0], rng.u8(least..=all));
            let term = Term::range(Some(seat), Measure::Length(suit), (least, most));
            match knowledge.given(&Condition::any([[term]])) {
                Ok(given) => knowledge = given,
                Err(_) => continue,
            }
        }
        for _ in 0..rng.usize(0..3) {
            let cards: Vec<Card> = knowledge.playable().cards().collect();
            knowledge = knowledge
                .play(cards[rng.usize(0..cards.len())])
                .expect("a card that may be played");
        }
        return knowledge;
    }
}

/// The knowledge of a question.
pub fn known(question: &str) -> Knowledge {
    question.parse().expect("a question")
}

/// Returns 1 if the card before ended a trick that the claimer's side has won, else 0.
pub fn won(after: &Knowledge) -> u8 {
    let ended = after.trick().cards().is_empty();
    u8::from(ended && after.trick().leader().side() == after.claimer().side())
}

/// The cases of a data file: the names and the values of their fields, in order.
pub fn cases(text: &'static str) -> Vec<Vec<(&'static str, &'static str)>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let blocks = lines
        .split(|line| line.is_empty())
        .filter(|block| !block.is_empty());
    let field = |line: &&'static str| line.split_once(": ").expect("a name and a value");
    blocks
        .map(|block| block.iter().map(field).collect())
        .collect()
}

/// The layouts of the hidden hands.
pub fn layouts(known: &Knowledge) -> Vec<[Hand; 2]> {
    let unseen: Vec<Card> = known.unseen().cards().collect();
    let hands = (0_u32..1 << unseen.len()).map(|set| {
        let first = |n: &usize| set >> n & 1 != 0;
        let hand: Hand = (0..unseen.len()).filter(first).map(|n| unseen[n]).collect();
        [hand, known.unseen() - hand]
    });
    hands.filter(|&hands| known.has_layout(hands)).collect()
}

/// The minimum of double-dummy tricks over all layouts.
pub fn least_double_dummy(claims: &mut Claims, known: &Knowledge) -> u8 {
    let layouts = layouts(known).into_iter();
    let tricks = layouts.map(|layout| claims.double_dummy_of(known, layout).expect("a layout"));
    tricks.min().expect("layouts")
}

/// The cards of a line without words; that it draws trumps is apart.
pub fn leads_of(line: &Line) -> Vec<(Card, Option<Card>)> {
    let card = |step: &LineStep| match *step {
        LineStep::Play(lead, follow) => Some((lead, follow)),
        LineStep::Suit(How::Draw, None) => None,
        LineStep::Suit(..) => unreachable!("the line has words: {line}"),
    };
    line.steps.iter().filter_map(card).collect()
}

/// A line that the claimer may state: up to two of its leads, some with the partner's card.
pub fn random_line(rng: &mut fastrand::Rng, known: &Knowledge) -> Line {
    let ours = Seat::ALL.into_iter().filter(|&seat| known.plays_for(seat));
    let mut held: Vec<Card> = ours
        .flat_map(|seat| known.hand(seat).expect("visible").cards())
        .collect();
    rng.shuffle(&mut held);
    let mut line = Line {
        draws_trumps: rng.u8(0..4) == 0,
        ..Line::default()
    };
    for _ in 0..rng.usize(0..4).saturating_sub(1) {
        let Some(lead) = held.pop() else { break };
        let follow = if rng.bool() { held.pop() } else { None };
        line.steps.push(LineStep::Play(lead, follow));
    }
    line
}
