//! Whether a deal meets a condition on its results.

use std::collections::BTreeMap;

use setrograde_cards::{Card, Contract, Deal, Position, Seat, Side, Strain, Vulnerability};
use setrograde_claim::{Claims, Knowledge, Options, known};
use setrograde_parallel::Stop;
use setrograde_solver::{Par, SolveError, Solver, TrickTable, choices};

use super::{Amount, Literal, NamedContract, NamedLead, ResultCondition, ResultTerm, Setting};
use crate::refusal::Refusal;

/// Maximum number of nodes of the search whether a card makes a contract sure.
const SURE_NODES: u64 = 1_000;

/// The double-dummy results of a deal, each found once something depends on it.
///
/// A comparison solves only what decides it: for `tricks(S,NT)>=9` whether South takes nine tricks,
/// not the number.
#[derive(Debug)]
pub struct DealResults<'a> {
    solver: &'a mut Solver,
    stop: Stop,
    deal: Deal,
    /// The bounds that are known.
    bounds: BTreeMap<OpeningTricks, (u8, u8)>,
}

/// A number of tricks at the start of the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OpeningTricks {
    /// Those of a declarer.
    Declarer(Strain, Seat),
    /// Those of the defenders against a declarer after a lead.
    Led(Strain, Seat, Card),
}

/// A part of a sum whose value is known from tricks.
#[derive(Clone, Copy, Debug)]
enum Addend {
    Count(OpeningTricks),
    Makes(Contract),
    /// The score of North and South.
    Score(Contract, Vulnerability),
    Number(i32),
}

impl Addend {
    /// The tricks that decide it.
    fn tricks(self) -> Option<OpeningTricks> {
        match self {
            Addend::Count(tricks) => Some(tricks),
            Addend::Makes(contract) | Addend::Score(contract, _) => Some(of_contract(contract)),
            Addend::Number(_) => None,
        }
    }

    /// The value for a number of tricks; it never falls, or never rises, with them.
    fn value(self, tricks: u8) -> i32 {
        match self {
            Addend::Count(_) => tricks.into(),
            Addend::Makes(contract) => (tricks >= contract.bid.tricks()).into(),
            Addend::Score(contract, sides) => contract.score(tricks, sides, Side::NorthSouth),
            Addend::Number(number) => number,
        }
    }
}

const fn of_contract(contract: Contract) -> OpeningTricks {
    OpeningTricks::Declarer(contract.strain(), contract.declarer)
}

impl DealResults<'_> {
    /// Returns the results of a deal before anything is solved.
    pub fn new(solver: &mut Solver, deal: Deal) -> DealResults<'_> {
        DealResults {
            solver,
            stop: Stop::default(),
            deal,
            bounds: BTreeMap::new(),
        }
    }

    /// Returns the same results, whose searches end once `stop` is due.
    pub(crate) fn with_stop(self, stop: Stop) -> Self {
        DealResults { stop, ..self }
    }

    /// Returns whether the deal meets a condition.
    ///
    /// # Errors
    ///
    /// If the condition speaks of something that the setting lacks, or of a contract while the
    /// hands do not have 13 cards; if the search fails or is cancelled.
    pub fn fit(&mut self, condition: &ResultCondition, setting: &Setting) -> Result<bool, Refusal> {
        if self.left() == 0 {
            let sizes = self.deal.hands().map(|hand| hand.len());
            return Err(SolveError::UnequalHands(sizes).into());
        }
        // All that costs nothing before anything is searched.
        let hands = self.deal.hands();
        let on_hands = |literals: &&Vec<Literal>| {
            literals.iter().all(|literal| match literal {
                Literal::Hands(placed) => placed.allows(&Seat::ALL, hands),
                Literal::Result { .. } => true,
            })
        };
        let left: Vec<&Vec<Literal>> = condition.alternatives.iter().filter(on_hands).collect();
        'alternatives: for literals in left {
            for literal in literals {
                if let Literal::Result { term, holds } = literal
                    && self.holds(term, setting)? != *holds
                {
                    continue 'alternatives;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn holds(&mut self, term: &ResultTerm, setting: &Setting) -> Result<bool, Refusal> {
        match term {
            ResultTerm::Within { of, least, most } => {
                let mut parts = Vec::new();
                for &(sign, amount) in of {
                    if !self.add_parts(&mut parts, sign, amount, setting)? {
                        return Ok(false);
                    }
                }
                self.is_within(&parts, *least, *most)
            }
            ResultTerm::UniqueLead(contract) => {
                let contract = self.contract(*contract, setting)?;
                self.is_lead_unique(contract)
            }
            ResultTerm::UniqueCard(contract, lead) => {
                let contract = self.contract(*contract, setting)?;
                let lead = of_lead(*lead, setting)?;
                self.is_card_unique(contract, lead)
            }
            ResultTerm::UniqueSure(contract, lead) => {
                let contract = self.contract(*contract, setting)?;
                let lead = of_lead(*lead, setting)?;
                self.is_sure_card_unique(contract, lead)
            }
        }
    }

    /// Adds the parts of an amount; returns false if it has no value in this deal.
    fn add_parts(
        &mut self,
        parts: &mut Vec<(i32, Addend)>,
        sign: i32,
        amount: Amount,
        setting: &Setting,
    ) -> Result<bool, Refusal> {
        let part = match amount {
            Amount::Tricks(seat, strain) => Addend::Count(OpeningTricks::Declarer(strain, seat)),
            Amount::Makes(contract) => Addend::Makes(self.contract(contract, setting)?),
            Amount::Score(contract) => {
                let contract = self.contract(contract, setting)?;
                let sides = setting.vulnerability;
                Addend::Score(contract, sides.ok_or_else(|| lacks("vulnerability"))?)
            }
            Amount::Lost(contract, lead) => {
                let contract = self.contract(contract, setting)?;
                let lead = of_lead(lead, setting)?;
                if !self.deal.hand(contract.leader()).contains(lead) {
                    return Ok(false);
                }
                let (strain, declarer) = (contract.strain(), contract.declarer);
                parts.push((
                    -sign,
                    Addend::Count(OpeningTricks::Led(strain, declarer, lead)),
                ));
                parts.push((-sign, Addend::Count(of_contract(contract))));
                Addend::Number(13)
            }
            Amount::Par => {
                let (sides, dealer) = setting
                    .vulnerability
                    .zip(setting.dealer)
                    .ok_or_else(|| lacks("dealer or no vulnerability"))?;
                self.check_whole()?;
                Addend::Number(Par::new(&self.table()?, sides, dealer).score)
            }
        };
        parts.push((sign, part));
        Ok(true)
    }

    /// Returns whether a sum of parts, each with its sign, is within a range.
    fn is_within(
        &mut self,
        parts: &[(i32, Addend)],
        least: i32,
        most: i32,
    ) -> Result<bool, Refusal> {
        loop {
            let (mut low, mut high) = (0, 0);
            let mut open = Vec::new();
            for &(sign, part) in parts {
                let bounds = part.tricks().map_or((0, 0), |tricks| self.bounds(tricks));
                let ends = [bounds.0, bounds.1].map(|tricks| sign * part.value(tricks));
                low += ends[0].min(ends[1]);
                high += ends[0].max(ends[1]);
                if ends[0] != ends[1] {
                    open.extend(part.tricks().map(|tricks| (sign, part, tricks)));
                }
            }
            if low > most || high < least {
                return Ok(false);
            }
            if least <= low && high <= most {
                return Ok(true);
            }
            match open[..] {
                // The rest of the sum is known: one question decides, or two for both ends.
                [(sign, part, tricks)] => {
                    let bounds = self.bounds(tricks);
                    let ends = [bounds.0, bounds.1].map(|tricks| sign * part.value(tricks));
                    let rest = low - ends[0].min(ends[1]);
                    let is_above = |value: u8| {
                        let sum = rest + sign * part.value(value);
                        if low < least {
                            sum >= least
                        } else {
                            sum > most
                        }
                    };
                    let at_low = is_above(bounds.0);
                    let step = (bounds.0..=bounds.1)
                        .find(|&value| is_above(value) != at_low)
                        .expect("the ends of the sum differ there");
                    self.takes(tricks, step)?;
                }
                [(_, _, tricks), ..] => self.find(tricks)?,
                [] => unreachable!("a sum of known numbers is within the range or not"),
            }
        }
    }

    /// Returns whether exactly one lead, or run of equal cards, beats a contract.
    fn is_lead_unique(&mut self, contract: Contract) -> Result<bool, Refusal> {
        if self.takes(of_contract(contract), contract.bid.tricks())? {
            return Ok(false);
        }
        let (strain, declarer) = (contract.strain(), contract.declarer);
        let mut beat = 0;
        for choice in choices(&self.start(strain, declarer)) {
            let led = OpeningTricks::Led(strain, declarer, choice.card);
            beat += usize::from(self.takes(led, 14 - contract.bid.tricks())?);
            if beat > 1 {
                return Ok(false);
            }
        }
        Ok(beat == 1)
    }

    /// Returns whether after a lead exactly one card of dummy, or run of equal cards, makes a
    /// contract, and another does not.
    fn is_card_unique(&mut self, contract: Contract, lead: Card) -> Result<bool, Refusal> {
        let (strain, declarer) = (contract.strain(), contract.declarer);
        let defenders = 14 - contract.bid.tricks();
        let Ok(led) = self.start(strain, declarer).play(lead) else {
            return Ok(false);
        };
        let cards = choices(&led);
        if cards.len() < 2 || self.takes(OpeningTricks::Led(strain, declarer, lead), defenders)? {
            return Ok(false);
        }
        let mut make = 0;
        for choice in cards {
            let played = led.play(choice.card).expect("it may be played");
            make += usize::from(!self.solver.reaches(&played, defenders)?.reached);
            if make > 1 {
                return Ok(false);
            }
        }
        Ok(make == 1)
    }

    /// Returns whether after a lead exactly one card of dummy, or run of equal cards, makes a
    /// contract sure, whatever the defenders hold, and another does not. What a search of
    /// [`SURE_NODES`] leaves open is not sure, and counts against a card that is alone.
    fn is_sure_card_unique(&mut self, contract: Contract, lead: Card) -> Result<bool, Refusal> {
        let (strain, declarer) = (contract.strain(), contract.declarer);
        let need = contract.bid.tricks();
        let Ok(led) = self.start(strain, declarer).play(lead) else {
            return Ok(false);
        };
        let cards = choices(&led);
        // What is sure makes double dummy.
        if cards.len() < 2 || self.takes(OpeningTricks::Led(strain, declarer, lead), 14 - need)? {
            return Ok(false);
        }
        let seen = Knowledge::from_position(&led, declarer, contract.dummy())?;
        let mut claims = Claims::new(Options {
            limit: Some(SURE_NODES),
            stop: self.stop.clone(),
            ..Options::default()
        });
        let mut sure = 0;
        for choice in cards {
            let played = seen.play(choice.card)?;
            match known(claims.is_sure(&played, need))? {
                Some(is_sure) => sure += usize::from(is_sure),
                None => return Ok(false),
            }
            if sure > 1 {
                return Ok(false);
            }
        }
        Ok(sure == 1)
    }

    /// Returns whether at least `count` tricks are taken.
    fn takes(&mut self, tricks: OpeningTricks, count: u8) -> Result<bool, Refusal> {
        let (low, high) = self.bounds(tricks);
        if count <= low {
            return Ok(true);
        }
        if count > high {
            return Ok(false);
        }
        let takes = match tricks {
            OpeningTricks::Declarer(strain, declarer) => {
                let start = self.start(strain, declarer);
                let defenders = self.left() - count + 1;
                !self.solver.reaches(&start, defenders)?.reached
            }
            OpeningTricks::Led(strain, declarer, card) => {
                let start = self.start(strain, declarer);
                let led = start.play(card).expect("the leader has the card");
                self.solver.reaches(&led, count)?.reached
            }
        };
        let bounds = if takes {
            (count, high)
        } else {
            (low, count - 1)
        };
        self.bounds.insert(tricks, bounds);
        Ok(takes)
    }

    /// Finds a number of tricks.
    fn find(&mut self, tricks: OpeningTricks) -> Result<(), Refusal> {
        if let OpeningTricks::Declarer(strain, declarer) = tricks
            && self.bounds(tricks) == (0, self.left())
        {
            let start = self.start(strain, declarer);
            let exact = self.left() - self.solver.tricks(&start)?;
            self.bounds.insert(tricks, (exact, exact));
            return Ok(());
        }
        if let OpeningTricks::Led(strain, declarer, _) = tricks {
            // A lead never takes more than the best one, and mostly as many.
            let best = OpeningTricks::Declarer(strain, declarer);
            self.find(best)?;
            let most = self.left() - self.bounds(best).0;
            let (low, high) = self.bounds(tricks);
            self.bounds.insert(tricks, (low, high.min(most)));
        }
        loop {
            let (low, high) = self.bounds(tricks);
            if low == high {
                return Ok(());
            }
            self.takes(tricks, high)?;
        }
    }

    /// Finds all 20 results.
    fn table(&mut self) -> Result<TrickTable, Refusal> {
        let known = |strain: Strain, declarer: Seat| {
            let bounds = self.bounds.get(&OpeningTricks::Declarer(strain, declarer));
            bounds.is_some_and(|(low, high)| low == high)
        };
        let all = Strain::ALL
            .into_iter()
            .all(|strain| Seat::ALL.into_iter().all(|seat| known(strain, seat)));
        if !all {
            for (strain, declarer, tricks) in self.solver.table(&self.deal)?.results() {
                let of = OpeningTricks::Declarer(strain, declarer);
                self.bounds.insert(of, (tricks, tricks));
            }
        }
        Ok(TrickTable::new(Strain::ALL.map(|strain| {
            Seat::ALL.map(|declarer| self.bounds(OpeningTricks::Declarer(strain, declarer)).0)
        })))
    }

    /// The bounds that are known.
    fn bounds(&self, tricks: OpeningTricks) -> (u8, u8) {
        let known = self.bounds.get(&tricks);
        known.copied().unwrap_or((0, self.left()))
    }

    /// The tricks of the deal.
    fn left(&self) -> u8 {
        self.deal.cards_per_hand().unwrap_or(0) as u8
    }

    /// The position before the lead.
    fn start(&self, strain: Strain, declarer: Seat) -> Position {
        Position::new(strain, declarer.next(), self.deal, &[])
            .expect("a deal of equal hands is a position")
    }

    /// The contract of a term; there is none without 13 cards in each hand.
    fn contract(&self, named: NamedContract, setting: &Setting) -> Result<Contract, Refusal> {
        self.check_whole()?;
        named.or(setting.contract).ok_or_else(|| lacks("contract"))
    }

    fn check_whole(&self) -> Result<(), Refusal> {
        match self.deal.cards_left() {
            52 => Ok(()),
            cards => Err(Refusal::option(
                "where",
                format_args!("contracts and par are for deals of 52 cards, and this has {cards}"),
            )),
        }
    }
}

fn of_lead(named: NamedLead, setting: &Setting) -> Result<Card, Refusal> {
    named.or(setting.lead).ok_or_else(|| lacks("opening lead"))
}

/// The error of a condition about something that the board lacks.
fn lacks(what: &str) -> Refusal {
    Refusal::option("where", format_args!("the board has no {what}"))
}
