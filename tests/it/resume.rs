//! A build that ends early, by an interrupt or a kill, and is continued.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use setrograde_lookup::{Database, LevelFile};
use tempfile::TempDir;

use crate::command::{kills, on, run_on};
use crate::database::{build, file_names, level_file, map_file, sixteen_cards};

/// Starts a build of 16 cards on top of the existing levels.
fn start(directory: &Path) -> Child {
    let mut build = on(directory, "build --cards 16");
    build.stdout(Stdio::null()).stderr(Stdio::null());
    build.spawn().expect("the program starts")
}

/// Bytes of finished work on 16 cards.
fn finished_bytes(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory.join("level-16.work"));
    let entries = entries.into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum()
}

/// Waits until this much work on 16 cards is finished.
fn wait_for(directory: &Path, bytes: u64) {
    let start = Instant::now();
    while finished_bytes(directory) < bytes && !level_file(directory, 16).exists() {
        assert!(start.elapsed() < Duration::from_secs(300), "no progress");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn kill(mut child: Child) {
    child.kill().expect("killed");
    child.wait().expect("it ends");
}

/// The names in a database of 12 cards that has these files for the level of 16.
fn files_with(directory: &Path, sixteen: &[&str]) -> Vec<String> {
    let mut names = vec!["build.lock".to_owned(), "manifest".to_owned()];
    for cards in [4, 8, 12] {
        let map = map_file(directory, cards);
        names.push(map.file_name().expect("a name").display().to_string());
        names.push(format!("level-{cards:02}.sdb"));
    }
    names.extend(sixteen.iter().map(|name| (*name).to_owned()));
    names.sort();
    names
}

/// A build of 16 cards that is killed repeatedly at random moments. Each run continues with the
/// finished work, and the last is left alone.
pub fn killed_many_times() -> TempDir {
    let temporary = tempfile::tempdir().expect("a directory");
    let directory = temporary.path();
    build(directory, 12, 2);
    let mut random = fastrand::Rng::with_seed(12);
    let mut finished = 0;
    // The size of the work finished between kills: five megabytes of six.
    let (all, share) = (kills(), 2_400_000 / kills());
    for kills in 1..=all {
        let child = start(directory);
        wait_for(directory, finished + share);
        std::thread::sleep(Duration::from_millis(random.u64(..6_000 / all)));
        kill(child);
        assert!(!level_file(directory, 16).exists(), "too late: {kills}");
        let now = finished_bytes(directory);
        assert!(now > finished, "kill {kills} lost finished work");
        finished = now;
        let database = Database::open(directory).expect("it opens");
        assert_eq!(database.max_tricks(), 3);
    }
    let last = start(directory).wait_with_output().expect("it ends");
    assert!(last.status.success());
    temporary
}

/// The level has the bytes of one that was never disturbed.
#[test]
fn a_build_killed_many_times_ends_with_the_same_bytes() {
    let directory = sixteen_cards();
    let sixteen = ["level-16-4e49c3e9320ded55.map", "level-16.sdb"];
    assert_eq!(file_names(directory), files_with(directory, &sixteen));
    let level = LevelFile::open(&level_file(directory, 16)).expect("it opens");
    assert_eq!(level.checksum(), 0x4e49_c3e9_320d_ed55);
    // The checksum is of the header, which has those of all shards.
    for shard in 0..level.shard_count() {
        level.shard(shard).expect("it is sound");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_says_so_and_keeps_what_is_finished() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build(directory, 12, 2);
    let mut child = start(directory);
    wait_for(directory, 10_000);
    let busy = run_on(directory, "build --cards 4");
    busy.is_refused(75, "another build is running");
    crate::command::signal(child.id(), "INT");
    assert_eq!(child.wait().expect("it ends").code(), Some(75));
    let left = files_with(directory, &["level-16.work"]);
    assert_eq!(file_names(directory), left);
    let again = start(directory);
    wait_for(directory, finished_bytes(directory) + 10_000);
    kill(again);
}
