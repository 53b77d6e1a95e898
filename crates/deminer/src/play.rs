//! One game of an agent, kept as a record.

use deminer_game::{
    Agent, Board, BuildError, FirstClick, GameSeed, Help, Layout, Match, Move, Record, Rules, Turn,
};

use crate::roster::Spec;

/// Plays one game of an agent by these rules, from the corner, and keeps its record.
///
/// # Errors
/// If the agent cannot be built.
pub fn play(spec: &Spec, rules: Rules, seed: GameSeed) -> Result<Record, BuildError> {
    record_game(spec, Match::new(rules, FirstClick::Corner, seed), |_, _| {})
}

/// Plays a match and keeps its record, without times. `see` gets each turn and the board after it.
///
/// # Errors
/// If the agent cannot be built.
pub fn record_game(
    spec: &Spec,
    game: Match,
    see: impl FnMut(&Turn, &Board),
) -> Result<Record, BuildError> {
    Recorder::default().record(spec, game, see)
}

/// Records a match turn by turn.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// Reads a clock in microseconds; without one, moves have no times.
    clock: Option<fn() -> u64>,
    moves: Vec<Move>,
    layout: Option<Layout>,
}

impl Recorder {
    /// A recorder that times each decision by this clock, in microseconds.
    pub fn timed(clock: fn() -> u64) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// Plays a whole match.
    pub fn record(
        mut self,
        spec: &Spec,
        mut game: Match,
        mut see: impl FnMut(&Turn, &Board),
    ) -> Result<Record, BuildError> {
        let mut agent = spec.build()?;
        while let Some((turn, _)) = self.turn(&mut game, agent.as_mut()) {
            see(&turn, game.board());
        }
        Ok(self.finish(spec, &game))
    }

    /// Plays one turn; also how long the decision took, if there is a clock. None once the match
    /// is over.
    pub fn turn(&mut self, game: &mut Match, agent: &mut dyn Agent) -> Option<(Turn, Option<u64>)> {
        let start = self.clock.map(|clock| clock());
        let (by, decision) = game.ask(agent)?;
        let micros = self.clock.zip(start).map(|(clock, start)| clock() - start);
        let effect = game.carry_out(&decision);
        let turn = Turn { by, decision, effect };
        if self.layout.is_none() {
            self.layout = game.board().layout().cloned();
        }
        self.moves.push(Move { micros, ..Move::of(&turn) });
        Some((turn, micros))
    }

    /// The record of a finished match.
    ///
    /// # Panics
    /// If the match is not over.
    pub fn finish(self, spec: &Spec, game: &Match) -> Record {
        Record {
            player: spec.to_string(),
            rules: game.board().view().rules().clone(),
            seed: Some(game.seed()),
            layout: self.layout,
            moves: self.moves,
            outcome: game.outcome().expect("a match without a next decision is over"),
            help: Help::default(),
        }
    }
}
