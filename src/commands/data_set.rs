//! `setrograde table --random`: a data set of random deals with their results.
//!
//! Until it is complete the data set is `FILE.part`, and `FILE.part.log` has a line for each block
//! of it with its digest, written after the block. The same command keeps the blocks that the log
//! confirms, and continues there; so a kill costs a block, and the bytes are those of a run without
//! one.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use setrograde::ask::PlainDeals;
use setrograde::{Desk, grouped, results};
use setrograde_cards::{Deal, Seat, Strain, Vulnerability};
use setrograde_records::{Board, pbn};
use setrograde_solver::{Par, SolveError, TrickTable, each_table};
use sha2::{Digest, Sha256};

use crate::Outcome;
use crate::arguments::output::is_standard;
use crate::interrupt;
use crate::output::progress::simple_bar;
use crate::output::say;

/// The number of deals in a block.
const BLOCK: u32 = 100;

/// The form of a data set.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DataFormat {
    /// A NumPy array of records with `holdings`, `tricks` and `par`.
    Npy,
    /// A line for each deal, after one with the names of the columns.
    Csv,
    /// PBN.
    Pbn,
}

/// A data set to make.
pub struct DataSet<'a> {
    pub count: u32,
    pub seed: u64,
    pub format: DataFormat,
    pub path: &'a Path,
}

/// A deal with its results, as the board of its number.
struct Row {
    number: u32,
    deal: Deal,
    table: TrickTable,
}

impl DataSet<'_> {
    /// Makes the data set, or continues it.
    pub fn make(&self, desk: &Desk, threads: usize) -> anyhow::Result<Outcome> {
        let name = self.path.display();
        if is_standard(self.path) {
            bail!("--output -: a data set needs a file, in which it can be continued");
        }
        if self.path.metadata().is_ok_and(|there| !there.is_file()) {
            bail!("{name}: not a regular file; a data set can be continued in one only");
        }
        let drawing = PlainDeals::new(self.seed);
        interrupt::is_resumable();
        let mut part = UnfinishedSet::open(self)?;
        let begin = part.deals;
        if begin > 0 {
            let (begin, count) = (grouped(begin), grouped(self.count));
            say(format_args!(
                "{name}: {begin} of {count} deals were there before"
            ));
        }
        let progress = simple_bar(
            "[{wide_bar}] {pos} of {len} deals, {per_sec}, {eta} left",
            Some(self.count.into()),
        );
        progress.inc(begin.into());
        progress.reset_eta();
        let mut block = Vec::new();
        let (draw, drawn) = mpsc::channel();
        let deals = (begin..self.count).map(move |number| {
            let deal = drawing.deal(number.into());
            // Nobody takes it once the work has ended.
            let _ = draw.send(deal);
            deal
        });
        let end = each_table(deals, threads, &desk.solver_options(), |at, table| {
            let number = begin + at as u32;
            let deal = drawn.recv().expect("a deal is sent before it is solved");
            let table = match table {
                Ok(table) => table,
                Err(SolveError::Cancelled) => return ControlFlow::Break(Ok(())),
                Err(error) => {
                    let deal = format!("deal {}", number + 1);
                    return ControlFlow::Break(Err(anyhow::Error::from(error).context(deal)));
                }
            };
            let row = Row {
                number,
                deal,
                table,
            };
            self.write(&row, &mut block);
            progress.inc(1);
            let done = number + 1;
            if done.is_multiple_of(BLOCK) || done == self.count {
                if let Err(error) = part.add(&block, done) {
                    return ControlFlow::Break(Err(error));
                }
                block.clear();
            }
            ControlFlow::Continue(())
        });
        progress.finish_and_clear();
        if let ControlFlow::Break(end) = end {
            end?;
        }
        if part.deals < self.count {
            let (done, count) = (grouped(part.deals), grouped(self.count));
            say(format_args!(
                "{name}: {done} of {count} deals; the same command continues"
            ));
            return Ok(Outcome::Again);
        }
        part.finish(self.path)?;
        Ok(Outcome::Done)
    }

    /// The bytes before the first row.
    fn head(&self) -> Vec<u8> {
        match self.format {
            DataFormat::Npy => npy_head(self.count),
            DataFormat::Csv => {
                let columns = Strain::DDS_ORDER
                    .map(|strain| Seat::ALL.map(|seat| format!(",{strain}_{seat}")))
                    .as_flattened()
                    .concat();
                format!("board,dealer,vulnerable,deal{columns},par\n").into_bytes()
            }
            DataFormat::Pbn => b"% PBN 2.1\n".to_vec(),
        }
    }

    /// Appends a row.
    fn write(&self, row: &Row, to: &mut Vec<u8>) {
        let board = row.number.wrapping_add(1);
        let (dealer, sides) = (Seat::dealer_of_board(board), Vulnerability::of_board(board));
        let par = || Par::new(&row.table, sides, dealer).score;
        let tricks =
            Strain::DDS_ORDER.map(|strain| Seat::ALL.map(|seat| row.table.tricks(strain, seat)));
        match self.format {
            DataFormat::Npy => {
                for hand in row.deal.hands() {
                    for holding in hand.holdings() {
                        to.extend((holding.bits() << 2).to_le_bytes());
                    }
                }
                to.extend(tricks.as_flattened());
                let par = i16::try_from(par()).expect("scores are below 8,000");
                to.extend(par.to_le_bytes());
            }
            DataFormat::Csv => {
                let tricks = tricks
                    .as_flattened()
                    .iter()
                    .map(|tricks| format!(",{tricks}"));
                let (deal, tricks, par) = (row.deal, tricks.collect::<String>(), par());
                to.extend(format!("{board},{dealer},{sides},{deal}{tricks},{par}\n").bytes());
            }
            DataFormat::Pbn => {
                let mut board = Board {
                    number: Some(board),
                    dealer: Some(dealer),
                    vulnerability: Some(sides),
                    hands: row.deal.hands().map(Some),
                    ..Board::default()
                };
                board.double_dummy = results(&row.table, &board);
                to.extend(pbn::write(&board).bytes());
            }
        }
    }

    /// The first line of the log, which says what the data set is.
    fn title(&self) -> String {
        let format = match self.format {
            DataFormat::Npy => "npy",
            DataFormat::Csv => "csv",
            DataFormat::Pbn => "pbn",
        };
        let (count, seed) = (self.count, self.seed);
        format!("setrograde table --random {count} --seed {seed} --format {format}, layout 1")
    }
}

/// The header of an array of records in NumPy's format, version 1.0.
fn npy_head(count: u32) -> Vec<u8> {
    let mut text = format!(
        "{{'descr': [('holdings', '<u2', (4, 4)), ('tricks', '|i1', (5, 4)), ('par', '<i2')], \
         'fortran_order': False, 'shape': ({count},), }}"
    );
    // Magic, version, length and text together fill lines of 64 bytes.
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    let length = u16::try_from(text.len()).expect("the header has less than 300 bytes");
    head.extend(length.to_le_bytes());
    head.extend(text.bytes());
    head
}

/// A data set that is not complete, and its log.
struct UnfinishedSet {
    name: PathBuf,
    file: File,
    log_name: PathBuf,
    log: File,
    /// The deals that are written.
    deals: u32,
}

impl UnfinishedSet {
    /// Opens what there is of a data set, or begins it.
    fn open(of: &DataSet<'_>) -> anyhow::Result<UnfinishedSet> {
        let beside = |ending: &str| {
            let mut name = of.path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let (name, log_name) = (beside(".part"), beside(".part.log"));
        let open = |name: &Path| {
            let options = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(name);
            options.with_context(|| format!("{}: cannot create", name.display()))
        };
        let log = open(&log_name)?;
        match log.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("{}: another process is writing it", of.path.display());
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let file = open(&name)?;
        let mut part = UnfinishedSet {
            name,
            file,
            log_name,
            log,
            deals: 0,
        };
        if !part.resume(&of.title())? {
            part.file.set_len(0)?;
            part.log.set_len(0)?;
            part.file.rewind()?;
            part.log.rewind()?;
            part.write_log(&of.title())?;
            part.add(&of.head(), 0)?;
        }
        Ok(part)
    }

    /// Continues after the blocks that the log confirms; returns false if there is nothing to
    /// continue.
    fn resume(&mut self, title: &str) -> anyhow::Result<bool> {
        let cannot = || format!("{}: cannot read", self.log_name.display());
        let mut lines = BufReader::new(&self.log);
        let mut line = String::new();
        lines.read_line(&mut line).with_context(cannot)?;
        if !line.ends_with('\n') {
            return Ok(false);
        }
        if line.trim_end() != title {
            bail!(
                "{}: it is of another data set ({}); finish that one, remove both files, or name \
                 another with --output",
                self.name.display(),
                line.trim_end()
            );
        }
        let (mut log_length, mut length) = (line.len() as u64, 0);
        let mut deals = None;
        loop {
            line.clear();
            lines.read_line(&mut line).with_context(cannot)?;
            let Some((done, bytes)) = confirmed(&line, &mut self.file)? else {
                break;
            };
            deals = Some(done);
            length += bytes;
            log_length += line.len() as u64;
        }
        let Some(deals) = deals else {
            return Ok(false);
        };
        self.deals = deals;
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.log.set_len(log_length)?;
        self.log.seek(SeekFrom::Start(log_length))?;
        Ok(true)
    }

    /// Appends a block, after which there are `deals` deals.
    fn add(&mut self, block: &[u8], deals: u32) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.name.display());
        self.file.write_all(block).with_context(cannot)?;
        let digest = hex(&Sha256::digest(block));
        self.write_log(&format!("{deals} {} {digest}", block.len()))?;
        self.deals = deals;
        Ok(())
    }

    fn write_log(&mut self, line: &str) -> anyhow::Result<()> {
        let written = self.log.write_all(format!("{line}\n").as_bytes());
        written.with_context(|| format!("{}: cannot write", self.log_name.display()))
    }

    /// Gives the data set its name, and writes its digest beside it.
    fn finish(mut self, path: &Path) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", path.display());
        self.file.rewind()?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        loop {
            match self.file.read(&mut buffer)? {
                0 => break,
                length => hash.update(&buffer[..length]),
            }
        }
        self.file.sync_all().with_context(cannot)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digest = format!("{}  {name}\n", hex(&hash.finalize()));
        let mut beside = path.as_os_str().to_owned();
        beside.push(".sha256");
        fs::rename(&self.name, path).with_context(cannot)?;
        crate::output::whole_file::write_file(Path::new(&beside), &digest)?;
        drop(self.log);
        fs::remove_file(&self.log_name).with_context(cannot)
    }
}

/// Returns the deals and bytes of a block if a line of the log is complete and the next bytes of
/// the file have its digest.
fn confirmed(line: &str, file: &mut File) -> anyhow::Result<Option<(u32, u64)>> {
    let words: Vec<&str> = line.split(' ').collect();
    let (true, [deals, bytes, digest]) = (line.ends_with('\n'), &words[..]) else {
        return Ok(None);
    };
    let (Ok(deals), Ok(bytes)) = (deals.parse(), bytes.parse::<u64>()) else {
        return Ok(None);
    };
    let mut block = Vec::new();
    // A length that is not one of ours ends at the end of the file.
    file.take(bytes).read_to_end(&mut block)?;
    let is_whole = block.len() as u64 == bytes && hex(&Sha256::digest(&block)) == digest.trim_end();
    Ok(is_whole.then_some((deals, bytes)))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
