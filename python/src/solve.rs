//! Tables, best cards, lines of play, and par.

use std::sync::Arc;

use numpy::ndarray::{Array1, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray3};
use pyo3::prelude::*;
use setrograde_cards::{Position, Seat, Strain, Vulnerability};
use setrograde_solver::{Endgames, Par, Solver, Target, TrickTable, Wanted};

use crate::database::Database;
use crate::input::{self, cards, parse, position, strain_place, value_error};
use crate::parallel::{Means, answers};

fn means(threads: Option<usize>, db: Option<&Bound<'_, Database>>) -> Means {
    Means {
        threads,
        endgames: db.map(|db| Arc::clone(&db.get().database) as Arc<dyn Endgames>),
        progress: None,
    }
}

/// Tricks by deal, strain (S H D C NT) and declarer (N E S W); -1 in strains
/// that are not asked for.
#[pyfunction]
#[pyo3(signature = (deals, strains, threads, db, progress))]
pub fn tables<'py>(
    py: Python<'py>,
    deals: &Bound<'py, PyAny>,
    strains: Option<Vec<String>>,
    threads: Option<usize>,
    db: Option<&Bound<'py, Database>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray3<i8>>> {
    let deals = input::deals(deals)?;
    for (n, deal) in deals.iter().enumerate() {
        if deal.cards_per_hand().is_none_or(|cards| cards == 0) {
            return Err(value_error(format_args!(
                "deals[{n}]: all hands must have the same number of cards, and at least one"
            )));
        }
    }
    let strains = match strains {
        None => Strain::ALL.to_vec(),
        Some(names) => names
            .iter()
            .map(|name| parse("strains", name))
            .collect::<PyResult<_>>()?,
    };
    let means = Means {
        progress,
        ..means(threads, db)
    };
    let rows = answers(py, deals.len(), &means, |solver, n| {
        let mut rows = [[-1; 4]; 5];
        for &strain in &strains {
            let tricks = solver.declarer_tricks(&deals[n], strain)?;
            rows[strain_place(strain)] = tricks.map(|tricks| tricks as i8);
        }
        Ok(rows)
    })?;
    let flat = rows.as_flattened().as_flattened().to_vec();
    let array = Array3::from_shape_vec((deals.len(), 5, 4), flat).map_err(value_error)?;
    Ok(array.into_pyarray(py))
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
    db: Option<&Bound<'_, Database>>,
) -> PyResult<Vec<(String, u8, Vec<String>)>> {
    let position = position(strain, leader, deal, &played)?;
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
    let target = target.map_or(Target::Most, Target::AtLeast);
    let mut solutions = solve_with(py, db, |solver| solver.solve(&position, target, wanted))?;
    let cards = solutions.pop().map_or(Vec::new(), |found| found.cards);
    Ok(cards
        .into_iter()
        .map(|found| {
            let suit = found.card.suit;
            let equals = found.equals.iter();
            let equals = equals.map(|rank| format!("{suit}{rank}")).collect();
            (found.card.to_string(), found.tricks, equals)
        })
        .collect())
}

fn solve_with<T: Send>(
    py: Python<'_>,
    db: Option<&Bound<'_, Database>>,
    question: impl Fn(&mut Solver) -> Result<T, setrograde_solver::SolveError> + Sync,
) -> PyResult<Vec<T>> {
    answers(py, 1, &means(Some(1), db), |solver, _| question(solver))
}

/// The tricks of the leader's side in each of the positions, given as text.
#[pyfunction]
pub fn solve_many<'py>(
    py: Python<'py>,
    positions: Vec<String>,
    threads: Option<usize>,
    db: Option<&Bound<'py, Database>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let read = |(n, text): (usize, &String)| parse(&format!("positions[{n}]"), text);
    let positions: Vec<Position> = positions
        .iter()
        .enumerate()
        .map(read)
        .collect::<PyResult<_>>()?;
    let means = Means {
        progress,
        ..means(threads, db)
    };
    let tricks = answers(py, positions.len(), &means, |solver, n| {
        solver.tricks(&positions[n]).map(|tricks| tricks as i8)
    })?;
    Ok(Array1::from_vec(tricks).into_pyarray(py))
}

/// The tricks of the declarer's side at the start and after each card.
#[pyfunction]
pub fn analyse<'py>(
    py: Python<'py>,
    strain: &str,
    leader: &str,
    deal: &str,
    play: Vec<String>,
    db: Option<&Bound<'py, Database>>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let start = position(strain, leader, deal, &[])?;
    let play = cards("play", &play)?;
    let mut now = start;
    for (n, &card) in play.iter().enumerate() {
        now = now
            .play(card)
            .map_err(|error| value_error(format_args!("play[{n}]: {error}")))?;
    }
    let declarer = start.leader().plus(3);
    let found = solve_with(py, db, |solver| solver.analyse(&start, &play))?;
    let tricks = found
        .iter()
        .flat_map(|analysis| analysis.tricks(declarer))
        .map(|tricks| tricks as i8)
        .collect::<Vec<i8>>();
    Ok(Array1::from_vec(tricks).into_pyarray(py))
}

/// The cards of one best play of both sides to the end.
#[pyfunction]
pub fn line(
    py: Python<'_>,
    strain: &str,
    leader: &str,
    deal: &str,
    played: Vec<String>,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<Vec<String>> {
    let start = position(strain, leader, deal, &played)?;
    let mut lines = solve_with(py, db, |solver| {
        let mut now = start;
        let mut cards = Vec::new();
        while !now.is_finished() {
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
    vulnerability: &str,
    dealer: &str,
) -> PyResult<(i32, Vec<(u8, String, String, bool, i8)>)> {
    let vulnerability: Vulnerability = parse("vulnerability", vulnerability)?;
    let dealer: Seat = parse("dealer", dealer)?;
    if tricks.as_flattened().iter().any(|&tricks| tricks > 13) {
        return Err(value_error("table: more than 13 tricks"));
    }
    let table = TrickTable::new(Strain::ALL.map(|strain| tricks[strain_place(strain)]));
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
