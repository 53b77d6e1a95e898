//! Linear equations in integers.

/// An equation: the sum of its unknowns, each times its factor, is `value`.
#[derive(Clone, Debug)]
pub(super) struct Row<U, S> {
    /// In the order of the unknowns, none with factor 0.
    pub terms: Vec<(U, i64)>,
    pub value: i64,
    /// What it was made from, in order.
    pub sources: Vec<S>,
}

impl<U, S> Default for Row<U, S> {
    fn default() -> Self {
        Self { terms: Vec::new(), value: 0, sources: Vec::new() }
    }
}

impl<U: Copy + Ord, S: Copy + Ord> Row<U, S> {
    /// The factor of an unknown, 0 if it is not there.
    pub fn factor(&self, unknown: U) -> i64 {
        let place = self.terms.binary_search_by_key(&unknown, |&(unknown, _)| unknown);
        place.map_or(0, |place| self.terms[place].1)
    }

    /// Subtracts a multiple of the other row, so that the unknown's factor becomes 0. None on
    /// overflow, and the row is as it was. The buffer keeps its room from call to call.
    pub fn clear(&mut self, unknown: U, other: &Self, buffer: &mut Self) -> Option<()> {
        let (mine, its) = (self.factor(unknown), other.factor(unknown));
        let common = gcd(mine, its);
        let (times, less) = (its / common, mine / common);
        let combine =
            |mine: i64, its: i64| mine.checked_mul(times)?.checked_sub(its.checked_mul(less)?);
        let value = combine(self.value, other.value)?;
        let mut content = value.abs();
        buffer.terms.clear();
        for (unknown, mine, its) in merged(&self.terms, &other.terms) {
            let factor = combine(mine, its)?;
            if factor != 0 {
                content = gcd(content, factor);
                buffer.terms.push((unknown, factor));
            }
        }
        let content = content.max(1);
        self.value = value / content;
        buffer.terms.iter_mut().for_each(|(_, factor)| *factor /= content);
        std::mem::swap(&mut self.terms, &mut buffer.terms);
        self.sources.extend_from_slice(&other.sources);
        self.sources.sort_unstable();
        self.sources.dedup();
        Some(())
    }
}

/// The unknowns of two rows in order, with the factor each has in one and the other.
fn merged<U: Copy + Ord>(
    mut one: &[(U, i64)],
    mut other: &[(U, i64)],
) -> impl Iterator<Item = (U, i64, i64)> {
    std::iter::from_fn(move || {
        let unknown = match (one.first(), other.first()) {
            (Some(mine), Some(its)) => mine.0.min(its.0),
            (Some(only), None) | (None, Some(only)) => only.0,
            (None, None) => return None,
        };
        let take = |row: &mut &[(U, i64)]| match row.split_first() {
            Some((&(first, factor), rest)) if first == unknown => {
                *row = rest;
                factor
            }
            _ => 0,
        };
        Some((unknown, take(&mut one), take(&mut other)))
    })
}

/// The greatest common divisor, never negative.
fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
