//! Samples from the games of a teacher.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer::roster::Roster;
use deminer_game::{
    Cell, Estimates, Face, FirstClick, GameSeed, Match, MovedBy, Purpose, Rng, Rules, Shown, View,
    Window,
};
use deminer_learn::parallel::in_order;
use deminer_neural::encode::{self, Codes, Frame};
use deminer_neural::train::{Samples, Targets};

use super::teacher::Teacher;
use crate::tournament::pieces;
use crate::train::TrainError;

/// Games of a teacher to be turned into samples.
#[derive(Clone, Debug)]
pub(super) struct TeacherGames<'a> {
    pub roster: &'a Roster,
    pub teacher: &'a str,
    pub rules: &'a Rules,
    pub at: FirstClick,
    pub seed: u64,
    /// Whether a window around every cell of the frontier is taken from each position, with the
    /// cell's risk; otherwise the whole board, with all risks.
    pub windows: bool,
    pub targets: Targets,
}

impl TeacherGames<'_> {
    /// Plays these games, unless it is stopped. The samples lie in the order of the games, so they
    /// do not depend on the threads.
    pub fn samples(
        &self,
        games: Range<u64>,
        threads: NonZero<usize>,
        stop: &AtomicBool,
    ) -> Result<Samples, TrainError> {
        let share = (games.end - games.start).div_ceil(threads.get() as u64).max(1);
        let parts: Vec<Range<u64>> = pieces(games, share).collect();
        let done = in_order(threads, parts.len(), |part| self.play(parts[part].clone(), stop));
        let mut all = self.empty();
        for part in done {
            all.append(part?);
        }
        Ok(all)
    }

    fn empty(&self) -> Samples {
        let shape = self.rules.shape();
        match self.windows {
            true => Samples::new(Window::SIDE, Window::SIDE, 1),
            false => Samples::new(shape.width(), shape.height(), shape.size()),
        }
    }

    fn play(&self, games: Range<u64>, stop: &AtomicBool) -> Result<Samples, TrainError> {
        let mut teacher =
            Teacher::new(self.roster, self.teacher, std::slice::from_ref(self.rules))?;
        let mut samples = self.empty();
        let mut frame = Frame::default();
        for game in games {
            let seed = GameSeed { seed: self.seed, game };
            let mut rng = seed.rng(Purpose::Lab);
            let mut seen = vec![None; self.rules.shape().size()];
            let mut game = Match::new(self.rules.clone(), self.at, seed);
            while let Some((by, decision)) = game.ask(teacher.player()) {
                if stop.load(Ordering::Relaxed) {
                    return Err(TrainError::Stopped);
                }
                let view = game.board().view();
                if by == MovedBy::Agent
                    && decision.action.opens()
                    && self.is_taken(&mut rng)
                    && let Some(beliefs) = teacher.beliefs(view, &decision)
                {
                    if self.windows {
                        frame.update(view);
                        self.windows(view, &frame, &beliefs, &mut seen, &mut samples);
                    } else {
                        self.board(view, &beliefs, &mut samples);
                    }
                }
                game.carry_out(&decision);
            }
        }
        Ok(samples)
    }

    fn is_taken(&self, rng: &mut Rng) -> bool {
        self.targets.one_in <= 1 || rng.below(self.targets.one_in) == 0
    }

    fn target(&self, risk: f64) -> f32 {
        let risk = risk as f32;
        if self.targets.rounded { (risk * 100.0).round() / 100.0 } else { risk }
    }

    fn windows(
        &self,
        view: &View,
        frame: &Frame,
        beliefs: &Estimates,
        seen: &mut [Option<Codes>],
        samples: &mut Samples,
    ) {
        for cell in view.covered().filter(|&cell| is_frontier(view, cell)) {
            let Some(risk) = beliefs.mine(cell) else { continue };
            let codes = frame.window(cell);
            let before = seen[cell.index()].replace(codes);
            if !self.targets.fresh_only || before != Some(codes) {
                samples.push(&codes, 0.0, &[self.target(risk)]);
            }
        }
    }

    fn board(&self, view: &View, beliefs: &Estimates, samples: &mut Samples) {
        let target = |cell: Cell| match view.face(cell).is_covered() {
            true => beliefs.mine(cell).map(|risk| self.target(risk)),
            false => self.targets.opened,
        };
        let targets: Vec<f32> =
            view.shape().cells().map(|cell| target(cell).unwrap_or(f32::NAN)).collect();
        let density = view.rules().mines() as f32 / view.covered_count() as f32;
        samples.push(&encode::board(view), density, &targets);
    }
}

/// Whether a cell touches an open number.
pub(crate) fn is_frontier(view: &View, cell: Cell) -> bool {
    let number =
        |&near: &Cell| matches!(view.face(near), Face::Open { shown: Shown::Number(1..), .. });
    view.shape().neighbors(cell).iter().any(number)
}
