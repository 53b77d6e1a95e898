//! What an agent proves and estimates by its own means, without the exact engine.

use deminer_game::{Cell, Decision, Estimates, Premise, Proof, Rng, Rules, View};
use deminer_inference::deduce::Fact;

use crate::certain::Certain;
use crate::risk;
use deminer_inference::frontier::Frontier;

/// What is proved so far in a game, and what is believed of the rest.
pub struct Beliefs {
    pub certain: Certain,
    /// Mines proved in this game by more than single clues.
    mines: Vec<bool>,
    pub frontier: Frontier,
    /// The risk of each cell of the frontier. 0 and 1 are proved.
    pub risks: Vec<f64>,
    /// Cells of which nothing is known yet, and the mines among them.
    pub unknown: usize,
    pub mines_left: usize,
    /// Their share among the unknown cells: the risk of cells that no clue sees.
    pub density: f64,
    openable: Vec<(Cell, f64)>,
    ties: Vec<Cell>,
}

impl Beliefs {
    pub fn new() -> Self {
        Self {
            certain: Certain::new(),
            mines: Vec::new(),
            frontier: Frontier::default(),
            risks: Vec::new(),
            unknown: 0,
            mines_left: 0,
            density: 0.0,
            openable: Vec::new(),
            ties: Vec::new(),
        }
    }

    /// Forgets everything, for a new game.
    pub fn begin(&mut self, rules: &Rules) {
        self.certain.begin(rules);
        self.mines.clear();
        self.mines.resize(rules.shape().size(), false);
    }

    /// What is proved of a cell; open cells are safe.
    pub fn known(&self, cell: Cell) -> Option<Fact> {
        knowledge(&self.certain, &self.mines)(cell)
    }

    /// Remembers that a cell is proved to be a mine.
    pub fn prove_mine(&mut self, cell: Cell) {
        self.mines[cell.index()] = true;
    }

    /// Reads what clues still ask, and forgets the risks.
    pub fn look(&mut self, view: &View) {
        self.frontier.read(view, knowledge(&self.certain, &self.mines));
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
        self.risks.resize(self.frontier.cells.len(), self.density);
    }

    /// Leaves to the cells that no clue sees the mines for which the risks of the others do not
    /// account.
    fn share_the_rest(&mut self) {
        if self.risks.is_empty() {
            return;
        }
        let rest = self.mines_left as f64 - self.risks.iter().sum::<f64>();
        let cells = self.unknown - self.risks.len();
        self.density =
            (rest / cells.max(1) as f64).clamp(risk::LEAST_DENSITY, 1.0 - risk::LEAST_DENSITY);
    }

    /// Some clues of the frontier, and the mines known around them under covered cells.
    pub fn premises<'a>(
        &'a self,
        view: &'a View,
        clues: impl Iterator<Item = u16> + 'a,
    ) -> impl Iterator<Item = Premise> + 'a {
        clues.flat_map(move |clue| {
            let cell = self.frontier.clues[usize::from(clue)].cell;
            let near = view.shape().neighbors(cell).iter();
            let covered = near.filter(|&&near| view.face(near).is_covered());
            let mines = covered.filter(|&&near| self.known(near) == Some(Fact::Mine));
            std::iter::once(Premise::Clue(cell)).chain(mines.map(|&mine| Premise::Mine(mine)))
        })
    }

    /// Acts on the risks: remembers proved mines, opens what `prove` says is proved safe, or else
    /// guesses.
    pub fn act(
        &mut self,
        view: &View,
        rng: &mut Rng,
        mut prove: impl FnMut(&Self, usize) -> Proof,
    ) -> Decision {
        let estimates = self.estimates(view);
        for place in 0..self.risks.len() {
            let cell = self.frontier.cells[place];
            match self.risks[place] {
                0.0 => {
                    let proof = prove(self, place);
                    self.certain.keep(cell, proof);
                }
                1.0 => self.prove_mine(cell),
                _ => {}
            }
        }
        if let Some(decision) = self.certain.next(view) {
            return decision.with_estimates(estimates);
        }
        self.guess(view, rng)
    }

    /// Opens what single clues prove; otherwise weighs the cells, which proves nothing, and guesses.
    /// Whoever tells weighs them every time.
    pub fn open_or_guess(
        &mut self,
        view: &View,
        rng: &mut Rng,
        tells: bool,
        weigh: impl FnOnce(&mut Self, &mut Rng),
    ) -> Decision {
        let certain = self.certain.next(view);
        if certain.is_none() || tells {
            self.look(view);
            weigh(self, rng);
            self.share_the_rest();
        }
        match certain {
            None => self.guess(view, rng),
            Some(decision) if !tells => decision,
            Some(decision) => decision.with_estimates(self.estimates(view)),
        }
    }

    /// Opens a cell of least risk, of equals one at random.
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

    /// The believed risk of every covered cell.
    pub fn estimates(&self, view: &View) -> Estimates {
        let mut estimates = Estimates::new(view.shape().size());
        for cell in view.covered() {
            estimates.believe(
                cell,
                match self.known(cell) {
                    Some(Fact::Safe) => 0.0,
                    Some(Fact::Mine) => 1.0,
                    None => self.density,
                },
            );
        }
        for (&cell, &risk) in self.frontier.cells.iter().zip(&self.risks) {
            estimates.believe(cell, risk);
        }
        estimates
    }
}

/// What single clues and other rules have proved.
fn knowledge<'a>(
    certain: &'a Certain,
    mines: &'a [bool],
) -> impl Fn(Cell) -> Option<Fact> + Copy + 'a {
    |cell| if mines[cell.index()] { Some(Fact::Mine) } else { certain.known().fact(cell) }
}
