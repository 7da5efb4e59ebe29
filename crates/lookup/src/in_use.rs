//! The database that programs use by default: all endings of 12 cards, compiled into the program,
//! or a larger one that the user has.
//!
//! [`Database::builtin`] is the one inside, 0.55 MB of mapped levels that are used in place, without
//! opening, unpacking or checking a file. [`Database::in_use`] is a larger one, if there is one.
//!
//! ```
//! use setrograde_lookup::{Database, Ending};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let database = Database::builtin();
//! let ending = Ending::from_position(&"NT S N:AQ... 76... 54... K3...".parse()?)?;
//! let located = database.locate(&ending)?.ok_or("it has eight cards")?;
//! assert_eq!(located.value()?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! `crates/lookup/builtin.sh` of the project makes the bytes, and a test builds them again.

mod library;

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

pub use self::library::{library, own_files};
use xxhash_rust::xxh3::xxh3_64;

use crate::format::manifest::{self, LevelRecord, Manifest};
use crate::{Database, Error, Level};

/// The mapped levels of 4, 8 and 12 cards.
pub const LEVELS: [&[u8]; 3] = [
    include_bytes!("../data/level-04.map"),
    include_bytes!("../data/level-08.map"),
    include_bytes!("../data/level-12.map"),
];

/// The variable that names the directory of a database.
pub const VARIABLE: &str = "SETROGRADE_DB";

/// The name that means no database.
pub const NONE: &str = "none";

/// The origin of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The user named its directory.
    Named,
    /// The variable [`VARIABLE`] names its directory.
    Variable,
    /// It is in the user's data directory, [`home`].
    Home,
    /// It was installed with the program or the library: [`beside`].
    Installed,
    /// It is inside the program.
    Inside,
}

/// A database, and where it comes from.
#[derive(Debug)]
pub struct InUse {
    /// The database.
    pub database: Arc<Database>,
    /// Its origin.
    pub origin: Origin,
    /// The reason that a database is not used although it should be, in a line to be
    /// shown once.
    pub problem: Option<String>,
    /// The databases that exist but are not used, because this one is deeper or they cannot be
    /// opened.
    pub passed_over: Vec<PassedOver>,
}

/// A database that exists but is not used.
#[derive(Debug)]
pub struct PassedOver {
    /// Its directory.
    pub directory: PathBuf,
    /// Its origin.
    pub origin: Origin,
    /// The reason.
    pub reason: String,
    /// The error, if it cannot be opened.
    pub error: Option<Error>,
}

impl Database {
    /// Returns the database inside the program: all endings of up to 12 cards.
    pub fn builtin() -> Arc<Database> {
        static BUILTIN: OnceLock<Arc<Database>> = OnceLock::new();
        let database = BUILTIN.get_or_init(|| {
            let database = Database::from_bytes(LEVELS);
            Arc::new(database.expect("a test opens these bytes"))
        });
        Arc::clone(database)
    }

    /// Opens the database to use: the one in the directory that the user has `named`, or else in
    /// that of [`VARIABLE`], or else the deepest of those in [`home`], [`beside`] the running
    /// program and [inside](Self::builtin) it. Of equally deep ones, the first with all its levels
    /// mapped is used. `None` if the user or the variable says [`NONE`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::ffi::OsStr;
    ///
    /// use setrograde_lookup::Database;
    ///
    /// assert!(Database::in_use(Some(OsStr::new("none")))?.is_none());
    /// let found = Database::in_use(None)?.ok_or("SETROGRADE_DB is none")?;
    /// assert!(found.database.max_tricks() >= 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the `named` database cannot be opened. If that of the variable, the user's own or the
    /// installed one cannot, the next one is used, and [`InUse::problem`] has the reason.
    pub fn in_use(named: Option<&OsStr>) -> Result<Option<InUse>, Error> {
        let program = std::env::current_exe().ok();
        Database::in_use_beside(named, program.as_slice())
    }

    /// Opens the database to use like [`in_use`](Self::in_use), except that the installed one is
    /// [`beside`] the first of these `files` that has one: a library may be far from the program.
    ///
    /// # Errors
    ///
    /// As [`in_use`](Self::in_use).
    pub fn in_use_beside(named: Option<&OsStr>, files: &[PathBuf]) -> Result<Option<InUse>, Error> {
        let variable = variable();
        if named.or(variable.as_deref()) == Some(OsStr::new(NONE)) {
            return Ok(None);
        }
        if let Some(name) = named {
            return Ok(Some(InUse {
                database: Arc::new(Database::open(name)?),
                origin: Origin::Named,
                problem: None,
                passed_over: Vec::new(),
            }));
        }
        if let Some(name) = variable {
            return Ok(Some(deepest([(PathBuf::from(name), Origin::Variable)])));
        }
        Ok(Some(deepest(of_user_or_installed(files))))
    }
}

/// Returns the directory of the database that [`Database::in_use_beside`] would
/// open, unless it is the
/// built-in one, which some programs omit; `None` if no directory has a database, or the variable
/// says [`NONE`].
pub fn directory_in_use(files: &[PathBuf]) -> Option<PathBuf> {
    if let Some(name) = variable() {
        return (name != NONE).then(|| name.into());
    }
    let found = of_user_or_installed(files);
    let found = found.filter_map(|(directory, origin)| Candidate::read(&directory, origin).ok());
    let deepest = found.min_by_key(Candidate::rank);
    deepest.map(|candidate| candidate.directory)
}

/// The directories with a database: the user's, and the one beside the first of these files that
/// has one.
fn of_user_or_installed(files: &[PathBuf]) -> impl Iterator<Item = (PathBuf, Origin)> {
    let of_user = home().filter(|directory| has_database(directory));
    let installed = files.iter().find_map(|file| beside(file));
    let found = [(of_user, Origin::Home), (installed, Origin::Installed)];
    let found = found.into_iter();
    found.filter_map(|(directory, origin)| Some((directory?, origin)))
}

/// A database in a directory, before it is opened.
struct Candidate {
    directory: PathBuf,
    origin: Origin,
    /// Cards per hand of its deepest level.
    level: usize,
    /// All its levels have maps, so opening it unpacks nothing.
    is_ready: bool,
}

impl Candidate {
    fn read(directory: &Path, origin: Origin) -> Result<Candidate, Error> {
        let manifest = Manifest::read(directory)?;
        Ok(Candidate {
            directory: directory.to_owned(),
            origin,
            level: manifest.levels.last().map_or(0, |last| last.level as usize),
            is_ready: has_all_maps(directory, &manifest),
        })
    }

    /// Returns why it is not used: `better` is, or it is not worth opening.
    fn reason_against(&self, better: Option<&Database>) -> Option<String> {
        let extent = format!("{} cards", 4 * self.level);
        // One that must be unpacked first has to be deeper than what needs no time.
        let inside = LEVELS.len();
        let is_worthwhile =
            self.level + usize::from(self.is_ready) > inside || self.origin == Origin::Variable;
        match better {
            Some(database) if self.level == database.max_tricks() => {
                Some(format!("another one has {extent}, too"))
            }
            Some(database) => Some(format!(
                "it has {extent}, and another one has {}",
                database.extent()
            )),
            None if is_worthwhile => None,
            None => Some(format!(
                "it has {extent}, and the built-in one has {} cards",
                4 * inside
            )),
        }
    }

    /// The minimum of the candidates is used first.
    fn rank(&self) -> Reverse<(usize, bool)> {
        Reverse((self.level, self.is_ready))
    }
}

/// Returns true if the directory has a database all of whose levels have maps, so opening it unpacks
/// nothing.
pub fn is_mapped(directory: &Path) -> bool {
    Manifest::read(directory).is_ok_and(|manifest| has_all_maps(directory, &manifest))
}

fn has_all_maps(directory: &Path, manifest: &Manifest) -> bool {
    let has_map = |record: &LevelRecord| {
        Level::open(directory, record.level as usize, record.checksum).is_ok()
    };
    manifest.levels.iter().all(has_map)
}

/// Opens the deepest of these databases and the one inside.
fn deepest(directories: impl IntoIterator<Item = (PathBuf, Origin)>) -> InUse {
    let (mut candidates, mut unusable) = (Vec::new(), Vec::new());
    for (directory, origin) in directories {
        match Candidate::read(&directory, origin) {
            Ok(candidate) => candidates.push(candidate),
            Err(error) => unusable.push(PassedOver::unusable(directory, origin, error)),
        }
    }
    candidates.sort_by_key(Candidate::rank);
    let mut opened: Option<(Database, Origin)> = None;
    let mut passed_over = Vec::new();
    for candidate in candidates {
        let better = opened.as_ref().map(|(database, _)| database);
        let reason = candidate.reason_against(better);
        let Candidate {
            directory, origin, ..
        } = candidate;
        if let Some(reason) = reason {
            passed_over.push(PassedOver {
                directory,
                origin,
                reason,
                error: None,
            });
            continue;
        }
        match Database::open(&directory) {
            Ok(database) => opened = Some((database, origin)),
            Err(error) => unusable.push(PassedOver::unusable(directory, origin, error)),
        }
    }
    let (database, origin) = match opened {
        Some((database, origin)) => (Arc::new(database), origin),
        None => (Database::builtin(), Origin::Inside),
    };
    let problem = unusable.first().map(|over| {
        let instead = match origin {
            Origin::Inside => "the built-in ",
            _ => "",
        };
        let (over, extent) = (over.problem(), database.extent());
        format!("{over}; {instead}{extent} are used instead")
    });
    passed_over.extend(unusable);
    InUse {
        database,
        origin,
        problem,
        passed_over,
    }
}

impl PassedOver {
    /// A database that cannot be opened.
    fn unusable(directory: PathBuf, origin: Origin, error: Error) -> PassedOver {
        PassedOver {
            directory,
            origin,
            reason: error.in_one_line(),
            error: Some(error),
        }
    }

    /// Returns the sentence that it is not used.
    fn problem(&self) -> String {
        let (name, reason) = (self.directory.display(), &self.reason);
        match self.origin {
            Origin::Variable => format!("{VARIABLE}={name} is not used: {reason}"),
            _ => format!("{name} is not used: {reason}"),
        }
    }
}

/// Returns true if a build has finished a level there. Before that there is nothing to use, which
/// is not an error.
fn has_database(directory: &Path) -> bool {
    let first = manifest::level_path(directory, 1);
    manifest::path_in(directory).exists() || first.exists()
}

/// The value of [`VARIABLE`], unless it is empty.
fn variable() -> Option<OsString> {
    std::env::var_os(VARIABLE).filter(|value| !value.is_empty())
}

/// Returns the directory of the user's own database: `setrograde` in the data directory of
/// the platform, which is `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// `~/Library/Application Support` on macOS, and `%LOCALAPPDATA%` on Windows.
pub fn home() -> Option<PathBuf> {
    let [data, cache] = base_directories()?;
    // The data directory of Windows is copied to a server when its user logs off.
    let base = if cfg!(windows) { cache } else { data };
    Some(base.join("setrograde"))
}

/// The user's directories for data and for caches.
#[cfg(not(target_family = "wasm"))]
fn base_directories() -> Option<[PathBuf; 2]> {
    use etcetera::BaseStrategy;
    let strategy = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some([strategy.data_dir(), strategy.cache_dir()])
}

#[cfg(target_family = "wasm")]
fn base_directories() -> Option<[PathBuf; 2]> {
    None
}

/// Returns the directory of the database installed beside a program or a library, as in a release:
/// [`installed`]; or of its copy in the user's cache, if there is one.
pub fn beside(file: &Path) -> Option<PathBuf> {
    let directory = installed(file)?;
    let copy = cached(&directory).filter(|copy| has_database(copy));
    Some(copy.unwrap_or(directory))
}

/// Returns the user's cache directory for a copy, with mapped levels, of the database in a
/// directory; `None` if there is no database or no cache. Databases with different manifests have
/// different directories.
pub fn cached(directory: &Path) -> Option<PathBuf> {
    let [_, cache] = base_directories()?;
    let manifest = std::fs::read(manifest::path_in(directory)).ok()?;
    let name = format!("unpacked-{:016x}", xxh3_64(&manifest));
    Some(cache.join("setrograde").join(name))
}

/// Returns the directory of the database that was installed with a program or a library:
/// `share/setrograde`, in the file's directory or in the one above. Links to the file are followed:
/// package managers start a program through one.
pub fn installed(file: &Path) -> Option<PathBuf> {
    let near = |file: &Path| {
        let parents = file.ancestors().skip(1).take(2);
        let mut directories = parents.map(|parent| parent.join("share").join("setrograde"));
        directories.find(|directory| has_database(directory))
    };
    // Windows writes a path without links as `\\?\C:\...`, which people need not read.
    let as_named = cfg!(windows).then(|| near(file)).flatten();
    as_named.or_else(|| near(&plain(file.canonicalize().ok()?)))
}

/// The path without Windows's prefix `\\?\`, if a drive follows it.
fn plain(path: PathBuf) -> PathBuf {
    let text = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    match text.filter(|text| text.as_bytes().get(1) == Some(&b':')) {
        Some(text) => PathBuf::from(text),
        None => path,
    }
}

/// The error that no directory is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no directory for a database is known: the user has no home; name one")]
pub struct NoDirectory;

/// Returns the directory in which to build or change a database: the `named` one, that of
/// [`VARIABLE`], or [`home`].
///
/// # Errors
///
/// If none of these is known.
pub fn directory(named: Option<&OsStr>) -> Result<PathBuf, NoDirectory> {
    let named = named.map(OsStr::to_owned).or_else(variable);
    let named = named.filter(|name| name != NONE).map(PathBuf::from);
    named.or_else(home).ok_or(NoDirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_endings_of_up_to_twelve_cards_are_inside() {
        let database = Database::builtin();
        assert_eq!(database.max_tricks(), 3);
        assert!(database.notes().is_empty());
        for level in database.levels() {
            level.check().expect("sound");
        }
    }

    #[test]
    fn the_directory_of_a_user_is_on_this_machine() {
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let base = match (cfg!(windows), cfg!(target_vendor = "apple")) {
            (true, _) => variable("LOCALAPPDATA"),
            (_, true) => variable("HOME").map(|home| home.join("Library/Application Support")),
            _ => variable("XDG_DATA_HOME")
                .or_else(|| variable("HOME").map(|home| home.join(".local/share"))),
        };
        assert_eq!(home(), base.map(|base| base.join("setrograde")));
    }

    #[test]
    fn a_database_beside_the_program_is_found() -> std::io::Result<()> {
        let base = tempfile::tempdir()?;
        let root = if cfg!(windows) {
            base.path().to_owned()
        } else {
            base.path().canonicalize()?
        };
        let database = root.join("share").join("setrograde");
        let programs = [root.join("bin").join("program"), root.join("program")];
        std::fs::create_dir_all(root.join("bin"))?;
        for program in &programs {
            std::fs::write(program, "")?;
            assert_eq!(beside(program), None);
        }
        std::fs::create_dir_all(&database)?;
        assert_eq!(beside(&programs[0]), None);
        std::fs::write(database.join("manifest"), "")?;
        for program in &programs {
            assert_eq!(beside(program).as_ref(), Some(&database));
        }
        let deeper = root.join("bin").join("deep");
        std::fs::create_dir(&deeper)?;
        std::fs::write(deeper.join("program"), "")?;
        assert_eq!(beside(&deeper.join("program")), None);
        Ok(())
    }

    #[test]
    fn a_database_that_is_named_must_be_there() {
        let error = Database::in_use(Some(OsStr::new("/nonexistent/database")));
        assert!(error.is_err());
    }

    #[test]
    fn a_database_that_is_not_named_need_not_be_sound() {
        let found = deepest([("/nonexistent/database".into(), Origin::Variable)]);
        assert_eq!(found.origin, Origin::Inside);
        let problem = found.problem.expect("a problem");
        assert!(problem.starts_with("SETROGRADE_DB=/nonexistent/database is not used"));
        assert_eq!(found.passed_over.len(), 1);
    }

    /// A directory with the maps of levels up to one, and a manifest that names them.
    fn database(levels: usize, with_maps: bool) -> tempfile::TempDir {
        let golden = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden"));
        let directory = tempfile::tempdir().expect("a directory");
        for level in 1..=levels {
            let of_level = [manifest::level_path(golden, level)].into_iter();
            let maps = manifest::map_paths(golden, level).into_iter();
            for from in of_level.chain(maps.filter(|_| with_maps)) {
                let name = from.file_name().expect("a name");
                std::fs::copy(&from, directory.path().join(name)).expect("a copy");
            }
        }
        directory
    }

    #[test]
    fn the_deepest_database_is_used() {
        let (four, eight) = (database(1, true), database(2, true));
        let path = |directory: &tempfile::TempDir| directory.path().to_owned();
        // Of an interrupted build there is less than inside.
        let found = deepest([
            (path(&four), Origin::Home),
            (path(&eight), Origin::Installed),
        ]);
        assert_eq!(
            (found.origin, found.database.max_tricks()),
            (Origin::Inside, 3)
        );
        assert!(found.problem.is_none());
        let passed: Vec<Origin> = found.passed_over.iter().map(|over| over.origin).collect();
        assert_eq!(passed, [Origin::Installed, Origin::Home]);
        let reason = "it has 4 cards, and the built-in one has 12 cards";
        assert_eq!(found.passed_over[1].reason, reason);
        // The database named by a variable is used even if it is small.
        let found = deepest([(path(&four), Origin::Variable)]);
        assert_eq!(
            (found.origin, found.database.max_tricks()),
            (Origin::Variable, 1)
        );
    }
}
