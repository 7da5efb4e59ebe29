//! Endgame databases.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::ndarray::Array1;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use setrograde_cards::{Position, Seat, Strain, Suit};
use setrograde_lookup::{Ending, EndingSet};

use crate::input::{self, parse, value_error};
use crate::parallel::text;

/// A database, open for questions. Threads may share it.
#[pyclass(frozen, module = "setrograde._native")]
pub struct Database {
    pub database: Arc<setrograde_lookup::Database>,
}

fn ending(name: &str, text: &str) -> PyResult<Ending> {
    let position: Position = parse(name, text)?;
    Ending::from_position(&position).map_err(|error| value_error(format_args!("{name}: {error}")))
}

#[pymethods]
impl Database {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Database> {
        let database = py.detach(|| setrograde_lookup::Database::open(&path));
        let database = database.map_err(|error| PyOSError::new_err(text(&error)))?;
        Ok(Database {
            database: Arc::new(database),
        })
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.database.directory().to_owned()
    }

    /// The numbers of cards in all hands together of the levels held.
    #[getter]
    fn cards(&self) -> Vec<usize> {
        self.database
            .levels()
            .map(|level| 4 * level.level())
            .collect()
    }

    fn __repr__(&self) -> String {
        let path = self.database.directory().display();
        format!("Database({:?})", path.to_string())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (PathBuf,))> {
        let class = slf.get_type().into_any().unbind();
        Ok((class, (slf.get().path(),)))
    }

    /// Tricks for the leader's side, in any position of the play.
    fn value(&self, py: Python<'_>, position: &str) -> PyResult<u8> {
        let position: Position = parse("position", position)?;
        py.detach(|| self.database.position_value(&position))
            .map_err(|error| PyValueError::new_err(text(&error)))
    }

    /// Tricks for the leader's side of many endings: texts, or holdings as for
    /// `tables` with strains (0 to 4 for S H D C NT) and leaders (0 to 3).
    fn values<'py>(
        &self,
        py: Python<'py>,
        endings: &Bound<'py, PyAny>,
        strains: Option<PyReadonlyArray1<'py, u8>>,
        leaders: Option<PyReadonlyArray1<'py, u8>>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let endings = match (strains, leaders) {
            (Some(strains), Some(leaders)) => {
                let (strains, leaders) = (strains.as_array(), leaders.as_array());
                let deals = input::deals(endings)?;
                if strains.len() != deals.len() || leaders.len() != deals.len() {
                    return Err(value_error(format_args!(
                        "{} deals, {} strains and {} leaders",
                        deals.len(),
                        strains.len(),
                        leaders.len()
                    )));
                }
                let pairs = strains.iter().zip(leaders);
                deals
                    .iter()
                    .zip(pairs)
                    .enumerate()
                    .map(|(n, (deal, (&strain, &leader)))| {
                        if strain > 4 || leader > 3 {
                            return Err(value_error(format_args!(
                                "endings[{n}]: strain {strain} and leader {leader}: expected 0 \
                                 to 4 and 0 to 3"
                            )));
                        }
                        let strain = Strain::ALL[(usize::from(strain) + 1) % 5];
                        let leader = Seat::from_index(usize::from(leader));
                        ending_of(deal, strain, leader)
                            .map_err(|error| value_error(format_args!("endings[{n}]: {error}")))
                    })
                    .collect::<PyResult<Vec<_>>>()?
            }
            (None, None) => {
                let mut read = Vec::new();
                for (n, item) in endings.try_iter()?.enumerate() {
                    let text: String = item?.extract()?;
                    read.push(ending(&format!("endings[{n}]"), &text)?);
                }
                read
            }
            _ => return Err(value_error("strains and leaders belong together")),
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(cores).max(1);
        let values = py.detach(|| values(&self.database, &endings, threads));
        let values = values.map_err(PyValueError::new_err)?;
        Ok(Array1::from_vec(values).into_pyarray(py))
    }

    /// The value of an ending, the owners of the top cards that prove it (by
    /// suit, each a text of seats), and how many deals of the same lengths it
    /// holds for.
    fn prove(&self, py: Python<'_>, position: &str) -> PyResult<(u8, Vec<Vec<String>>, u128)> {
        let ending = ending("position", position)?;
        let answer = py
            .detach(|| self.database.probe(&ending))
            .map_err(|error| PyValueError::new_err(text(&error)))?;
        let owners = Suit::ALL.map(|suit| {
            let known = 0..answer.set.known(suit.index());
            known
                .map(|place| {
                    let mask = answer.set.mask(suit.index(), place);
                    let owners = Seat::ALL
                        .into_iter()
                        .filter(|seat| mask >> seat.index() & 1 == 1);
                    owners.map(Seat::letter).collect()
                })
                .collect()
        });
        Ok((
            answer.value,
            owners.to_vec(),
            deals_of(&ending, &answer.set),
        ))
    }
}

fn ending_of(
    deal: &setrograde_cards::Deal,
    strain: Strain,
    leader: Seat,
) -> Result<Ending, String> {
    let position = Position::new(strain, leader, *deal, &[]).map_err(|error| error.to_string())?;
    Ending::from_position(&position).map_err(|error| error.to_string())
}

fn values(
    database: &setrograde_lookup::Database,
    endings: &[Ending],
    threads: usize,
) -> Result<Vec<u8>, String> {
    let size = endings.len().div_ceil(threads).max(1);
    let parts = std::thread::scope(|scope| {
        let workers: Vec<_> = endings
            .chunks(size)
            .map(|part| scope.spawn(move || database.values(part)))
            .collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join();
        workers.into_iter().map(join).collect::<Vec<_>>()
    });
    let mut all = Vec::with_capacity(endings.len());
    for part in parts {
        match part {
            Ok(Ok(values)) => all.extend(values),
            Ok(Err(error)) => {
                let index = all.len() + error.index;
                return Err(format!("endings[{index}]: {}", text(&error.source)));
            }
            Err(_) => return Err("a look-up failed".to_owned()),
        }
    }
    Ok(all)
}

/// How many deals with the lengths of `ending` are in `set`.
fn deals_of(ending: &Ending, set: &EndingSet) -> u128 {
    let ways = |suit: Suit| {
        let lengths = Seat::ALL.map(|seat| ending.lengths(suit).length(seat.index()));
        ways(lengths, |place| set.mask(suit.index(), place))
    };
    Suit::ALL.map(ways).into_iter().product()
}

/// How many ways there are to give the cards of a suit, from the top, to hands
/// of these lengths, each to a hand of its mask.
fn ways(lengths: [u8; 4], mask: impl Fn(usize) -> u8) -> u128 {
    let places = lengths.iter().map(|&length| usize::from(length)).sum();
    let mut counts = std::collections::BTreeMap::from([(lengths, 1_u128)]);
    for place in 0..places {
        let mut next = std::collections::BTreeMap::new();
        for (left, count) in counts {
            for hand in 0..4 {
                if mask(place) >> hand & 1 == 1 && left[hand] > 0 {
                    let mut left = left;
                    left[hand] -= 1;
                    *next.entry(left).or_insert(0) += count;
                }
            }
        }
        counts = next;
    }
    counts.values().sum()
}
