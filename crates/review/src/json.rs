//! Reviews as objects, described in `docs/json.md`.

use serde::Serialize;
use setrograde_cards::{Card, Seat};

use crate::mistakes::{Review, Step};
use crate::summary::{Losses, Summary};

/// A [`Review`] as an object.
#[derive(Serialize)]
pub struct ReviewObject<'a> {
    question: &'a str,
    leader: String,
    tricks: u8,
    tricks_left: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<ContractObject>,
    cards: Vec<StepObject>,
}

#[derive(Serialize)]
struct ContractObject {
    contract: String,
    declarer: String,
    double_dummy: u8,
    result: Option<u8>,
    after_last_card: u8,
}

#[derive(Serialize)]
struct StepObject {
    seat: String,
    card: String,
    trick: usize,
    tricks: u8,
    gives_away: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    right: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
}

impl From<&Step> for StepObject {
    fn from(step: &Step) -> StepObject {
        StepObject {
            seat: step.seat.to_string(),
            card: step.card.to_string(),
            trick: step.trick,
            tricks: step.tricks,
            gives_away: step.cost,
            right: step.right.iter().map(Card::to_string).collect(),
            winner: step.winner.as_ref().map(Seat::to_string),
        }
    }
}

impl<'a> ReviewObject<'a> {
    /// The object of a review, the answer to `question`.
    #[must_use]
    pub fn new(question: &'a str, review: &Review) -> ReviewObject<'a> {
        ReviewObject {
            question,
            leader: review.start.leader().to_string(),
            tricks: review.tricks,
            tricks_left: review.start.tricks_left(),
            contract: review.contract.map(|contract| ContractObject {
                contract: contract.to_string(),
                declarer: contract.declarer.to_string(),
                double_dummy: review.tricks_at(0),
                result: review.result,
                after_last_card: review.tricks_at(review.steps.len()),
            }),
            cards: review.steps.iter().map(StepObject::from).collect(),
        }
    }
}

/// A [`Summary`] as an object.
#[derive(Serialize)]
pub struct SummaryObject {
    summary: Lists,
}

#[derive(Serialize)]
struct Lists {
    boards: u64,
    players: Vec<Losses>,
    pairs: Vec<Losses>,
}

impl From<&Summary> for SummaryObject {
    fn from(summary: &Summary) -> SummaryObject {
        SummaryObject {
            summary: Lists {
                boards: summary.boards(),
                players: summary.players(),
                pairs: summary.pairs(),
            },
        }
    }
}
