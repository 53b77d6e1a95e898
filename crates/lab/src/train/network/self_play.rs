//! Learning from a network's own games, with a teacher or without.

use deminer_game::Outcome;
use deminer_neural::train::{Curriculum, Labels, SelfPlay};

use super::checkpoint::{Saved, State};
use super::teacher::Teacher;
use super::{LESSON_SEED, Mark, NetworkOrder};
use crate::train::{Step, TrainError};

/// Points of a learning curve.
const MARKS: u64 = 100;

/// A network that learns from its own games.
pub(super) struct SelfTaught {
    pub school: SelfPlay,
    pub state: State,
    /// The newest progress.
    pub latest: Mark,
    teacher: Option<Teacher>,
}

impl SelfTaught {
    pub fn begin(
        order: &NetworkOrder,
        curriculum: Curriculum,
        Saved { state, trainer, memory }: Saved,
    ) -> Result<Self, TrainError> {
        let rules = order.rules()?;
        let teacher = match curriculum.labels {
            Labels::Truth => None,
            Labels::Teacher => Some(Teacher::new(&order.roster, &order.recipe.teacher, &rules)?),
        };
        let mut school = SelfPlay::new(trainer, order.variant, &order.recipe, &curriculum, rules);
        (school.memory, school.remembered) = (memory, state.remembered);
        school.games = state.games;
        let latest = state.marks.last().copied().unwrap_or_default();
        Ok(Self { school, state, latest, teacher })
    }

    /// Plays a game and learns from it.
    pub fn step(&mut self, order: &NetworkOrder) -> Step {
        let Self { school, state, latest, teacher } = self;
        if school.is_over() {
            return Step::Over;
        }
        let mut judge = |view: &_| teacher.as_mut()?.judge(view);
        let lesson = school.game(order.seed ^ LESSON_SEED, &mut judge);
        (state.remembered, state.games) = (school.remembered, school.games);
        state.samples += lesson.samples as u64;
        state.tally.0 += lesson.loss;
        state.tally.1 += 1;
        state.tally.2 += u64::from(lesson.outcome == Outcome::Won);
        let total = school.total_games();
        latest.done = state.games as f64 / total as f64;
        let over = school.is_over();
        if state.games % (total / MARKS).max(1) != 0 && !over {
            return Step::Going;
        }
        let (loss, count, won) = std::mem::take(&mut state.tally);
        *latest = Mark {
            samples: state.samples,
            loss: loss / count as f64,
            validation: Some(won as f64 / count as f64),
            ..*latest
        };
        state.marks.push(*latest);
        if over { Step::Over } else { Step::Mark }
    }
}
