//! All kinds of answers to some random claims, as `data/claim_answers.txt` has them. A change
//! that claims not to change answers leaves the file unchanged. That the answers are right is shown
//! by other tests.

use std::fmt::Write;
use std::{env, fs};

use crate::positions::{layouts, least_double_dummy, random, random_line};
use setrograde_cards::{Card, Seat};
use setrograde_claim::{Claims, Knowledge, Options, Verdict, core_in_words, in_words, ordered};

/// Maximum number of lines of a plan that are compared.
const LINES: usize = 30;

/// Adds the lines of a text below its name.
fn add(text: &mut String, name: &str, lines: &str) {
    let shown: String = lines
        .lines()
        .take(LINES)
        .map(|line| format!("    {line}\n"))
        .collect();
    *text += &format!("  {name}, {} lines\n{shown}", lines.lines().count());
}

/// Cards in order.
fn row(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
    cards.join(" ")
}

fn hands(knowledge: &Knowledge) -> String {
    let shown = Seat::ALL.map(|seat| match knowledge.hand(seat) {
        Some(hand) => format!("{seat} {hand}"),
        None => format!("{seat} {} hidden", knowledge.cards(seat)),
    });
    format!(
        "{}, {} leads, {} claims: {}; unseen {}",
        knowledge.strain(),
        knowledge.trick().leader(),
        knowledge.claimer(),
        shown.join(", "),
        knowledge.unseen(),
    )
}

/// The answers about one position.
fn answers(rng: &mut fastrand::Rng, number: usize) -> String {
    let mut claims = Claims::new(Options::default());
    let (knowledge, sure) = loop {
        let knowledge = random(rng, 3 + number % 4);
        let sure = claims.sure(&knowledge).expect("no limit");
        let interesting = match number % 4 {
            0 => true,
            1 => !ordered(&knowledge).is_empty(),
            _ => sure > 0,
        };
        if interesting {
            break (knowledge, sure);
        }
    };
    let mut text = format!("{number}. {}\n", hands(&knowledge));
    let cards: Vec<String> = claims
        .cards(&knowledge)
        .expect("no limit")
        .iter()
        .map(|card| format!("{} {}", card.card, card.sure))
        .collect();
    let least = least_double_dummy(&mut claims, &knowledge);
    let order: Vec<String> = ordered(&knowledge)
        .iter()
        .map(|(lead, follow)| format!("{lead}-{follow}"))
        .collect();
    let _ = write!(
        text,
        "  on the table: {}\n  sure {sure}, double dummy {least}; {}\n  order: {}\n",
        row(knowledge.trick().cards()),
        cards.join(", "),
        order.join(" ")
    );
    match claims.decide(&knowledge, sure).expect("no limit") {
        Verdict::Sure(plan) => {
            add(&mut text, "plan", &in_words(&knowledge, &plan));
        }
        verdict => panic!("{verdict:?}"),
    }
    match claims.decide(&knowledge, sure + 1).expect("no limit") {
        Verdict::Refuted(Some(core)) => {
            add(&mut text, "more", &core_in_words(&knowledge, &core));
        }
        verdict => {
            let _ = writeln!(text, "  more: {verdict:?}");
        }
    }
    let weakest = claims.weakest(&knowledge, sure + 1, 10);
    for assumption in weakest.expect("no failure").found {
        let (layouts, of) = (assumption.layouts, assumption.of);
        let _ = writeln!(text, "  with {}: {layouts} of {of}", assumption.condition);
    }
    let line = random_line(rng, &knowledge);
    let worst = claims.line(&knowledge, &line).expect("no limit");
    let _ = writeln!(
        text,
        "  line {line}: {}, {}",
        worst.tricks,
        row(&worst.play)
    );
    let all = layouts(&knowledge);
    let layout = all[rng.usize(0..all.len())];
    let found = claims
        .adjudicate(&knowledge, layout, sure + 1, &line)
        .expect("no limit");
    let _ = writeln!(
        text,
        "  in {} and {}: {} double dummy, {} awarded, {}, {}",
        layout[0],
        layout[1],
        found.double_dummy,
        found.awarded,
        found.worst.tricks,
        row(&found.worst.play)
    );
    let _ = writeln!(text, "  {} nodes\n", claims.nodes());
    text
}

#[test]
fn answers_are_as_they_were() {
    let mut rng = fastrand::Rng::with_seed(74);
    let found: String = (0..40).map(|number| answers(&mut rng, number)).collect();
    let expected = include_str!("../../../../data/claim_answers.txt");
    if found != expected {
        let file = format!("{}/claim_answers.txt", env!("CARGO_TARGET_TMPDIR"));
        fs::write(&file, &found).expect("the folder for tests can be written to");
        let mut lines = found.lines().zip(expected.lines()).enumerate();
        let line = lines.find(|(_, (found, expected))| found != expected);
        panic!("{line:?} differs; data/claim_answers.txt would now be {file}");
    }
}
