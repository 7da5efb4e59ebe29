//! `--certificate`: proofs of answers, for `setrograde-check`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use clap::Args;
use setrograde::cards::Deal;
use setrograde::solver::TrickTable;
use setrograde::{Desk, Refusal, Report, Subject};
use setrograde_parallel::lock;
use setrograde_prove::{ProveError, certify};

use crate::Outcome;
use crate::output::whole_file::WholeFile;
use crate::questions::raw_bytes::RawBytes;
use crate::questions::{Question, Questions};

/// The option for certificates.
#[derive(Args)]
pub struct CertificateArgument {
    /// Write certificates of the results to FILE, for `setrograde-check`; `-` prints them instead
    /// of the results.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

impl CertificateArgument {
    pub fn is_given(&self) -> bool {
        self.certificate.is_some()
    }

    /// Writes a certificate for each question, and answers the question by `answer`. `prove` has the
    /// number of threads, and returns what the certificate proves and its bytes, or `None` for a
    /// question that is left out.
    pub fn run<A: Subject, P, R: Report + 'static>(
        &self,
        questions: Questions<'_>,
        desk: Desk,
        prove: impl Fn(&mut Desk, &Question<'_, A>, usize) -> Result<Option<(P, Vec<u8>)>, Refusal>
        + Sync,
        answer: impl Fn(&mut Desk, &Question<'_, A>, P) -> Result<R, Refusal> + Sync,
    ) -> anyhow::Result<Outcome> {
        let path = self.certificate.as_deref().unwrap_or(Path::new("-"));
        let desk = desk.with_threads(questions.threads_for_each());
        if path == Path::new("-") {
            if questions.json {
                bail!("--certificate - prints no answers; with --json, name a file");
            }
            let each = if questions.is_one() {
                questions.workers()
            } else {
                1
            };
            return questions.run(&desk, |desk, question| {
                let proved = prove(desk, question, each)?;
                Ok(proved.map(|(_, bytes)| RawBytes(bytes)))
            });
        }
        questions.refuse_output(path)?;
        let each = questions.workers();
        // One question after the other: the certificates follow each other in their order.
        let questions = Questions {
            threads: Some(1),
            ..questions
        };
        let file = Mutex::new((WholeFile::create(path)?, Ok(false)));
        let outcome = questions.run(&desk, |desk, question| {
            let Some((proved, bytes)) = prove(desk, question, each)? else {
                return Ok(None);
            };
            let answer = answer(desk, question, proved)?;
            let mut file = lock(&file);
            let (file, written) = &mut *file;
            if written.is_ok() {
                *written = file.write_all(&bytes).map(|()| true);
            }
            Ok(Some(answer))
        })?;
        let (file, written) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written = written.with_context(|| format!("{}: cannot write", file.name()))?;
        file.finish_if(written && outcome != Outcome::Interrupted)?;
        Ok(outcome)
    }
}

/// Proves the table of a deal on some threads; returns it with the certificate.
pub fn proved(desk: &Desk, deal: &Deal, threads: usize) -> Result<(TrickTable, Vec<u8>), Refusal> {
    certify(deal, threads, &desk.solver_options()).map_err(refusal)
}

/// Returns the refusal of a question without a certificate.
pub fn refusal(error: ProveError) -> Refusal {
    match error {
        ProveError::Solve(error) => error.into(),
        error => Refusal::question(error),
    }
}
