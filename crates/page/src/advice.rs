//! Before the play: the best play of one suit, and the contract to be in.

use serde_json::json;
use setrograde_cards::{Contract, Seat, Vulnerability, Whole};
use setrograde_games::{Strengths, View};
use setrograde_single_dummy::{
    Compared, ContractOdds, Sampling, SuitHolding, interval, sampled_contracts,
};
use setrograde_solver::Options;

use crate::chances::SEED;
use crate::position::{Seen, field};
use crate::{Answer, SOLVER_MEMORY};

/// The most layouts of one question.
const MOST_LAYOUTS: usize = 1_280;
/// The most contracts of one question.
const MOST_CONTRACTS: usize = 6;

/// North's and South's cards of a suit, and a number of tricks or `-` for the most that is an
/// even chance, with a tab after each: as `suit`.
pub(crate) fn suit(text: &str) -> Answer {
    let (north, text) = field(text, "South's cards")?;
    let (south, tricks) = field(text, "the number of tricks")?;
    let suit = SuitHolding::read([north.trim(), south.trim()], "-", [13, 13])?;
    let tricks = match tricks.trim() {
        "-" => None,
        tricks => Some(tricks.parse()?),
    };
    let found = suit.answer_by(tricks, None)?.expect("there is no deadline");
    Ok(json!({
        "at_least": found.at_least,
        "average": found.average,
        "matchpoints": found.matchpoints,
        "lines": [found.line],
    }))
}

/// Contracts with commas between them, as `3NTN,4SS`; who is vulnerable; the number of layouts;
/// and what is seen of a whole deal before the lead: as `compare`.
pub(crate) fn compare(text: &str) -> Answer {
    let (contracts, text) = field(text, "who is vulnerable")?;
    let (vulnerable, text) = field(text, "the number of layouts")?;
    let (layouts, text) = field(text, "the hands that are seen")?;
    let contracts = contracts.split(',').map(|text| text.trim().parse());
    let contracts = contracts.collect::<Result<Vec<Contract>, _>>()?;
    let vulnerability: Vulnerability = vulnerable.parse()?;
    let layouts: usize = layouts.parse()?;
    if layouts > MOST_LAYOUTS || contracts.len() > MOST_CONTRACTS {
        return Err(format!(
            "{layouts} layouts and {} contracts; at most {MOST_LAYOUTS} and {MOST_CONTRACTS}",
            contracts.len()
        )
        .into());
    }
    let view = View::of_bridge(&Seen::read(text)?.question)?;
    let beliefs = view.beliefs(&Strengths::NONE)?;
    let compared = Compared {
        side: contracts
            .first()
            .map_or(Seat::North, |of| of.declarer)
            .side(),
        contracts: &contracts,
        vulnerability,
    };
    let sampling = Sampling {
        layouts,
        until: None,
        seed: SEED,
        threads: 1,
        by_card: false,
    };
    let options = Options {
        memory: SOLVER_MEMORY,
        ..Default::default()
    };
    let found = sampled_contracts(&view, &beliefs, compared, sampling, &options)?;
    let contract = |of: &ContractOdds| {
        let makes = of.odds.at_least(of.contract.bid.tricks().into());
        json!({
            "contract": of.contract.to_string(),
            "makes": makes,
            "interval": interval(makes, of.odds.layouts),
            "score": of.score,
            "half_width": of.score_half_width,
            "matchpoints": of.matchpoints,
            "imps": of.imps,
        })
    };
    Ok(json!({
        "side": compared.side.to_string(),
        "layouts": layouts,
        "drawn_of": Whole(beliefs.count()),
        "contracts": found.iter().map(contract).collect::<Vec<_>>(),
    }))
}
