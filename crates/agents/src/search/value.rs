//! How likely a game is won from here, by a small network that saw many games.

use std::sync::LazyLock;

use deminer_game::{Cell, View};
use deminer_inference::count::Odds;

/// What a position is judged by.
pub const FEATURES: usize = 44;

/// What a position is judged by.
pub type Features = [f32; FEATURES];

/// Finds the features of positions.
#[derive(Default)]
pub struct Reader {
    counts: Vec<u16>,
    /// Cells that are unknown.
    unknown: Vec<bool>,
    /// Classes that do not touch the sea.
    shut: Vec<bool>,
}

impl Reader {
    /// The features of a position of which the odds are known.
    pub fn read(&mut self, view: &View, odds: &Odds) -> Features {
        let shape = view.shape();
        let (risks, size) = (odds.risks(), shape.size() as f32);
        self.counts.clear();
        self.counts.resize(risks.len(), 0);
        self.unknown.clear();
        for cell in shape.cells() {
            let class = odds.class(cell);
            self.counts[class] += 1;
            let risk = risks[class];
            self.unknown.push(risk > 0.0 && risk < 1.0);
        }
        let (mut safe, mut mines, mut unknown, mut open) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        let (mut top, mut second) = (0.0f32, 0.0f32);
        let (mut entropy, mut even, mut clear, mut fringe) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        for (class, (&risk, &count)) in risks.iter().zip(&self.counts).enumerate() {
            if count == 0 {
                continue;
            }
            let count = f32::from(count);
            if risk.is_nan() {
                open += count;
            } else if risk == 0.0 {
                safe += count;
            } else if risk == 1.0 {
                mines += count;
            } else {
                unknown += count;
                let risk = risk as f32;
                let safety = 1.0 - risk;
                if safety > top {
                    second = if count > 1.0 { safety } else { top };
                    top = safety;
                } else if safety > second {
                    second = safety;
                }
                if class != Odds::SEA {
                    fringe += count;
                    entropy -= count * (risk * risk.ln() + safety * safety.ln());
                    even += if (risk - 0.5).abs() < 0.06 { count } else { 0.0 };
                    clear += if risk < 0.08 || risk > 0.92 { count } else { 0.0 };
                }
            }
        }
        self.shut.clear();
        self.shut.resize(risks.len(), true);
        for cell in shape.cells().filter(|&cell| odds.class(cell) == Odds::SEA) {
            for &near in shape.neighbors(cell) {
                self.shut[odds.class(near)] = false;
            }
        }
        let (mut shut_cost, mut shut_count) = (0.0f32, 0.0f32);
        let (mut cost, mut worst) = (0.0f32, 0.0f32);
        for region in odds.regions() {
            let undecided =
                risks[region.clone()].iter().filter(|risk| **risk > 0.0 && **risk < 1.0);
            let least = undecided.fold(1.0f64, |least, &risk| least.min(risk)) as f32;
            if least < 1.0 {
                cost += least;
                worst = worst.max(least);
                if self.shut[region.clone()].iter().all(|&shut| shut) {
                    shut_cost += least;
                    shut_count += 1.0;
                }
            }
        }
        // What safe cells may tell, and what border is left.
        let (mut told, mut lone, mut corners, mut edges, mut best_told) =
            (0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32);
        let (mut doubt, mut best_doubt, mut zero, mut best_zero, mut pairs, mut pair_cost) =
            (0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32);
        let (mut top_zero, mut top_doubt) = (0.0f32, 0.0f32);
        let (mut live, mut live_second, mut border, mut tight) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        let level = f64::from(1.0 - top) + 1e-7;
        for cell in shape.cells() {
            let class = odds.class(cell);
            let risk = risks[class];
            if risk.is_nan() || risk == 1.0 {
                continue;
            }
            let near = shape.neighbors(cell);
            if risk == 0.0 || (risk <= level && class != Odds::SEA) {
                let (mut unknown, mut spread, mut none) = (0.0f32, 0.0f32, 1.0f32);
                for &near in near {
                    let risk = risks[odds.class(near)];
                    if risk > 0.0 {
                        none *= 1.0 - risk as f32;
                        spread += (risk * (1.0 - risk)) as f32;
                        unknown += if risk < 1.0 { 1.0 } else { 0.0 };
                    }
                }
                if risk == 0.0 {
                    told += unknown;
                    best_told = best_told.max(unknown);
                    doubt += spread;
                    best_doubt = best_doubt.max(spread);
                    zero += none;
                    best_zero = best_zero.max(none);
                } else {
                    top_zero = top_zero.max(none);
                    top_doubt = top_doubt.max(spread);
                }
            }
            if self.unknown[cell.index()] {
                let around = near.iter().filter(|near| self.unknown[near.index()]).count();
                if around > 0 {
                    let safety = 1.0 - risk as f32;
                    if safety > live {
                        live_second = live;
                        live = safety;
                    } else if safety > live_second {
                        live_second = safety;
                    }
                }
                if class != Odds::SEA {
                    let sea = near.iter().any(|&near| odds.class(near) == Odds::SEA);
                    border += if sea { 1.0 } else { 0.0 };
                }
                tight += if around < 3 { 1.0 } else { 0.0 };
                match near.len() {
                    3 => corners += 1.0,
                    5 => edges += 1.0,
                    _ => {}
                }
                if class != Odds::SEA {
                    let mut alone = true;
                    for &other in near {
                        if !self.unknown[other.index()] {
                            continue;
                        }
                        alone = false;
                        if other.index() < cell.index() || odds.class(other) == Odds::SEA {
                            continue;
                        }
                        // Nothing that may still be opened touches just one of the two.
                        let apart = |a: &[Cell], b: Cell, c: Cell| {
                            a.iter().all(|&x| {
                                x == b || {
                                    let risk = risks[odds.class(x)];
                                    !(risk < 1.0) || shape.neighbors(b).contains(&x)
                                }
                            }) && b != c
                        };
                        if apart(near, other, cell) && apart(shape.neighbors(other), cell, other) {
                            pairs += 1.0;
                            pair_cost += (risk as f32).min(1.0 - risk as f32);
                        }
                    }
                    lone += if alone { 1.0 } else { 0.0 };
                }
            }
        }
        let left = view.rules().mines() as f32 - mines;
        let log = odds.log10_layouts().unwrap_or(0.0) as f32;
        let sea = if self.counts[Odds::SEA] > 0 { risks[Odds::SEA] as f32 } else { 0.0 };
        let any = if safe > 0.0 { 1.0 } else { 0.0 };
        [
            any,
            if safe > 0.0 { 1.0 } else { top },
            top,
            second,
            (1.0 + safe).ln(),
            (1.0 + told).ln(),
            best_told / 4.0,
            log / 30.0,
            log / (unknown + 1.0) * 4.0,
            unknown / size,
            left / (unknown + safe + 1.0) * 4.0,
            f32::from(self.counts[Odds::SEA]) / size,
            sea * 4.0,
            fringe / 40.0,
            (1.0 + fringe).ln(),
            odds.regions().len() as f32 / 5.0,
            (risks.len() - 4) as f32 / 30.0,
            entropy / 15.0,
            entropy / (fringe + 1.0) * 3.0,
            even / 6.0,
            clear / (fringe + 1.0),
            cost,
            worst * 2.0,
            open / size,
            mines / view.rules().mines().max(1) as f32,
            lone / 3.0,
            corners / 4.0,
            edges / (2.0 * size.sqrt()),
            (1.0 + doubt).ln(),
            best_doubt,
            (1.0 + zero).ln(),
            best_zero,
            pairs / 2.0,
            pair_cost,
            top_zero,
            top_doubt,
            shut_cost,
            shut_count / 2.0,
            live,
            live_second,
            border / 20.0,
            border / (fringe + 1.0),
            tight / 10.0,
            if safe > 0.0 { 1.0 } else { 0.8 * live + 0.2 * live_second },
        ]
    }
}

impl Reader {
    /// Safe cells that may tell something.
    pub fn tellers(&mut self, view: &View, odds: &Odds) -> usize {
        let shape = view.shape();
        let risks = odds.risks();
        let undecided = |&near: &Cell| {
            let risk = risks[odds.class(near)];
            risk > 0.0 && risk < 1.0
        };
        shape
            .cells()
            .filter(|&cell| odds.class(cell) == Odds::SAFE || risks[odds.class(cell)] == 0.0)
            .filter(|&cell| shape.neighbors(cell).iter().any(undecided))
            .count()
    }
}

/// A network of two hidden layers.
#[derive(Clone, Debug)]
pub struct Model {
    /// Weights: for each layer its matrix, row by row for each output, and its offsets.
    pub weights: Vec<f32>,
}

/// Units of the hidden layers.
pub const HIDDEN: [usize; 2] = [16, 8];

/// How many weights there are.
pub const WEIGHTS: usize = (FEATURES + 1) * HIDDEN[0] + (HIDDEN[0] + 1) * HIDDEN[1] + HIDDEN[1] + 1;

impl Model {
    /// The one that is shipped.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
            let bytes = include_bytes!("../../../../artifacts/value/win.weights");
            let weights =
                bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four")));
            Model { weights: weights.collect() }
        });
        &SHIPPED
    }

    pub fn dev(number: f64) -> Self {
        if number == 0.0 {
            return Self::shipped().clone();
        }
        let bytes = std::fs::read(format!("/tmp/w{number}.weights")).unwrap();
        let weights =
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four")));
        Model { weights: weights.collect() }
    }

    /// The probability of winning.
    pub fn judge(&self, features: &Features) -> f64 {
        let (first, rest) = self.weights.split_at((FEATURES + 1) * HIDDEN[0]);
        let (second, third) = rest.split_at((HIDDEN[0] + 1) * HIDDEN[1]);
        let one: [f32; HIDDEN[0]] = layer(first, features);
        let two: [f32; HIDDEN[1]] = layer(second, &one);
        let sum = two.iter().zip(third).map(|(a, b)| a * b).sum::<f32>() + third[HIDDEN[1]];
        f64::from(1.0 / (1.0 + (-sum).exp()))
    }
}

/// Inputs times columns, plus offsets, cut at zero. Weights are stored input by input, so that
/// outputs are summed side by side.
fn layer<const IN: usize, const OUT: usize>(weights: &[f32], input: &[f32; IN]) -> [f32; OUT] {
    let (columns, offsets) = weights.split_at(IN * OUT);
    let mut sums: [f32; OUT] = offsets.try_into().expect("as many offsets as outputs");
    for (value, column) in input.iter().zip(columns.chunks_exact(OUT)) {
        for (sum, weight) in sums.iter_mut().zip(column) {
            *sum += value * weight;
        }
    }
    sums.map(|sum| sum.max(0.0))
}
