//! A match as an animated GIF, one frame for each turn.

use std::time::Duration;

use deminer_game::{Board, Cell, Effect, Outcome, Shape, Turn, View};

use super::board::{BoardPicture, Look};
use super::drawing::caption_lines;
use super::gif::Animation;
use deminer::chains::Chains;
use deminer::words::{describe, describe_outcome};

/// How long frames are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The board before the first turn.
    pub first: Duration,
    /// Each turn.
    pub turn: Duration,
    /// The end.
    pub last: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let millis = Duration::from_millis;
        Self { first: millis(800), turn: millis(600), last: millis(4000) }
    }
}

/// A film of a match, built turn by turn.
///
/// ```
/// # use deminer_game::*;
/// # use deminer_draw::Film;
/// # struct LeftToRight;
/// # impl Agent for LeftToRight {
/// #     fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
/// #         Decision::blind(view.openable().next().expect("a live game has covered cells"))
/// #     }
/// # }
/// # let rules = Rules::of("4x4x2".parse().unwrap()).unwrap();
/// let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 3, game: 0 });
/// let mut film = Film::default();
/// film.start(game.board().view());
/// while let Some(turn) = game.turn(&mut LeftToRight) {
///     film.turn(&turn, game.board());
/// }
/// let gif = film.finish(game.board(), game.outcome().expect("the match is over"));
/// # assert!(gif.starts_with(b"GIF89a"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Film {
    look: Look,
    pace: Pace,
    animation: Animation,
    turns: usize,
    /// The chains of influence, where they are drawn.
    chains: Option<Chains>,
    /// Whether the whole board stands beside what the player sees.
    is_full: bool,
}

/// Captions have room for this many letters.
const LETTERS: usize = 115;

impl Film {
    /// A film without frames.
    pub fn new(look: Look, pace: Pace) -> Self {
        Self { look, pace, ..Self::default() }
    }

    /// The same, with arrows along the chain of influence that leads to each conclusion.
    pub fn with_chains(self, shape: &Shape) -> Self {
        Self { chains: Some(Chains::new(shape)), ..self }
    }

    /// The same, with the whole board beside what the player sees.
    pub fn with_full_board(self) -> Self {
        Self { is_full: true, ..self }
    }

    /// Shows the board before the first turn.
    pub fn start(&mut self, view: &View) {
        let caption = view.rules().to_string();
        let bare = BoardPicture::new(view);
        self.push(bare.clone(), caption, self.pace.first, &bare);
    }

    /// Shows a turn on the board after it.
    pub fn turn(&mut self, turn: &Turn, board: &Board) {
        self.turns += 1;
        let view = board.view();
        let caption = format!("move {}: {}", self.turns, describe(turn, view.shape()));
        let chain = self.chain(turn, view);
        let picture = BoardPicture::new(view).turn(turn).chain(&chain);
        self.push(picture, caption, self.pace.turn, &BoardPicture::full(board));
    }

    /// The chain that a turn ends, if chains are followed.
    fn chain(&mut self, turn: &Turn, view: &View) -> Vec<Cell> {
        let Some(chains) = &mut self.chains else { return Vec::new() };
        chains.see(turn.decision.action, &turn.decision.why, turn.effect, view);
        let done = !matches!(turn.effect, Effect::Nothing(_));
        let cell = turn.decision.action.cell().filter(|_| done);
        cell.map_or(Vec::new(), |cell| chains.chain_to(cell))
    }

    /// Adds the end with all mines and returns the GIF file.
    pub fn finish(mut self, board: &Board, outcome: Outcome) -> Vec<u8> {
        let (turns, s) = (self.turns, if self.turns == 1 { "" } else { "s" });
        let caption = format!("{} ({turns} move{s})", describe_outcome(outcome));
        let full = BoardPicture::full(board);
        self.push(BoardPicture::of(board), caption, self.pace.last, &full);
        self.animation.finish()
    }

    fn push(
        &mut self,
        picture: BoardPicture<'_>,
        caption: String,
        hold: Duration,
        full: &BoardPicture<'_>,
    ) {
        let lines = caption_lines(picture.view, self.look, LETTERS).clamp(1, 4);
        let picture = picture.look(self.look).caption(caption);
        let picture = BoardPicture { caption_lines: lines, ..picture };
        let scene = match self.is_full {
            true => picture.beside(full),
            false => picture.scene(),
        };
        self.animation.push(&scene, hold);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;
    use deminer_game::{
        Agent, Decision, Estimates, FirstClick, Form, GameSeed, Match, Premise, Proof, Rng, Rules,
        Shape,
    };

    /// Opens cells in order, with a different kind of reason each time.
    struct ManyReasons;

    impl Agent for ManyReasons {
        fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
            let cell = view.openable().next().expect("a live game has covered cells");
            let cells = view.shape().size();
            let risks = view.openable().zip((0..cells).map(|at| at as f64 / cells as f64));
            let estimates = Estimates::of(cells, risks);
            let decision = match cell.index() % 3 {
                0 => Decision::blind(cell),
                1 => Decision::risk(cell, 0.125),
                _ => {
                    let premises = view.opened().iter().take(2).map(|&cell| Premise::Clue(cell));
                    Decision::proved(cell, Proof::new("pairs", premises.collect()))
                }
            };
            decision.with_estimates(estimates)
        }
    }

    fn film(form: Form, width: usize, height: usize, mines: usize, look: Look) -> (Vec<u8>, usize) {
        let shape = Shape::new(form, width, height).unwrap();
        let rules = Rules::new(shape, mines).unwrap().with_cascade(false);
        let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 11, game: 0 });
        let mut film = Film::new(look, Pace::default());
        film.start(game.board().view());
        let mut frames = 2;
        while let Some(turn) = game.turn(&mut ManyReasons) {
            film.turn(&turn, game.board());
            frames += 1;
        }
        (film.finish(game.board(), game.outcome().unwrap()), frames)
    }

    #[test]
    fn every_turn_is_a_frame_and_the_end_stays_longest() {
        let looks =
            [Look::default(), Look { theme: Theme::Dark, percentages: true, ..Look::default() }];
        for (form, look) in Form::ALL.into_iter().zip(looks.into_iter().cycle()) {
            let (bytes, frames) = film(form, 5, 4, 1, look);
            let mut decoder = ::gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
            let size = (decoder.width(), decoder.height());
            let mut delays = Vec::new();
            while let Some(frame) = decoder.read_next_frame().unwrap() {
                assert!(frame.left + frame.width <= size.0 && frame.top + frame.height <= size.1);
                delays.push(frame.delay);
            }
            assert_eq!(delays.len(), frames, "{form}");
            assert_eq!((delays[0], delays[1], delays[frames - 1]), (80, 60, 400));
            assert_eq!(bytes, film(form, 5, 4, 1, look).0);
        }
    }

    #[test]
    fn the_whole_board_takes_a_second_panel_in_every_frame() {
        let rules = Rules::new(Shape::new(Form::Rect, 5, 4).unwrap(), 2).unwrap();
        let play = |film: Film| {
            let seed = GameSeed { seed: 11, game: 0 };
            let mut game = Match::new(rules.clone(), FirstClick::Corner, seed);
            let mut film = film;
            film.start(game.board().view());
            while let Some(turn) = game.turn(&mut ManyReasons) {
                film.turn(&turn, game.board());
            }
            let gif = film.finish(game.board(), game.outcome().unwrap());
            ::gif::DecodeOptions::new().read_info(&gif[..]).unwrap().width()
        };
        let (one, two) = (play(Film::default()), play(Film::default().with_full_board()));
        assert!(two > 2 * one - 60, "{one} {two}");
    }

    #[test]
    fn the_smallest_board_makes_a_film() {
        let (bytes, frames) = film(Form::Rect, 1, 1, 0, Look::default());
        assert!(bytes.starts_with(b"GIF89a") && frames == 3);
    }
}
