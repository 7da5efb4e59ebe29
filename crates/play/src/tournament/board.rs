//! Boards: a deal and its rules.

use crate::{Bridge, Goal, Table, TableError, deal};
use fastrand::Rng;
use setrograde_beliefs::{Game, Jass, Limits, Mode, Whist};
use setrograde_cards::{Bid, Contract, Deal, Doubling, Hand, Seat, Strain, Suit, Vulnerability};
use setrograde_solver::{Options, Par, SolveError, Solver};

use super::table::generator;

/// A deal and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<G> {
    /// Its number, from 1.
    pub number: u32,
    /// The rules.
    pub game: G,
    /// The hands, by seat from North.
    pub hands: [Hand; 4],
}

/// A series of boards, each determined only by a seed and its number.
pub trait BoardSeries<G: Game>: Sync {
    /// The board numbered `number`, from 1.
    ///
    /// # Errors
    ///
    /// If a solver is needed for it and fails.
    fn board(&self, number: u32) -> Result<Board<G>, SolveError>;
}

/// The generator that a board is dealt from.
fn dealer_rng(seed: u64, number: u32) -> Rng {
    generator(&[seed, number.into()])
}

/// Whist: the dealer rotates, and so does the trump suit.
#[derive(Clone, Copy, Debug)]
pub struct WhistBoards {
    /// The seed.
    pub seed: u64,
    /// Cards in each hand, 1 to 13.
    pub cards: usize,
    /// The trump suit of all boards; it rotates unless set.
    pub strain: Option<Strain>,
}

impl BoardSeries<Whist> for WhistBoards {
    fn board(&self, number: u32) -> Result<Board<Whist>, SolveError> {
        let round = number.wrapping_sub(1) as usize / 4;
        let strain = self
            .strain
            .unwrap_or(Strain::Trump(Suit::from_index(round)));
        let game = Whist::new(strain, Seat::dealer_of_board(number), self.cards);
        Ok(Board::dealt(number, game, self.seed))
    }
}

/// Jass: the leader rotates, and so do the six modes.
#[derive(Clone, Copy, Debug)]
pub struct JassBoards {
    /// The seed.
    pub seed: u64,
    /// Cards in each hand, 1 to 9.
    pub cards: usize,
    /// The mode of all boards; it rotates unless set.
    pub mode: Option<Mode>,
}

impl BoardSeries<Jass> for JassBoards {
    fn board(&self, number: u32) -> Result<Board<Jass>, SolveError> {
        let round = number.wrapping_sub(1) as usize / 4;
        let mode = self.mode.unwrap_or(Mode::ALL[round % 6]);
        let game = Jass::new(mode, Seat::dealer_of_board(number), self.cards);
        Ok(Board::dealt(number, game, self.seed))
    }
}

/// Bridge without an auction: dealer and vulnerability as the board's number says, the par
/// contract, and with probability ½ one trick more, so the play matters. Deals that are passed out
/// at par are dealt again.
#[derive(Clone, Copy, Debug)]
pub struct BridgeBoards {
    /// The seed.
    pub seed: u64,
    /// The number that players try to make large.
    pub goal: Goal,
    /// The contract and the declarer of all boards; the par contract unless set.
    pub contract: Option<Contract>,
}

impl BoardSeries<Bridge> for BridgeBoards {
    fn board(&self, number: u32) -> Result<Board<Bridge>, SolveError> {
        let mut rng = dealer_rng(self.seed, number);
        let vulnerability = Vulnerability::of_board(number);
        loop {
            let deal = Deal::random(|n| rng.usize(..n));
            let higher = rng.bool();
            let dealer = Seat::dealer_of_board(number);
            let contract = match self.contract {
                Some(contract) => Some(contract),
                None => par_contract(&deal, vulnerability, dealer)?.map(|contract| {
                    if higher {
                        one_higher(contract)
                    } else {
                        contract
                    }
                }),
            };
            if let Some(contract) = contract {
                return Ok(Board {
                    number,
                    game: Bridge::new(contract, vulnerability, self.goal),
                    hands: *deal.hands(),
                });
            }
        }
    }
}

/// The lowest contract at par; `None` if the deal is passed out.
///
/// # Errors
///
/// If the deal cannot be solved.
pub fn par_contract(
    deal: &Deal,
    vulnerability: Vulnerability,
    dealer: Seat,
) -> Result<Option<Contract>, SolveError> {
    let mut solver = Solver::new(Options {
        memory: 32 << 20,
        ..Options::default()
    });
    let table = solver.table(deal)?;
    let par = Par::new(&table, vulnerability, dealer);
    let lowest = par.contracts.iter().min_by_key(|contract| contract.bid);
    Ok(lowest.map(|par| {
        let doubling = if par.over < 0 {
            Doubling::Doubled
        } else {
            Doubling::Undoubled
        };
        Contract {
            bid: par.bid,
            doubling,
            declarer: par.declarer.unwrap_or(par.side.seats()[0]),
        }
    }))
}

/// The contract for one trick more, up to seven.
fn one_higher(contract: Contract) -> Contract {
    let bid = contract.bid;
    let bid = Bid::new(bid.level() + 1, bid.strain()).unwrap_or(bid);
    Contract { bid, ..contract }
}

impl<G: Game> Board<G> {
    fn dealt(number: u32, game: G, seed: u64) -> Board<G> {
        Board {
            number,
            game,
            hands: deal(&game, &mut dealer_rng(seed, number)),
        }
    }

    /// A table with the board, before the first card.
    ///
    /// # Errors
    ///
    /// If the hands cannot be played.
    pub fn table(&self) -> Result<Table<G>, TableError> {
        Table::new(self.game, self.hands, [Limits::default(); 4])
    }

    /// The deal in PBN's notation.
    pub fn deal_text(&self) -> String {
        let [n, e, s, w] = self.hands;
        format!("N:{n} {e} {s} {w}")
    }
}
