//! The endgame database that programs use by default.
//!
//! All endings of 12 cards are compiled into the program: [`inside`], 0.45 MB that are used in
//! base, without opening, unpacking or checking a file. [`in_use`] is a larger database, if there
//! is one.
//!
//! ```
//! use setrograde_lookup::Ending;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let database = setrograde_endings::inside();
//! let ending = Ending::from_position(&"NT S N:AQ... 76... 54... K3...".parse()?)?;
//! let located = database.locate(&ending)?.ok_or("it has eight cards")?;
//! assert_eq!(located.value()?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! `scripts/endings.sh` of the project makes the bytes, and a test builds them again.

#![forbid(unsafe_code)]

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use setrograde_lookup::{Database, Error};

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

/// Returns the database inside the program: all endings of up to 12 cards.
#[must_use]
pub fn inside() -> Arc<Database> {
    static INSIDE: OnceLock<Arc<Database>> = OnceLock::new();
    let database = INSIDE.get_or_init(|| {
        let database = Database::from_bytes(LEVELS);
        Arc::new(database.expect("a test opens these bytes"))
    });
    Arc::clone(database)
}

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
    /// Why a database that should be used is not, in one line to be shown once.
    pub problem: Option<String>,
}

/// Opens the first of these that exists: the database in the directory that the user has `named`,
/// in that of [`VARIABLE`], in [`home`], the one [`beside`] the running program, the one [`inside`]
/// it. `None` if one of the first two is [`NONE`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::ffi::OsStr;
///
/// assert!(setrograde_endings::in_use(Some(OsStr::new("none")))?.is_none());
/// let found = setrograde_endings::in_use(None)?.ok_or("SETROGRADE_DB is none")?;
/// assert!(found.database.max_level() >= 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If the database that the user has named cannot be opened. If another one cannot be opened, the
/// built-in one is used, and [`InUse::problem`] says so.
pub fn in_use(named: Option<&OsStr>) -> Result<Option<InUse>, Error> {
    let program = std::env::current_exe().ok();
    in_use_beside(named, program.as_slice())
}

/// Like [`in_use`], but looks for an installed database [`beside`] each of these `files`, because a
/// library may be far from the program.
///
/// # Errors
///
/// As [`in_use`].
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
        }));
    }
    Ok(Some(match (variable, home()) {
        (Some(name), _) => opened(Path::new(&name), Origin::Variable),
        (None, Some(directory)) if has_database(&directory) => opened(&directory, Origin::Home),
        _ => match files.iter().find_map(|file| beside(file)) {
            Some(directory) => opened(&directory, Origin::Installed),
            None => within(None),
        },
    }))
}

/// The database in a directory, or else what is inside.
fn opened(directory: &Path, origin: Origin) -> InUse {
    match Database::open(directory) {
        Ok(database) => InUse {
            database: Arc::new(database),
            origin,
            problem: None,
        },
        Err(error) => {
            let cause = std::error::Error::source(&error);
            let cause = cause.map_or(String::new(), |cause| format!(": {cause}"));
            let directory = directory.display();
            let name = match origin {
                Origin::Variable => format!("{VARIABLE}={directory}"),
                _ => directory.to_string(),
            };
            within(Some(format!(
                "{name} is not used: {error}{cause}; the 12 cards inside are used instead"
            )))
        }
    }
}

fn within(problem: Option<String>) -> InUse {
    InUse {
        database: inside(),
        origin: Origin::Inside,
        problem,
    }
}

/// Returns true if a build has finished a level there. Before that there is nothing to use, which
/// is not an error.
fn has_database(directory: &Path) -> bool {
    directory.join("manifest").exists()
}

/// The value of [`VARIABLE`], unless it is empty.
fn variable() -> Option<OsString> {
    std::env::var_os(VARIABLE).filter(|value| !value.is_empty())
}

/// Returns the directory of the user's own database: `setrograde` in the data directory of
/// the platform, which is `$XDG_DATA_HOME` or `~/.local/share` on Linux,
/// `~/Library/Application Support` on macOS, and `%LOCALAPPDATA%` on Windows.
#[must_use]
pub fn home() -> Option<PathBuf> {
    #[cfg(not(target_family = "wasm"))]
    {
        use etcetera::BaseStrategy;
        let strategy = etcetera::base_strategy::choose_native_strategy().ok()?;
        // The data directory of Windows is copied to a server when its user logs off.
        let base = match cfg!(windows) {
            true => strategy.cache_dir(),
            false => strategy.data_dir(),
        };
        Some(base.join("setrograde"))
    }
    #[cfg(target_family = "wasm")]
    None
}

/// Returns the directory of the database that lies beside a program or a library, as a release
/// has it: [`installed`]; or of its copy in the user's cache, if there is one.
#[must_use]
pub fn beside(file: &Path) -> Option<PathBuf> {
    let directory = installed(file)?;
    let copy = cached(&directory).filter(|copy| has_database(copy));
    Some(copy.unwrap_or(directory))
}

/// Returns the user's cache directory for a copy, with mapped levels, of the database in a
/// directory; `None` if there is no database or no cache. Databases with different manifests have
/// different directories.
#[must_use]
pub fn cached(directory: &Path) -> Option<PathBuf> {
    #[cfg(not(target_family = "wasm"))]
    {
        use etcetera::BaseStrategy;
        let manifest = std::fs::read(directory.join("manifest")).ok()?;
        // FNV-1a.
        let name = manifest
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let strategy = etcetera::base_strategy::choose_native_strategy().ok()?;
        let place = strategy.cache_dir().join("setrograde");
        Some(place.join(format!("unpacked-{name:016x}")))
    }
    #[cfg(target_family = "wasm")]
    {
        let _ = directory;
        None
    }
}

/// Returns the directory of the database that was installed with a program or a library:
/// `share/setrograde`, in the file's directory or in the one above. A link to the file is not
/// beside it.
#[must_use]
pub fn installed(file: &Path) -> Option<PathBuf> {
    let file = match cfg!(windows) {
        true => file.to_owned(),
        false => file.canonicalize().ok()?,
    };
    let parents = file.ancestors().skip(1).take(2);
    let mut directories = parents.map(|parent| parent.join("share").join("setrograde"));
    directories.find(|directory| has_database(directory))
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
        let database = inside();
        assert_eq!(database.max_level(), 3);
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
        let root = match cfg!(windows) {
            true => base.path().to_owned(),
            false => base.path().canonicalize()?,
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
        let error = in_use(Some(OsStr::new("/nonexistent/database")));
        assert!(error.is_err());
    }

    #[test]
    fn a_database_that_is_not_named_need_not_be_sound() {
        let found = opened(Path::new("/nonexistent/database"), Origin::Variable);
        assert_eq!(found.origin, Origin::Inside);
        let problem = found.problem.expect("a problem");
        assert!(problem.starts_with("SETROGRADE_DB=/nonexistent/database is not used"));
    }
}
