//! Perfect-information Monte Carlo (Levy, "The million pound bridge program",
//! 1989; Ginsberg, "GIB: Imperfect Information in a Computationally Challenging
//! Game", JAIR 14, 2001).

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Game, Layout, Strengths, View};
use setrograde_cards::{Card, Hand, Seat};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Endings, tricks_of_cards};
use setrograde_solver::{Options, Solver};

use super::choice::{Clock, Running, effective, forced, sort_worth, with_tricks_of};
use crate::perfect::Perfect;
use crate::player::{CardWorth, Player, PlayerChoice, PlayerError};

/// Maximum number of remaining tricks for which all layouts are looked up in a database.
const ALL_LAYOUTS: usize = 5;

/// Maximum number of these layouts; of more, a sample spread over all is used.
const MOST_LAYOUTS: u128 = 20_000;

/// Evaluates sampled layouts double dummy, and plays the card with the best mean.
///
/// The layouts are kept from card to card: those that the play contradicts are replaced. If there
/// are few enough, all layouts are used.
pub(super) struct Pimc {
    pub(super) layouts: KeptLayouts,
    /// Number of tricks before the end from which games without a solver are searched.
    pub(super) exact: usize,
    pub(super) rules: Strengths,
    pub(super) database: Option<Arc<Database>>,
    pub(super) clock: Clock,
}

impl<G: Game> Player<G> for Pimc {
    fn new_board(&mut self) {
        self.layouts.layouts.clear();
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let beliefs = view.beliefs(&self.rules)?;
        let clock = self.clock.start();
        let endings = endings(view.game(), self.database.as_deref())
            .filter(|endings| view.tricks_left() <= endings.depth().min(ALL_LAYOUTS));
        match endings {
            Some(endings) => all_layouts(view, &beliefs, &endings, &clock, rng)?,
            None => {
                let layouts = self.layouts.renew(view, &beliefs, rng);
                sampled(view, layouts, self.exact, &clock)?
            }
        }
        .choice()
    }
}

/// The endings of a game with the play of bridge, if there is a database.
pub(super) fn endings<'a, G: Game>(
    game: &G,
    database: Option<&'a Database>,
) -> Option<Endings<'a>> {
    Some(Endings::new(game.strain()?, database?))
}

/// The value of each card, over as many layouts as the time allows.
fn sampled<G: Game>(
    view: &View<G>,
    layouts: &mut [KeptLayout],
    exact: usize,
    clock: &Running<'_>,
) -> Result<CardSums, PlayerError> {
    let game = view.game();
    let party = game.party(view.to_play());
    let mut sums = CardSums::new(view.legal());
    for (number, kept) in layouts.iter_mut().enumerate() {
        clock.check_cancelled()?;
        if number > 0 && clock.is_over() {
            break;
        }
        let state = view.state(&kept.layout);
        sums.weights.push(kept.weight);
        if let Some(strain) = game.strain() {
            for (card, tricks) in tricks_of_cards(&mut kept.solver, &state, strain)? {
                let tally = with_tricks_of(&state, party, tricks);
                sums.add(card, game.utility(&tally, party), kept.weight);
            }
        } else {
            for card in view.legal() {
                let margin = kept.perfect.margin(game, state.after(game, card), exact);
                let margin = if party == 0 { margin } else { -margin };
                sums.add(card, margin.into(), kept.weight);
            }
        }
    }
    Ok(sums)
}

/// Looks up every legal card in all layouts, or in many layouts spread over all.
fn all_layouts<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    endings: &Endings<'_>,
    clock: &Running<'_>,
    rng: &mut Rng,
) -> Result<CardSums, PlayerError> {
    let party = view.game().party(view.to_play());
    let mut sums = CardSums::new(view.legal());
    let mut look_up = |layout: &Layout, weight: f64| -> Result<(), PlayerError> {
        if sums.weights.len().is_multiple_of(256) {
            clock.check_cancelled()?;
        }
        sums.weights.push(weight);
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
    Ok(sums)
}

/// Sums of the values of cards.
struct CardSums {
    cards: Vec<CardSum>,
    /// Of the layouts.
    weights: Vec<f64>,
}

/// The sum of a card's values.
struct CardSum {
    card: Card,
    /// The values times the weights of their layouts.
    sum: f64,
    weights: f64,
    layouts: usize,
}

impl CardSums {
    fn new(legal: Hand) -> CardSums {
        CardSums {
            cards: legal
                .iter()
                .map(|card| CardSum {
                    card,
                    sum: 0.0,
                    weights: 0.0,
                    layouts: 0,
                })
                .collect(),
            weights: Vec::new(),
        }
    }

    fn add(&mut self, card: Card, value: f64, weight: f64) {
        if let Some(of) = self.cards.iter_mut().find(|of| of.card == card) {
            of.sum += value * weight;
            of.weights += weight;
            of.layouts += 1;
        }
    }

    fn choice(self) -> Result<PlayerChoice, PlayerError> {
        let mean = |of: &CardSum| CardWorth {
            card: of.card,
            value: of.sum / of.weights,
            visits: of.layouts,
        };
        let mut worth: Vec<CardWorth> = self.cards.iter().map(mean).collect();
        // Sums of equal values in another order may differ in the last bits.
        sort_worth(&mut worth, |of| (of.value * 1e9).round());
        Ok(PlayerChoice {
            card: worth.first().ok_or(PlayerError::NothingToPlay)?.card,
            worth,
            layouts: self.weights.len(),
            effective: effective(&self.weights),
        })
    }
}

/// Layouts of the hidden hands: those that the play contradicts are replaced. A kept layout is
/// still an exact sample of the matching ones, and its solver keeps its table. If there are few
/// enough layouts, all of them are taken.
pub(super) struct KeptLayouts {
    count: usize,
    options: Options,
    layouts: Vec<KeptLayout>,
}

/// A layout kept from card to card.
struct KeptLayout {
    /// The hidden hands.
    layout: Layout,
    solver: Solver,
    perfect: Perfect,
    /// The logarithm of the layout's weight at its last evaluation.
    log_weight: f64,
    /// The layout's importance weight: the ratio of its probability to the probability with which
    /// it was drawn.
    weight: f64,
}

impl KeptLayouts {
    /// `count` layouts, each with a solver of these options.
    pub(super) const fn new(count: usize, options: Options) -> KeptLayouts {
        let layouts = Vec::new();
        KeptLayouts {
            count,
            options,
            layouts,
        }
    }

    /// Layouts that match `beliefs`, the knowledge of `view`, with their weights.
    fn renew<G: Game>(
        &mut self,
        view: &View<G>,
        beliefs: &Beliefs,
        rng: &mut Rng,
    ) -> &mut [KeptLayout] {
        self.drop_contradicted(view, beliefs);
        if beliefs.count() <= self.count as u128 {
            self.take_all(beliefs);
        } else {
            // New layouts have weight 1.
            let sum: f64 = self.layouts.iter().map(|kept| kept.weight).sum();
            let mean = sum / self.layouts.len().max(1) as f64;
            for kept in &mut self.layouts {
                kept.weight /= mean;
            }
            while self.layouts.len() < self.count {
                let kept = self.kept(beliefs, beliefs.sample(rng));
                self.layouts.push(kept);
            }
        }
        &mut self.layouts
    }

    fn drop_contradicted<G: Game>(&mut self, view: &View<G>, beliefs: &Beliefs) {
        let played: Hand = view.history().iter().copied().collect();
        self.layouts.retain_mut(|kept| {
            for seat in Seat::ALL {
                let hand = &mut kept.layout[seat];
                *hand -= played;
                if let Some(seen) = view.hand(seat) {
                    // Dummy was hidden when the layout was drawn.
                    if !hand.is_empty() && *hand != seen {
                        return false;
                    }
                    *hand = Hand::EMPTY;
                }
            }
            let now = log_weight(beliefs, &kept.layout);
            // New information changes the weights of layouts; the cards that were played change all
            // of them by the same factor.
            kept.weight *= (now - kept.log_weight).exp();
            kept.log_weight = now;
            now > f64::NEG_INFINITY
        });
    }

    /// Uses all layouts, including the kept ones.
    fn take_all(&mut self, beliefs: &Beliefs) {
        let mut before = std::mem::take(&mut self.layouts);
        for layout in beliefs.layouts() {
            let known = before.iter().position(|kept| kept.layout == layout);
            let mut kept = match known {
                Some(at) => before.swap_remove(at),
                None => self.kept(beliefs, layout),
            };
            kept.weight = kept.log_weight.exp();
            self.layouts.push(kept);
        }
    }

    fn kept(&self, beliefs: &Beliefs, layout: Layout) -> KeptLayout {
        KeptLayout {
            layout,
            solver: Solver::new(self.options.clone()),
            perfect: Perfect::default(),
            log_weight: log_weight(beliefs, &layout),
            weight: 1.0,
        }
    }
}

/// The logarithm of a layout's weight, by which weights of several moments can
/// be compared.
fn log_weight(beliefs: &Beliefs, layout: &Layout) -> f64 {
    beliefs.log_probability(layout) + beliefs.log_total()
}
