//! Perfect-information Monte Carlo (Levy, "The million pound bridge program",
//! 1989; Ginsberg, "GIB: Imperfect Information in a Computationally Challenging
//! Game", JAIR 14, 2001).

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, CardSet, Layout};
use setrograde_cards::{Card, Deal, Hand, Position, Seat, Strain};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver, Target, Wanted};

use super::endings::{Endings, with_tricks};
use super::{CardWorth, Choice, Clock, Player, PlayerError, Running, forced, sort_worth};
use crate::clues::Strengths;
use crate::games::Game;
use crate::perfect::Perfect;
use crate::state::State;
use crate::view::View;

/// With a database and at most this many tricks left, all layouts are looked
/// at.
const ALL_LAYOUTS: usize = 5;

/// And at most this many of them, spread over all.
const MOST_LAYOUTS: u128 = 20_000;

/// Looks at sampled layouts, with all cards known from there on, and plays the
/// card that does best in the mean.
///
/// The layouts are kept from card to card: those that the play contradicts are
/// replaced. A kept layout is still an exact sample of those that fit, and its
/// solver keeps what it has learned.
pub struct Pimc {
    worlds: usize,
    /// Bytes of each layout's solver.
    memory: usize,
    /// Games without a solver are searched from this many tricks before the end.
    exact: usize,
    rules: Strengths,
    database: Option<Arc<Database>>,
    clock: Clock,
    kept: Vec<World>,
}

/// A layout that is kept from card to card.
pub(super) struct World {
    /// The hidden hands.
    pub layout: Layout,
    /// The logarithm of the layout's weight when it was last looked at.
    log_weight: f64,
    pub weight: f64,
    pub solver: Solver,
    perfect: Perfect,
}

impl Pimc {
    pub(super) fn new(
        worlds: usize,
        memory: usize,
        exact: usize,
        rules: Strengths,
        database: Option<Arc<Database>>,
        clock: Clock,
    ) -> Pimc {
        Pimc {
            worlds,
            memory,
            exact,
            rules,
            database,
            clock,
            kept: Vec::new(),
        }
    }

    /// The strengths of the rules of thumb.
    pub(super) fn rules(&self) -> &Strengths {
        &self.rules
    }

    /// The layouts that are kept.
    pub(super) fn kept(&mut self) -> &mut [World] {
        &mut self.kept
    }

    /// Drops layouts that do not fit any more, and draws new ones.
    pub(super) fn renew<G: Game>(&mut self, view: &View<G>, beliefs: &Beliefs, rng: &mut Rng) {
        let played: CardSet = view.history().iter().copied().collect();
        let log_weight = |layout: &Layout| beliefs.log_probability(layout) + beliefs.log_total();
        self.kept.retain_mut(|world| {
            for seat in Seat::ALL {
                let hand = &mut world.layout[seat.index()];
                *hand -= played;
                if let Some(seen) = view.hand(seat) {
                    // Dummy was hidden when the layout was drawn.
                    if !hand.is_empty() && *hand != seen {
                        return false;
                    }
                    *hand = CardSet::EMPTY;
                }
            }
            let now = log_weight(&world.layout);
            // What was learned since changes weights of layouts; the cards that
            // were played change all of them alike.
            world.weight *= (now - world.log_weight).exp();
            world.log_weight = now;
            now > f64::NEG_INFINITY
        });
        // Those drawn now weigh 1.
        let sum: f64 = self.kept.iter().map(|world| world.weight).sum();
        let mean = sum / self.kept.len().max(1) as f64;
        for world in &mut self.kept {
            world.weight /= mean;
        }
        let options = Options {
            memory: self.memory,
            endgames: self
                .database
                .clone()
                .map(|database| database as Arc<dyn Endgames>),
            cancel: Some(self.clock.cancel.clone()),
        };
        while self.kept.len() < self.worlds {
            let layout = beliefs.sample(rng);
            self.kept.push(World {
                log_weight: log_weight(&layout),
                layout,
                weight: 1.0,
                solver: Solver::new(options.clone()),
                perfect: Perfect::default(),
            });
        }
    }

    fn sampled<G: Game>(
        &mut self,
        view: &View<G>,
        sums: &mut Sums,
        clock: &Running<'_>,
    ) -> Result<(), PlayerError> {
        let game = view.game();
        let party = game.party(view.to_play());
        for (number, world) in self.kept.iter_mut().enumerate() {
            clock.check_cancelled()?;
            if number > 0 && clock.is_over() {
                break;
            }
            let state = view.state(&world.layout);
            sums.layouts += 1;
            if let Some(strain) = game.strain() {
                for (card, tricks) in solve(&mut world.solver, &state, strain)? {
                    let left = state.tricks_left() as u8;
                    let first = if party == 0 { tricks } else { left - tricks };
                    let tally = with_tricks(&state, first);
                    sums.add(card, game.utility(&tally, party), world.weight);
                }
            } else {
                for card in view.legal() {
                    let mut after = state;
                    after.play(game, card);
                    let margin = world.perfect.margin(game, after, self.exact);
                    let margin = if party == 0 { margin } else { -margin };
                    sums.add(card, margin.into(), world.weight);
                }
            }
        }
        Ok(())
    }
}

impl<G: Game> Player<G> for Pimc {
    fn new_board(&mut self) {
        self.kept.clear();
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let beliefs = view.beliefs(&self.rules)?;
        let clock = self.clock.clone();
        let clock = clock.start();
        let mut sums = Sums::new(view.legal());
        let database = self.database.clone();
        let endings = Endings::new(view.game(), database.as_deref())
            .filter(|endings| view.tricks_left() <= endings.depth().min(ALL_LAYOUTS));
        match endings {
            Some(endings) => all_layouts(view, &beliefs, &endings, &mut sums, &clock, rng)?,
            None => {
                self.renew(view, &beliefs, rng);
                self.sampled(view, &mut sums, &clock)?;
            }
        }
        sums.choice()
    }
}

/// Looks up every legal card in all layouts, or in many spread over all.
fn all_layouts<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    endings: &Endings<'_, G>,
    sums: &mut Sums,
    clock: &Running<'_>,
    rng: &mut Rng,
) -> Result<(), PlayerError> {
    let party = view.game().party(view.to_play());
    let mut look_up = |layout: &Layout, weight: f64| -> Result<(), PlayerError> {
        if sums.layouts.is_multiple_of(256) {
            clock.check_cancelled()?;
        }
        sums.layouts += 1;
        let state = view.state(layout);
        for card in view.legal() {
            let tally = endings.finish_with(&state, card)?;
            sums.add(card, view.game().utility(&tally, party), weight);
        }
        Ok(())
    };
    if beliefs.count() <= MOST_LAYOUTS {
        for layout in beliefs.layouts() {
            let weight = beliefs.log_probability(&layout).exp();
            look_up(&layout, weight)?;
        }
    } else {
        for layout in beliefs.stratified(MOST_LAYOUTS as usize, rng) {
            look_up(&layout, 1.0)?;
        }
    }
    Ok(())
}

/// What each card that may be played takes, for the side to play.
fn solve(
    solver: &mut Solver,
    state: &State,
    strain: Strain,
) -> Result<Vec<(Card, u8)>, PlayerError> {
    let position = position(state, strain)?;
    let solution = solver.solve(&position, Target::Most, Wanted::All)?;
    let mut cards = Vec::with_capacity(13);
    for of in &solution.cards {
        cards.push((of.card, of.tricks));
        let equals = of.equals.iter();
        cards.extend(equals.map(|rank| (Card::new(of.card.suit, rank), of.tricks)));
    }
    Ok(cards)
}

/// The tricks of party 0 from here on, with all cards known.
pub(super) fn tricks<G: Game>(
    solver: &mut Solver,
    state: &State,
    strain: Strain,
    game: &G,
) -> Result<u8, PlayerError> {
    let tricks = solver.tricks(&position(state, strain)?)?;
    Ok(match game.party(state.trick().leader()) {
        0 => tricks,
        _ => state.tricks_left() as u8 - tricks,
    })
}

fn position(state: &State, strain: Strain) -> Result<Position, PlayerError> {
    let trick = state.trick();
    // The hands of a state are disjoint and fit the trick.
    Deal::new(state.hands().map(Hand::from))
        .ok()
        .and_then(|deal| Position::new(strain, trick.leader(), deal, trick.cards()).ok())
        .ok_or(PlayerError::NothingToPlay)
}

/// Sums of what cards are worth.
struct Sums {
    cards: Vec<(Card, f64, f64, usize)>,
    layouts: usize,
}

impl Sums {
    fn new(legal: CardSet) -> Sums {
        Sums {
            cards: legal.iter().map(|card| (card, 0.0, 0.0, 0)).collect(),
            layouts: 0,
        }
    }

    fn add(&mut self, card: Card, value: f64, weight: f64) {
        if let Some((_, sum, weights, count)) = self.cards.iter_mut().find(|(c, ..)| *c == card) {
            *sum += value * weight;
            *weights += weight;
            *count += 1;
        }
    }

    fn choice(self) -> Result<Choice, PlayerError> {
        let mean = |&(card, sum, weights, visits): &(Card, f64, f64, usize)| CardWorth {
            card,
            value: sum / weights,
            visits,
        };
        let mut worth: Vec<CardWorth> = self.cards.iter().map(mean).collect();
        // Sums of equal values in another order may differ in the last bits.
        sort_worth(&mut worth, |of| (of.value * 1e9).round());
        Ok(Choice {
            card: worth.first().ok_or(PlayerError::NothingToPlay)?.card,
            worth,
            worlds: self.layouts,
        })
    }
}
