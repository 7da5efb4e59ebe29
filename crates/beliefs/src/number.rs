//! The kinds of number in which layouts are counted.

use std::fmt::Debug;

use ethnum::U256;
use fastrand::Rng;

/// A number of layouts, or a sum of their weights; never negative.
pub(crate) trait Number: Copy + Debug + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Quotient and remainder; both 0 if `other` is.
    fn divide(self, other: Self) -> (Self, Self);
    fn from_count(count: u128) -> Self;
    /// A card's weight; whole where the kind of number is.
    fn from_weight(weight: f64) -> Self;
    fn to_f64(self) -> f64;

    fn power(self, exponent: u8) -> Self {
        (0..exponent).fold(Self::ONE, |power, _| power.times(self))
    }
}

/// A number below which tickets can be drawn.
pub(crate) trait Draw: Number {
    /// A number from 0 up to but not including `self`, all equally likely.
    fn draw(self, rng: &mut Rng) -> Self;
}

macro_rules! number {
    ($type:ty, $zero:expr, $one:expr, $divide:expr, $count:expr, $weight:expr, $float:expr) => {
        impl Number for $type {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline]
            fn divide(self, other: Self) -> (Self, Self) {
                if other == $zero {
                    return ($zero, $zero);
                }
                $divide(self, other)
            }
            fn from_count(count: u128) -> Self {
                $count(count)
            }
            fn from_weight(weight: f64) -> Self {
                $weight(weight)
            }
            fn to_f64(self) -> f64 {
                $float(self)
            }
        }
    };
}

number!(
    u128,
    0,
    1,
    |a, b| (a / b, a % b),
    |c| c,
    |w| w as u128,
    |n| n as f64
);
number!(
    f64,
    0.0,
    1.0,
    |a: f64, b: f64| ((a / b).floor(), a % b),
    |c| c as f64,
    |w| w,
    |n| n
);
number!(
    U256,
    U256::ZERO,
    U256::ONE,
    |a: U256, b: U256| (a / b, a % b),
    U256::from,
    |w| U256::from(w as u128),
    |n: U256| n.as_f64()
);

impl Draw for u128 {
    #[inline]
    fn draw(self, rng: &mut Rng) -> u128 {
        match u64::try_from(self) {
            Ok(below) => rng.u64(0..below.max(1)).into(),
            Err(_) => rng.u128(0..self),
        }
    }
}

impl Draw for f64 {
    #[inline]
    fn draw(self, rng: &mut Rng) -> f64 {
        self * rng.f64()
    }
}
