//! One text for one thing: the conditions in three documents, and the notation of answers.

use crate::command::run;

const CONDITIONS: &str = include_str!("../../crates/beliefs/src/conditions.txt");

const RESULT_CONDITIONS: &str = include_str!("../../crates/facade/src/result_conditions.txt");

/// Returns `listed.len()` of the lines of a text that begin with `indent`, without it, starting with
/// the first of `listed`.
fn described(text: &str, indent: &str, listed: &[&str]) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(indent))
        .skip_while(|line| *line != listed[0]);
    lines.take(listed.len()).map(str::to_owned).collect()
}

/// The help, the page of questions, and the page in a browser have one list, each line a condition
/// with its meaning.
#[test]
fn conditions_are_described_once() {
    let help = run(&["help", "conditions"]).output;
    let page = include_str!("../../docs/questions.md");
    for conditions in [CONDITIONS, RESULT_CONDITIONS] {
        let listed: Vec<&str> = conditions.lines().collect();
        assert!(listed.len() > 8);
        assert_eq!(described(&help, "  ", &listed), listed);
        assert_eq!(described(page, "    ", &listed), listed);
    }
    for line in CONDITIONS.lines() {
        let (condition, meaning) = line.split_once("  ").expect("a meaning");
        let read = condition.parse::<setrograde_beliefs::Condition>();
        assert!(read.is_ok() && !meaning.trim().is_empty(), "{line}");
    }
}

/// The answers of docs/answers.md, without the commands and the questions.
fn answers() -> Vec<(usize, &'static str)> {
    let page = include_str!("../../docs/answers.md");
    let mut shown = Vec::new();
    let mut asked = "";
    for (number, line) in (1..).zip(page.lines()) {
        let Some(line) = line.strip_prefix("    ") else {
            continue;
        };
        match line.strip_prefix("$ setrograde ") {
            Some(command) => asked = command,
            // The question is above its answer.
            None if asked.contains(line.split('\t').next().unwrap_or(line)) => {}
            None => shown.push((number, line)),
        }
    }
    shown
}

/// Cards, per cents and intervals are written in one way each: `♠A` or `♠AQ`, `50.0 %`, and
/// `50.2 to 69.1`.
#[test]
fn answers_have_one_notation() {
    let (mut cards, mut percents, mut intervals) = (0, 0, 0);
    for (number, line) in answers() {
        let words: Vec<&str> = line
            .split(|c: char| c.is_whitespace() || "(),.;:".contains(c) && !line.contains(" to "))
            .filter(|word| !word.is_empty())
            .collect();
        for word in &words {
            let word = word.trim_end_matches([',', '.', ';', ':', '?']);
            let mut letters = word.chars();
            let (suit, ranks) = (letters.next(), letters.as_str());
            let is_rank = |c: char| "AKQJT98765432".contains(c);
            let is_ranks = !ranks.is_empty() && ranks.chars().all(is_rank);
            match suit {
                Some('♠' | '♥' | '♦' | '♣') => {
                    assert!(is_ranks || ranks.is_empty(), "line {number}: {word}");
                    cards += usize::from(is_ranks);
                }
                Some('S' | 'H' | 'D' | 'C') => {
                    assert!(!is_ranks, "line {number}: {word} is a card for data");
                }
                _ => {}
            }
            assert!(!word.contains('±'), "line {number}: {line}");
        }
        let at = |sign: &str| {
            line.match_indices(sign)
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        for index in at("%") {
            let number_before = line[..index].strip_suffix(' ').expect("a blank before %");
            let share = number_before.rsplit([' ', '(']).next().expect("a word");
            if line.ends_with("intervals of 95 %") {
                continue;
            }
            let (_, digits) = share
                .split_once('.')
                .unwrap_or_else(|| panic!("{number}: {line}"));
            assert!(
                share.parse::<f64>().is_ok() && digits.len() == 1,
                "{number}: {line}"
            );
            percents += 1;
        }
        for index in at(" to ") {
            let low = line[..index].rsplit(' ').next().expect("a word");
            let high = line[index + 4..].split(' ').next().expect("a word");
            let digits = |text: &str| text.split_once('.').map_or(0, |(_, after)| after.len());
            if let (Ok(least), Ok(most)) = (low.parse::<f64>(), high.parse::<f64>()) {
                assert!(
                    least <= most && digits(low) == digits(high),
                    "{number}: {line}"
                );
                intervals += 1;
            }
        }
    }
    assert!(
        cards > 40 && percents > 40 && intervals > 40,
        "{cards} {percents} {intervals}"
    );
}
