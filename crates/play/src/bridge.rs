//! The play of a bridge contract.

use std::str::FromStr;

use setrograde_beliefs::{Game, Tally};
use setrograde_cards::{Contract, Hand, Seat, Side, Strain, Vulnerability, imps};

/// The quantity that bridge players maximize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Tricks.
    Tricks,
    /// The chance to make or to beat the contract.
    Contract,
    /// The duplicate score.
    #[default]
    Score,
    /// Match points against a table at which the contract is just made.
    Imps,
}

impl Goal {
    /// All goals, by their names on the command line.
    pub const NAMES: [(&'static str, Goal); 4] = [
        ("tricks", Goal::Tricks),
        ("contract", Goal::Contract),
        ("score", Goal::Score),
        ("imps", Goal::Imps),
    ];
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        let of_name = Goal::NAMES.into_iter().find(|(name, _)| *name == text);
        let names = Goal::NAMES.map(|(name, _)| name);
        let goal = of_name.map(|(_, goal)| goal);
        goal.ok_or_else(|| format!("expected one of {}", names.join(", ")))
    }
}

/// Bridge after the auction: the declarer plays dummy's hand, which is faced after the opening
/// lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    contract: Contract,
    vulnerability: Vulnerability,
    goal: Goal,
}

impl Bridge {
    /// The play of a contract.
    pub const fn new(contract: Contract, vulnerability: Vulnerability, goal: Goal) -> Bridge {
        Bridge {
            contract,
            vulnerability,
            goal,
        }
    }

    /// The contract.
    pub const fn contract(&self) -> Contract {
        self.contract
    }

    /// The tricks of the declarer's side.
    pub fn declarer_tricks(&self, tally: &Tally) -> u8 {
        tally.tricks[self.contract.declarer.side().index()]
    }
}

impl Game for Bridge {
    const NAME: &'static str = "bridge";

    fn pack(&self) -> Hand {
        Hand::PACK
    }

    fn first_leader(&self) -> Seat {
        self.contract.leader()
    }

    fn result(&self, tally: &Tally, party: usize) -> i32 {
        let tricks = self.declarer_tricks(tally);
        let side = Side::ALL[party];
        self.contract.score(tricks, self.vulnerability, side)
    }

    fn utility(&self, tally: &Tally, party: usize) -> f64 {
        let side = Side::ALL[party];
        let declares = side == self.contract.declarer.side();
        let made = self.declarer_tricks(tally) >= self.contract.bid.tricks();
        match self.goal {
            Goal::Tricks => tally.tricks[party].into(),
            Goal::Contract => f64::from(u8::from(made == declares)),
            Goal::Score => self.result(tally, party).into(),
            Goal::Imps => {
                let tricks = self.contract.bid.tricks();
                let just_made = self.contract.score(tricks, self.vulnerability, side);
                imps(self.result(tally, party) - just_made).into()
            }
        }
    }

    fn utility_range(&self) -> (f64, f64) {
        let side = Side::NorthSouth;
        let ends = [0, 13].map(|tricks| {
            let mut tally = Tally::default();
            tally.tricks[self.contract.declarer.side().index()] = tricks;
            tally.tricks[1 - self.contract.declarer.side().index()] = 13 - tricks;
            [side, side.opponents()].map(|side| self.utility(&tally, side.index()))
        });
        let all = ends.iter().flatten().copied();
        (
            all.clone().fold(f64::INFINITY, f64::min),
            all.fold(f64::NEG_INFINITY, f64::max),
        )
    }

    fn dummy(&self) -> Option<Seat> {
        Some(self.contract.declarer.partner())
    }

    fn strain(&self) -> Option<Strain> {
        Some(self.contract.bid.strain())
    }

    fn tricks_wanted(&self, seat: Seat) -> Option<u8> {
        let declares = seat.side() == self.contract.declarer.side();
        declares.then_some(self.contract.bid.tricks())
    }

    fn setup(&self) -> Vec<(&'static str, String)> {
        let Contract { bid, doubling, .. } = self.contract;
        vec![
            ("contract", format!("{bid}{doubling}")),
            ("declarer", self.contract.declarer.to_string()),
            ("vulnerable", self.vulnerability.to_string()),
        ]
    }

    fn headline(&self) -> String {
        let declarer = self.contract.declarer.name();
        let (bid, doubling) = (self.contract.bid, self.contract.doubling);
        let vulnerable = self.vulnerability;
        format!("{bid}{doubling} by {declarer}, vulnerable: {vulnerable}")
    }
}
