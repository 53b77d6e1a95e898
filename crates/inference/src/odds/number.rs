//! The number types of counts: scaled floats for speed, big integers for exact results.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A count of arrangements, or a weight. Never negative, and zero only where there is nothing.
pub trait Number: Clone + PartialEq {
    /// Nothing.
    const ZERO: Self;

    /// A small whole number.
    fn whole(value: u32) -> Self;

    /// Whether there is nothing.
    fn is_zero(&self) -> bool;

    /// Adds a product.
    fn add_product(&mut self, a: &Self, b: &Self);

    /// The product.
    fn times(&self, other: &Self) -> Self;

    /// About how much.
    fn approximate(&self) -> f64;

    /// About how many additions of floats take as long as adding a product with this number.
    fn cost(&self) -> usize;

    /// Bytes that the number takes beside its own.
    fn heap(&self) -> usize;

    /// Multiplies by a factor of at least 1 that need not be whole.
    fn scale(&mut self, factor: f64);

    /// Brings the numbers of one step into a range in which products neither overflow nor
    /// vanish, by a common factor, and gives its binary logarithm. What would fall below the
    /// range is raised to its end: far too small to matter beside the rest, but still there.
    fn tame(values: &mut [Self]) -> f64;
}

/// 2⁴⁰⁰: products of two numbers below it stay far from the end of the floats.
const CEILING: f64 = f64::from_bits((1023 + 400) << 52);

impl Number for f64 {
    const ZERO: f64 = 0.0;

    #[inline]
    fn whole(value: u32) -> f64 {
        f64::from(value)
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    #[inline]
    fn add_product(&mut self, a: &f64, b: &f64) {
        *self += a * b;
    }

    #[inline]
    fn times(&self, other: &f64) -> f64 {
        self * other
    }

    fn approximate(&self) -> f64 {
        *self
    }

    #[inline]
    fn cost(&self) -> usize {
        1
    }

    #[inline]
    fn heap(&self) -> usize {
        0
    }

    fn scale(&mut self, factor: f64) {
        *self *= factor;
    }

    fn tame(values: &mut [f64]) -> f64 {
        let mut most = 0.0;
        for &value in values.iter() {
            most = if value > most { value } else { most };
        }
        if most < CEILING {
            return 0.0;
        }
        let shift = most.log2().floor();
        let factor = (-shift).exp2();
        for value in values {
            if *value > 0.0 {
                *value = (*value * factor).max(1.0 / CEILING);
            }
        }
        shift
    }
}

impl Number for BigUint {
    const ZERO: BigUint = BigUint::ZERO;

    fn whole(value: u32) -> BigUint {
        value.into()
    }

    fn is_zero(&self) -> bool {
        *self == BigUint::ZERO
    }

    fn add_product(&mut self, a: &BigUint, b: &BigUint) {
        *self += a * b;
    }

    fn times(&self, other: &BigUint) -> BigUint {
        self * other
    }

    fn approximate(&self) -> f64 {
        self.to_f64().unwrap_or(f64::MAX)
    }

    /// An allocation, and a multiplication of every word with every other.
    fn cost(&self) -> usize {
        let words = self.bits() as usize / 64 + 1;
        32 + words * words
    }

    /// The words, and what the allocator keeps beside them.
    fn heap(&self) -> usize {
        16 + self.bits() as usize / 8
    }

    fn scale(&mut self, _: f64) {
        unreachable!("big integers are counted in full")
    }

    fn tame(_: &mut [BigUint]) -> f64 {
        0.0
    }
}
