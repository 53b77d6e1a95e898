//! The survival-weighted estimator: win rates from games that continue after a mine.
//!
//! Whenever an agent opens a cell that may be a mine, the game's weight is multiplied by the
//! exact probability that it is not. If it was one, the layout is drawn anew from all that fit
//! what was seen and have the cell safe, and play goes on. The mean weight of games that reach
//! the end is the win rate: every way of winning counts with just its probability, so nothing is
//! biased, and a game says more than won or lost. Games that end stuck or undecided weigh 0.

use cpu_time::ThreadTime;
use deminer_game::{
    Action, Agent, Cell, Decision, Face, GameSeed, Layout, Match, Outcome, Purpose, Rng, Start,
    State, Why,
};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::{Engine, OddsError};
use thiserror::Error;

use crate::tournament::GameRow;

/// A view had no exact odds, so its game cannot be weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("seed {}, game {}: {cause}, so the game cannot be weighed", seed.seed, seed.game)]
pub struct WeighError {
    seed: GameSeed,
    cause: OddsError,
}

/// Plays weighted games, one after another.
#[derive(Default)]
pub struct Weigher {
    engine: Engine,
}

impl Weigher {
    /// Plays the board of one seed and gives it a weight. `see` is shown each layout that was
    /// redrawn, before the action that it was redrawn for.
    pub fn play(
        &mut self,
        game: &mut Match,
        agent: &mut dyn Agent,
        seed: GameSeed,
        mut see: impl FnMut(&Decision, Option<&Layout>),
    ) -> Result<GameRow, WeighError> {
        let mut nanos = 0;
        let mut rng = seed.rng(Purpose::Lab);
        let (mut weight, mut guesses) = (1.0, 0);
        game.restart(seed);
        loop {
            let start = ThreadTime::now();
            let Some((_, decision)) = game.ask(agent) else { break };
            nanos += start.elapsed().as_nanos() as u64;
            guesses += u32::from(decision.why.is_guess());
            let steps = openings(game, &decision);
            for step in &steps {
                // A cell of a chord may be open by now, or the game over.
                if steps.len() > 1 && game.board().legal(step.action).is_err() {
                    continue;
                }
                let cause = |cause| WeighError { seed, cause };
                let redrawn = match step.action {
                    Action::Open(cell) => {
                        let (safety, layout) = self.survive(game, cell, &mut rng).map_err(cause)?;
                        weight *= safety;
                        layout
                    }
                    _ => None,
                };
                see(step, redrawn.as_ref());
                game.carry_out(step);
            }
        }
        let row = GameRow::of(game);
        let weight = if row.outcome == Outcome::Won { weight } else { 0.0 };
        Ok(GameRow { weight, guesses, nanos, ..row })
    }

    /// The probability that a cell is safe; if it holds a mine but need not, the layout is drawn
    /// anew without one there.
    fn survive(
        &mut self,
        game: &mut Match,
        cell: Cell,
        rng: &mut Rng,
    ) -> Result<(f64, Option<Layout>), OddsError> {
        let board = game.board();
        if board.legal(Action::Open(cell)).is_err() {
            return Ok((1.0, None));
        }
        if board.state() == State::Fresh && board.view().rules().start() != Start::Unsafe {
            return Ok((1.0, None));
        }
        let odds = self.engine.odds(board.view())?;
        let risk = odds.mine(cell).expect("a cell that may be opened is covered");
        match odds.fact(cell) {
            Some(Fact::Safe) => return Ok((1.0, None)),
            Some(Fact::Mine) => return Ok((0.0, None)),
            None => {}
        }
        if !board.hides_mine(cell) {
            return Ok((1.0 - risk, None));
        }
        let layout = self.engine.sample(board.view(), Some(cell), rng)?;
        game.board_mut().redraw(layout.clone()).expect("a layout drawn from the view fits it");
        Ok((1.0 - risk, Some(layout)))
    }
}

/// A decision as openings of single cells, each of which can be weighed: a chord opens its cells
/// one by one.
fn openings(game: &Match, decision: &Decision) -> Vec<Decision> {
    let board = game.board();
    match decision.action {
        Action::Chord(center) if board.legal(decision.action).is_ok() => {
            let near = board.view().shape().neighbors(center).iter();
            near.filter(|&&near| board.view().face(near) == Face::Covered)
                .map(|&near| Decision::new(Action::Open(near), Why::Nothing))
                .collect()
        }
        _ => vec![decision.clone()],
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{FirstClick, Rules};

    use super::*;
    use crate::measure::Watcher;
    use crate::tournament::play_game;
    use deminer::roster;

    /// Mean and standard error.
    fn mean(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, (variance / n).sqrt())
    }

    /// Plays both ways and compares the rates; gives the ratio of their variances a game.
    fn check(agent: &str, board: &str, start: Start, at: FirstClick, games: u64) -> f64 {
        let spec = roster::agent(agent).unwrap();
        let rules = Rules::of(board.parse().unwrap()).unwrap().with_start(start).unwrap();
        let mut agent = spec.build().unwrap();
        let seed = |game| GameSeed { seed: 6, game };
        let mut game = Match::new(rules.clone(), at, seed(0));
        let mut weigher = Weigher::default();
        let plain: Vec<f64> = (0..games)
            .map(|n| play_game(&mut game, agent.as_mut(), seed(n), &mut Watcher::new(&[])).weight)
            .collect();
        let mut weigh = |n| weigher.play(&mut game, agent.as_mut(), seed(games + n), |_, _| {});
        let weighted: Vec<f64> = (0..games).map(|n| weigh(n).unwrap().weight).collect();
        let ((a, a_error), (b, b_error)) = (mean(&plain), mean(&weighted));
        let apart = (a - b).abs() / a_error.hypot(b_error);
        assert!(apart < 4.0, "{spec} on {rules}: {a} and {b} are {apart} standard errors apart");
        (a_error / b_error).powi(2)
    }

    #[test]
    fn weighted_and_plain_games_agree() {
        check("single-point", "6x5x6", Start::Unsafe, FirstClick::Corner, 4000);
        check("random", "4x4x3", Start::Unsafe, FirstClick::Agent, 4000);
        check("lowest-risk", "8x8x13", Start::Open, FirstClick::Random, 3000);
        let gain = check("lowest-risk", "8x8x13", Start::Safe, FirstClick::Corner, 3000);
        assert!(gain > 1.5, "a weighted game says more than a plain one: {gain}");
    }

    #[test]
    fn a_game_with_redrawn_layouts_is_the_same_each_time() {
        let rules = Rules::of("8x8x13".parse().unwrap()).unwrap();
        let mut agent = roster::agent("lowest-risk").unwrap().build().unwrap();
        let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 1, game: 0 });
        let mut weights = |_: u8| -> Vec<(f64, usize)> {
            (0..40)
                .map(|n| {
                    let mut redrawn = 0;
                    let row = Weigher::default().play(
                        &mut game,
                        agent.as_mut(),
                        GameSeed { seed: 1, game: n },
                        |_, layout| redrawn += usize::from(layout.is_some()),
                    );
                    (row.unwrap().weight, redrawn)
                })
                .collect()
        };
        let first = weights(1);
        assert_eq!(first, weights(2));
        assert!(first.iter().any(|(_, redrawn)| *redrawn > 0));
    }
}
