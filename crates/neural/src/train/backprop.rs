//! Loss and gradients by backpropagation through every layer.
//!
//! A tensor library does the same; it is slower by half on dense layers and by far on
//! convolutions, because it knows neither that boards are one-hot nor how small they are. A test
//! holds the two together.
//!
//! Numbers of a batch lie sample after sample, cell after cell, the channels of a cell together
//! and padded to whole vectors. A dense layer is a sum for a board of one cell.

use deminer_game::Rng;
use pulp::Arch;

use super::{Gradients, Loss, NORM_MOMENTUM, Samples, Slope};
use crate::encode::Encoding;
use crate::forward::{NORM_EPSILON, sigmoid};
use crate::kernels::{Outer, Run, Sum, Tap, padded, panels, taps};
use crate::nets::{Layer, Net, Output};
use crate::weights::Weights;

/// Gradients in one thread, so that runs repeat.
#[derive(Debug, Default)]
pub struct Backprop {
    arch: Arch,
    laid: Option<Laid>,
}

/// A network laid out for boards of one size.
#[derive(Debug)]
struct Laid {
    net: Net,
    width: usize,
    height: usize,
    stages: Vec<Stage>,
}

#[derive(Debug)]
enum Stage {
    Sum(Links),
    Norm,
    Drop(f32),
    Relu,
    Residual(Vec<Stage>),
}

/// Which cell of a layer's output depends on which of its input, through which block of weights.
#[derive(Debug)]
struct Links {
    /// Channels of an input cell and of an output cell.
    from: usize,
    to: usize,
    cells: usize,
    /// For each output cell: input cells and blocks.
    links: Vec<Vec<(usize, usize)>>,
    /// Blocks of `from` rows of weights.
    blocks: usize,
    /// Whether weights are stored channel by channel: [to, from, block].
    transposed: bool,
    forward: Vec<Vec<Run>>,
    backward: Vec<Vec<Run>>,
    taps: Vec<Tap>,
}

impl Links {
    fn new(
        (from, to, cells): (usize, usize, usize),
        links: Vec<Vec<(usize, usize)>>,
        blocks: usize,
        transposed: bool,
    ) -> Self {
        let forward: Vec<Vec<Run>> = links
            .iter()
            .map(|links| {
                let run = |&(cell, block): &(usize, usize)| Run {
                    input: cell * padded(from),
                    row: block * from,
                    length: from,
                };
                links.iter().map(run).collect()
            })
            .collect();
        let mut backward = vec![Vec::new(); cells];
        for (out, links) in links.iter().enumerate() {
            for &(cell, block) in links {
                backward[cell].push(Run { input: out * padded(to), row: block * to, length: to });
            }
        }
        let taps = taps(&forward);
        Self { from, to, cells, links, blocks, transposed, forward, backward, taps }
    }

    fn dense(cells: usize, channels: usize, outputs: usize) -> Self {
        let links = vec![(0..cells).map(|cell| (cell, cell)).collect()];
        Self::new((channels, outputs, cells), links, cells, false)
    }

    fn convolution(width: usize, height: usize, from: usize, to: usize, side: usize) -> Self {
        let reach = side / 2;
        let near = |row: usize, column: usize| {
            let rows = row.saturating_sub(reach)..(row + reach + 1).min(height);
            rows.flat_map(move |near_row| {
                let left = column.saturating_sub(reach);
                (left..(column + reach + 1).min(width)).map(move |near_column| {
                    let block = (near_row + reach - row) * side + near_column + reach - column;
                    (near_row * width + near_column, block)
                })
            })
            .collect()
        };
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let links = cells.map(|(row, column)| near(row, column)).collect();
        Self::new((from, to, width * height), links, side * side, true)
    }

    /// The place of a weight as it is stored, by its block, input and output channel.
    fn place(&self, block: usize, from: usize, to: usize) -> usize {
        if self.transposed {
            (to * self.from + from) * self.blocks + block
        } else {
            (block * self.from + from) * self.to + to
        }
    }

    /// Rows of weights, `block * from + channel`, each of `to` numbers.
    fn rows(&self, weights: &[f32]) -> Vec<f32> {
        if !self.transposed {
            return weights.to_vec();
        }
        let mut rows = Vec::with_capacity(weights.len());
        for block in 0..self.blocks {
            for from in 0..self.from {
                rows.extend((0..self.to).map(|to| weights[self.place(block, from, to)]));
            }
        }
        rows
    }

    /// The same the other way: `block * to + channel`, each of `from` numbers.
    fn columns(&self, weights: &[f32]) -> Vec<f32> {
        let mut columns = Vec::with_capacity(weights.len());
        for block in 0..self.blocks {
            for to in 0..self.to {
                columns.extend((0..self.from).map(|from| weights[self.place(block, from, to)]));
            }
        }
        columns
    }

    /// Padded rows put in the order in which weights are stored.
    fn stored(&self, rows: &[f32]) -> Vec<f32> {
        let wide = padded(self.to);
        let mut stored = vec![0.0; self.blocks * self.from * self.to];
        for block in 0..self.blocks {
            for from in 0..self.from {
                let row = &rows[(block * self.from + from) * wide..][..self.to];
                for (to, &number) in row.iter().enumerate() {
                    stored[self.place(block, from, to)] = number;
                }
            }
        }
        stored
    }
}

/// What flows from layer to layer.
#[derive(Clone, Debug)]
struct Flow {
    cells: usize,
    channels: usize,
    numbers: Vec<f32>,
}

impl Flow {
    fn zeros(samples: usize, cells: usize, channels: usize) -> Self {
        Self { cells, channels, numbers: vec![0.0; samples * cells * padded(channels)] }
    }

    fn stride(&self) -> usize {
        self.cells * padded(self.channels)
    }

    /// The numbers of each cell, without padding.
    fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(padded(self.channels)).map(|row| &row[..self.channels])
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let channels = self.channels;
        self.numbers.chunks_exact_mut(padded(channels)).map(move |row| &mut row[..channels])
    }
}

/// What a stage keeps for the way back.
enum Kept {
    /// What went in; none for the board itself.
    Input(Option<Flow>),
    /// What each number is multiplied by.
    Mask(Vec<f32>),
    /// The numbers brought to mean 0 and variance 1, and one over their deviation.
    Normed(Flow, Vec<f32>),
    Residual(Vec<Kept>),
}

impl Gradients for Backprop {
    fn slope(
        &mut self,
        net: &Net,
        weights: &Weights,
        batch: &Samples,
        loss: Loss,
        rng: &mut Rng,
    ) -> Slope {
        let arch = self.arch;
        let laid = self.lay(net, batch);
        let mut pass = Pass { arch, batch, encoding: net.encoding, weights, at: 0, rng: Some(rng) };
        let mut statistics = Vec::new();
        let mut kept = Vec::new();
        let flow = pass.forward(&laid.stages, None, &mut kept, &mut statistics);
        let (loss, slope) = mean_loss(net, &flow, batch, loss);
        let mut gradients = vec![Vec::new(); weights.0.len()];
        pass.backward(&laid.stages, kept, slope, &mut gradients);
        Slope { loss, gradients: Weights(gradients), statistics }
    }

    fn answers(&mut self, net: &Net, weights: &Weights, batch: &Samples) -> Vec<f32> {
        let flow = self.pass(net, weights, batch);
        let numbers = flow.rows().flatten().copied();
        match net.output {
            Output::Plain => numbers.collect(),
            Output::Sigmoid => numbers.map(sigmoid).collect(),
        }
    }
}

impl Backprop {
    /// The loss of a batch as in play.
    pub fn loss(&mut self, net: &Net, weights: &Weights, batch: &Samples, loss: Loss) -> f32 {
        mean_loss(net, &self.pass(net, weights, batch), batch, loss).0
    }

    fn lay(&mut self, net: &Net, batch: &Samples) -> &Laid {
        let (width, height) = (batch.width(), batch.height());
        let fits = |laid: &Laid| &laid.net == net && (laid.width, laid.height) == (width, height);
        if !self.laid.as_ref().is_some_and(fits) {
            let mut place = (width * height, net.encoding.channels());
            let stages = stages(&net.layers, (width, height), &mut place);
            self.laid = Some(Laid { net: net.clone(), width, height, stages });
        }
        self.laid.as_ref().expect("it was just laid")
    }

    /// The last layer's numbers, as in play.
    fn pass(&mut self, net: &Net, weights: &Weights, batch: &Samples) -> Flow {
        let arch = self.arch;
        let laid = self.lay(net, batch);
        let mut pass = Pass { arch, batch, encoding: net.encoding, weights, at: 0, rng: None };
        pass.forward(&laid.stages, None, &mut Vec::new(), &mut Vec::new())
    }
}

/// Lays layers out; `place` is how many cells and channels go in, and then come out.
fn stages(
    layers: &[Layer],
    (width, height): (usize, usize),
    place: &mut (usize, usize),
) -> Vec<Stage> {
    let mut stage = |layer: &Layer| match layer {
        &Layer::Dense { outputs, .. } => {
            let links = Links::dense(place.0, place.1, outputs);
            *place = (1, outputs);
            Stage::Sum(links)
        }
        &Layer::Convolution { from, to, side } => {
            place.1 = to;
            Stage::Sum(Links::convolution(width, height, from, to, side))
        }
        Layer::BatchNorm(_) => Stage::Norm,
        &Layer::Dropout(share) => Stage::Drop(share),
        Layer::Relu => Stage::Relu,
        Layer::Residual(inner) => Stage::Residual(stages(inner, (width, height), place)),
    };
    layers.iter().map(&mut stage).collect()
}

/// The loss, and its gradient by the last layer's numbers.
fn mean_loss(net: &Net, flow: &Flow, batch: &Samples, loss: Loss) -> (f32, Flow) {
    let targets = batch.all_targets();
    let count = targets.iter().filter(|target| !target.is_nan()).count().max(1) as f32;
    let mut slope = Flow::zeros(batch.len(), flow.cells, flow.channels);
    let mut sum = 0.0;
    let numbers = flow.rows().flatten().zip(slope.rows_mut().flatten());
    for ((&number, slope), &target) in numbers.zip(targets) {
        if target.is_nan() {
            continue;
        }
        let (value, tilt) = match (loss, net.output) {
            (Loss::SquaredError, Output::Plain) => {
                ((number - target).powi(2), 2.0 * (number - target))
            }
            (Loss::SquaredError, Output::Sigmoid) => {
                let answer = sigmoid(number);
                let gap = answer - target;
                (gap * gap, 2.0 * gap * answer * (1.0 - answer))
            }
            (Loss::Hinge, _) => {
                let (low, high) = ((1.0 - number).max(0.0), number.max(0.0));
                let down = if low > 0.0 { -target } else { 0.0 };
                let up = if high > 0.0 { 1.0 - target } else { 0.0 };
                (target * low + (1.0 - target) * high, down + up)
            }
            // -t ln s(z) - (1 - t) ln (1 - s(z)), without the overflow.
            (Loss::CrossEntropy, _) => {
                let value = number.max(0.0) - number * target + (-number.abs()).exp().ln_1p();
                (value, sigmoid(number) - target)
            }
        };
        sum += f64::from(value);
        *slope = tilt / count;
    }
    ((sum / f64::from(count)) as f32, slope)
}

/// One way through the network and back.
struct Pass<'a> {
    arch: Arch,
    batch: &'a Samples,
    encoding: Encoding,
    weights: &'a Weights,
    /// The next array on the way there; the last one taken on the way back.
    at: usize,
    /// Where dropped numbers are drawn; none as in play.
    rng: Option<&'a mut Rng>,
}

impl<'a> Pass<'a> {
    fn next(&mut self) -> &'a [f32] {
        self.at += 1;
        &self.weights.0[self.at - 1]
    }

    /// Numbers after these stages; without a flow, what goes in is the batch.
    fn forward(
        &mut self,
        stages: &[Stage],
        mut flow: Option<Flow>,
        kept: &mut Vec<Kept>,
        statistics: &mut Vec<(usize, Vec<f32>)>,
    ) -> Flow {
        for stage in stages {
            let next = match (stage, flow.take()) {
                (Stage::Sum(links), input) => {
                    let out = self.sum(links, input.as_ref());
                    kept.push(Kept::Input(input));
                    out
                }
                (Stage::Norm, Some(input)) => self.norm(input, kept, statistics),
                (Stage::Drop(share), Some(mut input)) => {
                    if let Some(rng) = self.rng.as_deref_mut() {
                        kept.push(Kept::Mask(drop_some(&mut input, *share, rng)));
                    }
                    input
                }
                (Stage::Relu, Some(mut input)) => {
                    let mut mask = vec![0.0; input.numbers.len()];
                    self.arch.dispatch(|| {
                        for (number, mask) in input.numbers.iter_mut().zip(&mut mask) {
                            *mask = if *number > 0.0 { 1.0 } else { 0.0 };
                            *number = number.max(0.0);
                        }
                    });
                    kept.push(Kept::Mask(mask));
                    input
                }
                (Stage::Residual(inner), Some(input)) => {
                    let mut own = Vec::new();
                    let mut out = self.forward(inner, Some(input.clone()), &mut own, statistics);
                    add(self.arch, &mut out.numbers, &input.numbers);
                    kept.push(Kept::Residual(own));
                    out
                }
                (_, None) => panic!("a network begins with a sum"),
            };
            flow = Some(next);
        }
        flow.expect("a network has layers")
    }

    /// A sum over what goes in, or over the batch itself: the few rows that its codes switch on.
    fn sum(&mut self, links: &Links, input: Option<&Flow>) -> Flow {
        let rows = links.rows(self.next());
        let mut bias = self.next().to_vec();
        bias.resize(padded(bias.len()), 0.0);
        let (encoding, width) = (self.encoding, links.to);
        let mut out = Flow::zeros(self.batch.len(), links.links.len(), width);
        if let Some(input) = input {
            self.arch.dispatch(Sum {
                inputs: &input.numbers,
                stride: input.stride(),
                runs: &links.forward,
                weights: &panels(&rows, width),
                rows: links.blocks * links.from,
                bias: &bias,
                width,
                out: &mut out.numbers,
            });
            return out;
        }
        let stride = out.stride();
        self.arch.dispatch(|| {
            let samples = out.numbers.chunks_exact_mut(stride);
            for ((codes, density), out) in self.batch.positions().zip(samples) {
                for (links, out) in links.links.iter().zip(out.chunks_exact_mut(bias.len())) {
                    out.copy_from_slice(&bias);
                    for &(cell, block) in links {
                        encoding.terms(codes[cell], density, |channel, times| {
                            let row = block * encoding.channels() + channel;
                            axpy(&mut out[..width], times, &rows[row * width..][..width]);
                        });
                    }
                }
            }
        });
        out
    }

    fn norm(
        &mut self,
        mut flow: Flow,
        kept: &mut Vec<Kept>,
        statistics: &mut Vec<(usize, Vec<f32>)>,
    ) -> Flow {
        let (scale, shift) = (self.next(), self.next());
        let (old_mean, old_variance) = (self.next(), self.next());
        let (mean, variance) = match self.rng {
            None => (old_mean.to_vec(), old_variance.to_vec()),
            Some(_) => {
                let (mean, variance) = moments(self.arch, &flow);
                let count = self.batch.len() as f32;
                let blend = |old: &[f32], new: &[f32], grown: f32| -> Vec<f32> {
                    let blend =
                        |(old, new): (&f32, &f32)| old + NORM_MOMENTUM * (new * grown - old);
                    old.iter().zip(new).map(blend).collect()
                };
                statistics.push((self.at - 2, blend(old_mean, &mean, 1.0)));
                // The running variance is that of the population, not of the batch.
                let grown = count / (count - 1.0);
                statistics.push((self.at - 1, blend(old_variance, &variance, grown)));
                (mean, variance)
            }
        };
        let inverse: Vec<f32> =
            variance.iter().map(|variance| 1.0 / (variance + NORM_EPSILON).sqrt()).collect();
        self.arch.dispatch(|| {
            for row in flow.rows_mut() {
                for ((number, mean), inverse) in row.iter_mut().zip(&mean).zip(&inverse) {
                    *number = (*number - mean) * inverse;
                }
            }
        });
        let normed = flow.clone();
        self.arch.dispatch(|| {
            for row in flow.rows_mut() {
                for ((number, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                    *number = *number * scale + shift;
                }
            }
        });
        kept.push(Kept::Normed(normed, inverse));
        flow
    }

    /// Goes back from the gradient of what came out to that of what went in; the first sum has
    /// none to give.
    fn backward(
        &mut self,
        stages: &[Stage],
        kept: Vec<Kept>,
        mut slope: Flow,
        gradients: &mut [Vec<f32>],
    ) -> Flow {
        for (stage, kept) in stages.iter().zip(kept).rev() {
            slope = match (stage, kept) {
                (Stage::Sum(links), Kept::Input(input)) => {
                    self.at -= 2;
                    gradients[self.at + 1] = totals(self.arch, &slope);
                    gradients[self.at] = self.outer(links, input.as_ref(), &slope);
                    if input.is_some() { self.through(links, &slope) } else { slope }
                }
                (Stage::Norm, Kept::Normed(normed, inverse)) => {
                    self.at -= 4;
                    let (scale, shift) = self.unnorm(&mut slope, &normed, &inverse);
                    (gradients[self.at], gradients[self.at + 1]) = (scale, shift);
                    slope
                }
                (Stage::Drop(_) | Stage::Relu, Kept::Mask(mask)) => {
                    let numbers = slope.numbers.iter_mut().zip(&mask);
                    self.arch.dispatch(|| numbers.for_each(|(number, mask)| *number *= mask));
                    slope
                }
                (Stage::Residual(inner), Kept::Residual(kept)) => {
                    let mut through = self.backward(inner, kept, slope.clone(), gradients);
                    add(self.arch, &mut through.numbers, &slope.numbers);
                    through
                }
                _ => panic!("every stage finds what it kept"),
            };
        }
        slope
    }

    /// The gradient of a sum's weights; without an input it was the batch.
    fn outer(&self, links: &Links, input: Option<&Flow>, slope: &Flow) -> Vec<f32> {
        let (encoding, wide) = (self.encoding, padded(links.to));
        let mut rows = vec![0.0; links.blocks * links.from * wide];
        match input {
            Some(input) => self.arch.dispatch(Outer {
                inputs: &input.numbers,
                stride: input.stride(),
                taps: &links.taps,
                slopes: &slope.numbers,
                width: links.to,
                out: &mut rows,
            }),
            None => self.arch.dispatch(|| {
                let samples = slope.numbers.chunks_exact(slope.stride());
                for ((codes, density), slope) in self.batch.positions().zip(samples) {
                    for (links, slope) in links.links.iter().zip(slope.chunks_exact(wide)) {
                        for &(cell, block) in links {
                            encoding.terms(codes[cell], density, |channel, times| {
                                let row = block * encoding.channels() + channel;
                                axpy(&mut rows[row * wide..][..wide], times, slope);
                            });
                        }
                    }
                }
            }),
        }
        links.stored(&rows)
    }

    /// The gradient of a sum's input.
    fn through(&self, links: &Links, slope: &Flow) -> Flow {
        let columns = links.columns(&self.weights.0[self.at]);
        let mut out = Flow::zeros(self.batch.len(), links.cells, links.from);
        self.arch.dispatch(Sum {
            inputs: &slope.numbers,
            stride: slope.stride(),
            runs: &links.backward,
            weights: &panels(&columns, links.from),
            rows: links.blocks * links.to,
            bias: &vec![0.0; padded(links.from)],
            width: links.from,
            out: &mut out.numbers,
        });
        out
    }

    /// The gradient before a norm from that after it; and those of scale and shift.
    fn unnorm(&self, slope: &mut Flow, normed: &Flow, inverse: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let scale = &self.weights.0[self.at];
        let width = slope.channels;
        let shifts = totals(self.arch, slope);
        let mut scales = vec![0.0; width];
        self.arch.dispatch(|| {
            for (slope, normed) in slope.rows().zip(normed.rows()) {
                for ((sum, slope), normed) in scales.iter_mut().zip(slope).zip(normed) {
                    *sum += slope * normed;
                }
            }
        });
        let share = 1.0 / self.batch.len() as f32;
        let factor: Vec<f32> = scale.iter().zip(inverse).map(|(scale, by)| scale * by).collect();
        self.arch.dispatch(|| {
            for (slope, normed) in slope.rows_mut().zip(normed.rows()) {
                for at in 0..width {
                    let mean = share * (shifts[at] + normed[at] * scales[at]);
                    slope[at] = factor[at] * (slope[at] - mean);
                }
            }
        });
        (scales, shifts)
    }
}

/// `out += times · row`.
#[inline(always)]
fn axpy(out: &mut [f32], times: f32, row: &[f32]) {
    out.iter_mut().zip(row).for_each(|(out, number)| *out += times * number);
}

fn add(arch: Arch, out: &mut [f32], more: &[f32]) {
    arch.dispatch(|| axpy(out, 1.0, more));
}

/// The sum of each channel over samples and cells.
fn totals(arch: Arch, flow: &Flow) -> Vec<f32> {
    let mut totals = vec![0.0; flow.channels];
    arch.dispatch(|| flow.rows().for_each(|row| axpy(&mut totals, 1.0, row)));
    totals
}

/// Mean and variance of each number over the samples.
fn moments(arch: Arch, flow: &Flow) -> (Vec<f32>, Vec<f32>) {
    let share = 1.0 / flow.rows().count() as f32;
    let mean: Vec<f32> = totals(arch, flow).iter().map(|total| total * share).collect();
    let mut variance = vec![0.0; flow.channels];
    arch.dispatch(|| {
        for row in flow.rows() {
            for ((sum, number), mean) in variance.iter_mut().zip(row).zip(&mean) {
                *sum += (number - mean) * (number - mean);
            }
        }
    });
    variance.iter_mut().for_each(|sum| *sum *= share);
    (mean, variance)
}

/// Drops this share of the numbers and scales up the others; what each was multiplied by.
fn drop_some(flow: &mut Flow, share: f32, rng: &mut Rng) -> Vec<f32> {
    let kept = 1.0 / (1.0 - share);
    let mut mask = Flow::zeros(flow.numbers.len() / flow.stride(), flow.cells, flow.channels);
    for (row, mask) in flow.rows_mut().zip(mask.rows_mut()) {
        for (number, mask) in row.iter_mut().zip(mask) {
            *mask = if (rng.unit() as f32) < share { 0.0 } else { kept };
            *number *= *mask;
        }
    }
    mask.numbers
}
