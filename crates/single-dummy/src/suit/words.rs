//! A line of play as steps, and in words.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};
use setrograde_cards::{Rank, Seat};

use super::SuitHolding;
use super::search::{Search, SeenLayout, Set, State, SuitTrick, rank};

/// A trick of a plan: the lead, the card of the third hand, and the continuations. The steps
/// printed after it apply for any play of the opponents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitStep {
    /// The hand that leads: North or South.
    pub from: Seat,
    /// The card that it leads.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(serialize_with = "as_letter")]
    pub lead: Rank,
    /// The cards of the third hand: one unless they depend on the second hand's.
    pub third: Vec<SuitThird>,
    /// The continuations that depend on the opponents' cards; empty if none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<SuitBranch>,
}

fn as_letter<S: Serializer>(
    rank: &(impl Copy + Into<Option<Rank>>),
    to: S,
) -> Result<S::Ok, S::Error> {
    let rank: Option<Rank> = (*rank).into();
    rank.map(Rank::letter).serialize(to)
}

/// A card of the third hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitThird {
    /// The card; `None` if the hand is void.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    #[serde(serialize_with = "as_letter")]
    pub card: Option<Rank>,
    /// The cards of the second hand after which it is played: a rank, touching ranks as `(K/Q)`,
    /// `low` or `shows out`.
    pub after: Vec<String>,
}

/// A continuation, and when it is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitBranch {
    /// The trick as it went.
    pub when: When,
    /// The steps that follow.
    pub steps: Vec<SuitStep>,
}

/// The shortest description of a trick that distinguishes its continuation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// True if North and South won it.
    Won(bool),
    /// The cards of the second hand.
    Second(Vec<String>),
    /// The cards of the fourth hand.
    Fourth(Vec<String>),
    /// The cards of both.
    Both(Vec<[String; 2]>),
}

/// Maximum number of lines of a plan that are written.
const LONGEST: usize = 40;

/// Maximum width of a line.
const WIDTH: usize = 78;

/// The continuation at some point.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum After {
    /// The tricks are there.
    Won,
    /// Nothing that could still be won.
    Lost,
    Play(Vec<SuitStep>),
}

impl After {
    pub(super) fn steps(self) -> Vec<SuitStep> {
        match self {
            After::Play(steps) => steps,
            After::Won | After::Lost => Vec::new(),
        }
    }

    /// The plan in words.
    pub(super) fn words(&self) -> String {
        let mut lines = match self {
            After::Won => vec!["Nothing need be done.".to_owned()],
            After::Lost => vec!["No line takes that many tricks.".to_owned()],
            After::Play(steps) => in_words(steps),
        };
        if lines.len() > LONGEST {
            lines.truncate(LONGEST);
            lines.push("… and so on: the longest branches are left out.".to_owned());
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn in_words(steps: &[SuitStep]) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps {
        let second = SuitHolding::second(usize::from(step.from == Seat::South));
        let [second, fourth] = [second.name(), second.partner().name()];
        lines.extend(wrapped(&trick_words(step, second), ""));
        for branch in &step.then {
            let label = match &branch.when {
                When::Won(true) => "If that wins".to_owned(),
                When::Won(false) => "If that loses".to_owned(),
                When::Second(names) => format!("If {second}: {}", names.join(" or ")),
                When::Fourth(names) => format!("If {fourth}: {}", names.join(" or ")),
                When::Both(pairs) => {
                    let pairs: Vec<String> = pairs.iter().map(|pair| pair.join(" and ")).collect();
                    format!("If {second} and {fourth}: {}", pairs.join("; "))
                }
            };
            lines.extend(wrapped(&format!("{label}:"), "  "));
            lines.extend(
                in_words(&branch.steps)
                    .iter()
                    .map(|line| format!("    {line}")),
            );
        }
    }
    lines
}

/// A course of a trick, and its continuation.
struct TrickOutcome {
    second: String,
    fourth: String,
    won: bool,
    /// The state after it, and the layouts to be won from there.
    point: WonState,
    after: After,
}

/// A state at the start of a trick, and layouts to be won from there.
type WonState = (State, Set);

/// Maximum number of points and leads tried for one plan in the search for continuations that do
/// not depend on the opponents' cards.
const MOST_TRIED: u32 = 20_000;

/// The line that wins the layouts of `won`.
pub(super) fn plan(search: &mut Search<'_>, won: &Set) -> After {
    let start = search.start();
    after(search, &start, won)
}

fn after(search: &mut Search<'_>, state: &State, want: &Set) -> After {
    if state.won >= search.tricks() {
        return After::Won;
    }
    let want = want.and(&search.alive(state));
    if want.is_empty() {
        return After::Lost;
    }
    if let Some(lines) = joint(search, &[(*state, want)]) {
        return After::Play(lines);
    }
    // High cards first: a plan that cashes what is sure is easier to follow.
    let mut leads = search.leads(state);
    leads.sort_by_key(|&(leader, card)| (Reverse(card), leader));
    for (leader, card) in leads {
        let trick = search.lead(state, leader, card);
        let reaches = search.wins(&trick, &want);
        if reaches {
            return After::Play(led(search, &trick, card, &want));
        }
    }
    After::Lost
}

/// One continuation that wins from all the points, if a few tries find it: it depends on no card of
/// the opponents except the one that the third hand follows. The hands of North and South are the
/// same in all points.
fn joint(search: &mut Search<'_>, points: &[WonState]) -> Option<Vec<SuitStep>> {
    let mut open: Vec<WonState> = Vec::new();
    for (state, want) in points {
        let want = want.and(&search.alive(state));
        if state.won >= search.tricks() || want.is_empty() {
            continue;
        }
        match open.iter_mut().find(|(other, _)| other == state) {
            Some((_, more)) => *more = more.or(&want),
            None => open.push((*state, want)),
        }
    }
    let Some(&(first, _)) = open.first() else {
        return Some(Vec::new());
    };
    let mut leads: Vec<(usize, u8)> = Vec::new();
    for (state, _) in &open {
        for lead in search.leads(state) {
            if !leads.contains(&lead) {
                leads.push(lead);
            }
        }
    }
    leads.sort_by_key(|&(leader, card)| (Reverse(card), leader));
    for (leader, card) in leads {
        let wins = |search: &mut Search<'_>, (state, want): &WonState| {
            let trick = search.lead(state, leader, card);
            search.tried += 1;
            search.may_lead(state, leader) && search.wins(&trick, want)
        };
        if search.tried > MOST_TRIED {
            return None;
        }
        if !open.iter().all(|point| wins(search, point)) {
            continue;
        }
        let thirds: Vec<Option<u8>> = match first.hands[1 - leader] {
            0 => vec![None],
            cards => {
                let held = (0..16).filter(|bit| cards >> bit & 1 == 1);
                held.map(Some).collect()
            }
        };
        // For each card of the second hand, the cards of the third that win in all points.
        let mut seconds: Vec<(SeenLayout, Vec<SuitTrick>, Vec<Option<u8>>)> = Vec::new();
        let mut wants: Vec<Vec<Set>> = Vec::new();
        for (state, want) in &open {
            let trick = search.lead(state, leader, card);
            for (seen, with) in search.ways(&trick) {
                let want = want.and(&with);
                if want.is_empty() {
                    continue;
                }
                let at = seconds.iter().position(|(of, ..)| *of == seen);
                let at = at.unwrap_or_else(|| {
                    seconds.push((seen, Vec::new(), thirds.clone()));
                    wants.push(Vec::new());
                    seconds.len() - 1
                });
                let next = search.seen(&trick, seen);
                search.tried += seconds[at].2.len() as u32;
                seconds[at]
                    .2
                    .retain(|&third| search.wins(&Search::follow(&next, third), &want));
                seconds[at].1.push(next);
                wants[at].push(want);
            }
        }
        if seconds.iter().any(|(.., thirds)| thirds.is_empty()) {
            continue;
        }
        let always = thirds
            .iter()
            .copied()
            .filter(|third| seconds.iter().all(|(.., of)| of.contains(third)));
        let always: Vec<Vec<Option<u8>>> = always.map(|third| vec![third; seconds.len()]).collect();
        let each = [false, true].map(|high| {
            let best = |of: &Vec<Option<u8>>| if high { of[of.len() - 1] } else { of[0] };
            seconds.iter().map(|(.., of)| best(of)).collect::<Vec<_>>()
        });
        'choices: for choice in always.into_iter().chain(each) {
            // The continuation, by the card of the third hand.
            let mut groups: Vec<(Option<u8>, Vec<SeenLayout>, Vec<WonState>)> = Vec::new();
            for (((seen, tricks, _), wants), &third) in seconds.iter().zip(&wants).zip(&choice) {
                let at = groups.iter().position(|(of, ..)| *of == third);
                let at = at.unwrap_or_else(|| {
                    groups.push((third, Vec::new(), Vec::new()));
                    groups.len() - 1
                });
                groups[at].1.push(*seen);
                for (trick, want) in tricks.iter().zip(wants) {
                    let followed = Search::follow(trick, third);
                    for (last, with) in search.ways(&followed) {
                        let want = want.and(&with);
                        let state = Search::finish(&search.seen(&followed, last));
                        groups[at].2.push((state, want));
                    }
                }
            }
            let mut rests = Vec::new();
            for (.., points) in &groups {
                match joint(search, points) {
                    Some(rest) => rests.push(rest),
                    None => continue 'choices,
                }
            }
            let third: Vec<SuitThird> = groups
                .iter()
                .map(|(third, seen, _)| SuitThird {
                    card: third.and_then(rank),
                    after: seen.iter().map(|&seen| seen_name(search, seen)).collect(),
                })
                .collect();
            let same = rests.iter().all(|rest| *rest == rests[0]);
            let (then, rest) = match same {
                true => (Vec::new(), rests.swap_remove(0)),
                false => {
                    let after = third.iter().map(|third| When::Second(third.after.clone()));
                    let branches = after.zip(rests).filter(|(_, steps)| !steps.is_empty());
                    let branches = branches.map(|(when, steps)| SuitBranch { when, steps });
                    (branches.collect(), Vec::new())
                }
            };
            let mut steps = vec![step(leader, card, third, then)];
            steps.extend(rest);
            return Some(steps);
        }
    }
    None
}

/// A trick of a plan that `leader`, 0 for North and 1 for South, begins with the card of a bit.
fn step(leader: usize, card: u8, third: Vec<SuitThird>, then: Vec<SuitBranch>) -> SuitStep {
    SuitStep {
        from: [Seat::North, Seat::South][leader],
        lead: rank(card).expect("the bit of a rank"),
        third,
        then,
    }
}

/// A trick: the lead, and the cards of the third hand, by those of the second if it matters.
fn trick_words(step: &SuitStep, second: &str) -> String {
    let the = |card: Rank| format!("the {}", card.letter());
    let (lead, from) = (the(step.lead), step.from.name());
    if let [SuitThird { card, .. }] = step.third[..] {
        let partner = step.from.partner().name();
        let third = card.map(|card| format!(", {} from {partner}", the(card)));
        return format!("Lead {lead} from {from}{}.", third.unwrap_or_default());
    }
    let mut line = format!("Lead {lead} from {from}.");
    for SuitThird { card, after } in &step.third {
        let card = card.map_or_else(|| "nothing".to_owned(), the);
        line += &format!(" {second} {}: {card}.", after.join(" or "));
    }
    line
}

fn led(search: &mut Search<'_>, trick: &SuitTrick, card: u8, want: &Set) -> Vec<SuitStep> {
    let mut choices: Vec<(Option<u8>, Vec<String>)> = Vec::new();
    let mut ways: Vec<TrickOutcome> = Vec::new();
    for (seen, with) in search.ways(trick) {
        let want = want.and(&with);
        if want.is_empty() {
            continue;
        }
        let next = search.seen(trick, seen);
        let thirds = search.third(&next);
        let mut suits = |third: &Option<u8>| search.wins(&Search::follow(&next, *third), &want);
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
            let point = (Search::finish(&finished), want);
            let after = match want.is_empty() {
                true => After::Lost,
                false => after(search, &point.0, &want),
            };
            ways.push(TrickOutcome {
                second: name.clone(),
                fourth: seen_name(search, last),
                won: Search::is_won(&finished),
                point,
                after,
            });
        }
    }
    let third = choices.into_iter().map(|(third, after)| SuitThird {
        card: third.and_then(rank),
        after,
    });
    let mut then = branches(search, &mut ways);
    let rest = match &mut then[..] {
        [only] => std::mem::take(&mut only.steps),
        _ => Vec::new(),
    };
    if then.len() == 1 {
        then.clear();
    }
    let mut steps = vec![step(trick.leader, card, third.collect(), then)];
    steps.extend(rest);
    steps
}

/// Gives courses of a trick the same continuation if one works for all of them: as many courses as
/// possible, in their order.
fn join(search: &mut Search<'_>, ways: &mut [TrickOutcome]) {
    let open = |way: &TrickOutcome| matches!(way.after, After::Play(_));
    let mut joined = vec![false; ways.len()];
    for at in 0..ways.len() {
        if joined[at] || !open(&ways[at]) {
            continue;
        }
        let mut group = vec![at];
        let mut lines = None;
        for more in at + 1..ways.len() {
            let same = ways[more].point.0.hands == ways[at].point.0.hands;
            if joined[more] || !open(&ways[more]) || !same {
                continue;
            }
            let points = group.iter().chain([&more]).map(|&way| ways[way].point);
            let points: Vec<WonState> = points.collect();
            if let Some(found) = joint(search, &points) {
                group.push(more);
                lines = Some(found);
            }
        }
        if let Some(lines) = lines {
            for way in group {
                joined[way] = true;
                ways[way].after = After::Play(lines.clone());
            }
        }
    }
}

/// The courses of a trick, grouped by continuation.
fn branches(search: &mut Search<'_>, ways: &mut [TrickOutcome]) -> Vec<SuitBranch> {
    join(search, ways);
    let plays = || {
        ways.iter()
            .filter(|way| matches!(way.after, After::Play(_)))
    };
    let mut groups: Vec<(&Vec<SuitStep>, Vec<&TrickOutcome>)> = Vec::new();
    for way in &*ways {
        let After::Play(steps) = &way.after else {
            continue;
        };
        match groups.iter_mut().find(|(of, _)| *of == steps) {
            Some((_, ways)) => ways.push(way),
            None => groups.push((steps, vec![way])),
        }
    }
    let when = |of: &[&TrickOutcome]| {
        let inside = |way: &TrickOutcome| of.iter().any(|other| std::ptr::eq(*other, way));
        // The shortest true description: the winner, the card of the fourth hand, or all cards.
        let all_won = |won: bool| plays().all(|way| (way.won == won) == inside(way));
        let by = |name: &dyn Fn(&TrickOutcome) -> String| -> Option<Vec<String>> {
            let mut names: Vec<String> = Vec::new();
            for way in of {
                let name = name(way);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let exact = plays().all(|way| names.contains(&name(way)) == inside(way));
            exact.then_some(names)
        };
        if let Some(won) = [true, false].into_iter().find(|&won| all_won(won)) {
            When::Won(won)
        } else if let Some(names) = by(&|way| way.fourth.clone()) {
            When::Fourth(names)
        } else if let Some(names) = by(&|way| way.second.clone()) {
            When::Second(names)
        } else {
            let pair = |way: &&TrickOutcome| [way.second.clone(), way.fourth.clone()];
            When::Both(of.iter().map(pair).collect())
        }
    };
    let branch = |(steps, of): &(&Vec<SuitStep>, Vec<&TrickOutcome>)| SuitBranch {
        when: when(of),
        steps: (*steps).clone(),
    };
    groups.iter().map(branch).collect()
}

/// A line wrapped at blanks, with all parts but the first indented.
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

fn seen_name(search: &Search<'_>, seen: SeenLayout) -> String {
    match seen {
        None => "shows out".to_owned(),
        Some(class) if search.holding.is_low(class) => "low".to_owned(),
        Some(class) => search.holding.class_name(class, false),
    }
}
