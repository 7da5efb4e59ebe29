//! Whether a deal meets a condition on its results.

use std::collections::BTreeMap;

use setrograde_beliefs::ScriptResult;
use setrograde_cards::{Card, Contract, Deal, Position, Seat, Side, Strain, Vulnerability};
use setrograde_claim::{Claims, Knowledge, Options, known};
use setrograde_parallel::Stop;
use setrograde_solver::{Choice, Par, SolveError, Solver, TrickTable, choices};

use super::{Amount, Literal, NamedContract, NamedLead, ResultCondition, ResultTerm, Setting};
use crate::refusal::Refusal;

/// Maximum number of nodes of the search whether a card makes a contract sure.
const SURE_NODES: u64 = 1_000;

/// The double-dummy results of a deal, each found once something depends on it.
///
/// A comparison solves only what decides it: for `tricks(S,NT)>=9` whether South takes nine tricks,
/// not the number.
#[derive(Debug)]
pub(crate) struct DealResults<'a> {
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

/// The results of a deal where a number of tricks that is not known is supposed to be the least
/// possible, or another one.
pub(crate) struct SupposedResults<'a, 'b> {
    results: &'a mut DealResults<'b>,
    supposed: Option<(OpeningTricks, u8)>,
    /// What was asked for and is neither known nor supposed.
    open: Vec<OpeningTricks>,
}

/// A statement about numbers of tricks.
type Supposition<'a> = &'a mut dyn FnMut(&mut SupposedResults<'_, '_>) -> Result<bool, Refusal>;

impl SupposedResults<'_, '_> {
    fn tricks(&mut self, of: OpeningTricks) -> u8 {
        let (low, high) = self.results.bounds(of);
        match self.supposed {
            Some((supposed, count)) if supposed == of => return count,
            _ if low < high && !self.open.contains(&of) => self.open.push(of),
            _ => {}
        }
        low
    }

    /// Returns the value of a result that a script asks for.
    pub(crate) fn value(&mut self, of: ScriptResult) -> Result<i64, Refusal> {
        match of {
            ScriptResult::Tricks(declarer, strain) => Ok(self
                .tricks(OpeningTricks::Declarer(strain, declarer))
                .into()),
            ScriptResult::Par(..) => self.results.value(of),
        }
    }

    /// Returns the value of an amount; `None` if it has none in this deal.
    fn amount(&mut self, amount: Amount, setting: &Setting) -> Result<Option<i32>, Refusal> {
        Ok(Some(match amount {
            Amount::Tricks(seat, strain) => {
                self.tricks(OpeningTricks::Declarer(strain, seat)).into()
            }
            Amount::Makes(contract) => {
                let contract = self.results.contract(contract, setting)?;
                (self.tricks(of_contract(contract)) >= contract.bid.tricks()).into()
            }
            Amount::Score(contract) => {
                let contract = self.results.contract(contract, setting)?;
                let sides = setting
                    .vulnerability
                    .ok_or_else(|| lacks("vulnerability"))?;
                contract.score(self.tricks(of_contract(contract)), sides, Side::NorthSouth)
            }
            Amount::Lost(contract, lead) => {
                let contract = self.results.contract(contract, setting)?;
                let lead = of_lead(lead, setting)?;
                if !self.results.deal.hand(contract.leader()).contains(lead) {
                    return Ok(None);
                }
                let led = OpeningTricks::Led(contract.bid.strain(), contract.declarer, lead);
                let made =
                    i32::from(self.tricks(led)) + i32::from(self.tricks(of_contract(contract)));
                13 - made
            }
            Amount::Par => {
                let known = setting.vulnerability.zip(setting.dealer);
                let known = known.ok_or_else(|| lacks("dealer or no vulnerability"));
                let (sides, dealer) = known?;
                self.results.check_whole()?;
                self.results.par(sides, dealer)?
            }
        }))
    }
}

const fn of_contract(contract: Contract) -> OpeningTricks {
    OpeningTricks::Declarer(contract.bid.strain(), contract.declarer)
}

impl DealResults<'_> {
    /// Returns the results of a deal before anything is solved.
    pub(crate) fn new(solver: &mut Solver, deal: Deal) -> DealResults<'_> {
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
    pub(crate) fn fit(
        &mut self,
        condition: &ResultCondition,
        setting: &Setting,
    ) -> Result<bool, Refusal> {
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
            ResultTerm::Within { of, least, most } => self.decide(&mut |results| {
                let mut sum = 0;
                for &(sign, amount) in of {
                    match results.amount(amount, setting)? {
                        Some(value) => sum += sign * value,
                        None => return Ok(false),
                    }
                }
                Ok((*least..=*most).contains(&sum))
            }),
            ResultTerm::UniqueLead(contract) => {
                let contract = self.contract(*contract, setting)?;
                self.is_lead_unique(contract)
            }
            ResultTerm::UniqueCard {
                contract,
                lead,
                is_sure,
            } => {
                let contract = self.contract(*contract, setting)?;
                let lead = of_lead(*lead, setting)?;
                self.is_card_unique(contract, lead, *is_sure)
            }
        }
    }

    /// Returns the value of a result that a script asks for.
    pub(crate) fn value(&mut self, of: ScriptResult) -> Result<i64, Refusal> {
        match of {
            ScriptResult::Tricks(declarer, strain) => {
                let tricks = OpeningTricks::Declarer(strain, declarer);
                self.find(tricks)?;
                Ok(self.bounds(tricks).0.into())
            }
            ScriptResult::Par(side, sides) => {
                let (dealer, sign) = match side {
                    Side::NorthSouth => (Seat::North, 1),
                    Side::EastWest => (Seat::East, -1),
                };
                Ok(sign * i64::from(self.par(sides, dealer)?))
            }
        }
    }

    /// Returns the par score of North and South.
    fn par(&mut self, sides: Vulnerability, dealer: Seat) -> Result<i32, Refusal> {
        Ok(Par::new(&self.table()?, sides, dealer).score)
    }

    /// Returns whether a statement about numbers of tricks is true, with as few of them found as
    /// decide it: of the last one that does, only whether it is enough.
    ///
    /// `truth` must depend on nothing but the tricks that it asks for.
    pub(crate) fn decide(&mut self, truth: Supposition<'_>) -> Result<bool, Refusal> {
        loop {
            let (lowest, open) = self.suppose(truth, None)?;
            let tricks = match open[..] {
                [] => return Ok(lowest),
                [tricks] => tricks,
                [tricks, ..] => {
                    self.find(tricks)?;
                    continue;
                }
            };
            let (low, high) = self.bounds(tricks);
            let mut step = None;
            for count in low + 1..=high {
                let (is_so, more) = self.suppose(truth, Some((tricks, count)))?;
                if is_so != lowest || !more.is_empty() {
                    step = Some(count);
                    break;
                }
            }
            match step {
                None => return Ok(lowest),
                Some(count) => self.takes(tricks, count)?,
            };
        }
    }

    /// Returns whether a statement is true if a number of tricks is as supposed, and the numbers
    /// that it asked for and are not known.
    fn suppose(
        &mut self,
        truth: Supposition<'_>,
        supposed: Option<(OpeningTricks, u8)>,
    ) -> Result<(bool, Vec<OpeningTricks>), Refusal> {
        let mut supposed = SupposedResults {
            results: self,
            supposed,
            open: Vec::new(),
        };
        Ok((truth(&mut supposed)?, supposed.open))
    }

    /// Returns whether exactly one lead, or run of equal cards, beats a contract.
    fn is_lead_unique(&mut self, contract: Contract) -> Result<bool, Refusal> {
        if self.takes(of_contract(contract), contract.bid.tricks())? {
            return Ok(false);
        }
        let (strain, declarer) = (contract.bid.strain(), contract.declarer);
        only_one(&choices(&self.start(strain, declarer)), |card| {
            let led = OpeningTricks::Led(strain, declarer, card);
            self.takes(led, 14 - contract.bid.tricks()).map(Some)
        })
    }

    /// Returns whether after a lead exactly one card of dummy, or run of equal cards, makes a
    /// contract, and another does not; if `is_sure`, makes it whatever the defenders hold. What a
    /// search of [`SURE_NODES`] leaves open is not sure, and counts against a card that is alone.
    fn is_card_unique(
        &mut self,
        contract: Contract,
        lead: Card,
        is_sure: bool,
    ) -> Result<bool, Refusal> {
        let (strain, declarer) = (contract.bid.strain(), contract.declarer);
        let need = contract.bid.tricks();
        let Ok(led) = self.start(strain, declarer).play(lead) else {
            return Ok(false);
        };
        let cards = choices(&led);
        // What is sure makes double dummy.
        if cards.len() < 2 || self.takes(OpeningTricks::Led(strain, declarer, lead), 14 - need)? {
            return Ok(false);
        }
        if !is_sure {
            return only_one(&cards, |card| {
                let played = led.play(card).expect("it may be played");
                Ok(Some(!self.solver.reaches(&played, 14 - need)?.reached))
            });
        }
        let seen = Knowledge::from_position(&led, declarer, contract.declarer.partner())?;
        let mut claims = Claims::new(Options {
            limit: Some(SURE_NODES),
            stop: self.stop.clone(),
            ..Options::default()
        });
        only_one(&cards, |card| {
            Ok(known(claims.is_sure(&seen.play(card)?, need))?)
        })
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

/// Returns whether something is true of exactly one of the cards; `None` says
/// that this is unknown, and then it is not.
fn only_one(
    cards: &[Choice],
    mut is_so: impl FnMut(Card) -> Result<Option<bool>, Refusal>,
) -> Result<bool, Refusal> {
    let mut found = 0;
    for choice in cards {
        match is_so(choice.card)? {
            Some(is_so) => found += usize::from(is_so),
            None => return Ok(false),
        }
        if found > 1 {
            return Ok(false);
        }
    }
    Ok(found == 1)
}

/// The error of a condition about something that the board lacks.
fn lacks(what: &str) -> Refusal {
    Refusal::option("where", format_args!("the board has no {what}"))
}
