//! The board: the hidden layout, the visible view, and what actions do to both.

use thiserror::Error;

use crate::rng::nth_draw;
use crate::{Action, Cell, Face, GameSeed, Layout, Outcome, Purpose, Rules, Shown, Start, View};

/// A game in progress: hidden layout and visible view.
///
/// A board dealt from a seed has no layout until the first cell is opened, since the start
/// rule depends on that cell.
#[derive(Clone, Debug)]
pub struct Board {
    view: View,
    source: LayoutSource,
    layout: Option<Layout>,
    /// Mines around each cell; empty until there is a layout.
    counts: Vec<u8>,
    /// The seed of the clue noise.
    noise: u64,
    state: State,
    stack: Vec<Cell>,
}

#[derive(Clone, Debug)]
enum LayoutSource {
    Seed(u64),
    Layout(Layout),
}

/// How far a board has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// Nothing is opened yet.
    Fresh,
    /// Some cells are open.
    Live,
    /// Every safe cell is open.
    Won,
    /// This mine was opened.
    Lost(Cell),
}

impl State {
    /// How the game ended, if it has.
    #[inline]
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            State::Won => Some(Outcome::Won),
            State::Lost(_) => Some(Outcome::Lost),
            State::Fresh | State::Live => None,
        }
    }
}

/// What an action did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Opened this number of safe cells: the last ones of [`View::opened`].
    Opened(usize),
    /// Opened this mine, after any safe cells that a chord opened first. The game is lost.
    Exploded(Cell),
    /// Put a flag or took one away.
    Flagged,
    /// Changed nothing.
    Nothing(Idle),
}

/// Why an action changed nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum Idle {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The cell is not on the board.
    #[error("the cell is not on the board")]
    Outside,
    /// The cell is open already.
    #[error("the cell is already open")]
    Open,
    /// The cell carries a flag.
    #[error("the cell carries a flag")]
    Flagged,
    /// The cell carries no flag.
    #[error("the cell carries no flag")]
    NotFlagged,
    /// A chord needs an open number with as many flags around, and something to open.
    #[error("a chord needs an open number with that many flags and a covered cell around it")]
    NoChord,
    /// The player declined to act.
    #[error("the player declined")]
    Declined,
}

/// A layout that does not fit the rules or the open cells, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct RedrawError(String);

impl Board {
    /// A board whose layout is dealt from the game's seed at the first opening.
    pub fn dealt(rules: Rules, seed: GameSeed) -> Self {
        let source = LayoutSource::Seed(seed.derive(Purpose::Layout));
        Self::from_source(rules, source, seed.derive(Purpose::ClueNoise))
    }

    /// A board with a given layout; `noise` is the seed of uncertain clues. The layout does not
    /// change with the first click, so the start rule becomes unsafe.
    ///
    /// # Errors
    /// If the layout has another shape or number of mines than the rules.
    pub fn laid(rules: Rules, layout: Layout, noise: u64) -> Result<Self, RedrawError> {
        check_rules(&rules, &layout)?;
        let rules = rules.with_start(Start::Unsafe).expect("any mines fit an unsafe start");
        Ok(Self::from_source(rules, LayoutSource::Layout(layout), noise))
    }

    fn from_source(rules: Rules, source: LayoutSource, noise: u64) -> Self {
        Self {
            view: View::new(rules),
            source,
            layout: None,
            counts: Vec::new(),
            noise,
            state: State::Fresh,
            stack: Vec::new(),
        }
    }

    /// Everything covered again on a new deal; keeps its buffers.
    pub(crate) fn redeal(&mut self, seed: GameSeed) {
        self.view.cover();
        self.source = LayoutSource::Seed(seed.derive(Purpose::Layout));
        self.noise = seed.derive(Purpose::ClueNoise);
        self.layout = None;
        self.state = State::Fresh;
    }

    /// What the player sees.
    #[inline]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// How far the game has come.
    #[inline]
    pub fn state(&self) -> State {
        self.state
    }

    /// Where the mines lie: known once the first cell is opened.
    #[inline]
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.as_ref()
    }

    /// Whether opening this cell now would end the game. For measurements; agents never see it.
    pub fn hides_mine(&self, cell: Cell) -> bool {
        match (&self.layout, &self.source) {
            (Some(layout), _) | (None, LayoutSource::Layout(layout)) => layout.is_mine(cell),
            (None, LayoutSource::Seed(seed)) => {
                Layout::deal(self.view.rules(), *seed, cell).is_mine(cell)
            }
        }
    }

    /// Carries out an action, if the rules allow it.
    pub fn act(&mut self, action: Action) -> Effect {
        if let Err(idle) = self.legal(action) {
            return Effect::Nothing(idle);
        }
        match action {
            Action::Open(cell) => self.open(&[cell]),
            Action::Flag(cell) => {
                self.view.turn(cell, Face::Flagged);
                Effect::Flagged
            }
            Action::Unflag(cell) => {
                self.view.turn(cell, Face::Covered);
                Effect::Flagged
            }
            Action::Chord(cell) => {
                let shape = self.view.shape().clone();
                self.open(shape.neighbors(cell))
            }
            Action::Decline => Effect::Nothing(Idle::Declined),
        }
    }

    /// Whether the action would change anything, and if not, why.
    pub fn legal(&self, action: Action) -> Result<(), Idle> {
        if self.state.outcome().is_some() {
            return Err(Idle::Over);
        }
        let cell = action.cell().ok_or(Idle::Declined)?;
        if !self.view.shape().contains(cell) {
            return Err(Idle::Outside);
        }
        match (action, self.view.face(cell)) {
            (Action::Open(_) | Action::Flag(_), Face::Covered) => Ok(()),
            (Action::Unflag(_), Face::Flagged) => Ok(()),
            (Action::Unflag(_), _) => Err(Idle::NotFlagged),
            (Action::Open(_) | Action::Flag(_), Face::Flagged) => Err(Idle::Flagged),
            (Action::Open(_) | Action::Flag(_), _) => Err(Idle::Open),
            (Action::Chord(_), Face::Open { shown: Shown::Number(number), .. })
                if self.view.flags_around(cell) == usize::from(number)
                    && self.can_open_around(cell) =>
            {
                Ok(())
            }
            (Action::Chord(_), _) => Err(Idle::NoChord),
            (Action::Decline, _) => Err(Idle::Declined),
        }
    }

    fn can_open_around(&self, cell: Cell) -> bool {
        let near = self.view.shape().neighbors(cell);
        near.iter().any(|&near| self.view.face(near) == Face::Covered)
    }

    /// Opens these cells one after another, as far as they are covered and carry no flag.
    fn open(&mut self, cells: &[Cell]) -> Effect {
        let before = self.view.opened().len();
        for &cell in cells {
            if self.view.face(cell) != Face::Covered {
                continue;
            }
            if self.layout.is_none() {
                self.lay(cell);
            }
            if self.layout.as_ref().is_some_and(|layout| layout.is_mine(cell)) {
                self.view.turn(cell, Face::Mine);
                self.state = State::Lost(cell);
                return Effect::Exploded(cell);
            }
            self.flood(cell);
        }
        let opened = self.view.opened().len();
        if opened == self.view.rules().safe_cells() {
            self.state = State::Won;
        }
        Effect::Opened(opened - before)
    }

    /// Fixes the layout once the first cell to open is known.
    fn lay(&mut self, first: Cell) {
        let layout = match &self.source {
            LayoutSource::Seed(seed) => Layout::deal(self.view.rules(), *seed, first),
            LayoutSource::Layout(layout) => layout.clone(),
        };
        layout.count_into(&mut self.counts);
        self.layout = Some(layout);
        self.state = State::Live;
    }

    /// Opens a safe cell and, where it proves that no mine is around, its neighbors in turn.
    fn flood(&mut self, cell: Cell) {
        let shape = self.view.shape().clone();
        let cascade = self.view.rules().cascade();
        self.stack.push(cell);
        while let Some(cell) = self.stack.pop() {
            if self.view.face(cell) != Face::Covered {
                continue;
            }
            let face = self.face_of(cell);
            self.view.turn(cell, face);
            if cascade && face.clue().and_then(|clue| clue.exact()) == Some(0) {
                let covered = |near: &&Cell| self.view.face(**near) == Face::Covered;
                self.stack.extend(shape.neighbors(cell).iter().filter(covered));
            }
        }
    }

    /// What a safe cell looks like once opened.
    fn face_of(&self, cell: Cell) -> Face {
        let rules = self.view.rules();
        let (count, degree) = (self.counts[cell.index()], rules.shape().degree(cell) as u8);
        let clues = rules.clues();
        let first = self.view.opened().is_empty();
        let shown = match clues {
            crate::ClueRule::Exact => Shown::Number(count),
            crate::ClueRule::Blind(_) if first => Shown::Number(count),
            _ => clues.show(count, degree, nth_draw(self.noise, cell.index())),
        };
        Face::Open { shown, clue: clues.clue(shown, degree) }
    }

    /// Replaces the layout by another one that fits the open cells. Before the first opening any
    /// layout fits, and it does not change with the first click.
    ///
    /// Open cells keep what they show; cells opened later show what the new layout says.
    pub fn redraw(&mut self, layout: Layout) -> Result<(), RedrawError> {
        check_rules(self.view.rules(), &layout)?;
        match self.state {
            State::Live => {}
            State::Fresh => {
                self.source = LayoutSource::Layout(layout);
                return Ok(());
            }
            State::Won | State::Lost(_) => {
                return Err(RedrawError("a game that is over cannot be redrawn".into()));
            }
        }
        for &cell in self.view.opened() {
            let fits = !layout.is_mine(cell)
                && self.view.face(cell).clue().is_some_and(|clue| clue.admits(layout.count(cell)));
            if !fits {
                let place = self.view.shape().place(cell);
                let message = format!("the layout does not fit the open cell in {place}");
                return Err(RedrawError(message));
            }
        }
        layout.count_into(&mut self.counts);
        self.layout = Some(layout);
        Ok(())
    }
}

/// Checks that a layout has the shape and the number of mines of the rules.
fn check_rules(rules: &Rules, layout: &Layout) -> Result<(), RedrawError> {
    match layout.shape() == rules.shape() && layout.total() == rules.mines() {
        true => Ok(()),
        false => Err(RedrawError("the layout belongs to other rules".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClueRule, Form, Shape};

    /// Acts on a layout and compares the views that follow; each step is a verb with row and
    /// column.
    fn check(rules: &str, layout: &str, steps: &[(&str, usize, usize)], view: &str) -> Board {
        let (form, cascade) = rules.split_once(' ').unwrap();
        let layout: Layout = format!("shape {form}\n{layout}").parse().unwrap();
        let shape = layout.shape().clone();
        let rules = Rules::new(shape.clone(), layout.total()).unwrap();
        let rules = rules.with_cascade(cascade == "cascade");
        let mut board = Board::laid(rules, layout, 0).unwrap();
        for &(verb, row, column) in steps {
            let cell = shape.cell(row, column).unwrap();
            board.act(match verb {
                "open" => Action::Open(cell),
                "flag" => Action::Flag(cell),
                "unflag" => Action::Unflag(cell),
                "chord" => Action::Chord(cell),
                _ => panic!("{verb}"),
            });
        }
        let seen: Vec<String> = board.view().faces().iter().map(Face::to_string).collect();
        assert_eq!(seen, view.split_whitespace().collect::<Vec<_>>(), "{}", board.view());
        board
    }

    #[test]
    fn zeros_open_their_neighbors() {
        let corner = [("open", 0, 0)];
        let seen = ". . . 1 #\n1 1 . 1 1\n# 1 . . .";
        check("rect cascade", "....*\n.....\n*....", &corner, seen);
        // Without cascade a zero opens alone.
        let two = [("open", 0, 0), ("open", 0, 1)];
        check("rect plain", "...\n...\n..*", &two, ". . #\n# # #\n# # #");
        // A torus floods round the edge.
        let seen = ". . . . .\n. . . . .\n. 1 1 1 .\n. 1 # 1 .\n. 1 1 1 .";
        check("torus cascade", ".....\n.....\n.....\n..*..\n.....", &corner, seen);
        // Hexagons flood through six sides.
        check("hex cascade", "*..\n...\n...", &[("open", 2, 2)], "# 1 .\n1 . .\n. . .");
        // The cascade leaves flags alone.
        check("rect cascade", "...*\n....", &[("flag", 1, 1), ("open", 0, 0)], ". . 1 #\n. F 1 #");
    }

    #[test]
    fn a_chord_opens_what_its_flags_leave() {
        let right = [("open", 1, 1), ("flag", 0, 0), ("chord", 1, 1)];
        let seen = "F 1 . .\n1 1 . .\n. . . .";
        let board = check("rect cascade", "*...\n....\n....", &right, seen);
        assert_eq!(board.state(), State::Won);
        let wrong = [("open", 1, 1), ("flag", 0, 1), ("chord", 1, 1)];
        let seen = "* F # #\n# 1 # #\n# # # #";
        let board = check("rect cascade", "*...\n....\n...*", &wrong, seen);
        assert!(matches!(board.state(), State::Lost(_)));
    }

    #[test]
    fn idle_actions_say_why() {
        let mut board =
            check("rect cascade", "*..\n...", &[("open", 1, 1), ("flag", 0, 0)], "F # #\n# 1 #");
        let cell = |row, column| Shape::new(Form::Rect, 3, 2).unwrap().cell(row, column).unwrap();
        let far = Shape::new(Form::Rect, 9, 9).unwrap().cell(8, 8).unwrap();
        for (action, idle) in [
            (Action::Open(cell(1, 1)), Idle::Open),
            (Action::Open(cell(0, 0)), Idle::Flagged),
            (Action::Flag(cell(0, 0)), Idle::Flagged),
            (Action::Unflag(cell(0, 1)), Idle::NotFlagged),
            (Action::Chord(cell(0, 1)), Idle::NoChord),
            (Action::Open(far), Idle::Outside),
            (Action::Decline, Idle::Declined),
        ] {
            assert_eq!(board.act(action), Effect::Nothing(idle));
        }
        board.act(Action::Chord(cell(1, 1)));
        assert_eq!(board.state(), State::Won);
        assert_eq!(board.act(Action::Flag(cell(0, 1))), Effect::Nothing(Idle::Over));
    }

    #[test]
    fn a_board_of_mines_is_lost_and_one_without_is_won_at_once() {
        let shape = Shape::new(Form::Rect, 3, 1).unwrap();
        let play = |mines| {
            let rules = Rules::new(shape.clone(), mines).unwrap();
            let mut board = Board::dealt(rules, GameSeed { seed: 1, game: 1 });
            board.act(Action::Open(shape.nth(1).unwrap()));
            board.state()
        };
        assert_eq!(play(0), State::Won);
        assert_eq!(play(3), State::Lost(shape.nth(1).unwrap()));
    }

    #[test]
    fn a_huge_empty_board_opens_without_recursion() {
        let shape = Shape::new(Form::Rect, 255, 255).unwrap();
        let mut board =
            Board::dealt(Rules::new(shape.clone(), 0).unwrap(), GameSeed { seed: 1, game: 1 });
        assert_eq!(board.act(Action::Open(shape.nth(0).unwrap())), Effect::Opened(255 * 255));
    }

    #[test]
    fn uncertain_clues_depend_on_the_cell_and_not_on_the_order() {
        for clues in [
            ClueRule::Blind(0.4),
            ClueRule::Optimistic,
            ClueRule::Cautious,
            ClueRule::CautiousDegree,
        ] {
            let shape = Shape::new(Form::Rect, 8, 6).unwrap();
            let rules = Rules::starting(shape.clone(), 9, Start::Unsafe).unwrap().with_clues(clues);
            let open_all = |cells: Vec<Cell>| {
                let mut board = Board::dealt(rules.clone(), GameSeed { seed: 5, game: 3 });
                board.act(Action::Open(shape.nth(20).unwrap()));
                let layout = board.layout().unwrap().clone();
                for cell in cells {
                    if !layout.is_mine(cell) {
                        board.act(Action::Open(cell));
                    }
                }
                assert_eq!(board.state(), State::Won);
                board.view().faces().to_vec()
            };
            let (forward, backward) = (shape.cells().collect(), shape.cells().rev().collect());
            assert_eq!(open_all(forward), open_all(backward), "{clues}");
        }
    }

    #[test]
    fn only_a_proved_zero_cascades() {
        let layout: Layout = "....\n....\n....".parse().unwrap();
        let shape = layout.shape().clone();
        let opened = |clues| {
            let rules = Rules::new(shape.clone(), 0).unwrap().with_clues(clues);
            let mut board = Board::laid(rules, layout.clone(), 7).unwrap();
            board.act(Action::Open(shape.nth(5).unwrap()));
            board.view().opened().len()
        };
        assert_eq!(opened(ClueRule::Exact), 12);
        assert_eq!(opened(ClueRule::Optimistic), 1, "a shown 0 admits every count");
        // The first cell shows its 0, the next ones nothing.
        assert_eq!(opened(ClueRule::Blind(1.0)), 9);
    }

    #[test]
    fn a_redraw_keeps_what_was_seen() {
        let mut board =
            check("rect cascade", "*..\n...\n..*", &[("open", 1, 1)], "# # #\n# 2 #\n# # #");
        let other: Layout = ".*.\n...\n*..".parse().unwrap();
        board.redraw(other.clone()).unwrap();
        assert_eq!(board.layout(), Some(&other));
        board.act(Action::Open(other.shape().nth(0).unwrap()));
        assert_eq!(board.view().to_string().lines().nth(1), Some("1 # #"));
        let misfit: Layout = "...\n.*.\n..*".parse().unwrap();
        let message = "the layout does not fit the open cell in row 1, column 1";
        assert_eq!(board.redraw(misfit), Err(RedrawError(message.into())));
    }
}
