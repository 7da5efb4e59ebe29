//! The answers of every method to a claim.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::json;
use setrograde_claim::{ClaimError, Claims, Knowledge, ordered};
use setrograde_experiments::paper::{PaperOptions, paper};
use setrograde_records::Board;

use super::record::Claim;

/// After how many nodes the paper's method is cut off where it has no table.
const CUT: u64 = 100_000;

/// A method's answer to one claim.
#[derive(Clone, Copy)]
pub struct Said {
    pub found: Option<bool>,
    pub nodes: u64,
    pub moves: u64,
    pub time: Duration,
}

/// All answers to a claim.
pub struct Findings {
    pub all: bool,
    /// The declarer's side leads, and the trick has not begun.
    pub at_lead: bool,
    pub tricks_left: usize,
    pub sure: Said,
    pub ordered: bool,
    pub no_table: Said,
    pub no_loser: Said,
    pub one_loser: Said,
    pub double_dummy: u8,
    /// `None` if the limit was reached; exact with at most 300 layouts.
    pub least: Option<u8>,
    pub claimed: u8,
}

fn by_paper(knowledge: &Knowledge, claimed: u8, losers: u8, table: bool) -> Said {
    let start = ThreadTime::now();
    let answer = paper(
        knowledge,
        claimed,
        PaperOptions {
            losers,
            table,
            limit: if table { 2_000_000 } else { CUT },
        },
    );
    Said {
        found: answer.found,
        nodes: answer.nodes,
        moves: answer.moves,
        time: start.elapsed(),
    }
}

/// Returns whether ordered, sure, least double dummy and double dummy rise in this order, as
/// tricks.
pub fn rises(claims: &mut Claims, claim: &Claim) -> Result<bool, ClaimError> {
    let sure = claims.sure(&claim.knowledge)?;
    let (least, _) = claims.least_double_dummy(&claim.knowledge, 300)?;
    let double_dummy = claims.double_dummy_of(&claim.knowledge, claim.layout)?;
    let ordered = ordered(&claim.knowledge).len() as u8;
    Ok(ordered <= sure && sure <= least && least <= double_dummy)
}

/// The answer, or nothing where the limit was reached.
fn within_limit<T>(answer: Result<T, ClaimError>) -> Result<Option<T>, ClaimError> {
    match answer {
        Err(ClaimError::LimitReached { .. }) => Ok(None),
        answer => answer.map(Some),
    }
}

/// Asks every method about a claim.
pub fn study(claims: &mut Claims, claim: &Claim) -> Result<Findings, ClaimError> {
    let Claim {
        knowledge,
        layout,
        claimed,
    } = claim;
    let before = claims.nodes();
    let start = ThreadTime::now();
    let found = within_limit(claims.is_sure(knowledge, *claimed))?;
    let sure = Said {
        found,
        nodes: claims.nodes() - before,
        moves: 0,
        time: start.elapsed(),
    };
    let at_lead = knowledge.trick().cards().is_empty() && knowledge.plays_for(knowledge.to_play());
    Ok(Findings {
        all: usize::from(*claimed) == knowledge.tricks_left(),
        at_lead,
        tricks_left: knowledge.tricks_left(),
        sure,
        ordered: at_lead && ordered(knowledge).len() >= usize::from(*claimed),
        no_table: by_paper(knowledge, *claimed, 0, false),
        no_loser: by_paper(knowledge, *claimed, 0, true),
        one_loser: by_paper(knowledge, *claimed, 1, true),
        double_dummy: claims.double_dummy_of(knowledge, *layout)?,
        least: within_limit(claims.least_double_dummy(knowledge, 300))?.map(|(least, _)| least),
        claimed: *claimed,
    })
}

impl Findings {
    pub fn json(&self, file: &str, board: &Board) -> String {
        json!({
            "file": file,
            "line": board.line,
            "board": board.number,
            "tricks_left": self.tricks_left,
            "claimed": self.claimed,
            "at_lead": self.at_lead,
            "sure": self.sure.found,
            "ordered": self.ordered,
            "paper": self.no_loser.found,
            "paper_one_loser": self.one_loser.found,
            "least_double_dummy": self.least,
            "double_dummy": self.double_dummy,
        })
        .to_string()
    }
}
