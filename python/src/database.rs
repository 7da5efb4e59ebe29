//! Endgame databases.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use numpy::ndarray::Array1;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use setrograde_builder::Unpack;
use setrograde_cards::{Position, Seat, Strain, Suit};
use setrograde_endings::{InUse, Origin};
use setrograde_lookup::{Ending, Note, ProbeError};

use crate::input::{self, parse, value_error};
use crate::parallel::{side_by_side, text, watched};

/// A database, open for questions. Threads may share it.
#[pyclass(frozen, module = "setrograde._native")]
pub struct Database {
    pub database: Arc<setrograde_lookup::Database>,
}

/// The database in use unless another is named, if any is, and why one that should have
/// been is not. The levels in a wheel are compressed, and unpacked there at the first use.
#[pyfunction]
pub fn in_use(py: Python<'_>) -> PyResult<(Option<Database>, Option<String>)> {
    let found = py.detach(|| {
        let found = dds::in_use()?;
        match found.as_ref().and_then(to_unpack) {
            // A place that cannot be written to: the database is in memory already.
            Some(unpack) if unpack.run(|_, _, _| {}, &AtomicBool::new(false)).is_err() => Ok(found),
            Some(_) => dds::in_use(),
            None => Ok(found),
        }
    });
    Ok(
        match found.map_err(|error| PyOSError::new_err(text(&error)))? {
            Some(found) => {
                let database = found.database;
                (Some(Database { database }), found.problem)
            }
            None => (None, None),
        },
    )
}

/// The levels of a wheel that had to be unpacked into memory.
fn to_unpack(found: &InUse) -> Option<Unpack> {
    let in_memory = |note: &Note| note.unpacked_because().is_some();
    let wanted = found.origin == Origin::Installed && found.database.notes().iter().any(in_memory);
    Some(Unpack {
        directory: wanted.then(|| found.database.directory())??.to_owned(),
        threads: None,
        force: false,
    })
}

/// The directory in which a database is built unless another is named.
#[pyfunction]
pub fn usual_directory() -> PyResult<PathBuf> {
    setrograde_endings::directory(None).map_err(|error| PyOSError::new_err(error.to_string()))
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

    /// The directory; `None` of the database inside.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.database.directory().map(Path::to_owned)
    }

    /// The numbers of cards in all hands together of the levels held.
    #[getter]
    fn cards(&self) -> Vec<usize> {
        self.database
            .levels()
            .map(|level| 4 * level.level())
            .collect()
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
        let values = values(py, &self.database, &endings, threads)?;
        Ok(Array1::from_vec(values).into_pyarray(py))
    }

    /// The value of an ending, the owners of the top cards that prove it (by
    /// suit, each a text of seats), and how many deals of the same lengths it
    /// holds for.
    fn prove(&self, py: Python<'_>, position: &str) -> PyResult<(u8, Vec<Vec<String>>, u128)> {
        let ending = ending("position", position)?;
        let proof = || {
            let located = self.database.locate(&ending)?;
            let located = located.ok_or_else(|| self.database.not_held(&ending))?;
            let answer = located.answer()?;
            let counts = located.distribution(&answer.set)?;
            Ok::<_, ProbeError>((answer, counts.iter().sum()))
        };
        let (answer, deals) = py
            .detach(proof)
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
        Ok((answer.value, owners.to_vec(), deals))
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

/// The endings that a thread looks up before it checks for Ctrl-C.
const PIECE: usize = 1 << 14;

fn values(
    py: Python<'_>,
    database: &setrograde_lookup::Database,
    endings: &[Ending],
    threads: Option<usize>,
) -> PyResult<Vec<u8>> {
    let pieces: Vec<&[Ending]> = endings.chunks(PIECE).collect();
    let cancel = AtomicBool::new(false);
    let values = watched(py, &cancel, || {
        let nothing = || ();
        side_by_side(pieces.len(), threads, &cancel, nothing, |(), n| {
            let values = database.values(pieces[n]);
            let values = values.map_err(|error| PyOSError::new_err(text(&error)))?;
            let held = |(at, value): (usize, Option<u8>)| {
                value.ok_or_else(|| {
                    let error = database.not_held(&pieces[n][at]);
                    let index = n * PIECE + at;
                    value_error(format_args!("endings[{index}]: {}", text(&error)))
                })
            };
            values
                .into_iter()
                .enumerate()
                .map(held)
                .collect::<PyResult<Vec<u8>>>()
        })
    })?;
    let values: Vec<Vec<u8>> = values.into_iter().collect::<PyResult<_>>()?;
    Ok(values.concat())
}
