//! Before the play: the best play of one suit, and the contract to be in.

use serde::Serialize;
use setrograde::ask::SuitLines;
use setrograde_beliefs::{Strengths, View};
use setrograde_cards::{Bid, Contract, Deal, Doubling, Seat, Strain, Suit, Vulnerability};
use setrograde_single_dummy::{Compared, Comparison, Sampling, SuitHolding, SuitStep};
use setrograde_solver::Options;

use crate::chances::SEED;
use crate::position::{SeatsView, field};
use crate::{EngineAnswer, SOLVER_MEMORY};

/// Maximum number of layouts of one question.
const MOST_LAYOUTS: usize = 1_280;
/// Maximum number of contracts of one question.
const MOST_CONTRACTS: usize = 6;

/// Dummy's and declarer's cards of a suit, a number of tricks or `-` for the most that is an even
/// chance, and declarer's seat if it is not South, with a tab between them: as `suit`.
pub(crate) fn suit(text: &str) -> EngineAnswer<SuitLines> {
    let (north, text) = field(text, "declarer's cards")?;
    let (south, text) = field(text, "the number of tricks")?;
    let (tricks, declarer) = text.split_once('\t').unwrap_or((text, "S"));
    let declarer: Seat = declarer.trim().parse()?;
    let (north, south) = (north.trim(), south.trim());
    let suit = SuitHolding::read([north, south], "-", [13, 13])?;
    let tricks = match tricks.trim() {
        "-" => None,
        tricks => Some(tricks.parse()?),
    };
    let found = suit.answer_by(tricks, None)?.expect("there is no deadline");
    let mut line = found.line;
    line.plan = turned(&line.plan, declarer);
    turn_steps(&mut line.steps, declarer);
    Ok(SuitLines {
        north: north.to_owned(),
        south: south.to_owned(),
        at_least: found.at_least,
        average: found.average,
        matchpoints: found.matchpoints,
        lines: vec![line],
    })
}

/// Turns the hands that lead in the steps of a plan.
fn turn_steps(steps: &mut [SuitStep], declarer: Seat) {
    for step in steps {
        step.from = step.from.plus(declarer.distance_from(Seat::South));
        for branch in &mut step.then {
            turn_steps(&mut branch.steps, declarer);
        }
    }
}

/// A plan of North and South for another declarer than South: each seat's name turned with it.
fn turned(words: &str, declarer: Seat) -> String {
    let by = declarer.distance_from(Seat::South);
    let mut text = String::new();
    let mut word = String::new();
    for letter in words.chars().chain(['\0']) {
        if letter.is_alphabetic() {
            word.push(letter);
            continue;
        }
        match Seat::ALL.into_iter().find(|seat| seat.name() == word) {
            Some(seat) => text += seat.plus(by).name(),
            None => text += &word,
        }
        word.clear();
        text.extend((letter != '\0').then_some(letter));
    }
    text
}

/// Contracts to compare.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ContractList {
    /// The contracts.
    contracts: Vec<Contract>,
}

/// The contracts to compare: the contract played, the best contract of the declarer's side in the
/// table, and a game in each of its longest fits.
///
/// The declarer; who is vulnerable; the contract that was played or `-`; the deal; and its 20
/// results, as for `par`, or nothing; with a tab between them.
pub(crate) fn contracts(text: &str) -> EngineAnswer<ContractList> {
    let (by, text) = field(text, "who is vulnerable")?;
    let (vulnerable, text) = field(text, "the contract")?;
    let (played, text) = field(text, "the deal")?;
    let (deal, results) = field(text, "the results")?;
    let by: Seat = by.parse()?;
    let vulnerability: Vulnerability = vulnerable.parse()?;
    let deal: Deal = deal.parse()?;
    let results = results
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<u8>, _>>()?;
    let pair = [by, by.partner()];
    let mut found: Vec<Contract> = Vec::new();
    if played != "-" {
        found.extend(
            Some(played.parse::<Contract>()?)
                .filter(|contract| contract.declarer.side() == by.side()),
        );
    }
    if results.len() == 20 {
        // Of contracts with the same score the lowest is the safest; a pair has the same tricks in
        // most deals, and then `by` declares.
        let mut best: Option<(i32, Contract)> = None;
        for bid in Bid::all() {
            for seat in pair {
                let at = Strain::ALL
                    .iter()
                    .position(|strain| *strain == bid.strain());
                let tricks = results[4 * at.expect("all strains") + seat as usize];
                let contract = Contract::new(bid, Doubling::Undoubled, seat);
                let score = contract.score(tricks, vulnerability, by.side());
                if tricks >= bid.tricks() && best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, contract));
                }
            }
        }
        found.extend(best.map(|(_, contract)| contract));
    }
    let length = |suit: Suit| pair.map(|seat| deal.hand(seat).holding(suit).len());
    let fit = |suit: &Suit| length(*suit).iter().sum::<usize>();
    let longest = Suit::ALL.iter().map(fit).max().unwrap_or_default();
    for suit in Suit::ALL.into_iter().filter(|suit| fit(suit) == longest) {
        let level = match suit {
            Suit::Spades | Suit::Hearts => 4,
            Suit::Diamonds | Suit::Clubs => 5,
        };
        let [own, other] = length(suit);
        let seat = if other > own { by.partner() } else { by };
        let bid = Bid::new(level, Strain::Trump(suit)).expect("a level of 4 or 5");
        found.push(Contract::new(bid, Doubling::Undoubled, seat));
    }
    let mut kept: Vec<Contract> = Vec::new();
    for contract in found {
        if kept.iter().all(|other| other.bid != contract.bid) {
            kept.push(contract);
        }
    }
    kept.truncate(MOST_CONTRACTS);
    Ok(ContractList { contracts: kept })
}

/// Contracts with commas between them, as `3NTN,4SS`; who is vulnerable; the number of layouts; and
/// the hands seen of a complete deal before the lead: as `compare`.
pub(crate) fn compare(text: &str) -> EngineAnswer<Comparison> {
    let (contracts, text) = field(text, "who is vulnerable")?;
    let (vulnerable, text) = field(text, "the number of layouts")?;
    let (layouts, text) = field(text, "the hands that are seen")?;
    let contracts = contracts
        .split(',')
        .map(|text| text.trim().parse())
        .collect::<Result<Vec<Contract>, _>>()?;
    let vulnerability: Vulnerability = vulnerable.parse()?;
    let layouts: usize = layouts.parse()?;
    if layouts > MOST_LAYOUTS || contracts.len() > MOST_CONTRACTS {
        return Err(format!(
            "{layouts} layouts and {} contracts; at most {MOST_LAYOUTS} and {MOST_CONTRACTS}",
            contracts.len()
        )
        .into());
    }
    let view = View::of_bridge(&SeatsView::read(text)?.question)?;
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
    let found = Comparison::drawn(&view, &beliefs, compared, sampling, &options);
    Ok(found?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All hands that lead in the steps.
    fn leads(steps: &[SuitStep], all: &mut Vec<Seat>) {
        for step in steps {
            all.push(step.from);
            for branch in &step.then {
                leads(&branch.steps, all);
            }
        }
    }

    #[test]
    fn plans_name_the_hands_of_the_declarer() {
        let answer = suit("AQT9\t432\t-\tW").expect("a plan");
        let line = &answer.lines[0];
        let mut all = Vec::new();
        leads(&line.steps, &mut all);
        assert!(all.len() > 2);
        let theirs = [Seat::East, Seat::West];
        assert!(all.iter().all(|seat| theirs.contains(seat)), "{all:?}");
        let words = &line.plan;
        assert!(
            words.contains("from West") && !words.contains("South"),
            "{words}"
        );
    }
}
