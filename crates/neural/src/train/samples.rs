//! What is learned from: positions as codes, and the answer to each.

use deminer_game::Rng;

use crate::encode::{Code, Encoding};

/// Positions of one size with the answers a network should give. A target that is not a number
/// asks for nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Samples {
    width: usize,
    height: usize,
    /// Targets of each position: one for a window, one for each cell of a board.
    answers: usize,
    codes: Vec<Code>,
    densities: Vec<f32>,
    targets: Vec<f32>,
}

impl Samples {
    /// None yet, for positions of this size.
    pub fn new(width: usize, height: usize, answers: usize) -> Self {
        let (codes, densities, targets) = (Vec::new(), Vec::new(), Vec::new());
        Self { width, height, answers, codes, densities, targets }
    }

    /// Adds a position.
    ///
    /// # Panics
    /// If it is of another size.
    pub fn push(&mut self, codes: &[Code], density: f32, targets: &[f32]) {
        assert_eq!((codes.len(), targets.len()), (self.width * self.height, self.answers));
        self.codes.extend(codes);
        self.densities.push(density);
        self.targets.extend(targets);
    }

    /// Puts a position in the place of another.
    pub fn replace(&mut self, at: usize, codes: &[Code], density: f32, targets: &[f32]) {
        let cells = self.width * self.height;
        self.codes[at * cells..][..cells].copy_from_slice(codes);
        self.densities[at] = density;
        self.targets[at * self.answers..][..self.answers].copy_from_slice(targets);
    }

    /// Adds all positions of another, which must have the same size.
    pub fn append(&mut self, mut other: Samples) {
        assert_eq!(
            (self.width, self.height, self.answers),
            (other.width, other.height, other.answers)
        );
        self.codes.append(&mut other.codes);
        self.densities.append(&mut other.densities);
        self.targets.append(&mut other.targets);
    }

    /// At most so many of the positions, taken evenly.
    pub fn thinned(&self, most: usize) -> Self {
        let mut thinned = Self::new(self.width, self.height, self.answers);
        let step = self.len().div_ceil(most.max(1)).max(1);
        for at in (0..self.len()).step_by(step) {
            thinned.push(self.codes(at), self.densities[at], self.targets(at));
        }
        thinned
    }

    /// Positions.
    pub fn len(&self) -> usize {
        self.densities.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.densities.is_empty()
    }

    /// Columns of a position.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of a position.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The codes of a position.
    pub fn codes(&self, at: usize) -> &[Code] {
        let cells = self.width * self.height;
        &self.codes[at * cells..][..cells]
    }

    /// Mines for each covered cell of a position.
    pub fn density(&self, at: usize) -> f32 {
        self.densities[at]
    }

    /// The targets of a position.
    pub fn targets(&self, at: usize) -> &[f32] {
        &self.targets[at * self.answers..][..self.answers]
    }
}

/// Some samples, turned about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Batch {
    width: usize,
    height: usize,
    codes: Vec<Code>,
    densities: Vec<f32>,
    targets: Vec<f32>,
}

impl Batch {
    /// Takes these samples, each turned in one of the ways at random.
    pub fn fill(
        &mut self,
        samples: &Samples,
        chosen: &[usize],
        ways: &[Vec<usize>],
        rng: &mut Rng,
    ) {
        (self.width, self.height) = (samples.width, samples.height);
        self.codes.clear();
        self.densities.clear();
        self.targets.clear();
        for &at in chosen {
            let way = if ways.len() > 1 { &ways[rng.below(ways.len())] } else { &ways[0] };
            let (codes, targets) = (samples.codes(at), samples.targets(at));
            self.codes.extend(way.iter().map(|&place| codes[place]));
            self.densities.push(samples.densities[at]);
            if targets.len() == codes.len() {
                self.targets.extend(way.iter().map(|&place| targets[place]));
            } else {
                self.targets.extend(targets);
            }
        }
    }

    /// Samples in it.
    pub fn len(&self) -> usize {
        self.densities.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.densities.is_empty()
    }

    /// Columns of a sample.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows of a sample.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The codes of each sample, and its mines for each covered cell.
    pub fn positions(&self) -> impl Iterator<Item = (&[Code], f32)> {
        let cells = (self.width * self.height).max(1);
        self.codes.chunks_exact(cells).zip(self.densities.iter().copied())
    }

    /// The targets, sample by sample.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// The numbers given to a dense layer: the channels of a cell together.
    pub fn flat(&self, encoding: Encoding) -> Vec<f32> {
        let channels = encoding.channels();
        self.encoded(encoding, |sample, cell, cells| (sample * cells + cell) * channels, 1)
    }

    /// The numbers given to a convolution: the cells of a channel together.
    pub fn planes(&self, encoding: Encoding) -> Vec<f32> {
        let (channels, cells) = (encoding.channels(), self.width * self.height);
        self.encoded(encoding, |sample, cell, cells| sample * channels * cells + cell, cells)
    }

    /// Channel 0 of a cell lies where `place` says, the next one `step` further.
    fn encoded(
        &self,
        encoding: Encoding,
        place: impl Fn(usize, usize, usize) -> usize,
        step: usize,
    ) -> Vec<f32> {
        let cells = self.width * self.height;
        let mut numbers = vec![0.0; self.codes.len() * encoding.channels()];
        for (sample, codes) in self.codes.chunks_exact(cells).enumerate() {
            for (cell, &code) in codes.iter().enumerate() {
                let base = place(sample, cell, cells);
                if !encoding.is_one_hot() {
                    numbers[base] = encoding.value(code);
                } else if let Some(channel) = encoding.channel(code) {
                    numbers[base + channel * step] = 1.0;
                }
                if encoding == Encoding::Density {
                    numbers[base + (encoding.channels() - 1) * step] = self.densities[sample];
                }
            }
        }
        numbers
    }
}
