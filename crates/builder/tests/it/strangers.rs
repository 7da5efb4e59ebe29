//! Foreign files in a database's directory: no build follows, truncates or erases them, and errors
//! name each.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use setrograde_builder::{Build, BuildError, Chunk, Method, Silent, Stop};
use tempfile::TempDir;

use crate::{build, build_by, built, journals};

const PRECIOUS: &str = "Do not lose me.\n";

fn run(directory: &Path, cards: usize) -> Result<(), BuildError> {
    build(directory, cards)
        .run(&Silent, &Stop::default())
        .map(drop)
}

fn build_chunk(directory: &Path, cards: usize, method: Method) -> Result<(), BuildError> {
    let build = build_by(method, directory, cards);
    let chunk = build.run_chunk(Chunk::WHOLE, &Silent, &Stop::default());
    chunk.map(drop)
}

/// The error's text with its causes, as the command prints it.
fn text(result: Result<(), BuildError>) -> Result<String, Box<dyn Error>> {
    let Err(error) = result else {
        return Err("it was built all the same".into());
    };
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    Ok(text)
}

/// A database of 4 cards, and the one journal of 8.
fn begun() -> Result<(TempDir, PathBuf), Box<dyn Error>> {
    let directory = built(4)?;
    build_chunk(directory.path(), 8, Method::Refine)?;
    let journals = journals(directory.path(), 8)?;
    assert_eq!(journals.len(), 1);
    Ok((directory, journals[0].clone()))
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() -> Result<(), Box<dyn Error>> {
    let outside = tempfile::tempdir()?;
    let precious = outside.path().join("precious");
    fs::write(&precious, PRECIOUS)?;
    let link = |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at);
    let is_link =
        |found: &str, name| assert!(found.contains(name) && found.contains("link"), "{found}");

    let directory = tempfile::tempdir()?;
    link(&precious, &directory.path().join("build.lock"))?;
    let found = text(run(directory.path(), 4))?;
    is_link(&found, "build.lock");

    let (directory, journal) = begun()?;
    fs::remove_file(&journal)?;
    link(&precious, &journal)?;
    let found = text(build_chunk(directory.path(), 8, Method::Refine))?;
    is_link(&found, "chunk-1-of-1");

    let directory = tempfile::tempdir()?;
    link(outside.path(), &directory.path().join("level-04.work"))?;
    let found = text(run(directory.path(), 4))?;
    is_link(&found, "level-04.work");
    assert_eq!(fs::read_dir(outside.path())?.count(), 1);
    assert_eq!(fs::read_to_string(&precious)?, PRECIOUS);

    // A level may be a link: a build reads its target, and replaces the link.
    let directory = tempfile::tempdir()?;
    link(&precious, &directory.path().join("level-04.sdb"))?;
    let found = text(run(directory.path(), 4))?;
    assert!(found.contains("level-04.sdb"), "{found}");
    assert_eq!(fs::read_to_string(&precious)?, PRECIOUS);
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_lock_that_was_there_keeps_its_bytes() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let lock = directory.path().join("build.lock");
    fs::write(&lock, PRECIOUS)?;
    run(directory.path(), 4)?;
    assert_eq!(fs::read_to_string(&lock)?, PRECIOUS);
    Ok(())
}

#[test]
fn what_is_not_ours_is_named_and_kept() -> Result<(), Box<dyn Error>> {
    for (name, contents) in [
        ("level-04.sdb", PRECIOUS.as_bytes()),
        ("manifest", PRECIOUS.as_bytes()),
        // A manifest of a later version.
        ("manifest", b"setrogm\n\x09\0\0\0and more bytes to come"),
    ] {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join(name);
        fs::write(&path, contents)?;
        let found = text(run(directory.path(), 4))?;
        assert!(found.starts_with(&path.display().to_string()), "{found}");
        assert_eq!(fs::read(&path)?, contents);
    }
    Ok(())
}

#[test]
fn a_journal_of_another_method_is_refused_and_kept() -> Result<(), Box<dyn Error>> {
    let (directory, journal) = begun()?;
    let before = fs::read(&journal)?;
    let other = Method::Setrograde;
    let found = text(build_chunk(directory.path(), 8, other))?;
    assert!(found.starts_with(&journal.display().to_string()), "{found}");
    assert!(found.contains("another method"), "{found}");
    assert_eq!(fs::read(&journal)?, before);
    // The process that began it continues.
    run(directory.path(), 8)?;
    assert!(!journal.exists());
    Ok(())
}

#[test]
fn files_of_others_stay_where_journals_were() -> Result<(), Box<dyn Error>> {
    let (directory, _) = begun()?;
    let work = directory.path().join("level-08.work");
    let others = [
        work.join("notes"),
        // A file with the name of another host's journal that is not a journal.
        work.join("chunk-1-of-1.elsewhere"),
        directory.path().join(".setrograde-notes"),
        directory.path().join(".setrograde-abcdef"),
    ];
    for path in &others {
        fs::write(path, PRECIOUS)?;
    }
    // Locks of files other than journals, with bytes in them, or of a journal that stays; and a
    // lock whose journal no longer exists.
    let locks = ["lock.notes", "lock.mine", "lock.chunk-1-of-1.elsewhere"];
    for name in locks {
        fs::write(work.join(name), "")?;
    }
    fs::write(work.join("lock.chunk-2-of-2.gone"), PRECIOUS)?;
    fs::write(work.join("lock.chunk-1-of-2.gone"), "")?;
    run(directory.path(), 8)?;
    run(directory.path(), 8)?;
    for name in locks {
        assert_eq!(fs::read(work.join(name))?, b"");
    }
    assert_eq!(
        fs::read_to_string(work.join("lock.chunk-2-of-2.gone"))?,
        PRECIOUS
    );
    for path in &others {
        assert_eq!(fs::read_to_string(path)?, PRECIOUS, "{}", path.display());
    }
    assert_eq!(fs::read_dir(&work)?.count(), 6);
    Ok(())
}

// Made in this process: a new process would inherit the locks of other tests.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_in_the_place_of_a_file_does_not_hold_a_build_up() -> Result<(), Box<dyn Error>> {
    for name in ["build.lock", "level-04.sdb", "level-04.work/chunk-1-of-1.b"] {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().ok_or("no parent")?)?;
        let (cwd, mode) = (rustix::fs::CWD, rustix::fs::Mode::RWXU);
        rustix::fs::mkfifoat(cwd, &path, mode)?;
        let found = text(run(directory.path(), 4))?;
        assert!(found.starts_with(&path.display().to_string()), "{found}");
        assert!(path.exists());
    }
    Ok(())
}

#[test]
fn memory_is_checked_for_all_threads_before_any_is_started() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let never = Stop::default();
    let build = Build {
        threads: Some(65_535),
        memory: Some(1 << 30),
        ..Build::new(directory.path(), 8)
    };
    let found = text(build.run(&Silent, &never).map(drop))?;
    assert!(found.contains("of memory"), "{found}");
    Ok(())
}
