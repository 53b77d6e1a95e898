//! Confidence intervals and significance tests for rates and differences.

use deminer_game::Rng;

/// A 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The normal quantile that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval for a rate of `hits` in `tries`; [0, 1] when nothing was tried.
pub fn wilson(hits: u64, tries: u64) -> Interval {
    if tries == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, p) = (tries as f64, hits as f64 / tries as f64);
    let center = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // The ends are exact at 0 and 1; rounding must not move them off.
    let low = if hits == 0 { 0.0 } else { (center - spread) / scale };
    let high = if hits == tries { 1.0 } else { (center + spread) / scale };
    Interval { low, high }
}

/// McNemar's exact test on paired wins: the probability, were both players equally strong, of
/// a split at least as uneven as this one of the games that only one of them won.
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    let n = only_first + only_second;
    let fewer = only_first.min(only_second);
    // The chance of k of n heads, from k = 0 up, in logarithms: 2⁻ⁿ underflows soon.
    let mut log_chance = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = log_chance.exp();
    for k in 0..fewer {
        log_chance += ((n - k) as f64 / (k + 1) as f64).ln();
        tail += log_chance.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The probability of at least `hits` in `tries` at this rate.
pub fn at_least(hits: u64, tries: u64, rate: f64) -> f64 {
    let (lose, win) = ((1.0 - rate).ln(), rate.ln());
    // From all tries down, in logarithms: single terms underflow.
    let mut log_choose = 0.0;
    let mut tail = 0.0;
    for misses in 0..=tries.saturating_sub(hits) {
        let wins = (tries - misses) as f64;
        // 0 · ln 0 stands for 0⁰ = 1.
        let part = |count: f64, log: f64| if count == 0.0 { 0.0 } else { count * log };
        tail += f64::exp(log_choose + part(wins, win) + part(misses as f64, lose));
        log_choose += (wins / (misses + 1) as f64).ln();
    }
    tail.min(1.0)
}

/// The mean of values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Above this many values the bootstrap resamples means of equal blocks instead: blocks of
/// independent games are independent too, and the mean's spread is the same.
const BLOCKS: usize = 4096;
const RESAMPLES: usize = 2000;

/// A percentile bootstrap interval for the mean of the values: differences of two players on
/// the same games, or weights of games. Repeatable: the resampling has a seed of its own.
pub fn bootstrap(values: &[f64]) -> Interval {
    if values.is_empty() {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let blocks = values.len().min(BLOCKS);
    let block = |index: usize| {
        let range = index * values.len() / blocks..(index + 1) * values.len() / blocks;
        (values[range.clone()].iter().sum::<f64>(), range.len() as f64)
    };
    let blocks: Vec<(f64, f64)> = (0..blocks).map(block).collect();
    let mut rng = Rng::new(0x0b00_7572_a900);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in 0..blocks.len() {
                let (value, size) = blocks[rng.below(blocks.len())];
                sum += value;
                count += size;
            }
            sum / count
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let quantile = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    Interval { low: quantile(0.025), high: quantile(0.975) }
}

/// A percentile bootstrap interval for the mean of the means of groups, such as the games of
/// several learned players: groups are drawn again, and in each of them the values. So it covers
/// what differs from group to group and what differs from value to value.
pub fn bootstrap_groups(groups: &[&[f64]]) -> Interval {
    if groups.is_empty() || groups.iter().any(|values| values.is_empty()) {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let mut rng = Rng::new(0x0b00_7572_a901);
    let mut draw = |values: &[f64]| {
        let sum: f64 = (0..values.len()).map(|_| values[rng.below(values.len())]).sum();
        sum / values.len() as f64
    };
    let mut chooser = Rng::new(0x0b00_7572_a902);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let sum: f64 =
                (0..groups.len()).map(|_| draw(groups[chooser.below(groups.len())])).sum();
            sum / groups.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let quantile = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
    Interval { low: quantile(0.025), high: quantile(0.975) }
}

/// Spearman's rank correlation: Pearson's, of the ranks, where equal values share the mean of
/// theirs. 0 where one list does not vary.
///
/// # Panics
/// If the lists differ in length.
pub fn spearman(first: &[f64], second: &[f64]) -> f64 {
    assert_eq!(first.len(), second.len(), "ranks are compared in pairs");
    let (first, second) = (ranks(first), ranks(second));
    let mean = (first.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let spread = (product(&first, &first) * product(&second, &second)).sqrt();
    if spread > 0.0 { product(&first, &second) / spread } else { 0.0 }
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |value: f64| values.iter().filter(|other| **other < value).count() as f64;
    let equal = |value: f64| values.iter().filter(|other| **other == value).count() as f64;
    values.iter().map(|&value| below(value) + (equal(value) + 1.0) / 2.0).collect()
}

/// A p-value; small ones in scientific notation.
pub fn p_value_text(p_value: f64) -> String {
    if p_value < 1e-99 {
        "below 1e-99".into()
    } else if p_value < 0.001 {
        format!("{p_value:.1e}")
    } else {
        format!("{p_value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, slack: f64) {
        assert!((a - b).abs() <= slack, "{a} is not {b}");
    }

    /// Values from the textbook formula, computed by hand.
    #[test]
    fn wilson_intervals_of_known_rates() {
        let half = wilson(50, 100);
        close(half.low, 0.40383, 1e-5);
        close(half.high, 0.59617, 1e-5);
        let rare = wilson(1, 10);
        close(rare.low, 0.01788, 1e-5);
        close(rare.high, 0.40415, 1e-5);
        assert_eq!(wilson(0, 10).low, 0.0);
        assert_eq!(wilson(10, 10).high, 1.0);
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn wilson_covers_the_truth_about_as_often_as_it_says() {
        for truth in [0.1, 0.4, 0.9] {
            let mut rng = Rng::new(11);
            let covered = (0..4000)
                .filter(|_| {
                    let hits = (0..200).filter(|_| rng.unit() < truth).count() as u64;
                    let interval = wilson(hits, 200);
                    (interval.low..=interval.high).contains(&truth)
                })
                .count();
            assert!((3720..=3880).contains(&covered), "{truth}: {covered} of 4000");
        }
    }

    #[test]
    fn mcnemar_counts_coin_flips() {
        close(mcnemar(0, 5), 2.0 / 32.0, 1e-12);
        close(mcnemar(1, 5), 2.0 * 7.0 / 64.0, 1e-12);
        close(mcnemar(3, 3), 1.0, 1e-12);
        close(mcnemar(0, 0), 1.0, 1e-12);
        // Symmetric, and no underflow with many games: 10 σ apart is nothing like chance.
        assert_eq!(mcnemar(20_000, 18_000), mcnemar(18_000, 20_000));
        let unlikely = mcnemar(20_000, 18_000);
        assert!(unlikely > 0.0 && unlikely < 1e-20, "{unlikely}");
    }

    #[test]
    fn tails_of_coin_flips() {
        close(at_least(2, 2, 0.5), 0.25, 1e-12);
        close(at_least(1, 2, 0.5), 0.75, 1e-12);
        close(at_least(0, 7, 0.3), 1.0, 1e-12);
        close(at_least(5, 5, 1.0), 1.0, 1e-12);
        close(at_least(1, 5, 0.0), 0.0, 1e-12);
        // At most one loss in 1000 where six are expected: e⁻⁶ · (1 + 6), about.
        close(at_least(999, 1000, 0.994), 0.01717, 1e-4);
    }

    #[test]
    fn the_bootstrap_agrees_with_the_normal_interval_for_many_values() {
        let mut rng = Rng::new(5);
        for n in [500, 50_000] {
            let values: Vec<f64> = (0..n).map(|_| rng.unit()).collect();
            let mean = mean(&values);
            let half = Z * (1.0 / 12.0 / n as f64).sqrt();
            let interval = bootstrap(&values);
            close(interval.low, mean - half, half * 0.12);
            close(interval.high, mean + half, half * 0.12);
        }
        assert_eq!(bootstrap(&[1.0; 10]), Interval { low: 1.0, high: 1.0 });
    }

    #[test]
    fn intervals_of_groups_cover_groups_and_values() {
        let mut rng = Rng::new(6);
        // Ten groups whose means differ by a standard deviation of 0.1, 400 coins in each.
        let mut coins = |rate: f64| -> Vec<f64> {
            (0..400).map(|_| f64::from(u8::from(rng.unit() < rate))).collect()
        };
        let groups: Vec<Vec<f64>> =
            (0..10).map(|group| coins(if group % 2 == 0 { 0.4 } else { 0.6 })).collect();
        let groups: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
        let Interval { low, high } = bootstrap_groups(&groups);
        let expected = 2.0 * Z * ((0.1 * 0.1 + 0.25 / 400.0) / 10.0_f64).sqrt();
        close(high - low, expected, 0.15 * expected);
        // All values alike in one group: only the values vary.
        let one = bootstrap_groups(&groups[..1]);
        let alone = bootstrap(groups[0]);
        close(one.high - one.low, alone.high - alone.low, 0.1 * (alone.high - alone.low));
        assert_eq!(bootstrap_groups(&[&[1.0], &[1.0]]), Interval { low: 1.0, high: 1.0 });
    }

    #[test]
    fn ranks_correlate_whatever_the_scale() {
        close(spearman(&[1.0, 2.0, 5.0], &[0.1, 3.0, 100.0]), 1.0, 1e-12);
        close(spearman(&[1.0, 2.0, 5.0], &[3.0, 2.0, 1.0]), -1.0, 1e-12);
        // By hand: ranks 1 2 3 4 5 and 2 1 4 3 5 differ by 1 four times, so 1 - 6 * 4 / 120.
        close(spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[20.0, 10.0, 40.0, 30.0, 50.0]), 0.8, 1e-12);
        close(spearman(&[1.0, 1.0, 2.0], &[5.0, 5.0, 9.0]), 1.0, 1e-12);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
    }
}
