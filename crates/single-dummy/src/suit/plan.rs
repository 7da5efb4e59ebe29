//! The line that wins some layouts, made from the search: as few continuations as possible that
//! depend on the opponents' cards.

use std::cmp::Reverse;

use setrograde_cards::{Seat, Sorting};

use super::search::{Search, SeenLayout, Set, State, SuitTrick, rank};
use super::words::{After, SuitBranch, SuitStep, SuitThird, When};

/// A point of the play: a state at the start of a trick, and the layouts to be won from there.
#[derive(Clone, Copy)]
struct Point {
    state: State,
    want: Set,
}

/// A course of a trick, and its continuation.
struct TrickOutcome {
    second: String,
    fourth: String,
    won: bool,
    /// The point after it.
    point: Point,
    after: After,
}

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
    let point = Point {
        state: *state,
        want,
    };
    if let Some(lines) = joint(search, &[point]) {
        return After::Play(lines);
    }
    for (leader, card) in leads(search, &[point]) {
        let trick = search.lead(state, leader, card);
        if search.wins(&trick, &want) {
            return After::Play(led(search, &trick, card, &want));
        }
    }
    After::Lost
}

/// A card of the second hand.
struct SecondCard {
    seen: SeenLayout,
    /// The trick with this card from each point, and the layouts to be won.
    tricks: Vec<SecondTrick>,
    /// The cards of the third hand that win after it from all points.
    thirds: Vec<Option<u8>>,
}

struct SecondTrick {
    trick: SuitTrick,
    want: Set,
}

/// The points that one card of the third hand leads to.
struct ThirdCard {
    card: Option<u8>,
    /// The cards of the second hand after which it is played.
    after: Vec<SeenLayout>,
    points: Vec<Point>,
}

/// One continuation that wins from all the points, if a few tries find it: it depends on no card of
/// the opponents except the one that the third hand follows. The hands of North and South are the
/// same in all points.
fn joint(search: &mut Search<'_>, points: &[Point]) -> Option<Vec<SuitStep>> {
    let open = open_points(search, points);
    if open.is_empty() {
        return Some(Vec::new());
    }
    for (leader, card) in leads(search, &open) {
        if search.tried > MOST_TRIED {
            return None;
        }
        let wins = |point: &Point| {
            let trick = search.lead(&point.state, leader, card);
            search.tried += 1;
            search.may_lead(&point.state, leader) && search.wins(&trick, &point.want)
        };
        if !open.iter().all(wins) {
            continue;
        }
        let seconds = second_cards(search, &open, leader, card);
        if seconds.iter().any(|second| second.thirds.is_empty()) {
            continue;
        }
        for thirds in third_choices(&seconds) {
            if let Some(steps) = continued(search, (leader, card), &seconds, &thirds) {
                return Some(steps);
            }
        }
    }
    None
}

/// The points from which tricks are still to be won, without those whose layouts are all lost.
/// Points with one state are joined.
fn open_points(search: &mut Search<'_>, points: &[Point]) -> Vec<Point> {
    let mut open: Vec<Point> = Vec::new();
    for Point { state, want } in points {
        let want = want.and(&search.alive(state));
        if state.won >= search.tricks() || want.is_empty() {
            continue;
        }
        let new = || Point {
            state: *state,
            want: Set::default(),
        };
        let same = entry(&mut open, |other| other.state == *state, new);
        same.want = same.want.or(&want);
    }
    open
}

/// The item that is wanted, or else a new one at the end.
fn entry<T>(
    items: &mut Vec<T>,
    is_wanted: impl FnMut(&T) -> bool,
    new: impl FnOnce() -> T,
) -> &mut T {
    let at = items.iter().position(is_wanted).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    });
    &mut items[at]
}

/// The leads from any of the points. High cards first: a plan that cashes what is sure is easier to
/// follow.
fn leads(search: &mut Search<'_>, open: &[Point]) -> Vec<(usize, u8)> {
    let mut leads: Vec<(usize, u8)> = Vec::new();
    for point in open {
        for lead in search.leads(&point.state) {
            if !leads.contains(&lead) {
                leads.push(lead);
            }
        }
    }
    leads.in_order_by_key(|&(leader, card)| (Reverse(card), leader));
    leads
}

/// The cards of the second hand after a lead from all the points.
fn second_cards(
    search: &mut Search<'_>,
    open: &[Point],
    leader: usize,
    card: u8,
) -> Vec<SecondCard> {
    let thirds: Vec<Option<u8>> = match open[0].state.hands[1 - leader] {
        0 => vec![None],
        cards => {
            let held = (0..16).filter(|bit| cards >> bit & 1 == 1);
            held.map(Some).collect()
        }
    };
    let mut seconds: Vec<SecondCard> = Vec::new();
    for point in open {
        let trick = search.lead(&point.state, leader, card);
        for (seen, with) in search.ways(&trick) {
            let want = point.want.and(&with);
            if want.is_empty() {
                continue;
            }
            let new = || SecondCard {
                seen,
                tricks: Vec::new(),
                thirds: thirds.clone(),
            };
            let second = entry(&mut seconds, |second| second.seen == seen, new);
            let trick = search.seen(&trick, seen);
            search.tried += second.thirds.len() as u32;
            second
                .thirds
                .retain(|&third| search.wins(&Search::follow(&trick, third), &want));
            second.tricks.push(SecondTrick { trick, want });
        }
    }
    seconds
}

/// The cards of the third hand to try, one for each card of the second hand: the same after all of
/// them, or else the lowest or the highest that wins.
fn third_choices(seconds: &[SecondCard]) -> Vec<Vec<Option<u8>>> {
    let Some(first) = seconds.first() else {
        return Vec::new();
    };
    let wins_always = |third: &&Option<u8>| {
        let mut others = seconds.iter();
        others.all(|second| second.thirds.contains(third))
    };
    let always = first.thirds.iter().filter(wins_always);
    let mut choices: Vec<Vec<Option<u8>>> =
        always.map(|third| vec![*third; seconds.len()]).collect();
    choices.push(seconds.iter().map(|second| second.thirds[0]).collect());
    let highest = seconds
        .iter()
        .map(|second| second.thirds[second.thirds.len() - 1]);
    choices.push(highest.collect());
    choices
}

/// The steps after a lead, a leader and a card, with the third hand's cards as chosen, if a joint
/// continuation wins from the points that each of them leads to.
fn continued(
    search: &mut Search<'_>,
    (leader, card): (usize, u8),
    seconds: &[SecondCard],
    thirds: &[Option<u8>],
) -> Option<Vec<SuitStep>> {
    let groups = by_third_card(search, seconds, thirds);
    let rests = groups
        .iter()
        .map(|group| joint(search, &group.points))
        .collect::<Option<Vec<_>>>()?;
    let third: Vec<SuitThird> = groups
        .iter()
        .map(|group| SuitThird {
            card: group.card.and_then(rank),
            after: group
                .after
                .iter()
                .map(|&seen| seen_name(search, seen))
                .collect(),
        })
        .collect();
    if rests.iter().all(|rest| *rest == rests[0]) {
        let mut steps = vec![step(leader, card, third, Vec::new())];
        steps.extend(rests.into_iter().next().unwrap_or_default());
        return Some(steps);
    }
    let after = third.iter().map(|third| When::Second(third.after.clone()));
    let branches = after
        .zip(rests)
        .filter(|(_, steps)| !steps.is_empty())
        .map(|(when, steps)| SuitBranch { when, steps });
    let then = branches.collect();
    Some(vec![step(leader, card, third, then)])
}

/// Groups the courses of a trick by the card of the third hand.
fn by_third_card(
    search: &Search<'_>,
    seconds: &[SecondCard],
    thirds: &[Option<u8>],
) -> Vec<ThirdCard> {
    let mut groups: Vec<ThirdCard> = Vec::new();
    for (second, &card) in seconds.iter().zip(thirds) {
        let new = || ThirdCard {
            card,
            after: Vec::new(),
            points: Vec::new(),
        };
        let group = entry(&mut groups, |group| group.card == card, new);
        group.after.push(second.seen);
        for SecondTrick { trick, want } in &second.tricks {
            let followed = Search::follow(trick, card);
            for (last, with) in search.ways(&followed) {
                group.points.push(Point {
                    state: Search::finish(&search.seen(&followed, last)),
                    want: want.and(&with),
                });
            }
        }
    }
    groups
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

/// The steps after a lead that wins the layouts of `want`: for each card of the second hand a card of
/// the third, and the continuations.
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
        let (_, names) = entry(&mut choices, |(of, _)| *of == third, || (third, Vec::new()));
        names.push(name.clone());
        let followed = Search::follow(&next, third);
        for (last, with) in search.ways(&followed) {
            let want = want.and(&with);
            let finished = search.seen(&followed, last);
            let point = Point {
                state: Search::finish(&finished),
                want,
            };
            let after = if want.is_empty() {
                After::Lost
            } else {
                after(search, &point.state, &want)
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
    // A single continuation depends on nothing.
    let (then, rest) = match <[SuitBranch; 1]>::try_from(branches(search, &mut ways)) {
        Ok([only]) => (Vec::new(), only.steps),
        Err(several) => (several, Vec::new()),
    };
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
            let same = ways[more].point.state.hands == ways[at].point.state.hands;
            if joined[more] || !open(&ways[more]) || !same {
                continue;
            }
            let points: Vec<Point> = group
                .iter()
                .chain([&more])
                .map(|&way| ways[way].point)
                .collect();
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
        let (_, ways) = entry(&mut groups, |(of, _)| *of == steps, || (steps, Vec::new()));
        ways.push(way);
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

fn seen_name(search: &Search<'_>, seen: SeenLayout) -> String {
    match seen {
        None => "shows out".to_owned(),
        Some(class) if search.holding.is_low(class) => "low".to_owned(),
        Some(class) => search.holding.class_name(class, false),
    }
}
