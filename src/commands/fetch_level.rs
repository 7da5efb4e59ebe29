//! `setrograde db fetch-level`: takes levels that were built elsewhere.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;
use setrograde_builder::Install;
use setrograde_lookup::format::manifest::{LevelRecord, Manifest};
use sha2::{Digest, Sha256};

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt::is_interrupted;
use crate::json;
use crate::output::say;

/// The list of checksums beside the files, as sha256sum writes it.
const SUMS: &str = "SHA256SUMS";

/// Copy the levels up to a number of cards from a directory or a web address.
///
/// Web addresses need the program curl. Each file is checked against the list SHA256SUMS, and each
/// level against its record in the manifest. Existing levels are kept. A broken copy continues
/// where it ended.
#[derive(Args)]
#[command(after_help = include_str!("../help/fetch_level.txt"))]
pub struct FetchLevelArguments {
    /// Most cards in an ending: a multiple of 4.
    #[arg(value_name = "N")]
    cards: u32,
    /// The directory or the web address of the files.
    #[arg(long, value_name = "URL|DIR")]
    from: String,
    #[command(flatten)]
    db: DirectoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The result for `--json`.
#[derive(Serialize)]
struct Fetched {
    directory: String,
    fetched: Vec<u32>,
    kept: Vec<u32>,
}

pub fn run(arguments: &FetchLevelArguments) -> anyhow::Result<Outcome> {
    let cards = arguments.cards;
    ensure!(
        cards > 0 && cards.is_multiple_of(4) && cards <= 52,
        "{cards} cards: choose a multiple of 4 up to 52"
    );
    let directory = arguments.db.path()?;
    fs::create_dir_all(&directory)
        .with_context(|| format!("{}: cannot make the directory", directory.display()))?;
    let source = Source::new(&arguments.from, &directory)?;
    let records = source.records()?;
    let wanted: Vec<&LevelRecord> = records
        .iter()
        .filter(|record| 4 * record.level <= cards)
        .collect();
    ensure!(
        wanted.last().is_some_and(|last| 4 * last.level == cards),
        "{}: it has no level of {cards} cards",
        source.place
    );
    let (mut fetched, mut kept) = (Vec::new(), Vec::new());
    for record in wanted {
        let cards = 4 * record.level;
        if Install::is_there(&directory, record) {
            kept.push(cards);
            continue;
        }
        let file = source.level(record)?;
        let install = Install {
            directory: directory.clone(),
            file: file.clone(),
            record: record.clone(),
            threads: arguments.threads.count(),
        };
        install
            .run()
            .with_context(|| format!("{cards} cards from {}", source.place))?;
        say(format_args!("{cards} cards: checked and in place"));
        fetched.push(cards);
    }
    source.remove_rest();
    let place = directory.display().to_string();
    if arguments.json {
        json::print(Fetched {
            directory: place,
            fetched,
            kept,
        })?;
    } else {
        let of = |levels: &[u32]| {
            levels
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let text = match (fetched.is_empty(), kept.is_empty()) {
            (true, _) => format!("{place}: all there already"),
            (_, true) => format!("{place}: {} cards", of(&fetched)),
            _ => format!(
                "{place}: {} cards; {} there already",
                of(&fetched),
                of(&kept)
            ),
        };
        writeln!(io::stdout(), "{text}")?;
    }
    Ok(Outcome::Done)
}

/// The origin of files, and their checksums.
struct Source<'a> {
    place: &'a str,
    /// The directory for what is on its way: that of the database.
    directory: &'a Path,
    sums: BTreeMap<String, String>,
}

impl<'a> Source<'a> {
    fn new(place: &'a str, directory: &'a Path) -> anyhow::Result<Source<'a>> {
        let mut source = Source {
            place: place.trim_end_matches('/'),
            directory,
            sums: BTreeMap::new(),
        };
        let path = source.begun(SUMS);
        // It may have changed since an earlier fetch.
        let _ = fs::remove_file(&path);
        source.copy(SUMS, &path)?;
        let text =
            fs::read_to_string(&path).with_context(|| format!("{place}/{SUMS}: cannot read"))?;
        for (number, line) in text.lines().enumerate() {
            let parts = line.split_once([' ', '\t']);
            let sum = parts.filter(|(sum, _)| {
                sum.len() == 64 && sum.bytes().all(|digit| digit.is_ascii_hexdigit())
            });
            let Some((sum, name)) = sum else {
                bail!(
                    "{place}/{SUMS}: line {}: not a checksum and a name",
                    number + 1
                );
            };
            let name = name.trim_start_matches([' ', '*']);
            source.sums.insert(name.to_owned(), sum.to_lowercase());
        }
        Ok(source)
    }

    /// The file that a name has on its way.
    fn begun(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.part"))
    }

    /// The records of its levels, from its manifest.
    fn records(&self) -> anyhow::Result<Vec<LevelRecord>> {
        let path = self.fetch("manifest")?;
        let bytes = fs::read(&path).with_context(|| format!("{}: cannot read", path.display()))?;
        // Under its own name, as it is read.
        let aside = tempfile::tempdir()?;
        fs::write(aside.path().join("manifest"), bytes)?;
        let manifest = Manifest::read(aside.path())
            .with_context(|| format!("{}/manifest: not that of a database", self.place))?;
        Ok(manifest.levels)
    }

    /// Fetches a level, in one file or in parts: `level-24.sdb`, or `level-24.sdb.001` and so
    /// on. Returns the whole.
    fn level(&self, record: &LevelRecord) -> anyhow::Result<PathBuf> {
        let name = format!("level-{:02}.sdb", 4 * record.level);
        if self.sums.contains_key(&name) {
            return self.fetch(&name);
        }
        let prefix = format!("{name}.");
        let is_part = |other: &&String| {
            let number = other.strip_prefix(&prefix);
            number.is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let parts: Vec<&String> = self.sums.keys().filter(is_part).collect();
        ensure!(
            !parts.is_empty(),
            "{}/{SUMS}: it has no {name}, nor parts of it",
            self.place
        );
        let mut fetched = Vec::new();
        for part in parts {
            fetched.push(self.fetch(part)?);
        }
        let whole = self.begun(&name);
        let cannot = || format!("{}: cannot write", whole.display());
        let mut out = File::create(&whole).with_context(cannot)?;
        for part in &fetched {
            let mut part = File::open(part).with_context(|| format!("{}", part.display()))?;
            io::copy(&mut part, &mut out).with_context(cannot)?;
        }
        out.sync_all().with_context(cannot)?;
        for part in fetched {
            let _ = fs::remove_file(part);
        }
        Ok(whole)
    }

    /// Fetches a file and compares its checksum.
    fn fetch(&self, name: &str) -> anyhow::Result<PathBuf> {
        let right = self.sums.get(name);
        let right = right.with_context(|| format!("{}/{SUMS}: it has no {name}", self.place))?;
        let path = self.begun(name);
        if path.exists() && sum(&path)? == *right {
            return Ok(path);
        }
        self.copy(name, &path)?;
        ensure!(!is_interrupted(), "interrupted; run this again to continue");
        if sum(&path)? != *right {
            let _ = fs::remove_file(&path);
            bail!(
                "{}/{name}: its SHA-256 is not the one in {SUMS}; what came was removed, run this again",
                self.place
            );
        }
        Ok(path)
    }

    /// Copies a file, and continues one that was begun.
    fn copy(&self, name: &str, to: &Path) -> anyhow::Result<()> {
        if !self.place.contains("://") {
            return self.copy_file(name, to);
        }
        let address = format!("{}/{name}", self.place);
        let length = || fs::metadata(to).map_or(0, |file| file.len());
        let before = length();
        let quiet = if name == SUMS {
            "--silent"
        } else {
            "--progress-bar"
        };
        let status = Command::new("curl")
            .args([
                "--fail",
                "--location",
                "--show-error",
                "--retry",
                "5",
                quiet,
            ])
            .args(["--continue-at", "-", "--output"])
            .arg(to)
            .arg("--")
            .arg(&address)
            .status()
            .context(
                "curl cannot be started; fetch the files in another way, and name their directory",
            )?;
        if status.success() {
            return Ok(());
        }
        if length() == before {
            // Perhaps more than there is now, which cannot be continued.
            let _ = fs::remove_file(to);
        }
        bail!("{address}: curl ended with {status}; run this again to continue");
    }

    fn copy_file(&self, name: &str, to: &Path) -> anyhow::Result<()> {
        let path = Path::new(self.place).join(name);
        let cannot = || format!("{}: cannot read", path.display());
        let between = || format!("{}: cannot copy to {}", path.display(), to.display());
        let mut from = File::open(&path).with_context(cannot)?;
        let mut out = File::options()
            .create(true)
            .append(true)
            .open(to)
            .with_context(|| format!("{}: cannot write", to.display()))?;
        from.seek(SeekFrom::Start(out.metadata()?.len()))
            .with_context(cannot)?;
        // A piece at a time, so an interrupt does not wait long.
        let copied = |from: &mut File, out: &mut File| io::copy(&mut from.take(1 << 16), out);
        while !is_interrupted() && copied(&mut from, &mut out).with_context(between)? > 0 {}
        out.sync_all().with_context(between)
    }

    /// Removes what served only for this.
    fn remove_rest(&self) {
        for name in [SUMS, "manifest"] {
            let _ = fs::remove_file(self.begun(name));
        }
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
fn sum(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("{}: cannot read", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).with_context(cannot)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    let hash = hash.finalize();
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}
