//! Positions with other rules than they were read with.

use deminer_game::{Cell, ClueRule, Face, Form, Rules, RulesError, Shape, Start, View};

/// Rules that replace those of a position; `None` keeps them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Overrides {
    /// Mines on the whole board.
    pub mines: Option<usize>,
    /// How the cells lie together.
    pub shape: Option<Form>,
    /// What the first opened cell is promised.
    pub start: Option<Start>,
    /// Whether a zero opens its neighbors.
    pub cascade: Option<bool>,
    /// What clues show.
    pub clues: Option<ClueRule>,
    /// Treat flags as mines.
    pub trust_flags: bool,
}

impl Overrides {
    /// The position with these rules. A board that was not played yet keeps `start` unless it is
    /// overridden.
    ///
    /// # Errors
    /// If the mines do not fit the board.
    pub fn apply(&self, view: &View, start: Start) -> Result<View, RulesError> {
        let old = view.rules();
        let shape = match self.shape {
            None => old.shape().clone(),
            Some(form) => Shape::new(form, old.shape().width(), old.shape().height())?,
        };
        let clues = self.clues.unwrap_or(old.clues());
        let rules = Rules::new(shape.clone(), self.mines.unwrap_or(old.mines()))?
            .with_cascade(self.cascade.unwrap_or(old.cascade()))
            .with_clues(clues);
        let face = |cell: Cell| match view.face(cell) {
            Face::Open { shown, .. } => {
                Face::Open { shown, clue: clues.clue(shown, shape.degree(cell) as u8) }
            }
            Face::Flagged if self.trust_flags => Face::Mine,
            face => face,
        };
        let faces = shape.cells().map(face).collect();
        let view = View::from_faces(rules, faces).expect("one face for each cell of the shape");
        view.with_start(self.start.unwrap_or(start))
    }
}
