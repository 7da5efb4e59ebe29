//! Checks files of reference cases about beliefs and rules, of the forms of
//! those in `data/play/`, and names the lines that are wrong.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin check_play -- FILE...
//!
//! Odds need a database: `--db DIR` before the files.

use std::process::ExitCode;

use serde_json::Value;
use setrograde_beliefs::{
    Beliefs, Facts, Game, Jass, Question, State, Strengths, Trick, View, Whist,
};
use setrograde_cards::{Card, Contract, Hand, Seat, Vulnerability};
use setrograde_experiments::open_cards::OpenCards;
use setrograde_lookup::Database;
use setrograde_play::{Bridge, Goal};
use setrograde_single_dummy::{Options, odds, single_dummy};

type Checked = Result<(), String>;

fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut database = None;
    if files.len() > 1 && files[0] == "--db" {
        match Database::open(&files[1]) {
            Ok(opened) => database = Some(opened),
            Err(error) => {
                eprintln!("check_play: {error}");
                return ExitCode::FAILURE;
            }
        }
        files.drain(..2);
    }
    if files.is_empty() {
        eprintln!("check_play: name one file or more");
        return ExitCode::from(2);
    }
    let mut all_right = true;
    for file in &files {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("check_play: cannot read {file}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let (right, wrong) = check(file, &text, database.as_ref());
        println!("{file}: {right} right, {wrong} wrong");
        all_right &= wrong == 0 && right > 0;
    }
    if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The numbers of right and of wrong cases.
fn check(file: &str, text: &str, database: Option<&Database>) -> (u32, u32) {
    if text.trim_start().starts_with('[') {
        check_beliefs(file, text)
    } else {
        check_lines(file, text, database)
    }
}

fn check_lines(file: &str, text: &str, database: Option<&Database>) -> (u32, u32) {
    let (mut right, mut wrong) = (0, 0);
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        match check_line(line, database) {
            Ok(()) => right += 1,
            Err(problem) => {
                wrong += 1;
                println!("{file}: line {}: {problem}: {line}", number + 1);
            }
        }
    }
    (right, wrong)
}

fn check_line(line: &str, database: Option<&Database>) -> Checked {
    let fields: Vec<&str> = line.split_whitespace().collect();
    if let Some((question, counts)) = line.split_once(" counts=") {
        let database = database.ok_or("odds need --db DIR before the files")?;
        return tricks(question, counts, database);
    }
    match fields[..] {
        [
            strain,
            leader,
            north,
            south,
            hidden,
            target,
            layouts,
            best,
            ref leads @ ..,
        ] if leads.iter().all(|lead| lead.contains('=')) => {
            let question = format!("{strain} {leader} N:{north} - {south} - hidden={hidden}");
            best_defence(&question, target, [layouts, best], leads)
        }
        [mode, trick, winner, points, last] => jass_trick(mode, trick, [winner, points, last]),
        [contract, vulnerable, tricks, score]
            if contract.starts_with(|first: char| first.is_ascii_digit()) =>
        {
            bridge_score(contract, vulnerable, tricks, score)
        }
        [mode, trick, hand, legal] => jass_legal(mode, trick, hand, legal),
        _ => Err(
            "expected four fields (legal cards of jass, or a score at bridge) or five (a \
                  trick of jass)"
                .to_owned(),
        ),
    }
}

fn view(question: &str) -> Result<View<Whist>, String> {
    let question = question.parse::<Question>();
    let view = question.and_then(|question| View::of_bridge(&question));
    view.map_err(|error| error.to_string())
}

fn tricks(question: &str, counts: &str, database: &Database) -> Checked {
    let view = view(question)?;
    let beliefs = view
        .beliefs(&Strengths::NONE)
        .map_err(|error| error.to_string())?;
    let found: Vec<String> = odds(&view, &beliefs, database, &Default::default())
        .map_err(|error| error.to_string())?
        .all
        .counts
        .iter()
        .take(view.tricks_left() + 1)
        .map(u128::to_string)
        .collect();
    same("counts", found.join(","), counts.trim().to_owned())
}

fn best_defence(
    question: &str,
    target: &str,
    [layouts, best]: [&str; 2],
    leads: &[&str],
) -> Checked {
    let view = view(question)?;
    let target = target
        .parse()
        .map_err(|_| format!("{target} is not a number"))?;
    let beliefs = view
        .beliefs(&Strengths::NONE)
        .map_err(|error| error.to_string())?;
    let all: Vec<_> = beliefs.layouts().collect();
    same("layouts", all.len().to_string(), layouts.to_owned())?;
    let options = Options {
        database: None,
        most_visits: u64::MAX,
        plan: false,
        stop: Default::default(),
    };
    let found =
        single_dummy(&view, &beliefs, target, &options).map_err(|error| error.to_string())?;
    let mut open = OpenCards::new(&view, target, None);
    // The layouts in which a lead wins with all cards known.
    let mut hoped = |lead: Card| {
        let mut won = 0;
        for (at, layout) in all.iter().enumerate() {
            let state = view.state(layout).after(view.game(), lead);
            won += usize::from(
                open.reaches(at, &state)
                    .map_err(|error| error.to_string())?,
            );
        }
        Ok::<usize, String>(won)
    };
    same("sure layouts", found.sure().to_string(), best.to_owned())?;
    for lead in leads {
        let (card, values) = lead.split_once('=').unwrap_or((lead, ""));
        let sure = found.cards.iter().find(|(led, _)| led.to_string() == card);
        let Some((lead, sure)) = sure else {
            return Err(format!("{card} cannot be led"));
        };
        let seen = hoped(*lead)?;
        same(card, format!("{sure}/{seen}"), values.to_owned())?;
    }
    Ok(())
}

/// Cards as jass-kit writes them: the ten is 10; `-` for none.
fn cards(text: &str) -> Result<Vec<Card>, String> {
    let cards = text.split(',').filter(|card| *card != "-");
    let card = |card: &str| card.replace("10", "T").parse::<Card>();
    let cards: Result<Vec<Card>, _> = cards.map(card).collect();
    cards.map_err(|error| format!("{text}: {error}"))
}

fn jass(mode: &str, trick: &str) -> Result<(Jass, Trick), String> {
    let mode = mode.parse().map_err(|error| format!("{error}"))?;
    let game = Jass::new(mode, Seat::North, 9);
    let mut table = Trick::new(Seat::North);
    for card in cards(trick)? {
        game.play_to(&mut table, card);
    }
    Ok((game, table))
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, found: T, expected: T) -> Checked {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what} {found}, not {expected}"))
    }
}

fn jass_legal(mode: &str, trick: &str, hand: &str, legal: &str) -> Checked {
    let (game, trick) = jass(mode, trick)?;
    let hand: Hand = cards(hand)?.into_iter().collect();
    let expected: Hand = cards(legal)?.into_iter().collect();
    same("legal cards", game.legal(hand, &trick), expected)
}

fn jass_trick(mode: &str, trick: &str, numbers: [&str; 3]) -> Checked {
    let (game, trick) = jass(mode, trick)?;
    let number = |text: &str| {
        text.parse::<i16>()
            .map_err(|_| format!("{text} is not a number"))
    };
    let index = trick.winner().distance_from(trick.leader()) as i16;
    same("winner", index, number(numbers[0])?)?;
    let points = game.points(&trick);
    same("points", points, number(numbers[1])?)?;
    same(
        "points if last",
        points + Jass::LAST_TRICK,
        number(numbers[2])?,
    )
}

fn bridge_score(contract: &str, vulnerable: &str, tricks: &str, score: &str) -> Checked {
    let contract: Contract = format!("{contract}N")
        .parse()
        .map_err(|error| format!("{error}"))?;
    let vulnerability = match vulnerable {
        "0" => Vulnerability::EastWest,
        _ => Vulnerability::NorthSouth,
    };
    let tricks: u8 = tricks
        .parse()
        .map_err(|_| format!("{tricks} is not a number"))?;
    let score: i32 = score
        .parse()
        .map_err(|_| format!("{score} is not a number"))?;
    let game = Bridge::new(contract, vulnerability, Goal::Score);
    let mut tally = *State::new(&game, [Hand::EMPTY; 4]).tally();
    tally.tricks = [tricks, 13_u8.saturating_sub(tricks)];
    same("score", game.result(&tally, 0), score)?;
    same("score of the opponents", game.result(&tally, 1), -score)
}

fn check_beliefs(file: &str, text: &str) -> (u32, u32) {
    let cases: Value = match serde_json::from_str(text) {
        Ok(cases) => cases,
        Err(error) => {
            println!("{file}: {error}");
            return (0, 1);
        }
    };
    let (mut right, mut wrong) = (0, 0);
    for (number, case) in cases.as_array().into_iter().flatten().enumerate() {
        match check_case(case) {
            Ok(()) => right += 1,
            Err(problem) => {
                wrong += 1;
                println!("{file}: case {}: {problem}", number + 1);
            }
        }
    }
    (right, wrong)
}

/// A number, or a fraction as text.
fn fraction(value: &Value) -> Option<f64> {
    match value.as_str() {
        None => value.as_f64(),
        Some(text) => match text.split_once('/') {
            Some((above, below)) => Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?),
            None => text.parse().ok(),
        },
    }
}

fn check_case(case: &Value) -> Checked {
    let number = |value: &Value| value.as_u64().ok_or("a number is missing".to_owned());
    let count = number(&case["cards"])? as usize;
    let cards: Vec<Card> = Hand::PACK.iter().take(count).collect();
    let mut sizes = [0; 4];
    for (seat, size) in sizes.iter_mut().enumerate().take(3) {
        *size = number(&case["capacities"][seat])? as u8;
    }
    let mut facts = Facts::new(cards.iter().copied().collect(), sizes);
    for seat in 0..3 {
        for (at, &card) in cards.iter().enumerate() {
            let weight = fraction(&case["weights"][seat][at]).ok_or("a weight is missing")?;
            facts.weigh(Seat::from_index(seat), card.into(), weight);
        }
    }
    let beliefs = Beliefs::new(&facts).map_err(|error| error.to_string())?;
    if let Some(total) = fraction(&case["Z"])
        && (beliefs.log_total() - total.ln()).abs() > 1e-12
    {
        return Err(format!("ln Z {}, not {}", beliefs.log_total(), total.ln()));
    }
    if case["kind"] == "uniform" {
        let total = case["Z"].as_str().unwrap_or("");
        same("layouts", beliefs.count().to_string(), total.to_owned())?;
    }
    let marginals = beliefs.marginals();
    for seat in 0..3 {
        for (at, &card) in cards.iter().enumerate() {
            let expected = fraction(&case["marginals"][seat][at]).ok_or("a marginal is missing")?;
            let found = marginals.probability(Seat::from_index(seat), card);
            if (found - expected).abs() > 1e-12 {
                return Err(format!(
                    "card {at} with seat {seat}: {found}, not {expected}"
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(file: &str) -> String {
        let path = format!("{}/../../data/play/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("reference data")
    }

    #[test]
    fn the_reference_data_is_right() {
        let files = [
            ("belief_cases.json", 16),
            ("best_defence_cases.txt", 78),
            ("bridge_scores.txt", 1_470),
            ("jass_rules.txt", 1_500),
            ("jass_tricks.txt", 1_500),
        ];
        for (file, cases) in files {
            assert_eq!(check(file, &text(file), None), (cases, 0), "{file}");
        }
    }

    #[test]
    fn wrong_lines_are_found() {
        let slips = [
            (
                "belief_cases.json",
                "\"capacities\": [13",
                "\"capacities\": [12",
            ),
            ("best_defence_cases.txt", "SQ=20/20", "SQ=20/19"),
            ("best_defence_cases.txt", " 3 20 20 ", " 3 21 20 "),
            ("bridge_scores.txt", "1C 0 0 -350", "1C 0 0 -300"),
            ("jass_rules.txt", "HK,HQ\n", "HK\n"),
            ("jass_tricks.txt", "2 6 11", "1 6 11"),
        ];
        for (file, right, wrong) in slips {
            let slipped = text(file).replacen(right, wrong, 1);
            assert_eq!(check(file, &slipped, None).1, 1, "{file}: {wrong}");
        }
    }
}
