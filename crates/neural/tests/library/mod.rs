//! Gradients by a tensor library, to hold ours against.

use burn_tensor::ops::ConvOptions;
use burn_tensor::{Device, Tensor, TensorData, activation, module};
use deminer_game::Rng;
use deminer_neural::encode::Encoding;
use deminer_neural::forward::NORM_EPSILON;
use deminer_neural::nets::{Layer, Net, Output};
use deminer_neural::train::{Gradients, Loss, NORM_MOMENTUM, Samples, Slope};
use deminer_neural::weights::{Weights, plan};

/// Gradients by Burn's CPU backend, in one thread, so that runs repeat.
pub struct Burn {
    plain: Device,
    tracked: Device,
}

impl Default for Burn {
    fn default() -> Self {
        Self { plain: Device::flex(), tracked: Device::flex().autodiff() }
    }
}

impl Gradients for Burn {
    fn slope(
        &mut self,
        net: &Net,
        weights: &Weights,
        batch: &Samples,
        loss: Loss,
        rng: &mut Rng,
    ) -> Slope {
        let slots = plan(net);
        let leaves: Vec<Tensor<1>> = (slots.iter().zip(&weights.0))
            .map(|(slot, values)| {
                let leaf = tensor(values.clone(), [values.len()], &self.tracked);
                if slot.learned { leaf.require_grad() } else { leaf }
            })
            .collect();
        let mut pass = Pass::new(&leaves, batch.len(), &self.tracked, Some(rng));
        let flow = pass.net(net, batch);
        let statistics = pass.statistics;
        let loss = mean_loss(net, flow, batch, loss, &self.tracked);
        let mut tape = loss.backward();
        let gradients = (slots.iter().zip(&leaves))
            .map(|(slot, leaf)| match slot.learned {
                true => leaf.grad_remove(&mut tape).map_or_else(|| vec![0.0; slot.size()], numbers),
                false => Vec::new(),
            })
            .collect();
        let statistics = statistics
            .into_iter()
            .map(|(at, batch)| {
                let blend = |(old, new): (&f32, f32)| old + NORM_MOMENTUM * (new - old);
                (at, weights.0[at].iter().zip(batch).map(blend).collect())
            })
            .collect();
        Slope { loss: loss.into_scalar::<f32>(), gradients: Weights(gradients), statistics }
    }

    fn answers(&mut self, net: &Net, weights: &Weights, batch: &Samples) -> Vec<f32> {
        let flow = self.pass(net, weights, batch);
        numbers(match net.output {
            Output::Plain => flow,
            Output::Sigmoid => activation::sigmoid(flow),
        })
    }
}

impl Burn {
    /// The last layer's numbers, as in play.
    fn pass(&self, net: &Net, weights: &Weights, batch: &Samples) -> Tensor<2> {
        let leaves: Vec<Tensor<1>> = (weights.0.iter())
            .map(|values| tensor(values.clone(), [values.len()], &self.plain))
            .collect();
        Pass::new(&leaves, batch.len(), &self.plain, None).net(net, batch)
    }
}

/// The numbers given to a dense layer: the channels of a cell together.
pub fn flat(batch: &Samples, encoding: Encoding) -> Vec<f32> {
    encoded(batch, encoding, |cell, channel| cell * encoding.channels() + channel)
}

/// The numbers given to a convolution: the cells of a channel together.
pub fn planes(batch: &Samples, encoding: Encoding) -> Vec<f32> {
    let cells = batch.width() * batch.height();
    encoded(batch, encoding, |cell, channel| channel * cells + cell)
}

fn encoded(batch: &Samples, encoding: Encoding, place: impl Fn(usize, usize) -> usize) -> Vec<f32> {
    let mut numbers = Vec::new();
    for (codes, density) in batch.positions() {
        let start = numbers.len();
        numbers.resize(start + codes.len() * encoding.channels(), 0.0);
        for (cell, &code) in codes.iter().enumerate() {
            encoding.terms(code, density, |channel, value| {
                numbers[start + place(cell, channel)] = value;
            });
        }
    }
    numbers
}

fn tensor<const D: usize>(values: Vec<f32>, shape: [usize; D], device: &Device) -> Tensor<D> {
    Tensor::from_data(TensorData::new(values, shape), device)
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec().expect("our tensors hold f32")
}

fn mean_loss(
    net: &Net,
    flow: Tensor<2>,
    batch: &Samples,
    loss: Loss,
    device: &Device,
) -> Tensor<1> {
    let shape = [batch.len(), batch.all_targets().len() / batch.len()];
    let asked: Vec<f32> =
        batch.all_targets().iter().map(|target| f32::from(u8::from(!target.is_nan()))).collect();
    let count: f32 = asked.iter().sum();
    let filled =
        batch.all_targets().iter().map(|target| if target.is_nan() { 0.0 } else { *target });
    let target = tensor(filled.collect(), shape, device);
    let each = match (loss, net.output) {
        (Loss::SquaredError, Output::Plain) => (flow - target).square(),
        (Loss::SquaredError, Output::Sigmoid) => (activation::sigmoid(flow) - target).square(),
        (Loss::Hinge, _) => {
            let short = activation::relu(flow.clone().neg() + 1.0);
            let beyond = activation::relu(flow);
            short * target.clone() + beyond * (target.neg() + 1.0)
        }
        // -t ln s(z) - (1 - t) ln (1 - s(z)), without the overflow.
        (Loss::CrossEntropy, _) => {
            activation::relu(flow.clone()) - flow.clone() * target + flow.abs().neg().exp().log1p()
        }
    };
    (each * tensor(asked, shape, device)).sum() / count.max(1.0)
}

/// What flows from layer to layer.
enum Flow {
    /// Samples by numbers.
    Flat(Tensor<2>),
    /// Samples by channels by rows by columns.
    Planes(Tensor<4>),
}

/// One forward pass.
struct Pass<'a> {
    leaves: std::iter::Enumerate<std::slice::Iter<'a, Tensor<1>>>,
    samples: usize,
    device: &'a Device,
    /// Where dropped numbers are drawn; none as in play.
    rng: Option<&'a mut Rng>,
    /// Means and variances of the batch, by the place of their array.
    statistics: Vec<(usize, Vec<f32>)>,
}

impl<'a> Pass<'a> {
    fn new(
        leaves: &'a [Tensor<1>],
        samples: usize,
        device: &'a Device,
        rng: Option<&'a mut Rng>,
    ) -> Self {
        Self { leaves: leaves.iter().enumerate(), samples, device, rng, statistics: Vec::new() }
    }

    fn net(&mut self, net: &Net, batch: &Samples) -> Tensor<2> {
        let channels = net.encoding.channels();
        let (width, height) = (batch.width(), batch.height());
        let flow = match net.layers.first() {
            Some(Layer::Convolution { .. }) => {
                let planes = planes(batch, net.encoding);
                Flow::Planes(tensor(planes, [self.samples, channels, height, width], self.device))
            }
            _ => {
                let flat = flat(batch, net.encoding);
                Flow::Flat(tensor(flat, [self.samples, channels * width * height], self.device))
            }
        };
        self.layers(&net.layers, flow).flat()
    }

    /// The next array, in this shape.
    fn next<const D: usize>(&mut self, shape: [usize; D]) -> Tensor<D> {
        self.place(shape).1
    }

    fn place<const D: usize>(&mut self, shape: [usize; D]) -> (usize, Tensor<D>) {
        let (at, leaf) = self.leaves.next().expect("an array for each slot of the plan");
        (at, leaf.clone().reshape(shape))
    }

    fn layers(&mut self, layers: &[Layer], mut flow: Flow) -> Flow {
        for layer in layers {
            flow = match layer {
                &Layer::Dense { inputs, outputs } => {
                    let weight = self.next([inputs, outputs]);
                    let bias = self.next([1, outputs]);
                    Flow::Flat(flow.flat().matmul(weight) + bias)
                }
                &Layer::Convolution { from, to, side } => {
                    let weight = self.next([to, from, side, side]);
                    let bias = self.next([to]);
                    let options = ConvOptions::new([1, 1], [side / 2; 2], [1, 1], 1);
                    Flow::Planes(module::conv2d(flow.planes(), weight, Some(bias), options))
                }
                &Layer::BatchNorm(width) => self.norm(flow, width),
                &Layer::Dropout(share) => self.drop(flow, share),
                Layer::Relu => match flow {
                    Flow::Flat(flat) => Flow::Flat(activation::relu(flat)),
                    Flow::Planes(planes) => Flow::Planes(activation::relu(planes)),
                },
                Layer::Residual(inner) => {
                    let before = flow.planes();
                    let after = self.layers(inner, Flow::Planes(before.clone())).planes();
                    Flow::Planes(before + after)
                }
            };
        }
        flow
    }

    fn norm(&mut self, flow: Flow, width: usize) -> Flow {
        let (scale, shift) = (self.next([1, width]), self.next([1, width]));
        let (mean_at, running_mean) = self.place([1, width]);
        let (variance_at, running_variance) = self.place([1, width]);
        let flat = match flow {
            Flow::Flat(flat) => flat,
            Flow::Planes(_) => panic!("only dense layers are normed"),
        };
        let (mean, variance) = if self.rng.is_some() {
            let mean = flat.clone().mean_dim(0);
            let variance = (flat.clone() - mean.clone()).square().mean_dim(0);
            // The running variance is that of the population, not of the batch.
            let grown = self.samples as f32 / (self.samples as f32 - 1.0);
            self.statistics.push((mean_at, numbers(mean.clone())));
            self.statistics.push((variance_at, numbers(variance.clone() * grown)));
            (mean, variance)
        } else {
            (running_mean, running_variance)
        };
        Flow::Flat((flat - mean) / (variance + NORM_EPSILON).sqrt() * scale + shift)
    }

    fn drop(&mut self, flow: Flow, share: f32) -> Flow {
        let Some(rng) = self.rng.as_deref_mut() else { return flow };
        let kept = 1.0 / (1.0 - share);
        let mut mask = |size: usize| -> Vec<f32> {
            (0..size).map(|_| if (rng.unit() as f32) < share { 0.0 } else { kept }).collect()
        };
        match flow {
            Flow::Flat(flat) => {
                let shape: [usize; 2] = flat.dims();
                Flow::Flat(flat * tensor(mask(shape.iter().product()), shape, self.device))
            }
            Flow::Planes(planes) => {
                let shape: [usize; 4] = planes.dims();
                Flow::Planes(planes * tensor(mask(shape.iter().product()), shape, self.device))
            }
        }
    }
}

impl Flow {
    /// Cell by cell, the channels of a cell together.
    fn flat(self) -> Tensor<2> {
        match self {
            Flow::Flat(flat) => flat,
            Flow::Planes(planes) => {
                let [samples, channels, height, width] = planes.dims();
                planes.permute([0, 2, 3, 1]).reshape([samples, height * width * channels])
            }
        }
    }

    fn planes(self) -> Tensor<4> {
        match self {
            Flow::Planes(planes) => planes,
            Flow::Flat(_) => panic!("a convolution follows the board or another convolution"),
        }
    }
}
