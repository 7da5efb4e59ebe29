//! A level built in chunks, and put together.

use std::fs;
use std::path::Path;

use crate::command::{Printed, json, on, piped, run_line, run_on};
use crate::database::{eight_cards_copy, file_names, flip, level_bytes, twelve_cards};
use crate::folder::Folder;

fn chunk(directory: &Path, chunk: &str) -> Printed {
    let printed = run_on(directory, &format!("build --cards 12 --chunk {chunk}"));
    printed.ended(0);
    printed
}

/// Seals the level of 12 cards, which is that of a whole build.
fn seals(directory: &Path) {
    run_on(directory, "db seal --cards 12").ended(0);
    assert!(level_bytes(directory, 12) == level_bytes(twelve_cards(), 12));
}

#[test]
fn chunks_in_any_order_make_the_same_level() {
    let directory = eight_cards_copy();
    let directory = directory.path();
    for number in [4, 1, 5, 2] {
        let done = chunk(directory, &format!("{number}/5"));
        for text in ["is finished", " look-ups, ", " s of CPU"] {
            done.shows(text);
        }
    }
    let early = run_on(directory, "db seal --cards 12");
    early.ended(1);
    early.complains(
        "missing chunks: 3/5; build each with `setrograde build --cards 12 --chunk 3/5 --db ",
    );
    chunk(directory, "3/5");
    chunk(directory, "3/5").complains("of them were already finished");
    seals(directory);
    assert!(!directory.join("level-12.work").exists());
    chunk(directory, "3/5").shows("the level already exists");
    seals(directory);
}

/// A write that fails at any point while a level is sealed costs nothing: one message, the chunks
/// are kept, and the level is made once there is room.
#[cfg(unix)]
#[test]
fn sealing_without_room_loses_nothing() {
    use crate::command::{finish, without_room};

    let directory = eight_cards_copy();
    let directory = directory.path();
    chunk(directory, "1/1");
    let before = file_names(directory);
    let seal = on(directory, "db seal --cards 12");
    // The level has 320 blocks, its map 831.
    for most in [0, 20, 60, 120, 200, 300, 330, 400, 600, 830] {
        let printed = finish(&mut without_room(most, &seal));
        printed.is_refused(1, "cannot write");
        printed.has_complaints(1);
        assert_eq!(file_names(directory), before, "{most}");
    }
    seals(directory);
}

/// A chunk has one digest, whether it comes from a chunk built alone, from journals
/// or from a level's file; and one that differs is named.
#[test]
fn a_chunk_built_anew_has_the_digest_of_the_whole_level() {
    let nine = "db digest --cards 12 --chunks 9";
    let whole = run_on(twelve_cards(), nine);
    whole.ended(0);
    let lines: Vec<&str> = whole.output.lines().collect();
    assert_eq!(lines[0], "# setrograde digest: 12 cards in 9 chunks");
    let json = run_on(twelve_cards(), &format!("{nine} --json")).json();
    assert_eq!((&json["chunks"], &json["missing"]), (&9.into(), &0.into()));
    for (n, line) in lines[1..].iter().enumerate() {
        let (of, number) = (&json["digests"][n], n + 1);
        let digest = of["digest"].as_str().expect("a digest");
        assert_eq!(of["chunk"], format!("{number}/9"));
        assert_eq!(*line, format!("{number} {digest}"));
    }
    assert_eq!(lines.len(), 10);
    let directory = eight_cards_copy();
    let directory = directory.path();
    let file = directory.join("level-12.digest");
    fs::write(&file, &whole.output).expect("writable");

    let four = "db digest --cards 12 --chunk 4/9";
    run_on(directory, four).is_refused(1, "--chunk 4/9");
    chunk(directory, "4/9");
    chunk(directory, "9/9");
    let of = |lines: &[&str]| lines.join("\n") + "\n";
    run_on(directory, four).prints(&of(&[lines[0], lines[4]]));
    let two = run_on(directory, nine);
    assert_eq!(two.output, of(&[lines[0], lines[4], lines[9]]));
    two.complains("7 of 9 chunks are not finished");

    let check = |chunks: u8| {
        let file = file.display();
        let words = format!("db digest --cards 12 --chunks {chunks} --check {file}");
        run_on(directory, &words)
    };
    check(9).shows("2 finished chunks have the digest of the file");
    fs::write(&file, whole.output.replace(lines[9], "9 0123456789abcdef")).expect("writable");
    let other = check(9);
    other.ended(1);
    other.complains("1 finished chunks have another digest; the first is 9/9");
    check(8).complains("line 1: expected \"# setrograde digest: 12 cards in 8 chunks\"");
}

#[test]
fn two_processes_may_take_the_same_chunk() {
    let directory = eight_cards_copy();
    let directory = directory.path();
    let both = [(); 2].map(|()| piped(&mut on(directory, "build --cards 12 --chunk 1/1")));
    for one in both {
        let ended: Printed = one.wait_with_output().expect("it ends").into();
        if ended.status != Some(0) {
            ended.complains("another build is running");
        }
    }
    seals(directory);
}

/// A journal as another host would leave it: with one damaged byte. The damage is reported, and the
/// lost part is built again.
#[test]
fn a_damaged_journal_of_another_host_is_named_and_mended() {
    let directory = eight_cards_copy();
    let directory = directory.path();
    chunk(directory, "1/2");
    let work = directory.join("level-12.work");
    let mut names = file_names(&work).into_iter();
    let own = names.find(|name| !name.contains("lock."));
    let own = work.join(own.expect("a journal"));
    let other = own.with_extension("another-host");
    fs::rename(&own, &other).expect("renamed");
    let length = other.metadata().expect("it is there").len();
    flip(&other, length as usize / 2);

    chunk(directory, "1/2").complains("another-host: damaged");
    assert!(own.exists() && other.exists());
    chunk(directory, "2/2");
    seals(directory);
}

#[test]
fn what_is_no_chunk_is_refused() {
    let folder = Folder::new();
    let below = run_on(folder.path(), "build --cards 12 --chunk 1/2");
    below.is_refused(1, "build it first; `setrograde build --cards 8 --db ");
    for chunk in ["0/2", "3/2", "1", "a/b"] {
        run_on(folder.path(), &format!("build --cards 12 --chunk {chunk}")).ended(2);
    }
    let many = run_line("db chunks --cards 8 --chunks 1000");
    many.is_refused(1, "choose 1 to 9");
}

#[test]
fn a_plan_names_every_chunk() {
    let seven = "db chunks --cards 12 --chunks 7";
    let plan = json(seven);
    let chunks = plan["chunks"].as_array().expect("a list");
    assert_eq!(chunks.len(), 7);
    let partitions = chunks.iter().map(|chunk| chunk["partitions"].as_u64());
    assert_eq!(partitions.sum::<Option<u64>>(), Some(32_641));
    run_line(seven).shows("7/7");
}
