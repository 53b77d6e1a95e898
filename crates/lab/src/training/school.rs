//! Learning from one's own games, with a teacher or without.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use deminer_game::{Outcome, Window};
use deminer_neural::train::{Curriculum, Labels, Samples, SelfPlay, Trainer};

use super::checkpoint::{self, Place};
use super::course::{KEEP_EVERY, Taught};
use super::teacher::Teacher;
use super::{Checkpoints, LESSON_SEED, Order, Progress, TrainError, is_stopped};

/// Points of a learning curve.
const MARKS: u64 = 100;

pub(super) fn run(
    order: &Order,
    curriculum: &Curriculum,
    checkpoints: &mut Checkpoints,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&Progress),
) -> Result<Taught, TrainError> {
    let rules = order.rules()?;
    let mut teacher = match curriculum.labels {
        Labels::Truth => None,
        Labels::Teacher => Some(Teacher::new(&order.recipe.teacher, &rules)?),
    };
    let (mut school, mut place) = begin(order, curriculum, checkpoints.resume.as_deref())?;
    let total = school.total_games();
    let mut kept = Instant::now();
    while !school.is_over() {
        let mut judge = |view: &_| teacher.as_mut()?.judge(view);
        let lesson = school.game(order.seed ^ LESSON_SEED, &mut judge);
        let (_, remembered, games) = school.memory();
        (place.remembered, place.games) = (remembered, games);
        place.samples += lesson.samples as u64;
        place.tally.0 += lesson.loss;
        place.tally.1 += 1;
        place.tally.2 += u64::from(lesson.outcome == Outcome::Won);
        if games % (total / MARKS).max(1) == 0 || school.is_over() {
            let (loss, count, won) = place.tally;
            let progress = Progress {
                done: games as f64 / total as f64,
                samples: place.samples,
                loss: loss / count as f64,
                validation: Some(won as f64 / count as f64),
            };
            place.mark(progress);
            place.tally = (0.0, 0, 0);
            see(&progress);
        }
        let stopped = is_stopped(stop);
        if stopped || kept.elapsed() > KEEP_EVERY {
            let memory = Some(school.memory().0);
            (checkpoints.save)(&checkpoint::write(
                &order.words(),
                &place,
                school.trainer(),
                memory,
            ));
            kept = Instant::now();
        }
        if stopped {
            return Ok(None);
        }
    }
    let marks = place.marks();
    Ok(Some((school.into_trainer(), marks)))
}

fn begin(
    order: &Order,
    curriculum: &Curriculum,
    resume: Option<&[u8]>,
) -> Result<(SelfPlay, Place), TrainError> {
    let school = |trainer: Trainer| -> Result<SelfPlay, TrainError> {
        let stages = order.rules()?;
        Ok(SelfPlay::new(trainer, order.variant, &order.recipe, curriculum, stages))
    };
    let Some(file) = resume else {
        let trainer = Trainer::new(order.net(), &order.recipe, order.seed);
        return Ok((school(trainer)?, Place::default()));
    };
    let resumed = checkpoint::read(file, &order.words(), order.net(), &order.recipe)?;
    let mut memory = Samples::new(Window::SIDE, Window::SIDE, 1);
    for (codes, safe) in resumed.memory {
        memory.push(&codes, 0.0, &[safe]);
    }
    let mut school = school(resumed.trainer)?;
    school.resume(memory, resumed.place.remembered, resumed.place.games);
    Ok((school, resumed.place))
}
