//! The view: what the player sees, and nothing else.

use thiserror::Error;

use crate::{Cell, Clue, ClueRule, Rules, RulesError, Shape, Shown, Start};

/// What one cell looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// Covered, without a flag.
    Covered,
    /// Covered, with the player's flag.
    Flagged,
    /// A visible mine: the mine that ended the game, or a mine that a position shows.
    Mine,
    /// Open: the symbol shown and the counts it admits.
    Open {
        /// The symbol.
        shown: Shown,
        /// The counts of mines around that the symbol admits.
        clue: Clue,
    },
}

impl Face {
    /// The symbols of the text notation.
    pub const SYMBOLS: &'static str = "#HF*?.012345678";

    /// What a symbol of the text notation shows, for a cell with this many neighbors.
    pub fn of_symbol(symbol: char, clues: ClueRule, degree: u8) -> Option<Self> {
        let open = |shown| Face::Open { shown, clue: clues.clue(shown, degree) };
        match symbol {
            '#' | 'H' => Some(Face::Covered),
            'F' => Some(Face::Flagged),
            '*' => Some(Face::Mine),
            '?' => Some(open(Shown::Blank)),
            '.' => Some(open(Shown::Number(0))),
            '0'..='8' => Some(open(Shown::Number(symbol as u8 - b'0'))),
            _ => None,
        }
    }

    /// Covered, with a flag or without.
    #[inline]
    pub const fn is_covered(self) -> bool {
        matches!(self, Face::Covered | Face::Flagged)
    }

    /// The clue of an open face.
    #[inline]
    pub const fn clue(self) -> Option<Clue> {
        match self {
            Face::Open { clue, .. } => Some(clue),
            _ => None,
        }
    }
}

/// What the player sees. It holds no mines but those shown, so no agent can peek.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    rules: Rules,
    faces: Vec<Face>,
    /// Open cells in the order in which they were opened.
    opened: Vec<Cell>,
    covered: usize,
    flags: usize,
}

/// The faces do not make a view.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0} faces do not fill a board of {1} cells")]
pub struct ViewError(usize, usize);

impl View {
    /// All covered.
    pub fn new(rules: Rules) -> Self {
        let cells = rules.shape().size();
        Self {
            rules,
            faces: vec![Face::Covered; cells],
            opened: Vec::with_capacity(cells),
            covered: cells,
            flags: 0,
        }
    }

    /// The view with these faces, row by row. It does not check that a layout fits them.
    pub fn from_faces(rules: Rules, faces: Vec<Face>) -> Result<Self, ViewError> {
        if faces.len() != rules.shape().size() {
            return Err(ViewError(faces.len(), rules.shape().size()));
        }
        let is_open = |cell: &Cell| matches!(faces[cell.index()], Face::Open { .. });
        let opened = rules.shape().cells().filter(is_open).collect();
        let covered = faces.iter().filter(|face| face.is_covered()).count();
        let flags = faces.iter().filter(|&&face| face == Face::Flagged).count();
        Ok(Self { rules, faces, opened, covered, flags })
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board's shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        self.rules.shape()
    }

    /// What the cell looks like.
    #[inline]
    pub fn face(&self, cell: Cell) -> Face {
        self.faces[cell.index()]
    }

    /// The faces, row by row.
    #[inline]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The open cells in the order in which they were opened; a view read from text counts as
    /// opened row by row. An agent that remembers how many it has seen finds what is new.
    #[inline]
    pub fn opened(&self) -> &[Cell] {
        &self.opened
    }

    /// The covered cells, flagged ones included, row by row.
    #[inline]
    pub fn covered(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells_with(|face| face.is_covered())
    }

    /// The covered cells without a flag: those that may be opened.
    #[inline]
    pub fn openable(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells_with(|face| matches!(face, Face::Covered))
    }

    /// The mines shown, row by row. Costs nothing while there are none.
    #[inline]
    pub fn shown_mines(&self) -> impl Iterator<Item = Cell> + '_ {
        let any = self.covered + self.opened.len() < self.faces.len();
        any.then(|| self.cells_with(|face| *face == Face::Mine)).into_iter().flatten()
    }

    /// The cells whose faces satisfy a condition, row by row.
    #[inline]
    fn cells_with(&self, condition: impl Fn(&Face) -> bool) -> impl Iterator<Item = Cell> {
        let cells = self.shape().cells().zip(&self.faces);
        cells.filter(move |(_, face)| condition(face)).map(|(cell, _)| cell)
    }

    /// Whether nothing has happened yet: no cell is open and no mine is shown. Flags change nothing.
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.covered == self.faces.len()
    }

    /// Whether the rules promise that the next opened cell is safe: the mines are laid after the
    /// first click, and it has not been made.
    #[inline]
    pub fn promises_safe_click(&self) -> bool {
        self.is_fresh() && self.rules.start() != Start::Unsafe
    }

    /// The same position with another start rule. It matters only on a fresh board. A position
    /// does not say which cell was opened first, so later it counts as `safe` if some cell is
    /// open (whichever was the first is safe), and as `unsafe` if only mines are shown.
    ///
    /// # Errors
    /// If the mines leave no room for the start.
    pub fn with_start(self, start: Start) -> Result<Self, RulesError> {
        let has_room = self.rules.mines() < self.faces.len();
        let start = match self.is_fresh() {
            true => start,
            false if !self.opened.is_empty() && has_room => Start::Safe,
            false => Start::Unsafe,
        };
        Ok(Self { rules: self.rules.with_start(start)?, ..self })
    }

    /// The neighbors of the first opened cell, where the start rule promised that they are safe.
    /// With exact clues the first clue says as much; uncertain ones may not.
    #[inline]
    pub fn promised(&self) -> &[Cell] {
        match self.opened.first() {
            Some(&first) if self.rules.start() == Start::Open => {
                let near = self.shape().neighbors(first);
                let fits = self.rules.mines() < self.faces.len() - near.len();
                if fits { near } else { &[] }
            }
            _ => &[],
        }
    }

    /// How many cells are covered, flagged ones included.
    #[inline]
    pub fn covered_count(&self) -> usize {
        self.covered
    }

    /// How many cells carry a flag.
    #[inline]
    pub fn flag_count(&self) -> usize {
        self.flags
    }

    /// How many cells around this one carry a flag.
    #[inline]
    pub fn flags_around(&self, cell: Cell) -> usize {
        let near = self.shape().neighbors(cell);
        near.iter().filter(|&&near| self.face(near) == Face::Flagged).count()
    }

    /// Opens a covered cell as if it showed this, to see what would follow. Nothing cascades.
    ///
    /// # Panics
    /// If the cell is not covered.
    #[inline]
    pub fn suppose(&mut self, cell: Cell, shown: Shown) {
        assert!(self.face(cell).is_covered(), "only a covered cell can be supposed open");
        let clue = self.rules.clues().clue(shown, self.shape().degree(cell) as u8);
        self.turn(cell, Face::Open { shown, clue });
    }

    /// Covers the cell opened last again, without a flag.
    ///
    /// # Panics
    /// If no cell is open.
    #[inline]
    pub fn take_back(&mut self) {
        let cell = *self.opened.last().expect("some cell is open");
        self.turn(cell, Face::Covered);
        self.opened.pop();
    }

    /// Changes one face and updates all counts.
    #[inline]
    pub(crate) fn turn(&mut self, cell: Cell, face: Face) {
        let old = std::mem::replace(&mut self.faces[cell.index()], face);
        self.covered =
            self.covered - usize::from(old.is_covered()) + usize::from(face.is_covered());
        self.flags =
            self.flags - usize::from(old == Face::Flagged) + usize::from(face == Face::Flagged);
        if let Face::Open { .. } = face {
            self.opened.push(cell);
        }
    }

    /// Covers everything again, as before the first move.
    pub(crate) fn cover(&mut self) {
        self.faces.fill(Face::Covered);
        self.opened.clear();
        self.covered = self.faces.len();
        self.flags = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_fresh_board_keeps_the_promise_of_the_start() {
        let promises = |position: &str, start| {
            let view: View = position.parse().unwrap();
            view.with_start(start).unwrap().promises_safe_click()
        };
        assert!(promises("mines 1\n# F #", Start::Safe));
        assert!(promises("mines 1\n# # #", Start::Open));
        assert!(!promises("mines 1\n# # #", Start::Unsafe));
        assert!(!promises("mines 2\n# * #", Start::Safe));
        assert!(!promises("mines 1\n# 1 #", Start::Open));
    }

    #[test]
    fn what_is_supposed_can_be_taken_back() {
        let mut view: View = "mines 1\n# 1 #\n# F .".parse().unwrap();
        let before = view.clone();
        view.suppose(view.shape().nth(2).unwrap(), Shown::Number(0));
        assert_eq!(view.to_string(), "mines 1\n# 1 .\n# F .\n");
        assert_eq!(view.covered_count(), 3);
        view.take_back();
        assert_eq!(view, before);
    }
}
