//! Derives and checks certificates: lemmas that prove all results of a deal.
//!
//! ```text
//! cargo run --release --manifest-path lab/experiments/Cargo.toml --bin certificate -- \
//!     [--db DIR] [--deals N] [--sample N] [--flips N] [--no-theorems] [--level N] FILE
//! ```
//!
//! Lines of the file are deals in PBN; what follows ` | ` is ignored. For each deal and strain the
//! solver finds the results; then lemmas are derived from what it has learned, each is explained by
//! one trick over all its endings, and a checker without any of the solver's code reads the bytes.
//! Times are those of the thread.

mod check;
mod derive;
mod endings;
mod explain;
mod mixing;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Strain, Suit};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

use check::{Claim, Leaves, Rules, Set};
use derive::Lemmas;
use endings::Endings;
use explain::{Counts, Explanation, RULES};

/// Derives and checks certificates.
#[derive(Parser)]
struct Arguments {
    /// A database's directory, whose endings are leaves.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Take only the first N deals.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    deals: usize,
    /// Solve a random ending of each of N random lemmas of a strain.
    #[arg(long, value_name = "N", default_value_t = 0)]
    sample: usize,
    /// Change N random bits of the certificate of each strain, one at a time, and count those that
    /// the checker accepts.
    #[arg(long, value_name = "N", default_value_t = 0)]
    flips: usize,
    /// Use no counting rule beside the tricks left.
    #[arg(long)]
    no_theorems: bool,
    /// The level of zstd.
    #[arg(long, value_name = "N", default_value_t = 19)]
    level: i32,
    /// Deals in PBN, one on each line.
    file: PathBuf,
}

/// Totals of deals.
#[derive(Clone, Debug, Default)]
struct Totals {
    counts: Counts,
    positions: u64,
    questions: u64,
    nodes: u64,
    columns: [usize; check::COLUMNS],
    bytes: usize,
    packed: usize,
    solve: Duration,
    derive: Duration,
    explain: Duration,
    pack: Duration,
    check: Duration,
    accepted: usize,
    flips_accepted: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let text = std::fs::read_to_string(&arguments.file)?;
    let database = arguments
        .db
        .as_ref()
        .map(Database::open)
        .transpose()?
        .map(Arc::new);
    let mut solver = Solver::new(Options {
        endgames: database
            .clone()
            .map(|database| database as Arc<dyn Endgames>),
        ..Options::default()
    });
    let mut sum = Totals::default();
    let mut deals = 0;
    println!(
        "{:>4} {:>8} {:>9} {:>9} {:>8} {:>7} {:>7} {:>7}",
        "deal", "lemmas", "derived", "bytes", "zstd", "solve", "derive", "check"
    );
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .take(arguments.deals)
    {
        let deal: Deal = line.split(" | ").next().unwrap_or(line).parse()?;
        let mut totals = Totals::default();
        certify(
            &mut solver,
            &deal,
            database.as_deref(),
            &arguments,
            &mut totals,
        )?;
        deals += 1;
        let ratio = |time: Duration| time.as_secs_f64() / totals.solve.as_secs_f64();
        println!(
            "{deals:>4} {:>8} {:>9} {:>9} {:>8} {:>7.3} {:>7.2} {:>7.2}",
            totals.counts.lemmas,
            totals.counts.derived,
            totals.bytes,
            totals.packed,
            totals.solve.as_secs_f64(),
            ratio(totals.derive + totals.explain + totals.pack),
            ratio(totals.check),
        );
        sum.add(&totals);
    }
    sum.print(deals);
    Ok(())
}

/// Certifies all results of a deal.
fn certify(
    solver: &mut Solver,
    deal: &Deal,
    database: Option<&Database>,
    arguments: &Arguments,
    totals: &mut Totals,
) -> Result<(), Box<dyn Error>> {
    let mut certificate = Vec::new();
    let mut leaves = database.map(Endings);
    for strain in Strain::ALL {
        let trumps = strain != Strain::NoTrump;
        let theorems = !arguments.no_theorems;
        let rules = Rules { trumps, theorems };
        let start = ThreadTime::now();
        let before = solver.nodes();
        let tricks = solver.declarer_tricks(deal, strain)?;
        totals.nodes += solver.nodes() - before;
        totals.solve += start.elapsed();

        let start = ThreadTime::now();
        let derived = derive::derive(solver, deal, strain, theorems, tricks, database)?;
        totals.positions += derived.positions;
        totals.questions += derived.questions;
        totals.derive += start.elapsed();

        let start = ThreadTime::now();
        let columns = Explanation::new(&derived.lemmas, rules, as_leaves(&mut leaves))
            .write(&derived.results, &mut totals.counts)?;
        let bytes = explain::join(&columns);
        totals.explain += start.elapsed();
        for (column, total) in columns.iter().zip(&mut totals.columns) {
            *total += zstd::bulk::compress(column, arguments.level)?.len();
        }

        let mut check =
            |bytes: &[u8]| check::check(bytes, rules, &derived.results, as_leaves(&mut leaves));
        let start = ThreadTime::now();
        match check(&bytes) {
            Ok(count) => totals.accepted += count,
            Err(error) => println!("refused: {error}"),
        }
        totals.check += start.elapsed();
        for _ in 0..arguments.flips {
            let mut changed = bytes.clone();
            let bit = fastrand::usize(..8 * bytes.len());
            changed[bit / 8] ^= 1 << (bit % 8);
            totals.flips_accepted += usize::from(check(&changed).is_ok());
        }
        sample(&derived.lemmas, trumps, arguments.sample)?;
        certificate.extend(bytes);
    }
    let start = ThreadTime::now();
    totals.bytes = certificate.len();
    totals.packed = zstd::bulk::compress(&certificate, arguments.level)?.len();
    totals.pack += start.elapsed();
    Ok(())
}

fn as_leaves<'a>(leaves: &'a mut Option<Endings<'_>>) -> Option<&'a mut dyn Leaves> {
    leaves.as_mut().map(|leaves| leaves as &mut dyn Leaves)
}

/// Solves a random ending of each of some random lemmas.
fn sample(lemmas: &Lemmas, trumps: bool, count: usize) -> Result<(), Box<dyn Error>> {
    let lists = &lemmas.lists;
    if lists.is_empty() {
        return Ok(());
    }
    let mut solver = Solver::new(Options::default());
    for _ in 0..count {
        let list = &lists[fastrand::usize(..lists.len())];
        let lemma = &list.lemmas[fastrand::usize(..list.lemmas.len())];
        let set = Set {
            shape: list.shape,
            leader: list.leader,
            known: lemma.known,
            owners: lemma.owners,
        };
        if !holds_somewhere(&mut solver, &set, lemma.claim, trumps)? {
            return Err(format!("{set:?} {:?} is false", lemma.claim).into());
        }
    }
    Ok(())
}

/// Returns whether a claim holds in a random ending of a set.
fn holds_somewhere(
    solver: &mut Solver,
    set: &Set,
    claim: Claim,
    trumps: bool,
) -> Result<bool, Box<dyn Error>> {
    let mut hands = [Hand::EMPTY; 4];
    for suit in 0..4 {
        let known = usize::from(set.known[suit]);
        let mut owners: Vec<usize> = (0..known).map(|rank| set.owner(suit, rank)).collect();
        let mut low = Vec::new();
        for hand in 0..4 {
            let held = owners.iter().filter(|&&owner| owner == hand).count();
            low.extend(std::iter::repeat_n(hand, set.length(suit, hand) - held));
        }
        fastrand::shuffle(&mut low);
        owners.extend(low);
        for (rank, owner) in owners.into_iter().enumerate() {
            let rank = Rank::new(14 - rank as u8).ok_or("a suit has too many cards")?;
            hands[owner].insert(Card::new(Suit::ALL[suit], rank));
        }
    }
    let strain = if trumps {
        Strain::Trump(Suit::Clubs)
    } else {
        Strain::NoTrump
    };
    let leader = Seat::from_index(set.leader);
    let tricks = solver.tricks(&Position::new(strain, leader, Deal::new(hands)?, &[])?)?;
    let tricks = i32::from(tricks);
    let ours = set.leader.is_multiple_of(2);
    let tricks = if ours { tricks } else { set.left() - tricks };
    Ok((tricks >= claim.need) == claim.reached)
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        let (mine, theirs) = (&mut self.counts, &other.counts);
        mine.lemmas += theirs.lemmas;
        mine.derived += theirs.derived;
        mine.ends += theirs.ends;
        mine.failed += theirs.failed;
        for (sum, more) in mine.rules.iter_mut().zip(theirs.rules) {
            *sum += more;
        }
        for (sum, more) in mine.by_left.iter_mut().zip(theirs.by_left) {
            *sum += more;
        }
        for (sum, more) in self.columns.iter_mut().zip(other.columns) {
            *sum += more;
        }
        self.positions += other.positions;
        self.questions += other.questions;
        self.nodes += other.nodes;
        self.bytes += other.bytes;
        self.packed += other.packed;
        self.solve += other.solve;
        self.derive += other.derive;
        self.explain += other.explain;
        self.pack += other.pack;
        self.check += other.check;
        self.accepted += other.accepted;
        self.flips_accepted += other.flips_accepted;
    }

    fn print(&self, deals: usize) {
        let each = |number: u64| number as f64 / deals.max(1) as f64;
        let ratio = |time: Duration| time.as_secs_f64() / self.solve.as_secs_f64();
        let counts = &self.counts;
        println!(
            "a table: {:.0} lemmas of {:.0} derived; {:.0} bytes, {:.0} packed",
            each(counts.lemmas),
            each(counts.derived),
            each(self.bytes as u64),
            each(self.packed as u64),
        );
        println!(
            "{:.0} nodes for the table, {:.0} positions proved, {:.0} questions to the solver",
            each(self.nodes),
            each(self.positions),
            each(self.questions),
        );
        println!(
            "columns packed alone (groups, counts, heads, owners, moves): {:?}",
            self.columns.map(|bytes| each(bytes as u64) as u64)
        );
        println!(
            "times of the table's {:.3} s: derive {:.2}, explain {:.2}, pack {:.2}, check {:.3}",
            self.solve.as_secs_f64() / deals.max(1) as f64,
            ratio(self.derive),
            ratio(self.explain),
            ratio(self.pack),
            ratio(self.check)
        );
        println!(
            "failed {}, accepted {} of {} lemmas",
            counts.failed, self.accepted, counts.lemmas
        );
        println!("changed certificates accepted: {}", self.flips_accepted);
        println!(
            "ends of tricks: {:.1} a lemma",
            counts.ends as f64 / counts.lemmas as f64
        );
        let share = |part: u64| 100.0 * part as f64 / counts.ends as f64;
        for (rule, name) in RULES {
            println!("  {name}: {:.1} %", share(counts.rules[rule as usize]));
        }
        println!(
            "  lemmas: {:.1} %",
            share(counts.ends - counts.rules.iter().sum::<u64>())
        );
        println!(
            "lemmas by tricks left: {:?}",
            counts.by_left.map(|count| each(count) as u64)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The certificate of each strain of a deal of some cards, and its results.
    fn small(seed: u64, count: usize, mut each: impl FnMut(&derive::Derived, Rules, &[u8])) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cards: Vec<Card> = Card::pack().collect();
        random.shuffle(&mut cards);
        let mut hands = [Hand::EMPTY; 4];
        for (nth, &card) in cards[..count].iter().enumerate() {
            hands[nth % 4].insert(card);
        }
        let deal = Deal::new(hands).expect("different cards");
        let mut solver = Solver::new(Options::default());
        // Both kinds of certificates.
        let theorems = seed.is_multiple_of(2);
        for strain in Strain::ALL {
            let tricks = solver.declarer_tricks(&deal, strain).expect("tricks");
            let derived =
                derive::derive(&mut solver, &deal, strain, theorems, tricks, None).expect("lemmas");
            let trumps = strain != Strain::NoTrump;
            let rules = Rules { trumps, theorems };
            sample(&derived.lemmas, trumps, 50).expect("true lemmas");
            let mut counts = Counts::default();
            let columns = Explanation::new(&derived.lemmas, rules, None)
                .write(&derived.results, &mut counts)
                .expect("columns");
            assert_eq!(counts.failed, 0);
            each(&derived, rules, &explain::join(&columns));
        }
    }

    /// The checker's rules hold in random endings of random sets, and each is met.
    #[test]
    fn the_rules_are_true() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut solver = Solver::new(Options::default());
        let mut met = [0; RULES.len()];
        for _ in 0..20_000 {
            let (left, trumps) = (random.usize(1..7), random.bool());
            let mut cards: Vec<usize> = (0..52).collect();
            random.shuffle(&mut cards);
            // By suit, the hands of its cards from the top; some more are known.
            let mut owners: [Vec<usize>; 4] = Default::default();
            let mut dealt: Vec<(usize, usize)> =
                (0..4 * left).map(|nth| (cards[nth], nth % 4)).collect();
            dealt.sort_unstable();
            let mut set = Set {
                shape: 0,
                leader: random.usize(..4),
                known: [0; 4],
                owners: [0; 4],
            };
            for (card, hand) in dealt {
                owners[card % 4].push(hand);
                set.shape += 1 << (16 * (card % 4) + 4 * hand);
            }
            for (suit, owners) in owners.iter().enumerate() {
                set.known[suit] = random.u8(..=owners.len() as u8);
                for (rank, &hand) in owners[..usize::from(set.known[suit])].iter().enumerate() {
                    set.owners[suit] |= (hand as u32) << (2 * rank);
                }
            }
            let claim = Claim {
                need: random.i32(1..=left as i32),
                reached: random.bool(),
            };
            let theorems = true;
            let rules = Rules { trumps, theorems };
            if let Ok(Some(rule)) = check::rule(&set, claim, rules, &mut None) {
                met[rule as usize] += 1;
                let holds = holds_somewhere(&mut solver, &set, claim, trumps);
                assert!(holds.expect("an answer"), "{rule:?} {set:?} {claim:?}");
            }
        }
        // A claim for no trick is not asked here, and there is no database.
        assert!(met[1..4].iter().all(|&count| count > 50), "{met:?}");
    }

    #[test]
    fn results_are_accepted_and_others_refused() {
        for seed in 0..20 {
            small(seed, 24, |derived, rules, bytes| {
                check::check(bytes, rules, &derived.results, None).expect("accepted");
                for (set, claim) in &derived.results {
                    let more = if claim.reached { 1 } else { -1 };
                    let need = claim.need + more;
                    let other = Claim { need, ..*claim };
                    assert!(check::check(bytes, rules, &[(*set, other)], None).is_err());
                }
            });
        }
    }

    /// Lemmas prove nothing for a deal of the same lengths in which they are false.
    #[test]
    fn other_deals_are_refused() {
        let mut solver = Solver::new(Options::default());
        let mut refused = 0;
        for seed in 0..20 {
            small(seed, 24, |derived, rules, bytes| {
                for &(set, claim) in &derived.results {
                    for suit in 0..4 {
                        // Two cards are exchanged.
                        let mut other = set;
                        let last = 2 * set.known[suit].saturating_sub(1);
                        let swapped = set.owners[suit] ^ set.owners[suit] >> last;
                        other.owners[suit] ^= (swapped & 3) | (swapped & 3) << last;
                        if set.known[suit] > 1
                            && !holds_somewhere(&mut solver, &other, claim, rules.trumps)
                                .expect("an answer")
                        {
                            assert!(check::check(bytes, rules, &[(other, claim)], None).is_err());
                            refused += 1;
                        }
                    }
                }
            });
        }
        assert!(refused > 100, "{refused}");
    }

    /// A changed certificate may still prove the results, but never others.
    #[test]
    fn changed_certificates_prove_nothing_else() {
        let mut refused = 0;
        small(1, 16, |derived, rules, bytes| {
            let false_results: Vec<(Set, Claim)> = derived
                .results
                .iter()
                .map(|&(set, claim)| {
                    let need = if claim.reached {
                        claim.need + 1
                    } else {
                        claim.need - 1
                    };
                    (set, Claim { need, ..claim })
                })
                .collect();
            for bit in 0..8 * bytes.len() {
                let mut changed = bytes.to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                refused +=
                    usize::from(check::check(&changed, rules, &derived.results, None).is_err());
                for result in &false_results {
                    assert!(check::check(&changed, rules, &[*result], None).is_err());
                }
            }
            for length in 0..bytes.len() {
                assert!(check::check(&bytes[..length], rules, &derived.results, None).is_err());
            }
        });
        assert!(refused > 0);
    }
}
