//! The cost of strategy fusion, for docs/single-dummy.md: how often, and by how much, programs that
//! look at layouts with all cards known choose a card that begins no best line.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin strategy_fusion -- --db db --tricks 5 --layouts 64
//!
//! Random endings, both hands of the side on lead seen; layouts are drawn. The target is the number
//! of tricks that comes nearest to one half of the layouts double dummy; endings in which each
//! number is reached in all or in none are left out. Of cards that a method finds as good, each
//! counts alike. `m = 1` is the double-dummy average; αμ (Cazenave and Ventos, 2019) values layouts
//! double dummy after m moves of the side, with Pareto fronts of sets of layouts before.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use fastrand::Rng;
use setrograde_beliefs::{Game, Layout, Question, State, Strengths, View, Whist};
use setrograde_cards::{Card, Hand, Seat};
use setrograde_experiments::open_cards::OpenCards;
use setrograde_lookup::Database;
use setrograde_single_dummy::{LineOptions, Objective, SearchError, best_line};

/// Measures the cost of strategy fusion.
#[derive(Parser)]
struct Arguments {
    /// Cards in each hand.
    #[arg(long, default_value_t = 5)]
    tricks: usize,
    /// Layouts.
    #[arg(long, default_value_t = 64)]
    layouts: usize,
    /// Number of endings.
    #[arg(long, default_value_t = 1000)]
    endings: usize,
    /// The greatest m of αμ.
    #[arg(long, default_value_t = 3)]
    most: usize,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds for an ending.
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    /// Directory of the database.
    #[arg(long)]
    db: Option<std::path::PathBuf>,
}

/// Layouts as bits.
type Set = [u64; 4];

/// A front beyond which αμ is given up.
const MOST_SETS: usize = 2_000;

/// The sums of a method.
#[derive(Default)]
struct Sums {
    endings: u32,
    worse: f64,
    lost: f64,
    squares: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let database = arguments
        .db
        .as_ref()
        .map(Database::open)
        .transpose()?
        .map(Arc::new);
    let mut rng = Rng::with_seed(arguments.seed);
    let (mut asked, mut exact) = (0, 0);
    let mut sums: BTreeMap<usize, Sums> = BTreeMap::new();
    while asked < arguments.endings {
        let leader = [Seat::North, Seat::South][rng.usize(0..2)];
        let hidden = [Seat::East, Seat::West];
        let text = Question::random_text(&mut rng, arguments.tricks, leader, &hidden);
        let view = View::of_bridge(&text.parse()?)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let layouts: Vec<Layout> = if beliefs.count() <= arguments.layouts as u128 {
            beliefs.layouts().collect()
        } else {
            (0..arguments.layouts)
                .map(|_| beliefs.sample(&mut rng))
                .collect()
        };
        let mut best: Option<(u8, usize)> = None;
        for target in 1..=arguments.tricks as u8 {
            let mut open = OpenCards::new(&view, target, database.as_deref());
            let mut won = 0;
            for (number, layout) in layouts.iter().enumerate() {
                won += usize::from(open.reaches(number, &view.state(layout))?);
            }
            let off = |won: usize| won.abs_diff(layouts.len() - won);
            if won > 0 && won < layouts.len() && best.is_none_or(|(_, other)| off(won) < off(other))
            {
                best = Some((target, won));
            }
        }
        let Some((target, _)) = best else { continue };
        asked += 1;
        let options = LineOptions {
            database: database.clone(),
            time: Some(Duration::from_secs_f64(arguments.time)),
            all_cards: true,
            ..LineOptions::default()
        };
        let found = best_line(&view, &layouts, &[], &Objective::Target(target), &options)?;
        if !found.cards.iter().all(|card| card.value.is_exact()) {
            continue;
        }
        exact += 1;
        let mut open = OpenCards::new(&view, target, database.as_deref());
        let states: Vec<(usize, State)> = layouts
            .iter()
            .map(|layout| view.state(layout))
            .enumerate()
            .collect();
        for m in 1..=arguments.most {
            let mut alphamu = AlphaMu {
                game: *view.game(),
                party: 0,
                open: &mut open,
            };
            let mut values = Vec::new();
            for card in &found.cards {
                let after = alphamu.play(&states, card.card);
                let Some(front) = alphamu.front(&after, m - 1)? else {
                    break;
                };
                let weight = |set: &Set| set.iter().map(|word| word.count_ones()).sum::<u32>();
                values.push((
                    front.iter().map(weight).max().unwrap_or(0),
                    card.value.worth,
                ));
            }
            if values.len() < found.cards.len() {
                continue;
            }
            let most = values.iter().map(|value| value.0).max().unwrap_or(0);
            let chosen: Vec<f64> = values
                .iter()
                .filter(|value| value.0 == most)
                .map(|value| value.1)
                .collect();
            let lost = |worth: &f64| found.value.worth - worth;
            let count = chosen.len() as f64;
            let sum = sums.entry(m).or_default();
            let mean = chosen.iter().map(lost).sum::<f64>() / count;
            sum.endings += 1;
            sum.worse += chosen.iter().filter(|worth| lost(worth) > 1e-9).count() as f64 / count;
            sum.lost += mean;
            sum.squares += mean * mean;
        }
    }
    println!(
        "{} cards, {} layouts: {exact} of {asked} endings exact within {} s",
        arguments.tricks, arguments.layouts, arguments.time
    );
    for (m, sum) in sums {
        let n = f64::from(sum.endings);
        let mean = sum.lost / n;
        let deviation = (sum.squares / n - mean * mean).max(0.0).sqrt();
        println!(
            "  m = {m}: {n} endings, a worse card in {:.1} %, {:.2} ± {:.2} % of the target lost on average",
            100.0 * sum.worse / n,
            100.0 * mean,
            196.0 * deviation / n.sqrt(),
        );
    }
    Ok(())
}

struct AlphaMu<'a, 'b> {
    game: Whist,
    party: usize,
    open: &'a mut OpenCards<'b>,
}

impl AlphaMu<'_, '_> {
    /// The sets of layouts that lines win, as far as `m` moves of the side show; `None` if there
    /// are too many.
    fn front(
        &mut self,
        states: &[(usize, State)],
        m: usize,
    ) -> Result<Option<Vec<Set>>, SearchError> {
        let Some((_, first)) = states.first() else {
            return Ok(Some(vec![[0; 4]]));
        };
        if m == 0 || first.is_over() {
            let mut won = [0; 4];
            for (number, state) in states {
                if self.open.reaches(*number, state)? {
                    won[number / 64] |= 1 << (number % 64);
                }
            }
            return Ok(Some(vec![won]));
        }
        let mut found: Vec<Set> = Vec::new();
        if self.game.party(first.to_play()) == self.party {
            for card in first.legal(&self.game) {
                let after = self.play(states, card);
                let Some(front) = self.front(&after, m - 1)? else {
                    return Ok(None);
                };
                found.extend(front);
                keep_largest(&mut found);
            }
            return Ok(Some(found));
        }
        found.push([u64::MAX; 4]);
        let cards: Hand = states
            .iter()
            .map(|(_, state)| state.legal(&self.game))
            .collect();
        for card in cards {
            let able = self.play(states, card);
            let mut away = [u64::MAX; 4];
            able.iter()
                .for_each(|(number, _)| away[number / 64] &= !(1 << (number % 64)));
            let Some(others) = self.front(&able, m)? else {
                return Ok(None);
            };
            let both = |mine: &Set, theirs: &Set| -> Set {
                std::array::from_fn(|word| mine[word] & (theirs[word] | away[word]))
            };
            found = found
                .iter()
                .flat_map(|mine| others.iter().map(move |theirs| both(mine, theirs)))
                .collect();
            keep_largest(&mut found);
            if found.len() > MOST_SETS {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    fn play(&self, states: &[(usize, State)], card: Card) -> Vec<(usize, State)> {
        let able = states
            .iter()
            .filter(|(_, state)| state.legal(&self.game).contains(card));
        able.map(|(number, state)| (*number, state.after(&self.game, card)))
            .collect()
    }
}

fn keep_largest(sets: &mut Vec<Set>) {
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    let within =
        |set: &Set, other: &Set| set.iter().zip(other).all(|(one, other)| one & !other == 0);
    sets.retain(|set| !all.iter().any(|other| other != set && within(set, other)));
}
