//! Boards and positions made of bytes.

use deminer_game::{
    Action, Board, Cell, ClueRule, Face, Form, GameSeed, Rules, Shape, Shown, Start, View,
};

/// Numbers drawn from bytes, 0 once they have run out.
pub struct Draws<'a>(pub &'a [u8]);

impl Draws<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % limit.max(1)
    }

    /// Whether bytes are left.
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }
}

/// Rules of a board of at most this number of cells.
pub fn rules(draws: &mut Draws, most: usize) -> Rules {
    let form = Form::ALL[draws.below(3)];
    let width = 1 + draws.below(most.min(20));
    let height = 1 + draws.below(most / width);
    let shape = Shape::new(form, width, height).expect("a small board");
    let clues = [
        ClueRule::Exact,
        ClueRule::Exact,
        ClueRule::Blind(0.2),
        ClueRule::Optimistic,
        ClueRule::Cautious,
        ClueRule::CautiousDegree,
    ][draws.below(6)];
    let mines = draws.below(shape.size());
    let rules =
        Rules::starting(shape, mines, Start::ALL[draws.below(3)]).expect("room for a click");
    rules.with_clues(clues).with_cascade(draws.byte() & 1 == 0)
}

/// A game on a board dealt from the bytes, some cells opened and flagged.
pub fn board(draws: &mut Draws, most: usize) -> Board {
    let rules = rules(draws, most);
    let seed = u64::from(draws.byte()) << 8 | u64::from(draws.byte());
    Board::dealt(rules, GameSeed { seed, game: 0 })
}

/// Opens a cell without a mine, or flags it, as the bytes say.
pub fn act(board: &mut Board, draws: &mut Draws) {
    let shape = board.view().shape().clone();
    let cell = shape.nth(draws.below(shape.size())).expect("a cell");
    if draws.byte() % 8 == 7 {
        board.act(Action::Flag(cell));
    } else if !board.hides_mine(cell) {
        board.act(Action::Open(cell));
    }
}

/// A position: one of a game, or faces drawn one by one, which need not fit together.
pub fn position(draws: &mut Draws, most: usize) -> View {
    if draws.byte() % 3 > 0 {
        let mut board = board(draws, most);
        while draws.any() {
            act(&mut board, draws);
        }
        return board.view().clone();
    }
    let rules = rules(draws, most).with_start(Start::Unsafe).expect("any board has such a start");
    let shape = rules.shape().clone();
    let face = |cell: Cell| {
        let shown = match draws.byte() % 16 {
            0..=7 => return Face::Covered,
            8 => return Face::Flagged,
            9 => return Face::Mine,
            10 => Shown::Blank,
            number => Shown::Number((number - 11).min(8)),
        };
        Face::Open { shown, clue: rules.clues().clue(shown, shape.degree(cell) as u8) }
    };
    let faces: Vec<Face> = shape.cells().map(face).collect();
    View::from_faces(rules, faces).expect("a face for each cell")
}
