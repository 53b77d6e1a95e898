//! Facts and estimates of players that do not use the exact engine.

use deminer_game::{Cell, Decision, Estimates, Premise, Proof, Rng, Rules, View};
use deminer_inference::constraints::Constraints;
use deminer_inference::deduce::Fact;

use crate::parts::risk;
use crate::parts::safe_queue::SafeQueue;

/// What is proved so far in a game, and the estimated mine probabilities of the other cells.
#[derive(Default)]
pub struct LocalOdds {
    pub safe: SafeQueue,
    /// Mines proved in this game by other rules than single clues.
    mines: Vec<bool>,
    pub constraints: Constraints,
    /// The mine probability of each cell that a clue sees. 0 and 1 are proved.
    pub risks: Vec<f64>,
    /// Unknown cells, and the mines among them.
    pub unknown: usize,
    pub mines_left: usize,
    /// Mines per unknown cell: the mine probability of cells that no clue sees.
    pub density: f64,
    openable: Vec<(Cell, f64)>,
    ties: Vec<Cell>,
}

impl LocalOdds {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, rules: &Rules) {
        self.safe.begin(rules);
        self.mines.clear();
        self.mines.resize(rules.shape().size(), false);
    }

    /// What is proved about a cell; open cells are safe.
    pub fn known(&self, cell: Cell) -> Option<Fact> {
        knowledge(&self.safe, &self.mines)(cell)
    }

    /// Notes that a cell is proved to be a mine.
    pub fn prove_mine(&mut self, cell: Cell) {
        self.mines[cell.index()] = true;
    }

    /// Reads the constraints of a view, and resets all risks.
    pub fn read(&mut self, view: &View) {
        self.constraints.read(view, knowledge(&self.safe, &self.mines));
        let shown = view.shape().size() - view.opened().len() - view.covered_count();
        let (mut mines, mut unknown) = (shown, 0_usize);
        for cell in view.covered() {
            match self.known(cell) {
                None => unknown += 1,
                Some(Fact::Mine) => mines += 1,
                Some(Fact::Safe) => {}
            }
        }
        self.mines_left = view.rules().mines().saturating_sub(mines);
        self.unknown = unknown;
        self.density = (self.mines_left as f64 / unknown.max(1) as f64).min(1.0);
        self.risks.clear();
        self.risks.resize(self.constraints.cells.len(), self.density);
    }

    /// Distributes the mines that the risks do not account for over the cells that no clue sees.
    fn distribute_rest(&mut self) {
        if self.risks.is_empty() {
            return;
        }
        let rest = self.mines_left as f64 - self.risks.iter().sum::<f64>();
        let cells = self.unknown - self.risks.len();
        self.density =
            (rest / cells.max(1) as f64).clamp(risk::LEAST_DENSITY, 1.0 - risk::LEAST_DENSITY);
    }

    /// These clues, and the known mines under covered cells around them.
    pub fn premises<'a>(
        &'a self,
        view: &'a View,
        clues: impl Iterator<Item = u16> + 'a,
    ) -> impl Iterator<Item = Premise> + 'a {
        clues.flat_map(move |clue| {
            let cell = self.constraints.clues[usize::from(clue)].cell;
            let near = view.shape().neighbors(cell).iter();
            let covered = near.filter(|&&near| view.face(near).is_covered());
            let mines = covered.filter(|&&near| self.known(near) == Some(Fact::Mine));
            std::iter::once(Premise::Clue(cell)).chain(mines.map(|&mine| Premise::Mine(mine)))
        })
    }

    /// Acts on the risks: notes proved mines, opens a cell that is proved safe, with the proof that
    /// `prove` gives, or guesses.
    pub fn act(
        &mut self,
        view: &View,
        rng: &mut Rng,
        mut prove: impl FnMut(&Self, usize) -> Proof,
    ) -> Decision {
        let estimates = self.estimates(view);
        for place in 0..self.risks.len() {
            let cell = self.constraints.cells[place];
            match self.risks[place] {
                0.0 => {
                    let proof = prove(self, place);
                    self.safe.keep(cell, proof);
                }
                1.0 => self.prove_mine(cell),
                _ => {}
            }
        }
        if let Some(decision) = self.safe.next(view) {
            return decision.with_estimates(estimates);
        }
        self.guess(view, rng)
    }

    /// Opens a cell that single clues prove safe; otherwise estimates all risks and guesses. With
    /// `every_time` it estimates the risks even if a cell is proved safe.
    pub fn open_or_guess(
        &mut self,
        view: &View,
        rng: &mut Rng,
        every_time: bool,
        estimate: impl FnOnce(&mut Self, &mut Rng),
    ) -> Decision {
        let safe = self.safe.next(view);
        if safe.is_none() || every_time {
            self.read(view);
            estimate(self, rng);
            self.distribute_rest();
        }
        match safe {
            None => self.guess(view, rng),
            Some(decision) if !every_time => decision,
            Some(decision) => decision.with_estimates(self.estimates(view)),
        }
    }

    /// Opens a cell with the lowest risk; of several one at random.
    fn guess(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let estimates = self.estimates(view);
        self.openable.clear();
        let risk = |cell| (cell, estimates.mine(cell).expect("every covered cell has one"));
        self.openable.extend(view.openable().map(risk));
        let least = risk::least(&self.openable, &mut self.ties);
        let Some(&cell) = rng.pick(&self.ties) else { return Decision::decline() };
        Decision::risk(cell, least)
            .with_alternatives(risk::alternatives(&self.openable))
            .with_estimates(estimates)
    }

    /// The estimated mine probability of every covered cell.
    pub fn estimates(&self, view: &View) -> Estimates {
        let far = view.covered().map(|cell| match self.known(cell) {
            Some(Fact::Safe) => (cell, 0.0),
            Some(Fact::Mine) => (cell, 1.0),
            None => (cell, self.density),
        });
        let near = self.constraints.cells.iter().copied().zip(self.risks.iter().copied());
        Estimates::of(view.shape().size(), far.chain(near))
    }
}

/// What single clues and other rules have proved.
fn knowledge<'a>(
    safe: &'a SafeQueue,
    mines: &'a [bool],
) -> impl Fn(Cell) -> Option<Fact> + Copy + 'a {
    |cell| if mines[cell.index()] { Some(Fact::Mine) } else { safe.known().fact(cell) }
}
