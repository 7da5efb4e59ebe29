//! Sums over all ways to choose one option in each of several layers.
//!
//! An option adds to eight counters: the cards of the seats from North, then their points. [`Chain`] stores,
//! for each layer and each state of the counters, the sum of the weights of all paths to it.
//! Walking back from an end, it can draw a path with exactly the right probability, or find the
//! path with a given number; with sums from the ends as well, it computes the share of each option.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

use fastrand::Rng;
use setrograde_parallel::Stop;

use crate::counters::{Counters, at_most, counters, index};
use crate::facts::{BeliefsError, go_on};

/// Number of options between two checks of the stop; they take less than a millisecond.
const OPTIONS_PER_LOOK: usize = 1 << 16;

/// Looks at a stop as options are visited.
struct Lookout<'a> {
    stop: &'a Stop,
    options: usize,
}

impl Lookout<'_> {
    #[inline]
    fn visit(&mut self, options: usize) -> Result<(), BeliefsError> {
        self.options += options;
        if self.options >= OPTIONS_PER_LOOK {
            self.options = 0;
            go_on(self.stop)?;
        }
        Ok(())
    }
}

/// One way to continue: its additions to the counters, and its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Continuation<N> {
    pub adds: Counters,
    pub weight: N,
}

#[derive(Debug)]
pub(crate) struct Chain<N> {
    /// The step of each counter in the index of a state in a layer's array, 0 for a counter that
    /// follows from the rest.
    strides: [usize; 8],
    caps: Counters,
    layers: Vec<Vec<Continuation<N>>>,
    /// The step of each option in the index of a state.
    moves: Vec<Vec<usize>>,
    /// Sums of weights by the index of the state, after 0, 1, … layers.
    sums: Vec<Vec<N>>,
    /// The states that can be reached, with their indices.
    reached: Vec<Vec<(Counters, usize)>>,
}

impl<N: Number> Chain<N> {
    /// The sums for these layers. No counter goes above `caps`. `implied` marks counters that
    /// follow from the rest at the end of each layer. They may take `room` bytes, from which their
    /// size is subtracted; `None` if that is too little.
    pub(crate) fn new(
        caps: [u8; 8],
        implied: [bool; 8],
        layers: Vec<Vec<Continuation<N>>>,
        room: &mut usize,
        stop: &Stop,
    ) -> Result<Option<Chain<N>>, BeliefsError> {
        let mut strides = [0; 8];
        let mut size = 1;
        for (counter, stride) in strides.iter_mut().enumerate() {
            if caps[counter] > 0 && !implied[counter] {
                *stride = size;
                size *= usize::from(caps[counter]) + 1;
            }
        }
        // With the same amount again for the reached states. Counts take the most, and there must
        // be room for them where weights are summed, too.
        let bytes = 2 * size_of::<u128>() * (layers.len() + 1);
        let bytes = size.checked_mul(bytes);
        let Some(left) = bytes.and_then(|bytes| room.checked_sub(bytes)) else {
            return Ok(None);
        };
        *room = left;
        let mut chain = Chain {
            strides,
            caps: counters(caps),
            moves: Vec::with_capacity(layers.len()),
            sums: Vec::with_capacity(layers.len() + 1),
            reached: Vec::with_capacity(layers.len() + 1),
            layers: Vec::new(),
        };
        let mut sums = vec![N::ZERO; size];
        sums[0] = N::ONE;
        let mut reached = vec![(0, 0)];
        let mut lookout = Lookout { stop, options: 0 };
        for choices in &layers {
            let moves: Vec<usize> = choices.iter().map(|c| chain.index(c.adds)).collect();
            let mut next = vec![N::ZERO; size];
            let mut next_reached = Vec::with_capacity(size.min(reached.len() * choices.len()));
            for &(state, index) in &reached {
                lookout.visit(choices.len())?;
                for (choice, &step) in choices.iter().zip(&moves) {
                    let after = state + choice.adds;
                    if at_most(after, chain.caps) {
                        let sum = &mut next[index + step];
                        if *sum == N::ZERO {
                            next_reached.push((after, index + step));
                        }
                        *sum = *sum + sums[index] * choice.weight;
                    }
                }
            }
            chain.moves.push(moves);
            chain.sums.push(sums);
            chain.reached.push(reached);
            (sums, reached) = (next, next_reached);
        }
        chain.sums.push(sums);
        chain.reached.push(reached);
        chain.layers = layers;
        Ok(Some(chain))
    }

    #[inline]
    fn index(&self, state: Counters) -> usize {
        index(state, &self.strides)
    }

    /// The states in which all layers together can end.
    pub(crate) fn ends(&self) -> impl Iterator<Item = Counters> + '_ {
        let last = self.reached.last().map_or(&[][..], Vec::as_slice);
        last.iter().map(|&(state, _)| state)
    }

    /// The sum over all paths to `state` after `layers` layers.
    #[inline]
    pub(crate) fn sum(&self, layers: usize, state: Counters) -> N {
        self.sums[layers][self.index(state)]
    }

    #[inline]
    pub(crate) fn layers(&self) -> &[Vec<Continuation<N>>] {
        &self.layers
    }

    /// The option of `layer` through which the path numbered `ticket` leads to `state`, and the
    /// rest of the ticket, which is below the option's weight times the sum of the previous state.
    /// `of` makes a ticket of a sum.
    #[inline]
    pub(crate) fn step_back<T: Number>(
        &self,
        layer: usize,
        state: Counters,
        ticket: T,
        of: impl Fn(N) -> T,
    ) -> (usize, T) {
        let choices = &self.layers[layer];
        let moves = &self.moves[layer];
        let sums = &self.sums[layer];
        let index = self.index(state);
        let mut left = ticket;
        let mut last = (0, T::ZERO);
        for (at, (choice, &step)) in choices.iter().zip(moves).enumerate() {
            if !at_most(choice.adds, state) {
                continue;
            }
            let share = of(choice.weight * sums[index - step]);
            if left < share {
                return (at, left);
            }
            if share > T::ZERO {
                // Rounding may leave a small rest after the last option.
                last = (at, T::ZERO);
                left = left - share;
            }
        }
        last
    }

    /// For each layer and option, the sum over all ways through it from the
    /// start to the ends, without the option's own weight. `ends` are weights
    /// of the end states.
    pub(crate) fn flows(
        &self,
        ends: impl Iterator<Item = (Counters, N)>,
        stop: &Stop,
    ) -> Result<Vec<Vec<N>>, BeliefsError> {
        let mut lookout = Lookout { stop, options: 0 };
        let size = self.sums[0].len();
        let mut after = vec![N::ZERO; size];
        for (state, weight) in ends {
            after[self.index(state)] = weight;
        }
        let mut flows: Vec<Vec<N>> = Vec::with_capacity(self.layers.len());
        for layer in (0..self.layers.len()).rev() {
            let choices = &self.layers[layer];
            let mut flow = vec![N::ZERO; choices.len()];
            let mut before = vec![N::ZERO; size];
            for &(state, index) in &self.reached[layer] {
                lookout.visit(choices.len())?;
                let sum = self.sums[layer][index];
                let mut total = N::ZERO;
                for ((choice, &step), flow) in choices.iter().zip(&self.moves[layer]).zip(&mut flow)
                {
                    if at_most(state + choice.adds, self.caps) {
                        let rest = after[index + step];
                        *flow = *flow + sum * rest;
                        total = total + choice.weight * rest;
                    }
                }
                before[index] = total;
            }
            flows.push(flow);
            after = before;
        }
        flows.reverse();
        Ok(flows)
    }
}

/// A number of layouts, or a sum of their weights; never negative.
pub(crate) trait Number:
    Copy + Debug + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    fn from_count(count: u128) -> Self;
    /// A card's weight; an integer if the type is.
    fn from_weight(weight: f64) -> Self;
    fn to_f64(self) -> f64;
    /// A number from 0 up to but not including `self`, all equally likely.
    fn draw(self, rng: &mut Rng) -> Self;

    fn power(self, exponent: u8) -> Self {
        (0..exponent).fold(Self::ONE, |power, _| power * self)
    }
}

impl Number for u128 {
    const ZERO: u128 = 0;
    const ONE: u128 = 1;

    fn from_count(count: u128) -> u128 {
        count
    }

    fn from_weight(weight: f64) -> u128 {
        weight as u128
    }

    fn to_f64(self) -> f64 {
        self as f64
    }

    #[inline]
    fn draw(self, rng: &mut Rng) -> u128 {
        match u64::try_from(self) {
            Ok(below) => rng.u64(0..below.max(1)).into(),
            Err(_) => rng.u128(0..self),
        }
    }
}

impl Number for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn from_count(count: u128) -> f64 {
        count as f64
    }

    fn from_weight(weight: f64) -> f64 {
        weight
    }

    fn to_f64(self) -> f64 {
        self
    }

    #[inline]
    fn draw(self, rng: &mut Rng) -> f64 {
        self * rng.f64()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// Layers of 200 options, each of which adds to two counters.
    fn layers(count: usize) -> Vec<Vec<Continuation<f64>>> {
        let option = |n: u8| Continuation {
            adds: counters([n % 16, n / 16, 0, 0, 0, 0, 0, 0]),
            weight: 1.0,
        };
        vec![(0..200).map(option).collect(); count]
    }

    #[test]
    fn sums_and_flows_look_at_the_stop_after_some_options() {
        let due = Stop::default().by(Instant::now());
        let caps = [127, 127, 0, 0, 0, 0, 0, 0];
        let made = |count: usize, stop: &Stop| {
            let mut room = usize::MAX;
            let made = Chain::new(caps, [false; 8], layers(count), &mut room, stop);
            made.map(|chain| chain.expect("there is room"))
        };
        // After one layer there are 200 states, after two more than 400.
        let chain = made(2, &due).expect("fewer options than between two looks");
        let flows = |chain: &Chain<f64>, stop: &Stop| {
            let ends: Vec<Counters> = chain.ends().collect();
            chain.flows(ends.into_iter().map(|end| (end, 1.0)), stop)
        };
        assert!(flows(&chain, &due).is_ok());
        assert_eq!(made(3, &due).expect_err("stopped"), BeliefsError::Stopped);
        let chain = made(3, &Stop::default()).expect("sums");
        assert_eq!(flows(&chain, &due), Err(BeliefsError::Stopped));
    }
}
