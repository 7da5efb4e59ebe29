//! Reviews as objects, described in `docs/json.md`.

use serde::Serialize;
use setrograde_cards::{Contract, Seat};

use crate::mistakes::{Review, Step};
use crate::summary::{Losses, Summary};

/// A [`Review`] as an object.
#[derive(Serialize)]
pub struct ReviewObject<'a> {
    question: &'a str,
    leader: Seat,
    tricks: u8,
    tricks_left: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<ContractObject>,
    cards: &'a [Step],
}

#[derive(Serialize)]
struct ContractObject {
    contract: Contract,
    declarer: Seat,
    double_dummy: u8,
    result: Option<u8>,
    after_last_card: u8,
}

impl<'a> ReviewObject<'a> {
    /// The object of a review, the answer to `question`.
    #[must_use]
    pub fn new(question: &'a str, review: &'a Review) -> ReviewObject<'a> {
        ReviewObject {
            question,
            leader: review.start.leader(),
            tricks: review.tricks,
            tricks_left: review.start.tricks_left(),
            contract: review.contract.map(|contract| ContractObject {
                contract,
                declarer: contract.declarer,
                double_dummy: review.tricks_at(0),
                result: review.result,
                after_last_card: review.tricks_at(review.steps.len()),
            }),
            cards: &review.steps,
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
