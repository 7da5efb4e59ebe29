//! Contested claims and a director's answers, `data/rulings.txt`.

use std::collections::HashMap;

use setrograde_cards::{Card, Hand, Position, Seat};
use setrograde_claim::{
    Adjudication, Claims, Knowledge, Line, Options, ReadingOf, ordered, ruling_in_words,
};

use crate::positions;

const RULINGS: &str = include_str!("../../../../data/rulings.txt");

/// A case: its fields by name.
type Case = HashMap<&'static str, &'static str>;

fn cases() -> Vec<Case> {
    let cases = positions::cases(RULINGS).into_iter();
    cases.map(HashMap::from_iter).collect()
}

fn ruled(case: &Case) -> (Knowledge, Adjudication) {
    let position: Position = case["position"].parse().expect(case["case"]);
    let by: Seat = case["by"].parse().expect("a seat");
    let dummy = case
        .get("dummy")
        .map_or(by.partner(), |seat| seat.parse().expect("a seat"));
    let mut knowledge = Knowledge::from_position(&position, by, dummy).expect(case["case"]);
    if let Some(condition) = case.get("if") {
        let condition = condition.parse().expect("a condition");
        knowledge = knowledge.given(&condition).expect("it holds");
    }
    let line: Line = case.get("line").unwrap_or(&"rest").parse().expect("a line");
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    let claimed = case["claimed"].parse().expect("a number");
    let mut claims = Claims::new(Options::default());
    let ruling = claims.adjudicate(&knowledge, layout, claimed, &line);
    (knowledge, ruling.expect(case["case"]))
}

#[test]
fn rulings_are_those_of_a_director() {
    let cases = cases();
    assert!(cases.len() >= 30, "{}", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        let (knowledge, ruling) = ruled(case);
        let other = |reading| {
            let mut others = ruling.readings.iter();
            others
                .find(|other| other.reading == reading)
                .map(|other| other.awarded)
        };
        assert!(case.contains_key("awarded"), "{case:?}");
        for (name, tricks) in [
            ("awarded", None),
            ("known", other(ReadingOf::TrumpsKnown)),
            ("any", other(ReadingOf::AnyOrder)),
        ] {
            let tricks = tricks.unwrap_or(ruling.awarded).to_string();
            if let Some(expected) = case.get(name).filter(|expected| **expected != tricks) {
                let words = ruling_in_words(&knowledge, &ruling);
                wrong += &format!("{case:?}, {name}: {tricks} instead of {expected}\n{words}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The index of the first card of the claimer's side in a play that costs a trick double dummy.
fn first_that_costs(
    claims: &mut Claims,
    known: &Knowledge,
    mut layout: [Hand; 2],
    play: &[Card],
) -> Option<usize> {
    let mut known = known.clone();
    let mut best = claims.double_dummy_of(&known, layout).expect("a layout");
    let mut won = 0;
    play.iter().position(|&card| {
        let own = known.to_play().side() == known.claimer().side();
        known = known.play(card).expect("a play");
        for hand in &mut layout {
            hand.remove(card);
        }
        won += positions::won(&known);
        let before = best;
        best = won + claims.double_dummy_of(&known, layout).expect("a layout");
        own && best < before
    })
}

/// In `number` random endings the award is at least the sure tricks and at most the double-dummy
/// tricks. Only trumps that were forgotten may cost a trick that is sure; and a claimer who is sure
/// of all the rest gets it.
fn compare_with_sure(seed: u64, number: usize) -> [usize; 4] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut claims = Claims::new(Options::default());
    let mut seen = [0; 4];
    for n in 0..number {
        let known = positions::random(&mut rng, 3 + n % 3);
        let all = positions::layouts(&known);
        let layout = all[rng.usize(0..all.len())];
        let left = known.tricks_left() as u8;
        let claimed = match n % 2 {
            0 => left,
            _ => rng.u8(0..=left),
        };
        let ruling = claims
            .adjudicate(&known, layout, claimed, &Line::default())
            .expect("no limit");
        let sure = claims.sure(&known).expect("no limit");
        let double_dummy = claims.double_dummy_of(&known, layout).expect("a layout");
        assert_eq!((ruling.sure, ruling.double_dummy), (sure, double_dummy));
        let case = format!("{known:#?} {layout:?} {claimed} {ruling:#?}");
        let forgotten = ruling.reading(ReadingOf::TrumpsKnown);
        let careful = forgotten.map_or(ruling.awarded, |known| known.awarded);
        assert!(ruling.awarded <= claimed.min(double_dummy), "{case}");
        assert!(careful <= claimed.min(double_dummy), "{case}");
        assert!(careful >= claimed.min(sure), "{case}");
        let cashed = ordered(&known).len() as u8;
        assert!(careful >= claimed.min(cashed), "{case}");
        let inferior = ruling.inferior.as_ref().map(|inferior| inferior.at);
        let costs = first_that_costs(&mut claims, &known, layout, &ruling.worst.play);
        assert_eq!(inferior, costs, "{case}");
        seen[0] += usize::from(sure == left);
        seen[1] += usize::from(forgotten.is_some());
        seen[2] += usize::from(ruling.awarded > sure);
        seen[3] += usize::from(ruling.awarded < claimed);
    }
    seen
}

#[test]
fn what_is_sure_is_awarded() {
    let seen = compare_with_sure(1, 400);
    assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
}

/// The same in 10,000 endings.
#[test]
#[ignore = "takes minutes"]
fn what_is_sure_is_awarded_in_many_endings() {
    let seen = compare_with_sure(2, 10_000);
    assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
}

/// The reason of an award, its first inferior card, and the whole in words.
#[test]
fn a_ruling_has_its_reason() {
    let of = |name: &str| {
        let cases = cases();
        let case = cases.iter().find(|case| case["case"] == name);
        ruled(case.expect(name))
    };
    const REASONS: &str = "\
simple winners: The tricks claimed are sure from what South sees.
ace and queen, and the king falls: As the cards lie, no normal play takes fewer.
a finesse that loses: As the cards lie, no play takes more.
a two-way finesse: The worst normal play takes no more, and a doubtful point goes against the \
claimer (Law 70A).
a ruff too low, two trumps forgotten: 2 trumps (spades) are out that the claim did not mention, and \
South is likely to have missed them (Law 70C).";
    for (name, why) in positions::cases(REASONS).concat() {
        assert_eq!(of(name).1.why, why, "{name}");
    }
    let (known, ruling) = of("a ruff too low, two trumps forgotten");
    let inferior = ruling.inferior.as_ref().expect("a low ruff");
    assert_eq!(inferior.card.to_string(), "S2");
    assert_eq!(ruling.worst.play[inferior.at], inferior.card);
    let right: Vec<String> = inferior.right.iter().map(ToString::to_string).collect();
    assert_eq!(right, ["SQ"]);
    assert_eq!(
        ruling.on_trumps(),
        "If the claim did not mention the trumps that are out, Law 70C awards 2.\n"
    );
    let words = ruling_in_words(&known, &ruling);
    let lines: Vec<&str> = words.lines().collect();
    assert!(
        lines[0].starts_with("Awarded: 2 of the 3 claimed. "),
        "{words}"
    );
    assert_eq!(lines[2], "   1  West  ♣Q North ♠2 East  ♠J South ♣3  lost");
    assert_eq!(
        lines[5..],
        [
            "The first inferior card is ♠2 by North; ♠Q would cost nothing.",
            "Another reading awards 3. If South knew of the trumps that are out, they cost",
            "  nothing.",
        ]
    );
    let (known, stands) = of("simple winners");
    let words = ruling_in_words(&known, &stands);
    assert!(
        words.starts_with("Awarded: 3; the claim stands. "),
        "{words}"
    );
    assert_eq!((stands.on_trumps(), stands.inferior), (String::new(), None));
}

/// Forgotten trumps cost at most one sure trick: led from the short spade, the suit may lose a
/// trick at once, but afterwards no ruff is too low.
#[test]
fn forgotten_trumps_cost_a_sure_trick_once() {
    let position = "D S N:K9.A.KJ. 75.KT.8. 3.Q.T63. Q.754.4.";
    let (_, ruling) = ruled(
        &[
            ("case", position),
            ("position", position),
            ("by", "N"),
            ("claimed", "5"),
        ]
        .into(),
    );
    let known = ruling
        .reading(ReadingOf::TrumpsKnown)
        .map(|known| known.awarded);
    assert_eq!((ruling.awarded, known), (4, Some(5)));
}
