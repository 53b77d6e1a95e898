//! Self-play: the network plays a game, remembers its positions, trains for a few steps, and plays
//! on.

use deminer_game::{Board, Estimates, GameSeed, Match, Outcome, Purpose, Rules, View, Window};

use super::{Curriculum, Labels, Recipe, Samples, Trainer};
use crate::agents::judge::Judge;
use crate::agents::sla::Sla;
use crate::encode::Codes;
use crate::forward::Forward;
use crate::nets::Variant;

/// A teacher's belief about each cell of a view that is not finished; none where it has none.
pub type Judgment<'a> = &'a mut dyn FnMut(&View) -> Option<Estimates>;

/// A network, the games it plays and its memory of them.
pub struct SelfPlay {
    /// The network.
    pub trainer: Trainer,
    variant: Variant,
    curriculum: Curriculum,
    recipe: Recipe,
    /// The rules of each stage.
    stages: Vec<Rules>,
    /// The samples it remembers.
    pub memory: Samples,
    /// Samples ever remembered.
    pub remembered: u64,
    /// Games played.
    pub games: u64,
}

/// What came of one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lesson {
    /// How the game ended.
    pub outcome: Outcome,
    /// The mean loss of the steps after it.
    pub loss: f64,
    /// Samples learned from after it.
    pub samples: usize,
}

impl SelfPlay {
    /// A network that has played nothing yet.
    pub fn new(
        trainer: Trainer,
        variant: Variant,
        recipe: &Recipe,
        curriculum: &Curriculum,
        stages: Vec<Rules>,
    ) -> Self {
        let memory = Samples::new(Window::SIDE, Window::SIDE, 1);
        let (recipe, curriculum) = (recipe.clone(), curriculum.clone());
        Self { trainer, variant, curriculum, recipe, stages, memory, remembered: 0, games: 0 }
    }

    /// Games of all stages, and those after them.
    pub fn total_games(&self) -> u64 {
        self.staged_games() + self.curriculum.further
    }

    fn staged_games(&self) -> u64 {
        self.curriculum.games * self.stages.len() as u64
    }

    /// The stage whose board the next game has.
    fn stage(&self) -> usize {
        let last = self.stages.len() as u64 - 1;
        let stage = match self.curriculum.mixed {
            _ if self.games >= self.staged_games() => last,
            true => self.games % self.stages.len() as u64,
            false => self.games / self.curriculum.games,
        };
        stage as usize
    }

    /// Whether all games are played.
    pub fn is_over(&self) -> bool {
        self.games >= self.total_games()
    }

    /// Plays the next game and learns from it.
    ///
    /// # Panics
    /// If all games are played.
    pub fn game(&mut self, seed: u64, teacher: Judgment) -> Lesson {
        assert!(!self.is_over(), "all games are played");
        let rules = self.stages[self.stage()].clone();
        let seed = GameSeed { seed, game: self.games };
        let forward = Forward::new(&self.trainer.net, &self.trainer.weights);
        let mut agent = Sla::new(vec![Judge::new(forward)], self.variant);
        let mut game = Match::new(rules, self.recipe.at, seed);
        while let Some((_, decision)) = game.ask(&mut agent) {
            if decision.action.opens() && agent.has_judged() {
                self.remember(game.board(), &mut agent, teacher);
            }
            game.carry_out(&decision);
        }
        self.games += 1;
        let (loss, samples) = self.learn(seed);
        Lesson { outcome: game.outcome().expect("the game is over"), loss, samples }
    }

    /// Remembers what the agent judged this turn, with the answers.
    fn remember(&mut self, board: &Board, agent: &mut Sla, teacher: Judgment) {
        let beliefs = match self.curriculum.labels {
            Labels::Truth => None,
            Labels::Teacher => match teacher(board.view()) {
                Some(beliefs) => Some(beliefs),
                None => return,
            },
        };
        for (cell, codes) in agent.take_judged(self.curriculum.fresh_only) {
            let safe = match &beliefs {
                None => Some(if board.hides_mine(cell) { 0.0 } else { 1.0 }),
                Some(beliefs) => beliefs.mine(cell).map(|mine| 1.0 - mine as f32),
            };
            if let Some(safe) = safe {
                self.keep(&codes, safe);
            }
        }
    }

    /// The oldest sample makes room.
    fn keep(&mut self, codes: &Codes, safe: f32) {
        let place = (self.remembered % self.curriculum.memory as u64) as usize;
        if place < self.memory.len() {
            self.memory.replace(place, codes, 0.0, &[safe]);
        } else {
            self.memory.push(codes, 0.0, &[safe]);
        }
        self.remembered += 1;
    }

    fn learn(&mut self, seed: GameSeed) -> (f64, usize) {
        if self.memory.is_empty() {
            return (0.0, 0);
        }
        let mut rng = seed.rng(Purpose::Lab);
        let order: Vec<usize> =
            (0..self.curriculum.draws).map(|_| rng.below(self.memory.len())).collect();
        let done = self.games as f64 / self.total_games() as f64;
        let rate = self.recipe.rate * self.recipe.schedule.factor(0, done);
        let loss = self.trainer.learn(&self.memory, &order, rate, &mut rng);
        (loss, order.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets;

    /// The mines of each game of this curriculum on boards with 2 and 3 mines.
    fn boards(mixed: bool) -> Vec<usize> {
        let design = nets::find("sla-small").unwrap();
        let recipe = (design.recipe)(Variant::Orig);
        let published = recipe.curriculum.clone().unwrap();
        let curriculum = Curriculum { games: 2, further: 3, mixed, ..published };
        let rules = ["5x4x2", "5x4x3"].map(|size| Rules::of(size.parse().unwrap()).unwrap());
        let trainer = Trainer::new((design.build)(Variant::Orig, rules[0].size()), &recipe, 1);
        let mut school =
            SelfPlay::new(trainer, Variant::Orig, &recipe, &curriculum, rules.to_vec());
        let mut boards = Vec::new();
        while !school.is_over() {
            boards.push(school.stages[school.stage()].mines());
            school.game(1, &mut |_| None);
        }
        boards
    }

    #[test]
    fn further_games_are_on_the_last_board() {
        assert_eq!(boards(false), [2, 2, 3, 3, 3, 3, 3]);
        assert_eq!(boards(true), [2, 3, 2, 3, 3, 3, 3]);
    }
}
