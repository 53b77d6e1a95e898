//! A board as a picture, with the estimates and reasons of an agent.

use deminer_game::{
    Board, Cell, Effect, Estimates, Face, Layout, Premise, Shown, State, Turn, View,
};

use super::theme::{Heat, Theme};

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// Light or dark.
    pub theme: Theme,
    /// The colors of estimates; none hides the estimates.
    pub heat: Option<Heat>,
    /// Whether estimates are also written on the tiles, in percent.
    pub percentages: bool,
    /// Whether the fringe is outlined: the covered cells that some open cell touches.
    pub fringe: bool,
    /// The side of a tile in pixels; chosen by the size of the board unless given.
    pub tile: Option<f32>,
    /// From one number beside the board to the next; chosen by the size of the board unless given.
    pub ruler: Option<usize>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::Light,
            heat: Some(Heat::BlueOrange),
            percentages: false,
            fringe: false,
            tile: None,
            ruler: None,
        }
    }
}

/// A view with everything to show on it.
///
/// ```
/// # use deminer_draw::BoardPicture;
/// let view = "mines 1\n. 1 #\n. 1 #\n. 1 #".parse().unwrap();
/// let picture = BoardPicture::new(&view).caption("Where is it?");
/// let (svg, png, text) = (picture.scene().svg(), picture.scene().png(2.0), picture.text());
/// # assert!(svg.ends_with("</svg>\n") && png.len() > 100 && text.contains('#'));
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture<'a> {
    pub(super) view: &'a View,
    pub(super) look: Look,
    /// The mines, where they are shown with crosses on wrong flags.
    pub(super) layout: Option<&'a Layout>,
    /// The mine that ended the game.
    pub(super) exploded: Option<Cell>,
    pub(super) action: Option<Cell>,
    pub(super) estimates: Option<&'a Estimates>,
    /// The premises of a conclusion, outlined.
    pub(super) premises: &'a [Premise],
    /// Cells opened just now, with a light tint.
    pub(super) fresh: &'a [Cell],
    pub(super) chain: &'a [Cell],
    /// Texts on covered tiles.
    pub(super) names: Vec<(Cell, String)>,
    /// Sets of cells with a border around each.
    pub(super) outlines: Vec<Vec<Cell>>,
    /// Cells with a ring.
    pub(super) circled: Vec<Cell>,
    /// Whether the clues of covered cells are shown too, and which clues the player sees otherwise.
    pub(super) is_full: bool,
    pub(super) captions: Vec<String>,
    /// Room for exactly this many caption lines, so that all frames of a film have the same size;
    /// more lines are cut off. 0 for as many as there are.
    pub(super) caption_lines: usize,
}

/// How a cell looks, with mines and wrong flags if they are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    Covered,
    Flag,
    WrongFlag,
    /// A mine that was not opened.
    Mine,
    /// The mine that ended the game.
    Blast,
    Open(Shown),
}

impl<'a> BoardPicture<'a> {
    /// The bare view.
    pub fn new(view: &'a View) -> Self {
        Self {
            view,
            look: Look::default(),
            layout: None,
            exploded: None,
            action: None,
            estimates: None,
            premises: &[],
            fresh: &[],
            chain: &[],
            names: Vec::new(),
            outlines: Vec::new(),
            circled: Vec::new(),
            is_full: false,
            captions: Vec::new(),
            caption_lines: 0,
        }
    }

    /// The view of a board; once the game is over, with its mines and wrong flags.
    pub fn of(board: &'a Board) -> Self {
        let picture = Self::new(board.view());
        match board.state() {
            State::Fresh | State::Live => picture,
            State::Won => Self { layout: board.layout(), ..picture },
            State::Lost(mine) => Self { layout: board.layout(), exploded: Some(mine), ..picture },
        }
    }

    /// The whole board: every mine and every true clue. A clue that the player sees otherwise, or
    /// not at all, has a dot in its corner.
    pub fn full(board: &'a Board) -> Self {
        Self { layout: board.layout(), is_full: true, ..Self::of(board) }
    }

    /// With texts on covered tiles, such as the names of unknowns.
    pub fn names(self, names: impl IntoIterator<Item = (Cell, String)>) -> Self {
        Self { names: names.into_iter().collect(), ..self }
    }

    /// With a border around these cells.
    pub fn outline(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.outlines.push(cells.into_iter().collect());
        self
    }

    /// With a ring around each of these cells.
    pub fn circled(self, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { circled: cells.into_iter().collect(), ..self }
    }

    /// With the mines of this layout, and crosses on wrong flags.
    pub fn layout(self, layout: &'a Layout) -> Self {
        Self { layout: Some(layout), ..self }
    }

    /// With this look.
    pub fn look(self, look: Look) -> Self {
        Self { look, ..self }
    }

    /// With a ring around this cell.
    pub fn action(self, cell: Cell) -> Self {
        Self { action: Some(cell), ..self }
    }

    /// With covered cells colored by mine probability; certain cells also get a tick or a cross.
    pub fn estimates(self, estimates: &'a Estimates) -> Self {
        Self { estimates: Some(estimates), ..self }
    }

    /// With arrows from each of these cells to the next.
    pub fn chain(self, cells: &'a [Cell]) -> Self {
        Self { chain: cells, ..self }
    }

    /// With the cell of a turn, its premises, the agent's estimates before it, and the cells it
    /// opened. The view is the one after the turn.
    pub fn turn(self, turn: &'a Turn) -> Self {
        let opened = self.view.opened();
        let fresh = match turn.effect {
            Effect::Opened(count) => &opened[opened.len().saturating_sub(count)..],
            _ => &[],
        };
        let exploded = match turn.effect {
            Effect::Exploded(mine) => Some(mine),
            _ => self.exploded,
        };
        let premises = turn.decision.why.premises();
        let action = turn.decision.action.cell();
        let estimates = turn.decision.estimates.as_deref();
        Self { action, fresh, exploded, premises, estimates, ..self }
    }

    /// With a paragraph below the board, broken into lines as wide as the picture.
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.captions.push(text.into());
        self
    }

    /// The cell to look at first: the mine that ended the game, else the one acted on.
    pub(super) fn focus(&self) -> Option<Cell> {
        self.exploded.or(self.action).filter(|&cell| self.view.shape().contains(cell))
    }

    pub(super) fn sight(&self, cell: Cell) -> Sight {
        let mined = self.layout.map(|layout| layout.is_mine(cell));
        match (self.view.face(cell), mined) {
            _ if self.exploded == Some(cell) => Sight::Blast,
            (Face::Mine, _) | (Face::Covered, Some(true)) => Sight::Mine,
            (Face::Flagged, Some(false)) => Sight::WrongFlag,
            (Face::Flagged, _) => Sight::Flag,
            (Face::Covered | Face::Open { .. }, Some(false)) if self.is_full => {
                let count = self.layout.map_or(0, |layout| layout.count(cell));
                Sight::Open(Shown::Number(count))
            }
            (Face::Covered, _) => Sight::Covered,
            (Face::Open { shown, .. }, _) => Sight::Open(shown),
        }
    }

    /// The open cells whose clue the player sees otherwise than it is.
    pub(super) fn altered(&self) -> impl Iterator<Item = Cell> {
        let layout = self.layout.filter(|_| self.is_full);
        self.view.opened().iter().copied().filter(move |&cell| {
            let truth = layout.map(|layout| Shown::Number(layout.count(cell)));
            match (self.view.face(cell), truth) {
                (Face::Open { shown, .. }, Some(truth)) => shown != truth,
                _ => false,
            }
        })
    }

    /// The covered cells that some open cell touches, where they are to be outlined.
    pub(super) fn fringe(&self) -> Vec<Cell> {
        let open = |&near: &Cell| self.view.face(near).clue().is_some();
        let touches = |&cell: &Cell| self.view.shape().neighbors(cell).iter().any(open);
        let covered = self.view.openable().filter(|_| self.look.fringe && !self.is_full);
        covered.filter(touches).collect()
    }

    /// The estimate of a covered cell, with its colors.
    pub(super) fn belief(&self, cell: Cell) -> Option<(f64, Heat)> {
        let hidden =
            self.view.face(cell) == Face::Covered && self.exploded != Some(cell) && !self.is_full;
        let mine = self.estimates.filter(|_| hidden)?.mine(cell)?;
        Some((mine, self.look.heat?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::{Action, Decision, MovedBy, Proof, Why};

    #[test]
    fn a_turn_sets_everything_that_is_drawn() {
        let view: View = "mines 2\n. 1 #\n. 2 #\n. 1 #".parse().unwrap();
        let at = |row, column| view.shape().cell(row, column).unwrap();
        let premises = vec![Premise::Clue(at(0, 1))];
        let decision = Decision::proved(at(1, 1), Proof::new("pairs", premises.clone()));
        let turn = Turn { by: MovedBy::Agent, decision, effect: Effect::Opened(2) };
        let picture = BoardPicture::new(&view).turn(&turn);
        assert_eq!(picture.fresh, [at(2, 0), at(2, 1)]);
        assert_eq!((picture.premises, picture.focus()), (&premises[..], Some(at(1, 1))));

        let decision = Decision::new(Action::Chord(at(1, 1)), Why::Nothing);
        let turn = Turn { by: MovedBy::Agent, decision, effect: Effect::Exploded(at(2, 2)) };
        let picture = BoardPicture::new(&view).turn(&turn);
        assert_eq!((picture.action, picture.focus()), (Some(at(1, 1)), Some(at(2, 2))));
        assert_eq!(picture.sight(at(2, 2)), Sight::Blast);
    }

    #[test]
    fn estimates_are_shown_only_on_covered_cells() {
        let view: View = "mines 1\n1 # F".parse().unwrap();
        let estimates = Estimates::of(3, view.shape().cells().map(|cell| (cell, 0.5)));
        let picture = BoardPicture::new(&view).estimates(&estimates);
        let believed: Vec<bool> =
            view.shape().cells().map(|cell| picture.belief(cell).is_some()).collect();
        assert_eq!(believed, [false, true, false]);
    }
}
