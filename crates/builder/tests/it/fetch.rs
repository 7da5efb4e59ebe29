//! Fetched levels: repaired, refused and continued downloads.

use std::error::Error;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use setrograde_builder::{
    Build, BuildError, Chunk, DirectorySource, Fetch, Fetched, SUMS, Silent, Source,
};
use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::{Manifest, level_path, map_paths, path_in};
use sha2::{Digest, Sha256};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A database of 8 cards without maps, with a list of checksums if asked for.
fn published(with_sums: bool) -> Result<tempfile::TempDir, Box<dyn Error>> {
    let published = tempfile::tempdir()?;
    Build {
        threads: Some(1),
        ..Build::new(published.path(), 8)
    }
    .run(&Silent, &GO_ON)?;
    let mut sums = String::new();
    for name in ["level-04.sdb", "level-08.sdb", "manifest"] {
        let sum = Sha256::digest(fs::read(published.path().join(name))?);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{sum}  {name}\n");
    }
    for level in [1, 2] {
        fs::remove_file(map_paths(published.path(), level).remove(0))?;
    }
    if with_sums {
        fs::write(published.path().join(SUMS), sums)?;
    }
    Ok(published)
}

fn fetch_from(source: &dyn Source, home: &Path) -> Result<Fetched, BuildError> {
    let fetch = Fetch {
        directory: home.to_owned(),
        cards: 8,
        source,
        source_name: "there".to_owned(),
        threads: Some(1),
    };
    fetch.run(|_, _, _| (), &GO_ON)
}

/// Checks that all levels are equal to those of the source, and have maps.
fn check(home: &Path, published: &Path) -> Result<(), Box<dyn Error>> {
    for level in [1, 2] {
        assert!(fs::read(level_path(home, level))? == fs::read(level_path(published, level))?);
    }
    assert_eq!(Manifest::read_file(home)?, Manifest::read_file(published)?);
    let database = Database::open(home)?;
    assert_eq!((database.max_tricks(), database.notes()), (2, &[][..]));
    for level in database.levels() {
        level.check()?;
    }
    let parts = fs::read_dir(home)?.filter(|entry| {
        let name = entry.as_ref().map(fs::DirEntry::file_name);
        name.is_ok_and(|name| {
            let name = name.to_string_lossy().into_owned();
            name.ends_with(".part") || name.starts_with(".setrograde")
        })
    });
    assert_eq!(parts.count(), 0);
    Ok(())
}

/// The next fetch repairs each kind of damage to fetched files.
#[test]
fn what_is_damaged_is_mended() -> Result<(), Box<dyn Error>> {
    for with_sums in [true, false] {
        let published = published(with_sums)?;
        let source = DirectorySource(published.path().to_owned());
        let home = tempfile::tempdir()?;
        let home = home.path();
        let first = fetch_from(&source, home)?;
        assert_eq!(first.fetched, [4, 8]);
        check(home, published.path())?;
        let again = fetch_from(&source, home)?;
        assert_eq!((again.kept, again.fetched), (vec![4, 8], vec![]));
        let (manifest, level) = (path_in(home), level_path(home, 2));
        let map = map_paths(home, 2).remove(0);
        let damage = |path: &Path, at: usize, end: usize| -> io::Result<()> {
            let mut bytes = fs::read(path)?;
            let end = end.min(bytes.len());
            bytes[at..end].iter_mut().for_each(|byte| *byte ^= 0x55);
            fs::write(path, bytes)
        };
        let kinds: [&dyn Fn() -> io::Result<()>; 9] = [
            &|| fs::remove_file(&manifest),
            &|| damage(&manifest, 20, 21),
            &|| fs::write(&manifest, ""),
            &|| fs::remove_file(&map),
            &|| damage(&map, 10_000, 10_001),
            &|| fs::write(&level, ""),
            &|| fs::remove_file(&map).and_then(|()| damage(&level, 3_000, 3_300)),
            &|| fs::remove_file(&level),
            &|| fs::write(level.with_extension("sdb.part"), "rubbish"),
        ];
        for (number, damage) in kinds.iter().enumerate() {
            damage()?;
            fetch_from(&source, home).map_err(|error| format!("{number}: {error}"))?;
            check(home, published.path()).map_err(|error| format!("{number}: {error}"))?;
        }
    }
    Ok(())
}

/// A level that is there needs no journals.
#[test]
fn the_journals_of_a_fetched_level_are_removed() -> Result<(), Box<dyn Error>> {
    let published = published(true)?;
    let source = DirectorySource(published.path().to_owned());
    let home = tempfile::tempdir()?;
    let build = |cards| Build {
        threads: Some(1),
        ..Build::new(home.path(), cards)
    };
    build(4).run(&Silent, &GO_ON)?;
    let half = Chunk::new(1, 2).ok_or("a chunk")?;
    build(8).run_chunk(half, &Silent, &GO_ON)?;
    let work = level_path(home.path(), 2).with_extension("work");
    assert!(work.exists());
    assert_eq!(fetch_from(&source, home.path())?.fetched, [8]);
    assert!(!work.exists());
    Ok(())
}

/// A source that fails after some bytes of a level, each time it is opened.
struct Torn<'a> {
    files: DirectorySource,
    bytes: u64,
    kind: ErrorKind,
    opened: &'a AtomicUsize,
}

impl Source for Torn<'_> {
    fn open(&self, name: &str, from: u64) -> io::Result<Box<dyn Read + '_>> {
        let reader = self.files.open(name, from)?;
        if !name.ends_with("08.sdb") {
            return Ok(reader);
        }
        self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(reader.take(self.bytes).chain(Failing(self.kind))))
    }
}

struct Failing(ErrorKind);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
}

#[test]
fn a_torn_transfer_is_continued_as_long_as_something_comes() -> Result<(), Box<dyn Error>> {
    let published = published(true)?;
    let opened = AtomicUsize::new(0);
    let torn = |bytes, kind| Torn {
        files: DirectorySource(published.path().to_owned()),
        bytes,
        kind,
        opened: &opened,
    };
    let home = tempfile::tempdir()?;
    fetch_from(&torn(700, ErrorKind::UnexpectedEof), home.path())?;
    check(home.path(), published.path())?;
    let level = fs::metadata(level_path(home.path(), 2))?.len();
    assert_eq!(
        opened.swap(0, Ordering::Relaxed) as u64,
        level.div_ceil(700)
    );

    // No byte arrives, or the source has timed out: the bytes so far are kept for the next fetch.
    let home = tempfile::tempdir()?;
    for (bytes, kind) in [(0, ErrorKind::UnexpectedEof), (900, ErrorKind::TimedOut)] {
        let found = fetch_from(&torn(bytes, kind), home.path());
        assert!(matches!(found, Err(BuildError::Fetch { .. })), "{found:?}");
        assert_eq!(opened.swap(0, Ordering::Relaxed), 1);
    }
    let part = level_path(home.path(), 2).with_extension("sdb.part");
    assert_eq!(fs::metadata(part)?.len(), 900);
    assert_eq!(Database::open(home.path())?.max_tricks(), 1);
    fetch_from(&torn(u64::MAX, ErrorKind::UnexpectedEof), home.path())?;
    assert_eq!(opened.swap(0, Ordering::Relaxed), 1);
    check(home.path(), published.path())
}

/// A source whose file never ends.
struct Endless(DirectorySource, &'static str);

impl Source for Endless {
    fn open(&self, name: &str, from: u64) -> io::Result<Box<dyn Read + '_>> {
        if name == self.1 {
            Ok(Box::new(io::repeat(b'a')))
        } else {
            self.0.open(name, from)
        }
    }
}

#[test]
fn no_more_is_taken_than_a_file_may_have() -> Result<(), Box<dyn Error>> {
    let published = published(true)?;
    for name in [SUMS, "manifest", "level-08.sdb"] {
        let home = tempfile::tempdir()?;
        let source = Endless(DirectorySource(published.path().to_owned()), name);
        let found = fetch_from(&source, home.path())
            .err()
            .ok_or("it was fetched")?;
        assert!(
            found.to_string().starts_with(&format!("there/{name}: ")),
            "{found}"
        );
        let mut bytes = 0;
        for entry in fs::read_dir(home.path())? {
            bytes += entry?.metadata()?.len();
        }
        assert!(bytes < 10_000, "{name}: {bytes}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_or_into_a_pipe() -> Result<(), Box<dyn Error>> {
    let published = published(true)?;
    let source = DirectorySource(published.path().to_owned());
    let (home, outside) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let precious = outside.path().join("precious");
    fs::write(&precious, "Do not lose me.")?;
    let part = home.path().join("level-04.sdb.part");
    for target in [&precious, &outside.path().join("new")] {
        std::os::unix::fs::symlink(target, &part)?;
        let found = fetch_from(&source, home.path())
            .err()
            .ok_or("it was fetched")?;
        assert!(found.to_string().contains("level-04.sdb.part"), "{found}");
        fs::remove_file(&part)?;
    }
    assert_eq!(fs::read_to_string(&precious)?, "Do not lose me.");
    assert_eq!(fs::read_dir(outside.path())?.count(), 1);
    let (cwd, mode) = (rustix::fs::CWD, rustix::fs::Mode::RWXU);
    rustix::fs::mkfifoat(cwd, &part, mode)?;
    assert!(fetch_from(&source, home.path()).is_err());
    fs::remove_file(&part)?;
    let sums = published.path().join(SUMS);
    fs::remove_file(&sums)?;
    rustix::fs::mkfifoat(cwd, &sums, mode)?;
    assert!(fetch_from(&source, home.path()).is_err());
    Ok(())
}
