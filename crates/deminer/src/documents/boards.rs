//! Boards dealt from seeds.

use deminer_formats::wire::{FormWord, RowColumn, StartWord, Text, Word, layout_rows};
use deminer_game::{Cell, FirstClick, GameSeed, Layout, Match, Purpose, Rules, Size};
use serde::Serialize;

use super::{DifficultyWord, ProofDocument, RungWord, SCHEMA_VERSION};
use crate::no_guess::{Generator, NoGuessBoard, NoGuessError};

/// A board of a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dealt {
    /// The seed.
    pub seed: GameSeed,
    /// What it deals.
    pub board: Found,
}

/// Any board, or one that needs no guess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// As it was dealt.
    Any {
        /// The first click.
        first: Cell,
        /// Where the mines lie.
        layout: Layout,
    },
    /// One that can be won without a guess.
    NoGuess(NoGuessBoard),
}

impl Dealt {
    /// Deals the board of a seed; with a generator, the one that needs no guess.
    ///
    /// # Panics
    /// If the first click is the agent's own choice.
    pub fn deal(
        rules: &Rules,
        at: FirstClick,
        seed: GameSeed,
        generator: Option<&mut Generator>,
    ) -> Result<Self, NoGuessError> {
        let game = Match::new(rules.clone(), at, seed);
        let first = game.first_click().expect("only agents choose their own first cell");
        let board = match generator {
            None => {
                let layout = Layout::deal(rules, seed.derive(Purpose::Layout), first);
                Found::Any { first, layout }
            }
            Some(generator) => Found::NoGuess(generator.generate(first, seed)?),
        };
        Ok(Self { seed, board })
    }

    /// Where its mines lie.
    pub fn layout(&self) -> &Layout {
        match &self.board {
            Found::Any { layout, .. } => layout,
            Found::NoGuess(board) => &board.layout,
        }
    }
}

/// Boards of the same rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardsDocument<Board> {
    schema_version: u32,
    board: Text<Size>,
    shape: FormWord,
    start: StartWord,
    boards: Vec<Board>,
}

impl<Board> BoardsDocument<Board> {
    /// Boards that were dealt by these rules.
    pub fn of(rules: &Rules, boards: Vec<Board>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            board: Text(rules.size()),
            shape: Word(rules.shape().form()),
            start: Word(rules.start()),
            boards,
        }
    }
}

/// A board.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardDocument {
    /// The seed.
    pub seed: u64,
    /// The number of the game in the seed's run.
    pub game: u64,
    /// The cell the start rule kept free.
    pub first: RowColumn,
    /// The fewest left clicks that open it without chords.
    pub three_bv: usize,
    /// What is known of a board that needs no guess.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = NoGuessDocument))]
    pub no_guess: Option<NoGuessDocument>,
    /// Where the mines lie: `*` a mine, `.` none.
    pub rows: Vec<String>,
}

/// How a board can be won without a guess. Its fields are missing on boards that may need one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NoGuessDocument {
    /// How hard it is.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub difficulty: DifficultyWord,
    /// The hardest rung of the ladder that is needed.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hardest: RungWord,
    /// How many layouts were tried.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub tries: usize,
    /// Whether mines were moved to make it so.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub repaired: bool,
}

/// A board that needs no guess, with what is proved in the order of play.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProvedDocument {
    seed: u64,
    game: u64,
    first: RowColumn,
    #[serde(flatten)]
    no_guess: NoGuessDocument,
    log: Vec<ProofDocument>,
}

impl BoardDocument {
    /// A board that was dealt.
    pub fn of(dealt: &Dealt) -> Self {
        let layout = dealt.layout();
        let (first, no_guess) = match &dealt.board {
            Found::Any { first, .. } => (*first, None),
            Found::NoGuess(board) => (board.first, Some(NoGuessDocument::of(board))),
        };
        Self {
            seed: dealt.seed.seed,
            game: dealt.seed.game,
            first: RowColumn::of(first, layout.shape()),
            three_bv: layout.three_bv(),
            no_guess,
            rows: layout_rows(layout),
        }
    }
}

impl NoGuessDocument {
    fn of(board: &NoGuessBoard) -> Self {
        Self {
            difficulty: Word(board.difficulty()),
            hardest: Word(board.hardest),
            tries: board.tries,
            repaired: board.repaired,
        }
    }
}

impl ProvedDocument {
    /// The board's proofs, if it needs no guess.
    pub fn of(dealt: &Dealt) -> Option<Self> {
        let Found::NoGuess(board) = &dealt.board else { return None };
        let shape = board.layout.shape();
        let log = board.proofs.iter().map(|proof| ProofDocument::of(proof, shape, None));
        Some(Self {
            seed: dealt.seed.seed,
            game: dealt.seed.game,
            first: RowColumn::of(board.first, shape),
            no_guess: NoGuessDocument::of(board),
            log: log.collect(),
        })
    }
}
