//! The forward pass for play: one position at a time, optimized for the CPU.
//!
//! Every layer is a bias and a sum of rows of weights, each times one number that is not zero:
//! `out = bias + Σ x · row`. A one-hot input adds one row for each cell, and about half of what
//! passes a ReLU is zero and costs nothing. A convolution of the board is the same sum for each
//! cell, over the square around it. Rows are padded to whole vectors, and the sum of a block of
//! columns stays in registers while all rows pass by. Further convolutions have few zeros to leave
//! out and take six cells at a time, as training takes samples.
//!
//! A tensor library computes the same function; a test holds the two together where it is built.

use pulp::{Simd, WithSimd};

use crate::encode::{Code, Encoding};
use crate::kernels::{self, Plane};
use crate::nets::{Layer, Net, Output};
use crate::weights::Weights;

/// Numbers in the widest vector of any machine: rows are padded to a multiple of it.
const LANES: usize = 16;

fn padded(width: usize) -> usize {
    width.next_multiple_of(LANES)
}

/// A network ready to play.
#[derive(Clone, Debug)]
pub struct Forward {
    encoding: Encoding,
    extent: Option<(usize, usize)>,
    steps: Vec<Step>,
    output: Output,
    /// What the last layer gave and what the next one makes of it.
    values: Vec<f32>,
    next: Vec<f32>,
    /// What the next one is given with a border of zeros around it.
    framed: Vec<f32>,
    terms: Vec<Term>,
}

/// One step of the pass.
#[derive(Clone, Debug)]
enum Step {
    /// A sum of rows over everything.
    Dense(Rows),
    /// A sum of rows over the square around each cell of the board, with the channels of a cell and
    /// the side of the square; the row of a tap and a channel is `tap * channels + channel`.
    First(Rows, usize, usize),
    /// The same for what a layer gave, the rows laid in panels.
    Convolution(Rows, usize, usize),
    /// Each number scaled by the first and shifted by the second.
    Affine(Vec<f32>, Vec<f32>),
    Relu,
    /// Keeps what is here until the matching [`Step::Add`].
    Keep,
    /// Adds what was kept.
    Add,
}

/// Rows of weights, padded to whole vectors.
#[derive(Clone, Debug)]
struct Rows {
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// One row and what it is multiplied by.
#[derive(Clone, Copy, Debug)]
struct Term {
    row: usize,
    times: f32,
}

impl Forward {
    /// The network with these weights, given what it is given in play.
    pub fn new(net: &Net, weights: &Weights) -> Self {
        let arrays = weights.0.iter();
        let mut builder = Builder { arrays, steps: Vec::new(), stride: None };
        builder.layers(&net.layers);
        Self {
            encoding: net.in_play,
            extent: net.extent,
            steps: builder.steps,
            output: net.output,
            values: Vec::new(),
            next: Vec::new(),
            framed: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// What the network says of a position: one number for a window, one for each cell of a
    /// board. The density is mines for each covered cell, for [`Encoding::Density`].
    ///
    /// # Panics
    /// If the network was made for another number of cells.
    pub fn run(&mut self, codes: &[Code], width: usize, density: f32) -> &[f32] {
        if let Some((rows, columns)) = self.extent {
            assert!(codes.len() == rows * columns && width == columns, "codes of another board");
        }
        kernels::vectorized(Pass { forward: self, codes, width, density });
        if self.output == Output::Sigmoid {
            self.values.iter_mut().for_each(|value| *value = sigmoid(*value));
        }
        &self.values
    }

    #[inline(always)]
    fn pass<S: Simd>(&mut self, simd: S, codes: &[Code], width: usize, density: f32) {
        let cells = codes.len();
        let mut kept: Vec<Vec<f32>> = Vec::new();
        // Numbers of each cell, as they lie in `values`, and how many of them count.
        let mut stride = 0;
        let mut count = 0;
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Dense(rows) => {
                    self.terms.clear();
                    if at == 0 {
                        let channels = self.encoding.channels();
                        for (cell, &code) in codes.iter().enumerate() {
                            push_code(
                                &mut self.terms,
                                self.encoding,
                                code,
                                density,
                                cell * channels,
                            );
                        }
                    } else {
                        for (row, &times) in self.values.iter().enumerate() {
                            if times != 0.0 {
                                self.terms.push(Term { row, times });
                            }
                        }
                    }
                    self.next.resize(rows.stride(), 0.0);
                    rows.sum(simd, &self.terms, &mut self.next);
                    std::mem::swap(&mut self.values, &mut self.next);
                    (stride, count) = (rows.stride(), rows.width);
                }
                Step::First(rows, from, side) => {
                    let (wide, height) = (rows.stride(), cells / width);
                    self.next.resize(cells * wide, 0.0);
                    let reach = side / 2;
                    for row in 0..height {
                        for column in 0..width {
                            self.terms.clear();
                            let first = row.saturating_sub(reach);
                            for near_row in first..(row + reach + 1).min(height) {
                                let left = column.saturating_sub(reach);
                                for near_column in left..(column + reach + 1).min(width) {
                                    let code = codes[near_row * width + near_column];
                                    let tap = (near_row + reach - row) * side + near_column + reach
                                        - column;
                                    let (terms, base) = (&mut self.terms, tap * from);
                                    push_code(terms, self.encoding, code, density, base);
                                }
                            }
                            let out = &mut self.next[(row * width + column) * wide..][..wide];
                            rows.sum(simd, &self.terms, out);
                        }
                    }
                    std::mem::swap(&mut self.values, &mut self.next);
                    (stride, count) = (wide, rows.width);
                }
                &Step::Convolution(ref rows, from, side) => {
                    let reach = side / 2;
                    frame(&self.values, (stride, from), (width, reach), &mut self.framed);
                    let wide = rows.bias.len();
                    self.next.resize(cells * wide, 0.0);
                    let plane = Plane {
                        inputs: &self.framed,
                        from,
                        reach,
                        columns: width,
                        weights: &rows.weights,
                        bias: &rows.bias,
                        width: rows.width,
                        out: &mut self.next,
                    };
                    plane.with_simd(simd);
                    std::mem::swap(&mut self.values, &mut self.next);
                    (stride, count) = (wide, rows.width);
                }
                Step::Affine(scale, shift) => {
                    for chunk in self.values.chunks_exact_mut(stride) {
                        for ((value, scale), shift) in chunk.iter_mut().zip(scale).zip(shift) {
                            *value = *value * scale + shift;
                        }
                    }
                }
                Step::Relu => self.values.iter_mut().for_each(|value| *value = value.max(0.0)),
                Step::Keep => kept.push(self.values.clone()),
                Step::Add => {
                    let before = kept.pop().expect("every sum has its first term");
                    self.values.iter_mut().zip(before).for_each(|(value, more)| *value += more);
                }
            }
        }
        compact(&mut self.values, stride, count);
    }
}

struct Pass<'a> {
    forward: &'a mut Forward,
    codes: &'a [Code],
    width: usize,
    density: f32,
}

impl WithSimd for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.forward.pass(simd, self.codes, self.width, self.density);
    }
}

/// Between 0 and 1.
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The rows that one cell's code adds; its channels begin at `base`.
#[inline(always)]
fn push_code(terms: &mut Vec<Term>, encoding: Encoding, code: Code, density: f32, base: usize) {
    encoding.terms(code, density, |channel, times| {
        terms.push(Term { row: base + channel, times });
    });
}

/// Puts a border of zeros around rows of cells, and drops the padding of each cell: `count` of its
/// numbers count.
fn frame(
    values: &[f32],
    (stride, count): (usize, usize),
    (width, reach): (usize, usize),
    framed: &mut Vec<f32>,
) {
    let line = (width + 2 * reach) * count;
    let height = values.len() / stride / width;
    framed.clear();
    framed.resize((height + 2 * reach) * line, 0.0);
    for (at, cell) in values.chunks_exact(stride).enumerate() {
        let place = (at / width + reach) * line + (at % width + reach) * count;
        framed[place..place + count].copy_from_slice(&cell[..count]);
    }
}

/// Drops the padding of every cell's numbers.
fn compact(values: &mut Vec<f32>, stride: usize, count: usize) {
    let cells = values.len() / stride;
    for cell in 1..cells {
        values.copy_within(cell * stride..cell * stride + count, cell * count);
    }
    values.truncate(cells * count);
}

impl Rows {
    fn stride(&self) -> usize {
        padded(self.width)
    }

    /// Lays the rows as the sums over planes take them.
    fn lay_in_panels(&mut self) {
        let stride = self.stride();
        self.weights = kernels::panels(&self.weights, stride);
        self.bias.resize(kernels::padded(self.width), 0.0);
    }

    /// `out = bias + Σ x · row`, block by block of columns.
    #[inline(always)]
    fn sum<S: Simd>(&self, simd: S, terms: &[Term], out: &mut [f32]) {
        let (bias, _) = S::as_simd_f32s(&self.bias);
        let (weights, _) = S::as_simd_f32s(&self.weights);
        let (out, _) = S::as_mut_simd_f32s(out);
        let stride = bias.len();
        let mut at = 0;
        while at + 8 <= stride {
            block::<S, 8>(simd, terms, bias, weights, out, at);
            at += 8;
        }
        while at + 2 <= stride {
            block::<S, 2>(simd, terms, bias, weights, out, at);
            at += 2;
        }
        while at < stride {
            block::<S, 1>(simd, terms, bias, weights, out, at);
            at += 1;
        }
    }
}

/// The sum of `N` vectors of columns from `at` on, kept in registers.
#[inline(always)]
fn block<S: Simd, const N: usize>(
    simd: S,
    terms: &[Term],
    bias: &[S::f32s],
    weights: &[S::f32s],
    out: &mut [S::f32s],
    at: usize,
) {
    let stride = bias.len();
    let mut sums: [S::f32s; N] = std::array::from_fn(|lane| bias[at + lane]);
    for term in terms {
        let times = simd.splat_f32s(term.times);
        let row = &weights[term.row * stride + at..][..N];
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = simd.mul_add_e_f32s(times, weight, *sum);
        }
    }
    out[at..at + N].copy_from_slice(&sums);
}

/// Lays weights out for play.
struct Builder<'a> {
    arrays: std::slice::Iter<'a, Vec<f32>>,
    steps: Vec<Step>,
    /// The padded channels of a cell and those that count, after a convolution.
    stride: Option<(usize, usize)>,
}

/// How far a batch's variance is kept from zero.
pub const NORM_EPSILON: f32 = 1e-5;

impl Builder<'_> {
    fn next(&mut self) -> &[f32] {
        self.arrays.next().expect("a network has an array for each slot of its plan")
    }

    fn layers(&mut self, layers: &[Layer]) {
        for layer in layers {
            match layer {
                &Layer::Dense { inputs, outputs } => {
                    let rows = self.dense(inputs, outputs);
                    self.steps.push(Step::Dense(rows));
                }
                &Layer::Convolution { from, to, side } => {
                    let mut rows = self.convolution(from, to, side);
                    let step = if self.steps.is_empty() {
                        self.stride = Some((rows.stride(), to));
                        Step::First(rows, from, side)
                    } else {
                        rows.lay_in_panels();
                        self.stride = Some((rows.bias.len(), to));
                        Step::Convolution(rows, from, side)
                    };
                    self.steps.push(step);
                }
                Layer::BatchNorm(_) => {
                    let [scale, shift, mean, variance] =
                        std::array::from_fn(|_| self.next().to_vec());
                    let scale: Vec<f32> = (scale.iter().zip(&variance))
                        .map(|(scale, variance)| scale / (variance + NORM_EPSILON).sqrt())
                        .collect();
                    let shift = (shift.iter().zip(&mean).zip(&scale))
                        .map(|((shift, mean), scale)| shift - mean * scale)
                        .collect();
                    self.steps.push(Step::Affine(scale, shift));
                }
                Layer::Relu => self.steps.push(Step::Relu),
                Layer::Dropout(_) => {}
                Layer::Residual(inner) => {
                    self.steps.push(Step::Keep);
                    self.layers(inner);
                    self.steps.push(Step::Add);
                }
            }
        }
    }

    fn dense(&mut self, inputs: usize, width: usize) -> Rows {
        // After a convolution each cell has padded channels, whose rows stay zero.
        let (stride, count) = self.stride.take().unwrap_or((1, 1));
        let wide = padded(width);
        let mut weights = vec![0.0; inputs / count * stride * wide];
        for (input, row) in self.next().chunks_exact(width).enumerate() {
            let at = (input / count * stride + input % count) * wide;
            weights[at..at + width].copy_from_slice(row);
        }
        self.rows(width, weights)
    }

    fn convolution(&mut self, from: usize, width: usize, side: usize) -> Rows {
        let (taps, wide) = (side * side, padded(width));
        let mut weights = vec![0.0; taps * from * wide];
        for (at, &weight) in self.next().iter().enumerate() {
            let (to, channel, tap) = (at / (from * taps), at / taps % from, at % taps);
            weights[(tap * from + channel) * wide + to] = weight;
        }
        self.rows(width, weights)
    }

    fn rows(&mut self, width: usize, weights: Vec<f32>) -> Rows {
        let mut bias = self.next().to_vec();
        bias.resize(padded(width), 0.0);
        Rows { width, weights, bias }
    }
}
