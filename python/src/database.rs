//! Endgame databases.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use numpy::ndarray::Array1;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use setrograde::causes;
use setrograde_builder::{Stop, Unpack};
use setrograde_cards::{Position, Seat, Strain, Suit};
use setrograde_lookup::in_use::{InUse, Origin, cached, installed, is_mapped, library};
use setrograde_lookup::{Ending, ProbeError};

use crate::input::{self, parse, value_error};
use crate::parallel::{interruptible, listen, reporting, side_by_side, watched};

/// A database, open for questions. Threads may share it.
#[pyclass(frozen, module = "setrograde._native")]
pub struct Database {
    pub database: Arc<setrograde_lookup::Database>,
}

/// The database in use unless another is named, if there is one, and the reason if the expected one
/// is not used.
///
/// The levels in a wheel are compressed: they are unpacked into the user's cache directory, once,
/// where what the user has is not larger. `progress` is called meanwhile with the shards done and
/// all of them.
#[pyfunction]
pub fn in_use(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Option<Database>, Option<String>)> {
    // A level without a map is unpacked into memory, which takes a while.
    let open = |files: Vec<PathBuf>| {
        let found = interruptible(py, move || {
            setrograde_lookup::Database::in_use_beside(None, &files)
        })?;
        found.map_err(|error| PyOSError::new_err(causes(&error)))
    };
    let mut found = open(Vec::new())?;
    let library = library();
    let is_small = |found: &InUse| {
        found.origin == Origin::Inside
            || found.origin == Origin::Home && found.database.max_tricks() < 4
    };
    if let (Some(small), Some(library)) = (&mut found, library)
        && is_small(small)
        && let Some(levels) = installed(&library)
    {
        match unpack(py, &levels, progress)? {
            Ok(()) => found = open(vec![library])?,
            Err(problem) => {
                small.problem.get_or_insert(problem);
            }
        }
    }
    Ok(match found {
        Some(found) => {
            let database = found.database;
            (Some(Database { database }), found.problem)
        }
        None => (None, None),
    })
}

/// Sees to it that the levels in a directory are mapped: in its copy in the user's cache, unless
/// they are so where they lie. Of several processes one does it. Returns why it cannot be done.
fn unpack(
    py: Python<'_>,
    levels: &Path,
    progress: Option<Py<PyAny>>,
) -> PyResult<Result<(), String>> {
    if is_mapped(levels) {
        return Ok(Ok(()));
    }
    let Some(directory) = cached(levels) else {
        return Ok(Err(
            "16 cards are not used: no cache directory is known".to_owned()
        ));
    };
    if directory.join("manifest").exists() {
        return Ok(Ok(()));
    }
    let (done, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = Stop::from(Arc::clone(&cancel));
    let progress_report = |py: Python<'_>| match (&progress, all.load(Ordering::Relaxed)) {
        (Some(progress), all) if all > 0 => {
            let done = done.load(Ordering::Relaxed);
            progress.call1(py, (done, all)).map(drop)
        }
        _ => Ok(()),
    };
    let outcome = reporting(py, &cancel, progress_report, || {
        unpack_into(&directory, levels, &stop, |shards, of| {
            done.store(shards, Ordering::Relaxed);
            all.store(of, Ordering::Relaxed);
        })
    })?;
    Ok(outcome.map_err(|problem| {
        let directory = directory.display();
        format!(
            "16 cards are not used: {directory}: {problem}; the built-in 12 cards are used instead"
        )
    }))
}

/// Copies the levels beside `directory`, unpacks them there, and renames the whole.
fn unpack_into(
    directory: &Path,
    levels: &Path,
    stop: &Stop,
    progress: impl Fn(usize, usize),
) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let parent = directory.parent().ok_or("it has no parent")?;
    fs::create_dir_all(parent).map_err(said)?;
    let lock = fs::File::create(directory.with_extension("lock")).map_err(said)?;
    while let Err(error) = lock.try_lock() {
        match error {
            fs::TryLockError::WouldBlock if !stop.is_due() => {
                thread::sleep(Duration::from_millis(20));
            }
            fs::TryLockError::WouldBlock => return Err("interrupted".to_owned()),
            fs::TryLockError::Error(error) => return Err(said(error)),
        }
    }
    if directory.join("manifest").exists() {
        return Ok(());
    }
    // No other process has it: the file is a leftover of a killed process.
    let work = directory.with_extension("unfinished");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(said)?;
    }
    let unpacked = || {
        fs::create_dir(&work).map_err(said)?;
        let entries = fs::read_dir(levels).map_err(said)?;
        for entry in entries {
            let name = entry.map_err(said)?.file_name();
            let kind = Path::new(&name).extension();
            if name == "manifest" || kind.is_some_and(|kind| kind == "sdb") {
                fs::copy(levels.join(&name), work.join(&name)).map_err(said)?;
                sync(&work.join(&name)).map_err(said)?;
            }
        }
        let unpack = Unpack {
            directory: work.clone(),
            threads: None,
            force: false,
        };
        let levels = unpack
            .run(
                |cards, shards, of| {
                    if cards == 16 {
                        progress(shards, of)
                    }
                },
                stop,
            )
            .map_err(|error| causes(&error))?;
        // The compressed levels are in the package.
        for level in levels {
            let _ = fs::remove_file(level.path.with_extension("sdb"));
        }
        // What has the name is whole after a power cut, too.
        sync(&work).map_err(said)?;
        fs::rename(&work, directory).map_err(said)?;
        sync(parent).map_err(said)
    };
    let end = unpacked();
    if end.is_err() {
        let _ = fs::remove_dir_all(&work);
    }
    end
}

/// Makes a file durable, or which files a directory has where the system can do that.
fn sync(path: &Path) -> std::io::Result<()> {
    match fs::File::open(path) {
        Ok(file) if cfg!(unix) => file.sync_all(),
        _ => Ok(()),
    }
}

/// The directory in which a database is built unless another is named.
#[pyfunction]
pub fn usual_directory() -> PyResult<PathBuf> {
    setrograde_lookup::in_use::directory(None)
        .map_err(|error| PyOSError::new_err(error.to_string()))
}

fn ending(name: &str, text: &str) -> PyResult<Ending> {
    let position: Position = parse(name, text)?;
    Ending::from_position(&position).map_err(|error| value_error(format_args!("{name}: {error}")))
}

#[pymethods]
impl Database {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Database> {
        // A level that is compressed is unpacked into memory, which takes a while.
        let directory = path.clone();
        let database = interruptible(py, move || setrograde_lookup::Database::open(directory))?;
        let database = database.map_err(|error| input::os_error(&error, &path))?;
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
            .map_err(|error| PyValueError::new_err(causes(&error)))
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
                        listen(py, n)?;
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
                    listen(py, n)?;
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
            .map_err(|error| PyValueError::new_err(causes(&error)))?;
        let owners = Suit::ALL.map(|suit| {
            let known = 0..answer.set.known(suit.index());
            known
                .map(|rank| {
                    let mask = answer.set.mask(suit.index(), rank);
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
            let values = values.map_err(|error| PyOSError::new_err(causes(&error)))?;
            let held = |(at, value): (usize, Option<u8>)| {
                value.ok_or_else(|| {
                    let error = database.not_held(&pieces[n][at]);
                    let index = n * PIECE + at;
                    value_error(format_args!("endings[{index}]: {}", causes(&error)))
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
