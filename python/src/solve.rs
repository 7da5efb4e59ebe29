//! Tables, best cards, lines of play, and par.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray3};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde::{causes, matter};
use setrograde_cards::{Deal, Position, Seat, Strain, Suit, Vulnerability};
use setrograde_parallel::lock;
use setrograde_solver::{
    Endgames, Options, Par, Solution, SolveError, Solver, Target, TrickTable, Wanted,
};

use crate::database::Database;
use crate::input::{self, cards, parse, position, value_error};
use crate::parallel::{Means, answers, each_answer, listen, watched};

/// Tricks by deal, strain (S H D C NT) and declarer (N E S W); -1 in strains
/// that are not asked for. `each` is called with the number of a deal and its
/// tricks as soon as all before it are known.
#[pyfunction]
#[pyo3(signature = (deals, strains, means, each))]
pub fn tables<'py>(
    py: Python<'py>,
    deals: &Bound<'py, PyAny>,
    strains: Option<Vec<String>>,
    means: Means,
    each: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray3<i8>>> {
    let deals = input::deals(deals)?;
    check_hands(&deals)?;
    let strains = match strains {
        None => Strain::ALL.to_vec(),
        Some(names) => names
            .iter()
            .map(|name| parse("strains", name))
            .collect::<PyResult<_>>()?,
    };
    let answer = |solver: &mut Solver, n: usize| {
        let mut rows = [[-1; 4]; 5];
        for &strain in &strains {
            let tricks = solver.declarer_tricks(&deals[n], strain)?;
            rows[strain.dds_index()] = tricks.map(|tricks| tricks as i8);
        }
        Ok(rows)
    };
    let take = each.as_ref().map(|each| {
        |py: Python<'_>, number: usize, rows: [[i8; 4]; 5]| {
            let rows = Array2::from(rows.to_vec()).into_pyarray(py);
            each.call1(py, (number, rows)).map(drop)
        }
    });
    let rows = each_answer(py, "deals", deals.len(), &means, answer, take)?;
    let flat = rows.as_flattened().as_flattened().to_vec();
    let array = Array3::from_shape_vec((deals.len(), 5, 4), flat).map_err(value_error)?;
    Ok(array.into_pyarray(py))
}

fn check_hands(deals: &[Deal]) -> PyResult<()> {
    let unequal = |deal: &Deal| deal.cards_per_hand().is_none_or(|cards| cards == 0);
    match deals.iter().position(unequal) {
        None => Ok(()),
        Some(n) => Err(value_error(format_args!(
            "deals[{n}]: all hands must have the same number of cards, and at least one"
        ))),
    }
}

/// The cards that reach the target, or the best or all cards: each with the
/// tricks of the side to play, and lower cards that do as well.
#[pyfunction]
pub fn solve(
    py: Python<'_>,
    strain: &str,
    leader: &str,
    deal: &str,
    played: Vec<String>,
    target: Option<u8>,
    wanted: &str,
    db: Option<Py<Database>>,
) -> PyResult<Vec<EqualCards>> {
    let position = position(strain, leader, deal, &played)?;
    let (target, wanted) = asked(target, wanted)?;
    let mut solutions = solve_with(py, db, |solver| solver.solve(&position, target, wanted))?;
    Ok(solutions.pop().map_or(Vec::new(), found))
}

/// A question to a solver.
fn asked(target: Option<u8>, wanted: &str) -> PyResult<(Target, Wanted)> {
    let wanted = match wanted {
        "one" => Wanted::One,
        "best" => Wanted::AllBest,
        "all" => Wanted::All,
        _ => {
            return Err(value_error(format_args!(
                "wanted: {wanted:?} is none of 'one', 'best', 'all'"
            )));
        }
    };
    Ok((target.map_or(Target::Most, Target::AtLeast), wanted))
}

/// A card, its tricks, and lower cards that do as well.
type EqualCards = (String, u8, Vec<String>);

fn found(solution: Solution) -> Vec<EqualCards> {
    let cards = solution.cards.into_iter().map(|found| {
        let equals = found.equal_cards().map(|card| card.to_string());
        (found.card.to_string(), found.tricks, equals.collect())
    });
    cards.collect()
}

/// A solver that keeps its results from question to question. Threads that share it take turns.
#[pyclass(frozen, module = "setrograde._native")]
pub struct KeptSolver {
    solver: Mutex<Solver>,
    cancel: Arc<AtomicBool>,
}

#[pymethods]
impl KeptSolver {
    #[new]
    fn new(db: Option<&Bound<'_, Database>>) -> KeptSolver {
        let cancel = Arc::new(AtomicBool::new(false));
        let solver = Solver::new(Options {
            endgames: db.map(|db| Arc::clone(&db.get().database) as Arc<dyn Endgames>),
            stop: Arc::clone(&cancel).into(),
            ..Options::default()
        });
        KeptSolver {
            solver: Mutex::new(solver),
            cancel,
        }
    }

    /// `solve` for a position as text.
    fn solve(
        &self,
        py: Python<'_>,
        position: &str,
        target: Option<u8>,
        wanted: &str,
    ) -> PyResult<Vec<EqualCards>> {
        let position: Position = parse("position", position)?;
        let (target, wanted) = asked(target, wanted)?;
        let solution = watched(py, &self.cancel, || {
            let mut solver = lock(&self.solver);
            self.cancel.store(false, Ordering::Relaxed);
            solver.solve(&position, target, wanted)
        })?
        .map_err(|error| PyRuntimeError::new_err(causes(&error)))?;
        Ok(found(solution))
    }
}

fn solve_with<T: Clone + Send>(
    py: Python<'_>,
    db: Option<Py<Database>>,
    question: impl Fn(&mut Solver) -> Result<T, SolveError> + Sync,
) -> PyResult<Vec<T>> {
    let means = Means(Some(1), db, None);
    answers(py, "", 1, &means, |solver, _| question(solver))
}

/// The tricks of the leader's side in each of the positions, given as text.
#[pyfunction]
pub fn solve_many<'py>(
    py: Python<'py>,
    positions: Vec<String>,
    means: Means,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let positions = read_positions(py, &positions)?;
    let tricks = answers(py, "positions", positions.len(), &means, |solver, n| {
        solver.tricks(&positions[n]).map(|tricks| tricks as i8)
    })?;
    Ok(Array1::from_vec(tricks).into_pyarray(py))
}

/// The tricks, the cards of each suit that mattered, and the share of deals with the same proof.
type Mattered = (i8, [u8; 4], f64);

fn mattered(solver: &mut Solver, position: &Position) -> Result<Mattered, SolveError> {
    let tricks = solver.tricks(position)?;
    let cards = matter(solver, position)?;
    let top = Suit::ALL.map(|suit| cards.suit(suit).len());
    let deal = position.deal();
    let share = deal.count_with_top(top) as f64 / deal.count() as f64;
    Ok((tricks as i8, top.map(|count| count as u8), share))
}

/// The tricks of the leader's side in each position, the cards of each suit (S H D C) that
/// mattered, and the share of deals with the same proof.
#[pyfunction]
pub fn matter_many<'py>(
    py: Python<'py>,
    positions: Vec<String>,
    means: Means,
) -> PyResult<MatteredArrays<'py>> {
    let positions = read_positions(py, &positions)?;
    let midst = positions.iter().position(|of| !of.is_trick_boundary());
    if let Some(n) = midst {
        return Err(value_error(format_args!(
            "positions[{n}]: expected the start of a trick"
        )));
    }
    let found = answers(py, "positions", positions.len(), &means, |solver, n| {
        mattered(solver, &positions[n])
    })?;
    Ok(arrays(py, &found))
}

/// The same for deals with each strain (S H D C NT) and declarer (N E S W), whose tricks are
/// counted: 20 results for each deal.
#[pyfunction]
pub fn matter_tables<'py>(
    py: Python<'py>,
    deals: &Bound<'py, PyAny>,
    means: Means,
) -> PyResult<MatteredArrays<'py>> {
    let deals = input::deals(deals)?;
    check_hands(&deals)?;
    let found = answers(py, "deals", deals.len(), &means, |solver, n| {
        let deal = &deals[n];
        let mut all = [(0, [0; 4], 0.0); 20];
        for strain in Strain::ALL {
            for declarer in Seat::ALL {
                let start = Position::new(strain, declarer.next(), *deal, &[])
                    .expect("the hands are equally long");
                let (defenders, cards, share) = mattered(solver, &start)?;
                let tricks = start.tricks_left() as i8 - defenders;
                all[4 * strain.dds_index() + declarer.index()] = (tricks, cards, share);
            }
        }
        Ok(all)
    })?;
    Ok(arrays(py, found.as_flattened()))
}

type MatteredArrays<'py> = (
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<f64>>,
);

/// Tricks, cards and shares as flat arrays.
fn arrays<'py>(py: Python<'py>, found: &[Mattered]) -> MatteredArrays<'py> {
    let tricks: Vec<i8> = found.iter().map(|of| of.0).collect();
    let cards: Vec<u8> = found.iter().flat_map(|of| of.1).collect();
    let shares: Vec<f64> = found.iter().map(|of| of.2).collect();
    (
        Array1::from_vec(tricks).into_pyarray(py),
        Array1::from_vec(cards).into_pyarray(py),
        Array1::from_vec(shares).into_pyarray(py),
    )
}

fn read_positions(py: Python<'_>, texts: &[String]) -> PyResult<Vec<Position>> {
    let read = |(n, text): (usize, &String)| {
        listen(py, n)?;
        parse(&format!("positions[{n}]"), text)
    };
    texts.iter().enumerate().map(read).collect()
}

/// The tricks of the side to play after each card, by position, suit (S H D C) and rank
/// (2 to A); -1 for cards that cannot be played.
#[pyfunction]
pub fn solve_cards<'py>(
    py: Python<'py>,
    positions: Vec<String>,
    means: Means,
) -> PyResult<Bound<'py, PyArray3<i8>>> {
    let positions = read_positions(py, &positions)?;
    let found = answers(py, "positions", positions.len(), &means, |solver, n| {
        let mut tricks = [[-1; 13]; 4];
        for found in solver
            .solve(&positions[n], Target::Most, Wanted::All)?
            .cards
        {
            let row = &mut tricks[found.card.suit.index()];
            for rank in found.equals.iter().chain([found.card.rank]) {
                row[rank.index()] = found.tricks as i8;
            }
        }
        Ok(tricks)
    })?;
    let flat = found.as_flattened().as_flattened().to_vec();
    let array = Array3::from_shape_vec((positions.len(), 4, 13), flat).map_err(value_error)?;
    Ok(array.into_pyarray(py))
}

/// A play: strain, leader, deal and cards.
type Play = (String, String, String, Vec<String>);

/// The tricks of the declarer's side at the start and after each card of each play;
/// -1 after its end.
#[pyfunction]
pub fn analyse_many<'py>(
    py: Python<'py>,
    plays: Vec<Play>,
    means: Means,
) -> PyResult<Bound<'py, PyArray2<i8>>> {
    let read = |(n, (strain, leader, deal, play)): (usize, &Play)| {
        listen(py, n)?;
        let named = |error: PyErr| match plays.len() {
            1 => error,
            _ => value_error(format_args!("plays[{n}]: {}", error.value(py))),
        };
        let start = position(strain, leader, deal, &[]).map_err(named)?;
        let play = cards("play", play).map_err(named)?;
        let mut now = start;
        for (at, &card) in play.iter().enumerate() {
            let wrong = |error| named(value_error(format_args!("play[{at}]: {error}")));
            now = now.play(card).map_err(wrong)?;
        }
        Ok((start, play))
    };
    let plays: Vec<_> = plays
        .iter()
        .enumerate()
        .map(read)
        .collect::<PyResult<_>>()?;
    let found = answers(py, "plays", plays.len(), &means, |solver, n| {
        let (start, play) = &plays[n];
        let analysis = solver.analyse(start, play)?;
        let mut row = [-1; 53];
        let tricks = analysis.tricks(start.leader().plus(3));
        for (entry, tricks) in row.iter_mut().zip(tricks) {
            *entry = tricks as i8;
        }
        Ok(row)
    })?;
    let flat = found.as_flattened().to_vec();
    let array = Array2::from_shape_vec((plays.len(), 53), flat).map_err(value_error)?;
    Ok(array.into_pyarray(py))
}

/// The par scores of North and South for many tables.
#[pyfunction]
pub fn par_scores<'py>(
    py: Python<'py>,
    tables: PyReadonlyArray3<'py, i8>,
    vulnerable: Vec<String>,
    dealers: Vec<String>,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let tables = tables.as_array();
    let mut scores = Vec::new();
    for (n, rows) in tables.outer_iter().enumerate() {
        listen(py, n)?;
        let row = |strain: Strain| [0, 1, 2, 3].map(|seat| rows[[strain.dds_index(), seat]] as u8);
        let table = Strain::ALL.map(row);
        if table.as_flattened().iter().any(|&tricks| tricks > 13) {
            return Err(value_error(format_args!(
                "tables[{n}]: expected 0 to 13 tricks everywhere"
            )));
        }
        let vulnerability = parse("vulnerable", &vulnerable[n])?;
        let dealer = parse("dealer", &dealers[n])?;
        scores.push(Par::new(&TrickTable::new(table), vulnerability, dealer).score);
    }
    Ok(Array1::from_vec(scores).into_pyarray(py))
}

/// The cards of one best play of both sides to the end.
#[pyfunction]
pub fn line(
    py: Python<'_>,
    strain: &str,
    leader: &str,
    deal: &str,
    played: Vec<String>,
    db: Option<Py<Database>>,
) -> PyResult<Vec<String>> {
    let start = position(strain, leader, deal, &played)?;
    let mut lines = solve_with(py, db, |solver| {
        let mut now = start;
        let mut cards = Vec::new();
        while now.tricks_left() > 0 {
            let solution = solver.solve(&now, Target::Most, Wanted::One)?;
            let best = solution.cards.first().map(|found| found.card);
            let Some(next) = best.and_then(|card| now.play(card).ok()) else {
                break;
            };
            cards.extend(best.map(|card| card.to_string()));
            now = next;
        }
        Ok(cards)
    })?;
    Ok(lines.pop().unwrap_or_default())
}

/// The par score of North and South, and the contracts that give it as level,
/// strain, declarers, whether doubled, and tricks over or under.
#[pyfunction]
pub fn par(
    tricks: [[u8; 4]; 5],
    vulnerable: &str,
    dealer: &str,
) -> PyResult<(i32, Vec<(u8, String, String, bool, i8)>)> {
    let vulnerability: Vulnerability = parse("vulnerable", vulnerable)?;
    let dealer: Seat = parse("dealer", dealer)?;
    if tricks.as_flattened().iter().any(|&tricks| tricks > 13) {
        return Err(value_error("table: more than 13 tricks"));
    }
    let table = TrickTable::new(Strain::ALL.map(|strain| tricks[strain.dds_index()]));
    let par = Par::new(&table, vulnerability, dealer);
    let contracts = par.contracts.iter().map(|contract| {
        let declarers = contract.declarers().map(Seat::letter).collect();
        let strain = contract.bid.strain().to_string();
        let doubled = contract.over < 0;
        (
            contract.bid.level(),
            strain,
            declarers,
            doubled,
            contract.over,
        )
    });
    Ok((par.score, contracts.collect()))
}
