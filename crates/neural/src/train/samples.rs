//! Training samples: encoded positions and their labels.

use deminer_game::Rng;

use crate::encode::Code;

/// Positions of one size with the answers a network should give. A target that is not a number
/// asks for nothing.
#[derive(Clone, PartialEq, Debug, Default)]
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

    /// At most `most` of the positions, taken evenly.
    pub fn thinned(&self, most: usize) -> Self {
        let mut thinned = Self::new(self.width, self.height, self.answers);
        let step = self.len().div_ceil(most.max(1)).max(1);
        for at in (0..self.len()).step_by(step) {
            thinned.push(self.codes(at), self.densities[at], self.targets(at));
        }
        thinned
    }

    /// Takes these samples instead of its own, each turned in one of the ways at random.
    pub fn fill(&mut self, samples: &Self, chosen: &[usize], ways: &[Vec<usize>], rng: &mut Rng) {
        (self.width, self.height) = (samples.width, samples.height);
        self.answers = samples.answers;
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

    /// The targets of a position.
    pub fn targets(&self, at: usize) -> &[f32] {
        &self.targets[at * self.answers..][..self.answers]
    }

    /// The codes of each position, and its mines for each covered cell.
    pub fn positions(&self) -> impl Iterator<Item = (&[Code], f32)> {
        let cells = (self.width * self.height).max(1);
        self.codes.chunks_exact(cells).zip(self.densities.iter().copied())
    }

    /// The targets of all positions.
    pub fn all_targets(&self) -> &[f32] {
        &self.targets
    }
}
