//! Problems with one right card: contracts that one card of declarer's side makes sure in every
//! layout that an assumption allows, and no other card does. Prints the problems in which the usual
//! card is wrong, and a wrong card makes the contract in most layouts; and the yield by theme.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin problems -- --deals 2000

use std::collections::BTreeMap;

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_beliefs::Condition;
use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Sorting, Strain, Suit};
use setrograde_claim::{ClaimError, Claims, Knowledge, Options};
use setrograde_solver::{Solver, Target, Wanted};

/// Measures how many problems with one right decision are found per minute.
#[derive(Parser)]
struct Arguments {
    /// Maximum number of deals.
    #[arg(long, default_value_t = 20_000)]
    deals: usize,
    /// Minutes of CPU time.
    #[arg(long, default_value_t = 15.0)]
    minutes: f64,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Minimum and maximum points of North and South.
    #[arg(long, default_value = "25-27")]
    points: String,
    /// The tricks of contracts: those that are sure, or these more than the top tricks.
    #[arg(long)]
    beyond: Option<u8>,
    /// Maximum number of nodes of a search for sure tricks.
    #[arg(long, default_value_t = 300)]
    limit: u64,
    /// Number of tricks in which a decision may come.
    #[arg(long, default_value_t = 2)]
    within: usize,
    /// Number of layouts of the player whose card must be wrong.
    #[arg(long, default_value_t = 50)]
    worlds: usize,
    /// Number of further leads, at random.
    #[arg(long, default_value_t = 0)]
    leads: usize,
    /// Prints no problems.
    #[arg(long)]
    quiet: bool,
}

/// The tricks that North's and South's highest cards take.
fn tops(deal: &Deal) -> u8 {
    let both = deal.hand(Seat::North) | deal.hand(Seat::South);
    let of_suit = |suit: Suit| {
        let top = Rank::all()
            .filter(|rank| !both.holding(suit).contains(*rank))
            .max();
        let top = both
            .holding(suit)
            .iter()
            .filter(|&rank| Some(rank) > top)
            .count();
        let length = |seat| deal.hand(seat).holding(suit).len();
        top.min(length(Seat::North).max(length(Seat::South)))
    };
    Suit::ALL.into_iter().map(of_suit).sum::<usize>() as u8
}

/// The share of layouts in which a mistake makes the contract, if it seems right.
const TEMPTING: f64 = 0.4;

fn points(hand: Hand) -> usize {
    let each = hand.cards();
    each.map(|card| usize::from(card.rank.value()).saturating_sub(10))
        .sum()
}

/// The cards of a holding, the highest first.
fn down(hand: Hand, suit: Suit) -> Vec<Card> {
    let mut ranks: Vec<Rank> = hand.holding(suit).iter().collect();
    ranks.in_any_order_by(|a, b| b.cmp(a));
    ranks
        .into_iter()
        .map(|rank| Card::new(suit, rank))
        .collect()
}

/// A lead as players make it.
fn lead(hand: Hand, strain: Strain) -> Card {
    let suits = Suit::ALL.map(|suit| down(hand, suit));
    let trump = match strain {
        Strain::Trump(suit) => Some(suit),
        Strain::NoTrump => None,
    };
    let value = |card: &Card| card.rank.value();
    let sequence =
        |of: &Vec<Card>| of.len() > 1 && value(&of[0]) >= 11 && value(&of[0]) == value(&of[1]) + 1;
    let plain = || {
        suits
            .iter()
            .filter(|of| !of.is_empty() && Some(of[0].suit) != trump)
    };
    if trump.is_some() {
        if let Some(of) = plain().find(|of| sequence(of)) {
            return of[0];
        }
        if let Some(of) = plain().find(|of| of.len() == 1) {
            return of[0];
        }
        // No suit from its ace.
        if let Some(of) = plain()
            .filter(|of| value(&of[0]) < 14)
            .max_by_key(|of| of.len())
        {
            return if of.len() > 3 {
                of[3]
            } else {
                of[of.len() - 1]
            };
        }
    }
    let longest = plain().max_by_key(|of| of.len());
    let of = longest.unwrap_or_else(|| suits.iter().find(|of| !of.is_empty()).expect("cards"));
    if sequence(of) {
        of[0]
    } else if of.len() > 3 {
        of[3]
    } else {
        of[0]
    }
}

/// The card of a defender as players follow: third hand high enough, otherwise low.
fn follow(position: &Position) -> Card {
    let seat = position.to_play();
    let mut legal: Vec<Card> = position.legal_cards().collect();
    legal.in_any_order_by_key(|card| (card.rank.value(), card.suit.index()));
    let trick = position.trick();
    let Some(led) = trick.led_suit() else {
        return *legal.last().expect("a card");
    };
    let follows = legal[0].suit == led;
    if follows && trick.cards().len() >= 2 {
        let winner = trick.winner(position.strain()).expect("cards");
        let best = trick.plays().find(|(of, _)| *of == winner).expect("it").1;
        if winner.side() != seat.side()
            && let Some(&card) = legal
                .iter()
                .find(|card| card.suit == best.suit && card.rank > best.rank)
        {
            return card;
        }
    }
    legal[0]
}

/// Groups of cards between which no other card is.
fn classes(cards: Hand, apart: Hand) -> Vec<Vec<Card>> {
    let mut found: Vec<Vec<Card>> = Vec::new();
    for suit in Suit::ALL {
        let mut last: Option<Rank> = None;
        for card in down(cards, suit) {
            let parts = |last: Rank| {
                down(apart, suit)
                    .iter()
                    .any(|other| card.rank < other.rank && other.rank < last)
            };
            match last {
                Some(last) if !parts(last) => found.last_mut().expect("a class").push(card),
                _ => found.push(vec![card]),
            }
            last = Some(card.rank);
        }
    }
    found
}

/// A random layout of the hidden hands.
fn layout(knowledge: &Knowledge, rng: &mut fastrand::Rng) -> Option<[Hand; 2]> {
    let hidden = knowledge.hidden();
    let count = knowledge.cards(hidden[0]);
    let mut cards: Vec<Card> = knowledge.unseen().cards().collect();
    for _ in 0..2_000 {
        rng.shuffle(&mut cards);
        let first: Hand = cards[..count].iter().copied().collect();
        let second: Hand = cards[count..].iter().copied().collect();
        if knowledge.has_layout([first, second]) {
            return Some([first, second]);
        }
    }
    None
}

/// A decision with one right card.
struct Problem {
    strain: Strain,
    assumed: &'static str,
    tricks: u8,
    hands: [Hand; 2],
    played: Vec<Card>,
    right: Vec<Card>,
    /// Other classes, and the share of drawn layouts in which they make double dummy.
    wrong: Vec<(Card, f64)>,
    /// The card of the player of drawn layouts.
    choice: Card,
    /// The card that most players would play without a plan.
    habit: Card,
}

/// The card of a player without a plan: second hand low, third and fourth hand the cheapest winner;
/// trumps, or the longest suit, from the top.
fn habit(knowledge: &Knowledge) -> Card {
    let seat = knowledge.to_play();
    let mut legal: Vec<Card> = knowledge.playable().cards().collect();
    legal.in_any_order_by_key(|card| (card.rank.value(), card.suit.index()));
    let trick = knowledge.trick();
    let strain = knowledge.strain();
    let Some(led) = trick.led_suit() else {
        let left = |suit: Suit| {
            let hand = |seat: Seat| {
                knowledge
                    .hand(seat)
                    .map_or(0, |hand| hand.holding(suit).len())
            };
            hand(seat) + hand(seat.partner())
        };
        let out = |suit: Suit| knowledge.unseen().holding(suit).len();
        let trump = match strain {
            Strain::Trump(suit) if out(suit) > 0 => Some(suit),
            _ => None,
        };
        let suits = Suit::ALL
            .into_iter()
            .filter(|&suit| legal.iter().any(|card| card.suit == suit));
        let suit = trump
            .filter(|&suit| legal.iter().any(|card| card.suit == suit))
            .or_else(|| suits.max_by_key(|&suit| left(suit)))
            .expect("a suit");
        return *legal
            .iter()
            .rev()
            .find(|card| card.suit == suit)
            .expect("a card");
    };
    let winner = trick.winner(strain).expect("a card is on the table");
    let best = trick.plays().find(|(of, _)| *of == winner).expect("it").1;
    let beats = |card: &&Card| match strain {
        _ if card.suit == best.suit => card.rank > best.rank,
        Strain::Trump(trump) => card.suit == trump,
        Strain::NoTrump => false,
    };
    let ours = winner == seat.partner();
    let master = |card: &&Card| {
        let out = knowledge.unseen();
        beats(card)
            && !down(out, card.suit)
                .iter()
                .any(|other| other.rank > card.rank)
    };
    match trick.cards().len() {
        1 if legal[0].suit == led => legal[0],
        2 if legal[0].suit == led => match legal.iter().find(master) {
            Some(&card) => card,
            None => *legal.iter().find(beats).unwrap_or(&legal[0]),
        },
        _ if ours => legal[0],
        _ => *legal.iter().find(beats).unwrap_or(&legal[0]),
    }
}

struct Finder {
    claims: Claims,
    solver: Solver,
    rng: fastrand::Rng,
    asked: usize,
    open: usize,
    times: [f64; 3],
}

impl Finder {
    fn sure(&mut self, knowledge: &Knowledge, need: u8) -> Option<bool> {
        if need == 0 {
            return Some(true);
        }
        if usize::from(need) > knowledge.tricks_left() {
            return Some(false);
        }
        self.asked += 1;
        match self.claims.is_sure(knowledge, need) {
            Ok(sure) => Some(sure),
            Err(ClaimError::LimitReached { .. }) => {
                self.open += 1;
                None
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The assumptions of a contract: nothing, or trumps that break well, or all suits.
fn assumptions(deal: &Deal, strain: Strain) -> Vec<(&'static str, Option<Condition>)> {
    let breaks = |suit: Suit| {
        let ours =
            deal.hand(Seat::North).holding(suit).len() + deal.hand(Seat::South).holding(suit).len();
        let letter = suit.letter();
        match 13 - ours {
            6 => Some(format!("W.{letter}=2-4")),
            5 => Some(format!("W.{letter}=2-3")),
            4 => Some(format!("W.{letter}=1-3")),
            3 => Some(format!("W.{letter}=1-2")),
            _ => None,
        }
    };
    let mut found = vec![("anything", None)];
    if let Strain::Trump(trump) = strain
        && let Some(text) = breaks(trump)
    {
        found.push(("trumps normal", Some(text.parse().expect("a condition"))));
    }
    let all: Vec<String> = Suit::ALL.into_iter().filter_map(breaks).collect();
    if !all.is_empty() {
        found.push((
            "all normal",
            Some(all.join(",").parse().expect("a condition")),
        ));
    }
    found
}

impl Finder {
    /// The problem of a contract, if it has one.
    fn problem(
        &mut self,
        deal: &Deal,
        (strain, led): (Strain, Card),
        (assumed, condition): (&'static str, &Option<Condition>),
        arguments: &Arguments,
    ) -> Option<(u8, Option<Problem>)> {
        let start = Position::new(strain, Seat::West, *deal, &[]).expect("a deal");
        let mut position = start.play(led).expect("a lead");
        let mut knowledge =
            Knowledge::from_position(&position, Seat::South, Seat::North).expect("a view");
        if let Some(condition) = condition {
            knowledge = knowledge.given(condition).ok()?;
            let hidden = [deal.hand(Seat::East), position.deal().hand(Seat::West)];
            if !knowledge.has_layout(hidden) {
                return None;
            }
        }
        let clock = ThreadTime::now();
        let mut need = if let Some(beyond) = arguments.beyond {
            (tops(deal) + beyond).clamp(7, 13)
        } else {
            let mut sure = 6;
            while sure < 13 && self.sure(&knowledge, sure + 1) == Some(true) {
                sure += 1;
            }
            sure
        };
        let sure = need > 6 && self.sure(&knowledge, need) == Some(true);
        self.times[0] += clock.elapsed().as_secs_f64();
        if !sure {
            return Some((0, None));
        }
        let tricks = need;
        let clock = ThreadTime::now();
        let mut played = vec![led];
        let found = loop {
            if played.len() >= 4 * arguments.within {
                break None;
            }
            let seat = position.to_play();
            let after = |card: Card| {
                let next = knowledge.play(card).expect("a legal card");
                let ends = next.trick().cards().is_empty();
                let won = ends && knowledge.plays_for(next.to_play());
                (next, need - u8::from(won && need > 0))
            };
            let card = if knowledge.plays_for(seat) {
                let visible = deal.hand(Seat::North) | deal.hand(Seat::South);
                let table: Hand = knowledge.trick().cards().iter().copied().collect();
                let apart = (knowledge.unseen() | visible | table) - deal.hand(seat);
                let classes = classes(knowledge.playable(), apart);
                if classes.len() == 1 {
                    *classes[0].last().expect("a card")
                } else {
                    let mut right = Vec::new();
                    let mut wrong = Vec::new();
                    for class in &classes {
                        let (next, need) = after(class[0]);
                        if self.sure(&next, need)? {
                            right.push(class);
                        } else {
                            wrong.push(class);
                        }
                    }
                    let lowest = right.last().and_then(|class| class.last());
                    let lowest = *lowest.expect("a card keeps what is sure");
                    if wrong.is_empty() {
                        lowest
                    } else {
                        let suit = right[0][0].suit;
                        let contiguous = right.iter().all(|class| class[0].suit == suit) && {
                            let of_suit: Vec<bool> = classes
                                .iter()
                                .filter(|class| class[0].suit == suit)
                                .map(|class| right.contains(&class))
                                .collect();
                            let changes = of_suit.windows(2).filter(|two| two[0] != two[1]);
                            changes.count() <= 1
                        };
                        if contiguous {
                            let right: Vec<Card> = right.into_iter().flatten().copied().collect();
                            let wrong: Vec<Card> = wrong.iter().map(|class| class[0]).collect();
                            break Some((right, wrong));
                        }
                        lowest
                    }
                }
            } else {
                follow(&position)
            };
            let (next, left) = after(card);
            (knowledge, need) = (next, left);
            position = position.play(card).expect("a legal card");
            played.push(card);
            if need == 0 || knowledge.tricks_left() == 0 {
                break None;
            }
        };
        self.times[1] += clock.elapsed().as_secs_f64();
        let Some((right, wrong)) = found else {
            return Some((tricks, None));
        };
        let clock = ThreadTime::now();
        let mut sums: BTreeMap<Card, (usize, usize)> = BTreeMap::new();
        let mut drawn = 0;
        for _ in 0..arguments.worlds {
            let Some([first, second]) = layout(&knowledge, &mut self.rng) else {
                break;
            };
            let hidden = knowledge.hidden();
            let mut hands = [Hand::default(); 4];
            for seat in knowledge.visible() {
                hands[seat.index()] = knowledge.hand(seat).expect("it is seen");
            }
            hands[hidden[0].index()] = first;
            hands[hidden[1].index()] = second;
            let deal = Deal::new(hands).expect("hands");
            let trick = knowledge.trick();
            let at = Position::new(strain, trick.leader(), deal, trick.cards()).expect("it");
            let solved = self
                .solver
                .solve(&at, Target::Most, Wanted::All)
                .expect("it is solved");
            drawn += 1;
            for found in &solved.cards {
                for card in std::iter::once(found.card).chain(
                    found
                        .equals
                        .iter()
                        .map(|rank| Card::new(found.card.suit, rank)),
                ) {
                    let of = sums.entry(card).or_default();
                    of.0 += usize::from(found.tricks >= need);
                    of.1 += usize::from(found.tricks);
                }
            }
        }
        self.times[2] += clock.elapsed().as_secs_f64();
        let of = |card: &Card| sums.get(card).copied().unwrap_or_default();
        // As for the score, the contract counts as much as ten overtricks.
        let worth = |card: &Card| of(card).0 * 10 + of(card).1;
        let best = sums.keys().map(worth).max()?;
        let mut best = sums.keys().copied().filter(|card| worth(card) == best);
        let choice = best.clone().find(|card| right.contains(card));
        let choice = choice.or_else(|| best.next())?;
        let hands = [Seat::North, Seat::South].map(|seat| deal.hand(seat));
        let habit = habit(&knowledge);
        let share = |card: Card| (card, of(&card).0 as f64 / f64::from(drawn.max(1)));
        Some((
            tricks,
            Some(Problem {
                strain,
                assumed,
                tricks,
                hands,
                played,
                right,
                wrong: wrong.into_iter().map(share).collect(),
                choice,
                habit,
            }),
        ))
    }
}

impl Problem {
    fn theme(&self) -> &'static str {
        let at = self.played.len() % 4;
        let card = self.right[0];
        let trump = match self.strain {
            Strain::Trump(trump) => Some(trump),
            Strain::NoTrump => None,
        };
        if at == 0 {
            return if trump == Some(card.suit) {
                "lead: trumps"
            } else if trump == Some(self.habit.suit) {
                "lead: not trumps"
            } else if card.suit == self.habit.suit {
                "lead: which card"
            } else {
                "lead: which suit"
            };
        }
        let table = &self.played[self.played.len() - at..];
        let led = table[0].suit;
        let best = |cards: &[Card]| {
            let value = |card: &Card| {
                let rank = card.rank.value();
                match card.suit {
                    suit if trump == Some(suit) => rank + 100,
                    suit if suit == led => rank,
                    _ => 0,
                }
            };
            cards
                .iter()
                .map(value)
                .enumerate()
                .max_by_key(|&(_, value)| value)
        };
        let wins = |card: Card| {
            let all: Vec<Card> = table.iter().copied().chain([card]).collect();
            best(&all).is_some_and(|(winner, _)| winner == at)
        };
        match (card.suit == led, wins(card), wins(self.habit)) {
            (true, true, false) => "win, not low",
            (true, false, true) => "duck",
            (true, ..) => "win with which card",
            (false, true, false) => "ruff, no discard",
            (false, false, true) => "discard, no ruff",
            (false, true, true) => "ruff with which card",
            (false, false, false) => "discard which card",
        }
    }
}

fn main() {
    let arguments = Arguments::parse();
    let (least, most) = arguments.points.split_once('-').expect("two numbers");
    let range: std::ops::RangeInclusive<usize> =
        least.parse().expect("a number")..=most.parse().expect("a number");
    let mut finder = Finder {
        claims: Claims::new(Options {
            limit: Some(arguments.limit),
            memory: 64 << 20,
            ..Options::default()
        }),
        solver: Solver::new(setrograde_solver::Options {
            memory: 32 << 20,
            ..Default::default()
        }),
        rng: fastrand::Rng::with_seed(arguments.seed),
        asked: 0,
        open: 0,
        times: [0.0; 3],
    };
    let start = ThreadTime::now();
    let minutes = || start.elapsed().as_secs_f64() / 60.0;
    let (mut deals, mut contracts, mut sure) = (0, 0, BTreeMap::<u8, usize>::new());
    let mut themes: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    while deals < arguments.deals && minutes() < arguments.minutes {
        let deal = Deal::random(|n| finder.rng.usize(..n));
        let both = points(deal.hand(Seat::North)) + points(deal.hand(Seat::South));
        if !range.contains(&both) {
            continue;
        }
        deals += 1;
        for strain in Strain::ALL {
            if let Strain::Trump(suit) = strain {
                let each =
                    [Seat::North, Seat::South].map(|seat| deal.hand(seat).holding(suit).len());
                if each[0] + each[1] < 8 || each[1] < each[0] {
                    continue;
                }
            }
            let mut leads = vec![lead(deal.hand(Seat::West), strain)];
            let others: Vec<Card> = deal.hand(Seat::West).cards().collect();
            for _ in 0..arguments.leads {
                let card = others[finder.rng.usize(..others.len())];
                if leads.iter().all(|other| other.suit != card.suit) {
                    leads.push(card);
                }
            }
            for (led, (assumed, condition)) in leads.iter().flat_map(|&led| {
                let all = assumptions(&deal, strain);
                all.into_iter().map(move |assumed| (led, assumed))
            }) {
                contracts += 1;
                let Some((tricks, problem)) =
                    finder.problem(&deal, (strain, led), (assumed, &condition), &arguments)
                else {
                    continue;
                };
                *sure.entry(tricks).or_default() += 1;
                let Some(problem) = problem else { continue };
                let misled = !problem.right.contains(&problem.choice);
                // The card that most players choose must be wrong, and seem right.
                let tempting = |&&(card, share): &&(Card, f64)| {
                    share >= TEMPTING && !problem.right.contains(&card)
                };
                let wrong_habit = !problem.right.contains(&problem.habit);
                let good = wrong_habit && problem.wrong.iter().any(|of| tempting(&of));
                let of = themes.entry(problem.theme()).or_default();
                of[0] += 1;
                of[1] += usize::from(wrong_habit);
                of[2] += usize::from(good);
                of[3] += usize::from(misled);
                if !arguments.quiet && good {
                    let cards =
                        |of: &[Card]| of.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
                    let wrong: Vec<String> = problem
                        .wrong
                        .iter()
                        .map(|(card, share)| format!("{card} {:.0}", 100.0 * share))
                        .collect();
                    println!(
                        "{deals} {:?} {} tricks, {}, {}: N {} S {}; played {}; right {}; wrong {}; misled {misled} ({}), habit {}",
                        problem.strain,
                        problem.tricks,
                        problem.assumed,
                        problem.theme(),
                        problem.hands[0],
                        problem.hands[1],
                        cards(&problem.played),
                        cards(&problem.right),
                        wrong.join(" "),
                        problem.choice,
                        problem.habit,
                    );
                }
                if good {
                    // One problem of a contract is enough.
                    break;
                }
            }
        }
    }
    let minutes = minutes();
    println!(
        "{deals} deals, {contracts} contracts, {:.2} minutes of CPU: sure tricks {:.1} s, play {:.1} s, layouts {:.1} s; {} questions, {} open",
        minutes, finder.times[0], finder.times[1], finder.times[2], finder.asked, finder.open
    );
    println!("sure tricks: {sure:?}");
    println!("theme: one right card, not the usual one, a mistake that seems right, player misled");
    let mut all = [0; 4];
    for (theme, of) in &themes {
        println!("  {theme:22} {of:?}");
        for at in 0..4 {
            all[at] += of[at];
        }
    }
    println!(
        "per minute: {:?}",
        all.map(|of| (of as f64 / minutes * 10.0).round() / 10.0)
    );
}
