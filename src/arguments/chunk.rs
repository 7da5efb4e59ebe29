//! `--chunk`: a chunk that is named, or that the array index of a batch system gives.

use std::ffi::OsString;
use std::str::FromStr;

use anyhow::{Context, bail};
use setrograde_beliefs::joined;
use setrograde_builder::{Chunk, ChunkError};

use crate::output::say;

/// `I/K`, or `auto/K` for the index that the engine of an array job sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkArgument {
    Named(Chunk),
    Auto(u32),
}

/// The variables with the index of an array job, and the index of the first task. Slurm, PBS and
/// LSF number tasks as the submission says: from 1 to K here.
const VARIABLES: [(&str, u32); 9] = [
    ("SLURM_ARRAY_TASK_ID", 1),
    ("PBS_ARRAY_INDEX", 1),
    ("PBS_ARRAYID", 1),
    ("SGE_TASK_ID", 1),
    ("LSB_JOBINDEX", 1),
    ("JOB_COMPLETION_INDEX", 0),
    ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("CLOUD_RUN_TASK_INDEX", 0),
    ("BATCH_TASK_INDEX", 0),
];

/// What a variable has outside an array job: Grid Engine sets `undefined`, LSF 0.
const NO_INDEX: [(&str, &str); 2] = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];

impl FromStr for ChunkArgument {
    type Err = ChunkError;

    fn from_str(text: &str) -> Result<ChunkArgument, ChunkError> {
        match text.strip_prefix("auto/") {
            Some(of) => match of.parse() {
                Ok(of @ 1..) => Ok(ChunkArgument::Auto(of)),
                _ => Err(ChunkError),
            },
            None => text.parse().map(ChunkArgument::Named),
        }
    }
}

impl ChunkArgument {
    /// Returns the chunk, and reports on standard error which variable gave it.
    pub fn chunk(self) -> anyhow::Result<Chunk> {
        match self {
            ChunkArgument::Named(chunk) => Ok(chunk),
            ChunkArgument::Auto(of) => {
                let (chunk, name, value) = from_variables(of, |name| std::env::var_os(name))?;
                say(format_args!("chunk {chunk}, from {name}={value}"));
                Ok(chunk)
            }
        }
    }
}

/// Returns chunk and variable.
fn from_variables(
    of: u32,
    variable: impl Fn(&str) -> Option<OsString>,
) -> anyhow::Result<(Chunk, &'static str, String)> {
    let set: Vec<(&'static str, u32, String)> = VARIABLES
        .iter()
        .filter_map(|&(name, first)| {
            let value = variable(name)?.to_string_lossy().into_owned();
            let is_index = !value.is_empty() && !NO_INDEX.contains(&(name, value.as_str()));
            is_index.then_some((name, first, value))
        })
        .collect();
    let (name, first, value) = match &set[..] {
        [one] => one.clone(),
        [] => bail!(
            "--chunk auto/{of}: no array index is set ({}); name the chunk, as in --chunk 3/{of}",
            VARIABLES.map(|(name, _)| name).join(", ")
        ),
        several => {
            let several = several
                .iter()
                .map(|(name, _, value)| format!("{name}={value}"));
            bail!(
                "--chunk auto/{of}: {} are set; unset all but one, or name the chunk, as in --chunk 3/{of}",
                joined(several, " and ")
            )
        }
    };
    let index: Option<u32> = value.parse().ok();
    let number = index.and_then(|index| index.checked_add(1)?.checked_sub(first));
    let chunk = number.and_then(|number| Chunk::new(number, of));
    let last = of - 1 + first;
    let chunk = chunk.with_context(|| {
        format!(
            "--chunk auto/{of}: {name}={value}, but it must be from {first} to {last}: submit the array with {of} tasks"
        )
    })?;
    Ok((chunk, name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(of: u32, set: &[(&str, &str)]) -> Result<String, String> {
        let variable = |name: &str| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let found = from_variables(of, variable);
        let text = found.map(|(chunk, name, value)| format!("{chunk} {name}={value}"));
        text.map_err(|error| error.to_string())
    }

    #[test]
    fn each_engine_counts_from_its_own_number() {
        for (name, value, chunk) in [
            ("SLURM_ARRAY_TASK_ID", "1", "1/40"),
            ("PBS_ARRAY_INDEX", "40", "40/40"),
            ("SGE_TASK_ID", "7", "7/40"),
            ("LSB_JOBINDEX", "7", "7/40"),
            ("JOB_COMPLETION_INDEX", "0", "1/40"),
            ("AWS_BATCH_JOB_ARRAY_INDEX", "39", "40/40"),
        ] {
            let expected = format!("{chunk} {name}={value}");
            assert_eq!(found(40, &[(name, value)]), Ok(expected));
        }
        // Outside an array job these two are set all the same.
        let others = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];
        let set = [others[0], others[1], ("CLOUD_RUN_TASK_INDEX", "3")];
        assert_eq!(found(4, &set), Ok("4/4 CLOUD_RUN_TASK_INDEX=3".to_owned()));
    }

    #[test]
    fn none_several_and_one_out_of_range_are_refused_by_name() {
        let refused = |set: &[(&str, &str)], expected: &[&str]| {
            let error = found(40, set).expect_err("refused");
            for part in expected {
                assert!(error.contains(part), "{error}");
            }
        };
        refused(&[], &["SLURM_ARRAY_TASK_ID", "--chunk 3/40"]);
        refused(&[("SGE_TASK_ID", "undefined")], &["no array index is set"]);
        let two = [("SLURM_ARRAY_TASK_ID", "3"), ("JOB_COMPLETION_INDEX", "2")];
        refused(&two, &["SLURM_ARRAY_TASK_ID=3 and JOB_COMPLETION_INDEX=2"]);
        refused(&[("SLURM_ARRAY_TASK_ID", "0")], &["from 1 to 40"]);
        refused(&[("JOB_COMPLETION_INDEX", "40")], &["from 0 to 39"]);
        refused(&[("PBS_ARRAY_INDEX", "x")], &["PBS_ARRAY_INDEX=x"]);
        refused(&[("SLURM_ARRAY_TASK_ID", "4294967295")], &["from 1 to 40"]);
        for text in ["auto", "auto/", "auto/0", "auto/-1", "Auto/3", "0/3"] {
            assert!(text.parse::<ChunkArgument>().is_err(), "{text}");
        }
    }
}
