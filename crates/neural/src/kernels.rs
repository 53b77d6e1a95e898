//! Vectorized kernels for training and play.
//!
//! A layer's output is `y = b + Σ x · w`, the gradient of its input `Σ dy · wᵀ`, that of its
//! weights `Σ xᵀ · dy`. All are computed in tiles of six rows by two vectors, which stay in
//! registers while the sum runs. The six rows of a tile are the same cell of six samples, so
//! they take the same terms: a convolution leaves out what lies beyond the border, and a dense
//! layer is a convolution of a board of one cell. Nothing is copied into a matrix first.
//!
//! In play there is one sample, and the rows of a tile are six cells side by side; a border of
//! zeros gives them the same terms.

use pulp::{Arch, Simd, WithSimd};

/// Widths are padded to a multiple of this: two of the widest vectors of any machine.
const WIDE: usize = 32;

/// Samples of a tile.
const TILE: usize = 6;

/// Numbers that a row of `width` takes up with its padding.
pub(crate) fn padded(width: usize) -> usize {
    width.next_multiple_of(WIDE)
}

/// Terms of a sum: `length` numbers of a sample from `input` on, each times the row of weights
/// from `row` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub input: usize,
    pub row: usize,
    pub length: usize,
}

/// A sum of runs for each cell.
pub(crate) struct Sum<'a> {
    /// Numbers in, sample after sample.
    pub inputs: &'a [f32],
    /// Numbers of a sample.
    pub stride: usize,
    /// The terms of each cell.
    pub runs: &'a [Vec<Run>],
    /// Rows of weights, as [`panels`] lays them.
    pub weights: &'a [f32],
    /// Rows of weights in a panel.
    pub rows: usize,
    /// What each sum starts from: padded numbers for a cell, of which `width` count.
    pub bias: &'a [f32],
    pub width: usize,
    /// Where the sums go: sample after sample, cell after cell, padded.
    pub out: &'a mut [f32],
}

/// Runs a kernel with the widest instructions of this machine.
pub(crate) fn vectorized<Kernel: WithSimd>(kernel: Kernel) -> Kernel::Output {
    match Arch::new() {
        // Known when the engine of browsers is compiled, which then needs no second kernel.
        #[cfg(target_feature = "simd128")]
        Arch::Scalar => unreachable!("there are 128-bit instructions"),
        arch => arch.dispatch(kernel),
    }
}

/// Cuts rows of weights into panels two vectors wide, one after another, so that a tile reads
/// them in one run.
pub(crate) fn panels(weights: &[f32], width: usize) -> Vec<f32> {
    struct Panels<'a>(&'a [f32], usize);
    impl WithSimd for Panels<'_> {
        type Output = Vec<f32>;
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> Vec<f32> {
            let panel = 2 * S::F32_LANES;
            let rows = self.0.len() / self.1;
            let mut panels = vec![0.0; rows * self.1.next_multiple_of(panel)];
            for (at, row) in self.0.chunks_exact(self.1).enumerate() {
                for (number, part) in row.chunks(panel).enumerate() {
                    panels[(number * rows + at) * panel..][..part.len()].copy_from_slice(part);
                }
            }
            panels
        }
    }
    vectorized(Panels(weights, width))
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let samples = self.inputs.len() / self.stride;
        let wide = self.bias.len();
        let panel = 2 * S::F32_LANES;
        let size = self.runs.len() * wide;
        let (tiles, rest) = (samples / TILE, samples % TILE);
        let panels = self.bias.chunks_exact(panel).take(self.width.div_ceil(panel));
        for (number, bias) in panels.enumerate() {
            let weights = &self.weights[number * self.rows * panel..][..self.rows * panel];
            for (cell, runs) in self.runs.iter().enumerate() {
                let at = cell * wide + number * panel;
                for tile in 0..tiles {
                    let inputs = &self.inputs[tile * TILE * self.stride..][..TILE * self.stride];
                    let out = &mut self.out[tile * TILE * size..][..TILE * size];
                    tile_of::<S, TILE>(simd, inputs, self.stride, runs, weights, bias, out, at);
                }
                for sample in samples - rest..samples {
                    let inputs = &self.inputs[sample * self.stride..][..self.stride];
                    let out = &mut self.out[sample * size..][..size];
                    tile_of::<S, 1>(simd, inputs, self.stride, runs, weights, bias, out, at);
                }
            }
        }
    }
}

/// A convolution of one board.
pub(crate) struct Plane<'a> {
    /// Numbers in: rows of cells, `from` numbers each, with a border of zeros as wide as the
    /// convolution reaches.
    pub inputs: &'a [f32],
    pub from: usize,
    /// Cells around the middle that count, to each side.
    pub reach: usize,
    /// Columns without the border.
    pub columns: usize,
    /// Rows of weights, tap by tap and channel by channel, as [`panels`] lays them.
    pub weights: &'a [f32],
    /// What each sum starts from: padded numbers for a cell, of which `width` count.
    pub bias: &'a [f32],
    pub width: usize,
    /// Where the sums go: cell after cell, padded.
    pub out: &'a mut [f32],
}

impl WithSimd for Plane<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (wide, panel, side) = (self.bias.len(), 2 * S::F32_LANES, 2 * self.reach + 1);
        let line = (self.columns + 2 * self.reach) * self.from;
        let length = side * self.from;
        let runs: Vec<Run> =
            (0..side).map(|tap| Run { input: tap * line, row: tap * length, length }).collect();
        let rows = side * length;
        let panels = self.bias.chunks_exact(panel).take(self.width.div_ceil(panel));
        for (number, bias) in panels.enumerate() {
            let weights = &self.weights[number * rows * panel..][..rows * panel];
            for (row, out) in self.out.chunks_exact_mut(self.columns * wide).enumerate() {
                for column in (0..self.columns).step_by(TILE) {
                    let cells = TILE.min(self.columns - column);
                    let inputs = &self.inputs[row * line + column * self.from..];
                    let out = &mut out[column * wide..][..cells * wide];
                    let at = number * panel;
                    macro_rules! tile {
                        ($cells:literal) => {
                            tile_of::<S, $cells>(
                                simd, inputs, self.from, &runs, weights, bias, out, at,
                            )
                        };
                    }
                    match cells {
                        1 => tile!(1),
                        2 => tile!(2),
                        3 => tile!(3),
                        4 => tile!(4),
                        5 => tile!(5),
                        _ => tile!(6),
                    }
                }
            }
        }
    }
}

/// Terms between two looks at the bounds.
const STEP: usize = 8;

/// The sums of one cell and panel for `R` samples.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the innermost loop is told all it needs")]
fn tile_of<S: Simd, const R: usize>(
    simd: S,
    inputs: &[f32],
    stride: usize,
    runs: &[Run],
    weights: &[f32],
    bias: &[f32],
    out: &mut [f32],
    at: usize,
) {
    let panel = 2 * S::F32_LANES;
    let start = pair::<S>(bias);
    let mut sums = [start; R];
    for run in runs {
        let rows: [&[f32]; R] =
            std::array::from_fn(|r| &inputs[r * stride + run.input..][..run.length]);
        let steps = rows.map(|row| row.as_chunks::<STEP>().0);
        let (weights, _) = S::as_simd_f32s(&weights[run.row * panel..][..run.length * panel]);
        let (weights, _) = weights.as_chunks::<2>();
        let (whole, rest) = weights.as_chunks::<STEP>();
        for (step, weights) in whole.iter().enumerate() {
            let rows: [&[f32; STEP]; R] = std::array::from_fn(|r| &steps[r][step]);
            for term in 0..STEP {
                let weight = weights[term];
                // Counted loops over arrays of known length stay in registers.
                for r in 0..R {
                    let times = simd.splat_f32s(rows[r][term]);
                    sums[r][0] = simd.mul_add_e_f32s(times, weight[0], sums[r][0]);
                    sums[r][1] = simd.mul_add_e_f32s(times, weight[1], sums[r][1]);
                }
            }
        }
        let done = run.length - rest.len();
        for (term, weight) in rest.iter().enumerate() {
            for r in 0..R {
                let times = simd.splat_f32s(rows[r][done + term]);
                sums[r][0] = simd.mul_add_e_f32s(times, weight[0], sums[r][0]);
                sums[r][1] = simd.mul_add_e_f32s(times, weight[1], sums[r][1]);
            }
        }
    }
    let size = out.len() / R;
    for (sum, out) in sums.iter().zip(out.chunks_exact_mut(size)) {
        S::as_mut_simd_f32s(&mut out[at..at + panel]).0.copy_from_slice(sum);
    }
}

#[inline(always)]
fn pair<S: Simd>(numbers: &[f32]) -> [S::f32s; 2] {
    let (vectors, _) = S::as_simd_f32s(numbers);
    [vectors[0], vectors[1]]
}

/// The gradient of weights: what every term of every sum adds to its row.
pub(crate) struct Outer<'a> {
    /// Numbers in, sample after sample.
    pub inputs: &'a [f32],
    /// Numbers of a sample.
    pub stride: usize,
    /// By the tap: the row of weights it begins with, how many numbers a run of it has, and
    /// the input place and cell of each of its runs.
    pub taps: &'a [Tap],
    /// Gradients of the sums: sample after sample, cell after cell, padded.
    pub slopes: &'a [f32],
    /// Numbers of a cell in `slopes`.
    pub width: usize,
    /// Where the gradient is added, padded rows.
    pub out: &'a mut [f32],
}

/// All runs that use the same rows of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tap {
    pub row: usize,
    pub length: usize,
    /// Input place and cell of each run.
    pub pairs: Vec<(usize, usize)>,
}

/// Sorts runs by the rows of weights they use.
pub(crate) fn taps(runs: &[Vec<Run>]) -> Vec<Tap> {
    let mut taps: Vec<Tap> = Vec::new();
    for (cell, runs) in runs.iter().enumerate() {
        for run in runs {
            let pair = (run.input, cell);
            match taps.iter_mut().find(|tap| tap.row == run.row) {
                Some(tap) => tap.pairs.push(pair),
                None => {
                    taps.push(Tap { row: run.row, length: run.length, pairs: vec![pair] });
                }
            }
        }
    }
    taps
}

/// Samples gone through at a time: what they hold stays near while all weights pass by.
fn together(stride: usize) -> usize {
    (16_384 / stride).max(1)
}

impl WithSimd for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let samples = self.inputs.len() / self.stride;
        let size = self.slopes.len() / samples;
        let together = together(self.stride);
        let inputs = self.inputs.chunks(together * self.stride);
        for (inputs, slopes) in inputs.zip(self.slopes.chunks(together * size)) {
            for tap in self.taps {
                let mut first = 0;
                while first < tap.length {
                    let left = tap.length - first;
                    let part = Part { inputs, stride: self.stride, slopes, size, tap, first };
                    if left >= TILE {
                        part.add::<S, TILE>(simd, self.width, self.out);
                        first += TILE;
                    } else {
                        part.add::<S, 1>(simd, self.width, self.out);
                        first += 1;
                    }
                }
            }
        }
    }
}

/// Some samples and the rows of a tap from `first` on.
struct Part<'a> {
    inputs: &'a [f32],
    stride: usize,
    slopes: &'a [f32],
    size: usize,
    tap: &'a Tap,
    first: usize,
}

impl Part<'_> {
    /// Adds to `R` rows of the gradient.
    #[inline(always)]
    fn add<S: Simd, const R: usize>(&self, simd: S, width: usize, out: &mut [f32]) {
        let (panel, wide) = (2 * S::F32_LANES, padded(width));
        let rows = &mut out[(self.tap.row + self.first) * wide..][..R * wide];
        for at in (0..width).step_by(panel) {
            let mut sums: [[S::f32s; 2]; R] =
                std::array::from_fn(|r| pair::<S>(&rows[r * wide + at..][..panel]));
            let samples = self.inputs.chunks_exact(self.stride);
            for (inputs, slopes) in samples.zip(self.slopes.chunks_exact(self.size)) {
                for &(input, cell) in &self.tap.pairs {
                    let slope = pair::<S>(&slopes[cell * wide + at..][..panel]);
                    let inputs: &[f32; R] = inputs[input + self.first..][..R]
                        .try_into()
                        .expect("the slice has R numbers");
                    for r in 0..R {
                        let times = simd.splat_f32s(inputs[r]);
                        sums[r][0] = simd.mul_add_e_f32s(times, slope[0], sums[r][0]);
                        sums[r][1] = simd.mul_add_e_f32s(times, slope[1], sums[r][1]);
                    }
                }
            }
            for (r, sum) in sums.iter().enumerate() {
                let row = &mut rows[r * wide + at..][..panel];
                S::as_mut_simd_f32s(row).0.copy_from_slice(sum);
            }
        }
    }
}
