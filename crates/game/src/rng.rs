//! Our own random numbers, so that a seed always deals the same board.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, "Scrambled Linear Pseudorandom Number
//! Generators"), filled from a seed by SplitMix64. Golden tests pin both, the bounded draw and
//! the shuffle: results must never change with a dependency or a platform.

/// A repeatable stream of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64's output function: a bijection in which every input bit moves every output bit.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream that belongs to a seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        let word = |k: u64| mix(seed.wrapping_add(GOLDEN.wrapping_mul(k)));
        Self { state: [word(1), word(2), word(3), word(4)] }
    }

    /// Where the stream stands, to continue it later.
    pub fn state(&self) -> [u64; 4] {
        self.state
    }

    /// The stream that stands there.
    pub fn resume(state: [u64; 4]) -> Self {
        Self { state }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, each equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing is below 0");
        let bound = bound as u64;
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as usize;
            }
        }
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.bits())
    }

    /// One of the items, each equally likely; none if there is none.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }

    /// Puts the items in random order, each order equally likely: item `i` changes places with
    /// one of those from `i` on.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in 0..items.len() {
            items.swap(i, i + self.below(items.len() - i));
        }
    }
}

/// Maps 64 random bits to [0, 1).
#[inline]
pub(crate) fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// What a stream of random numbers is for. Streams of one game are independent, so an agent
/// that draws more numbers changes neither the board nor the clues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// Where the mines lie.
    Layout = 1,
    /// Which cell is opened first when the start cell is random; the same for all agents.
    FirstClick = 2,
    /// What uncertain clues show: one draw for each cell, in whatever order cells are opened.
    ClueNoise = 3,
    /// The agent's own choices.
    Agent = 4,
    /// The lab's: redrawn layouts, bootstrap samples.
    Lab = 5,
}

/// Game number `game` of a run with seed `seed`: all that is random in it follows from these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameSeed {
    /// The run's seed.
    pub seed: u64,
    /// The game's number in the run, from 0.
    pub game: u64,
}

impl GameSeed {
    /// The seed of one of the game's streams.
    #[inline]
    pub fn derive(self, purpose: Purpose) -> u64 {
        let step = |state: u64, word: u64| {
            mix(state.wrapping_add(GOLDEN) ^ mix(word.wrapping_add(GOLDEN)))
        };
        step(step(step(0, self.seed), self.game), purpose as u64)
    }

    /// One of the game's streams.
    #[inline]
    pub fn rng(self, purpose: Purpose) -> Rng {
        Rng::new(self.derive(purpose))
    }
}

/// Draw number `index` of the stream with this seed, without drawing those before it.
pub(crate) fn nth_draw(seed: u64, index: usize) -> u64 {
    mix(seed.wrapping_add(GOLDEN.wrapping_mul(index as u64 + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the published xoshiro256++ from the state 1, 2, 3, 4.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..6).map(|_| rng.bits()).collect();
        assert_eq!(
            first,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205,
                9_973_669_472_204_895_162,
            ]
        );
    }

    /// First outputs of the published SplitMix64 from the seed 0.
    #[test]
    fn the_state_comes_from_splitmix64() {
        assert_eq!(Rng::new(0).state[..2], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn golden_draws_never_change() {
        let mut rng = Rng::new(42);
        let draws: Vec<usize> = (0..8).map(|_| rng.below(480)).collect();
        let mut order: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut order);
        let game = GameSeed { seed: 1, game: 2 };
        assert_eq!(
            (draws, order, game.derive(Purpose::Layout), game.derive(Purpose::Agent)),
            (
                vec![390, 153, 472, 336, 380, 282, 60, 290],
                vec![2, 9, 6, 8, 3, 5, 7, 4, 0, 1],
                11_526_686_802_003_757_459,
                4_720_180_944_213_045_821,
            )
        );
    }

    #[test]
    fn bounded_draws_are_even() {
        let mut rng = Rng::new(3);
        let mut seen = [0usize; 7];
        for _ in 0..70_000 {
            seen[rng.below(7)] += 1;
        }
        // Standard deviation 93; six of them.
        assert!(seen.iter().all(|&count| count.abs_diff(10_000) < 560), "{seen:?}");
    }

    #[test]
    fn streams_of_neighboring_games_differ() {
        let purposes = [Purpose::Layout, Purpose::FirstClick, Purpose::ClueNoise, Purpose::Agent];
        let mut seeds: Vec<u64> = (0..20)
            .flat_map(|seed| (0..20).map(move |game| GameSeed { seed, game }))
            .flat_map(|game| purposes.map(|purpose| game.derive(purpose)))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 20 * 20 * 4);
    }
}
