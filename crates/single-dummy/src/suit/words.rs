//! A line of play in words.

use super::SuitHolding;
use super::search::{Search, Seen, Set, State, Trick, rank};

/// The most lines of a plan that are written.
const LONGEST: usize = 40;

/// The greatest width of a line.
const WIDTH: usize = 78;

/// The continuation at some point.
#[derive(Clone, PartialEq, Eq)]
enum After {
    /// The tricks are there.
    Won,
    /// Nothing that could still be won.
    Lost,
    Play(Vec<String>),
}

/// A way in which a trick may go, and what follows.
struct Way {
    second: String,
    fourth: String,
    won: bool,
    after: After,
}

/// The line that wins the layouts of `won`.
pub(super) fn plan(search: &mut Search<'_>, won: &Set) -> String {
    let start = search.start();
    let mut lines = match after(search, &start, won) {
        After::Won => vec!["Nothing need be done.".to_owned()],
        After::Lost => vec!["No line takes that many tricks.".to_owned()],
        After::Play(lines) => lines,
    };
    if lines.len() > LONGEST {
        lines.truncate(LONGEST);
        lines.push("… and so on: the longest branches are left out.".to_owned());
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn after(search: &mut Search<'_>, state: &State, want: &Set) -> After {
    if state.won >= search.tricks {
        return After::Won;
    }
    let want = want.and(&search.alive(state));
    if want.is_empty() {
        return After::Lost;
    }
    // High cards first: a plan that cashes what is sure is easier to follow.
    let mut leads = search.leads(state);
    leads.sort_by_key(|&(leader, card)| (std::cmp::Reverse(card), leader));
    for (leader, card) in leads {
        let trick = search.lead(state, leader, card);
        let reaches = search.trick_front(&trick).iter().any(|set| want.is_in(set));
        if reaches {
            return After::Play(led(search, &trick, card, &want));
        }
    }
    After::Lost
}

fn led(search: &mut Search<'_>, trick: &Trick, card: u8, want: &Set) -> Vec<String> {
    let hands = ["North", "South"];
    let second = SuitHolding::second(trick.leader);
    let fourth = second.partner();
    let mut choices: Vec<(Option<u8>, Vec<String>)> = Vec::new();
    let mut ways: Vec<Way> = Vec::new();
    for (seen, with) in search.ways(trick) {
        let want = want.and(&with);
        if want.is_empty() {
            continue;
        }
        let next = search.seen(trick, seen);
        let thirds = search.third(&next);
        let mut suits = |third: &Option<u8>| {
            let followed = Search::follow(&next, *third);
            let front = search.trick_front(&followed);
            front.iter().any(|set| want.is_in(set))
        };
        let Some(third) = thirds.into_iter().find(|third| suits(third)) else {
            continue;
        };
        let name = seen_name(search, seen);
        match choices.iter_mut().find(|(of, _)| *of == third) {
            Some((_, names)) => names.push(name.clone()),
            None => choices.push((third, vec![name.clone()])),
        }
        let followed = Search::follow(&next, third);
        for (last, with) in search.ways(&followed) {
            let want = want.and(&with);
            let finished = search.seen(&followed, last);
            let after = match want.is_empty() {
                true => After::Lost,
                false => after(search, &Search::finish(&finished), &want),
            };
            ways.push(Way {
                second: name.clone(),
                fourth: seen_name(search, last),
                won: Search::is_won(&finished),
                after,
            });
        }
    }
    let mut line = format!("Lead {} from {}", card_name(card), hands[trick.leader]);
    let third = |card: &Option<u8>| card.map(card_name);
    match &choices[..] {
        [(card, _)] => {
            if let Some(card) = third(card) {
                line += &format!(", {card} from {}", hands[1 - trick.leader]);
            }
            line += ".";
        }
        choices => {
            line += ".";
            for (card, names) in choices {
                let card = third(card).unwrap_or_else(|| "nothing".to_owned());
                let names = names.join(" or ");
                line += &format!(" {} {names}: {card}.", second.name());
            }
        }
    }
    let mut lines = wrapped(&line, "");
    lines.extend(branches(&ways, [second.name(), fourth.name()]));
    lines
}

/// The ways of a trick by what follows.
fn branches(ways: &[Way], seats: [&str; 2]) -> Vec<String> {
    let mut groups: Vec<(&Vec<String>, Vec<&Way>)> = Vec::new();
    for way in ways {
        let After::Play(lines) = &way.after else {
            continue;
        };
        match groups.iter_mut().find(|(of, _)| *of == lines) {
            Some((_, ways)) => ways.push(way),
            None => groups.push((lines, vec![way])),
        }
    }
    let mut text = Vec::new();
    let alone = groups.len() == 1;
    for (lines, of) in &groups {
        let inside = |way: &&Way| of.iter().any(|other| std::ptr::eq(*other, *way));
        let plays = || {
            ways.iter()
                .filter(|way| matches!(way.after, After::Play(_)))
        };
        // The shortest true description: who won, what the fourth hand played, or all.
        let by = |name: &dyn Fn(&Way) -> String| -> Option<Vec<String>> {
            let mut names: Vec<String> = Vec::new();
            for way in of.iter().copied() {
                let name = name(way);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let exact = plays().all(|way| names.contains(&name(way)) == inside(&way));
            exact.then_some(names)
        };
        let [second, fourth] = seats;
        let result = |way: &Way| match way.won {
            true => "If that wins".to_owned(),
            false => "If that loses".to_owned(),
        };
        let label = if alone {
            "Then".to_owned()
        } else if let Some(names) = by(&result) {
            names.join("")
        } else if let Some(names) = by(&|way| way.fourth.clone()) {
            format!("If {fourth}: {}", names.join(" or "))
        } else if let Some(names) = by(&|way| way.second.clone()) {
            format!("If {second}: {}", names.join(" or "))
        } else {
            let pair = |way: &&Way| format!("{} and {}", way.second, way.fourth);
            let pairs: Vec<String> = of.iter().map(pair).collect();
            format!("If {second} and {fourth}: {}", pairs.join("; "))
        };
        let mut rest = lines.iter();
        if alone {
            text.extend(rest.cloned());
            continue;
        }
        text.extend(wrapped(&format!("{label}:"), "  "));
        text.extend(rest.by_ref().map(|line| format!("    {line}")));
    }
    text
}

/// A line cut at blanks, with what follows the first part indented.
fn wrapped(text: &str, indent: &str) -> Vec<String> {
    let mut lines = vec![indent.to_owned()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one line at least");
        if line.trim().is_empty() {
            line.push_str(word);
        } else if line.chars().count() + word.chars().count() < WIDTH / 2 + 20 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("{indent}  {word}"));
        }
    }
    lines
}

fn card_name(bit: u8) -> String {
    rank(bit).map_or_else(String::new, |rank| format!("the {}", rank.letter()))
}

fn seen_name(search: &Search<'_>, seen: Seen) -> String {
    match seen {
        None => "shows out".to_owned(),
        Some(class) if search.holding.is_low(class) => "low".to_owned(),
        Some(class) => search.holding.class_name(class, false),
    }
}
