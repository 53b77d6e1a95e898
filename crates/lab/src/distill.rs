//! Watching an agent play, so that a tree may imitate it.
//!
//! Games of the agent are played on all cores; every window of the fringe goes with what the
//! agent believes of its middle cell into [`Samples`]. Equal windows are counted, not kept one by
//! one, and the counts are whole numbers: the result is the same for any number of threads.

mod study;

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use deminer_game::{
    Agent, At, BuildError, By, Decision, Estimates, GameSeed, HexWindowError, Match, Purpose, Rng,
    Rules,
};
use deminer_learn::trees::{self, Fidelity, Growth, Samples, Tree, TreePlayer};
use thiserror::Error;

use crate::roster::Spec;

pub use study::{Course, Stability, StudyPoint, study_fidelity, study_stability};

/// Who is watched, on which boards.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The agent that is imitated.
    pub teacher: Spec,
    /// The rules it plays by.
    pub rules: Rules,
    /// Where its first click goes.
    pub at: At,
    /// The run's seed.
    pub seed: u64,
    /// At most this many decisions of each game are watched; all unless given. The paper's log
    /// has one.
    pub turns: Option<u32>,
}

/// An agent cannot be watched.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum WatchError {
    /// It could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It plays on hexagons.
    #[error(transparent)]
    Hex(#[from] HexWindowError),
    /// It never tells what it believes.
    #[error("agent `{0}` tells no estimates, so there is nothing to imitate")]
    Silent(String),
    /// It was stopped.
    #[error("stopped before all games were watched")]
    Stopped,
}

/// Games handed to a thread at a time.
const BATCH: u64 = 32;

impl Watch {
    /// Watches these games of the run and deals them into parts: game `i` goes to part
    /// `i % parts`, so the windows of one board are all in the same part. `progress` is told how
    /// many games are done.
    ///
    /// The games are the teacher's own, or those of a player whose boards the teacher is asked
    /// about.
    pub fn collect(
        &self,
        games: Range<u64>,
        player: Option<&Tree>,
        parts: NonZero<usize>,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<Samples>, WatchError> {
        let teacher = self.teacher.telling();
        teacher.build()?;
        let next = AtomicU64::new(games.start);
        let (sender, receiver) = mpsc::channel();
        let mut collected = vec![Samples::default(); parts.get()];
        thread::scope(|scope| -> Result<(), WatchError> {
            let workers: Vec<_> = (0..threads.get())
                .map(|_| {
                    let (sender, next, games, teacher) = (sender.clone(), &next, &games, &teacher);
                    scope.spawn(move || -> Result<Vec<Samples>, WatchError> {
                        let mut samples = vec![Samples::default(); parts.get()];
                        let mut pupil = Pupil::new(self, teacher, player)?;
                        while !stop.load(Ordering::Relaxed) {
                            let from = next.fetch_add(BATCH, Ordering::Relaxed);
                            if from >= games.end {
                                break;
                            }
                            let to = games.end.min(from + BATCH);
                            for game in from..to {
                                let part = (game % parts.get() as u64) as usize;
                                pupil.watch(game, &mut samples[part])?;
                            }
                            if sender.send(to - from).is_err() {
                                break;
                            }
                        }
                        Ok(samples)
                    })
                })
                .collect();
            drop(sender);
            let mut done = 0;
            for games in receiver {
                done += games;
                progress(done);
            }
            for worker in workers {
                let samples = worker.join().expect("watching does not panic")?;
                for (all, part) in collected.iter_mut().zip(samples) {
                    if all.windows() == 0 {
                        *all = part;
                    } else {
                        all.merge(&part);
                    }
                }
            }
            Ok(())
        })?;
        if stop.load(Ordering::Relaxed) {
            return Err(WatchError::Stopped);
        }
        if games.end > games.start && collected.iter().all(|part| part.windows() == 0) {
            return Err(WatchError::Silent(self.teacher.to_string()));
        }
        Ok(collected)
    }
}

/// One thread's agents and board.
struct Pupil<'a> {
    watch: &'a Watch,
    teacher: Box<dyn Agent>,
    player: Option<TreePlayer>,
    game: Match,
}

impl<'a> Pupil<'a> {
    fn new(watch: &'a Watch, teacher: &Spec, player: Option<&Tree>) -> Result<Self, WatchError> {
        let seed = GameSeed { seed: watch.seed, game: 0 };
        Ok(Self {
            watch,
            teacher: teacher.build()?,
            player: player.map(|tree| TreePlayer::new(tree.clone())),
            game: Match::new(watch.rules.clone(), watch.at, seed),
        })
    }

    fn watch(&mut self, game: u64, samples: &mut Samples) -> Result<(), WatchError> {
        let seed = GameSeed { seed: self.watch.seed, game };
        self.game.restart(seed);
        let mut rng = seed.rng(Purpose::Lab);
        let mut turns = 0;
        while self.watch.turns.is_none_or(|most| turns < most) {
            let Some((decision, estimates)) = self.ask(&mut rng) else { break };
            if let Some(estimates) = estimates {
                samples.see(self.game.board().view(), &estimates)?;
                turns += 1;
            }
            self.game.carry_out(&decision);
        }
        Ok(())
    }

    /// What is done next, and what the teacher believes before it.
    fn ask(&mut self, rng: &mut Rng) -> Option<(Decision, Option<Box<Estimates>>)> {
        let Some(player) = &mut self.player else {
            let (_, mut decision) = self.game.ask(self.teacher.as_mut())?;
            let estimates = decision.estimates.take();
            return Some((decision, estimates));
        };
        let (by, decision) = self.game.ask(player)?;
        let view = self.game.board().view();
        match by {
            By::Agent => Some((decision, self.teacher.decide(view, rng).estimates)),
            By::Start => {
                self.teacher.begin(view.rules());
                Some((decision, None))
            }
        }
    }
}

/// The parts that games are dealt into: one is held out, so 80 % of the boards are for growing,
/// and five make the folds of a cross-validation.
pub const PARTS: NonZero<usize> = NonZero::new(5).expect("five is not zero");

/// A tree and how faithful it is on boards it has not seen.
#[derive(Clone, Debug)]
pub struct Distilled {
    /// The tree.
    pub tree: Tree,
    /// The samples it was grown and pruned with.
    pub samples: u64,
    /// How faithful it is on the part held out.
    pub fidelity: Fidelity,
}

/// Grows a tree from all parts but the first, which judges it. With pruning, the second part
/// prunes instead of growing.
///
/// # Panics
/// If there are fewer than two parts, or three with pruning.
pub fn distill(parts: &[Samples], growth: &Growth, prune: bool) -> Distilled {
    let (held_out, known) = parts.split_first().expect("a part to hold out");
    let (validation, grown_from) = known.split_at(usize::from(prune));
    assert!(!grown_from.is_empty(), "a part to grow from");
    let mut tree = trees::grow(&merged(grown_from), growth);
    if let [validation] = validation {
        tree = trees::prune(&tree, validation);
    }
    Distilled {
        samples: known.iter().map(|part| part.total().samples()).sum(),
        fidelity: trees::fidelity(&tree, held_out),
        tree,
    }
}

/// All parts as one.
fn merged(parts: &[Samples]) -> Samples {
    let mut all = Samples::default();
    parts.iter().for_each(|part| all.merge(part));
    all
}

/// How a tree is taught.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lessons {
    /// How it is grown.
    pub growth: Growth,
    /// Whether a part of the boards prunes it.
    pub prune: bool,
    /// Games of each round.
    pub games: u64,
    /// Rounds. The first watches the teacher's own games; each further one lets the tree so far
    /// play, and asks the teacher what it believes there.
    pub rounds: u32,
}

impl Watch {
    /// Teaches a tree, and gives the samples of all rounds in [`PARTS`].
    ///
    /// A teacher that plays well never sees the positions its pupil gets itself into, so a pupil
    /// that is faithful on the teacher's games may still play badly. Further rounds show it its
    /// own (S. Ross, G. Gordon and D. Bagnell, "A Reduction of Imitation Learning and Structured
    /// Prediction to No-Regret Online Learning", 2011). The part held out is always of the
    /// teacher's own games.
    ///
    /// `progress` is told how many games of all rounds are done.
    pub fn teach(
        &self,
        lessons: &Lessons,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<(Distilled, Vec<Samples>), WatchError> {
        let Lessons { growth, prune, games, rounds } = lessons;
        let mut parts = self.collect(0..*games, None, PARTS, threads, stop, &mut progress)?;
        let mut distilled = distill(&parts, growth, *prune);
        for round in 1..u64::from(*rounds) {
            let from = round * games;
            let range = from..from + games;
            let done = |games| progress(from + games);
            let more = self.collect(range, Some(&distilled.tree), PARTS, threads, stop, done)?;
            for (part, more) in parts.iter_mut().zip(more).skip(1) {
                part.merge(&more);
            }
            distilled = distill(&parts, growth, *prune);
        }
        Ok((distilled, parts))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Start;

    use super::*;

    fn watch(teacher: &str) -> Watch {
        let rules = Rules::of("8x7x8".parse().unwrap()).unwrap().with_start(Start::Open).unwrap();
        Watch { teacher: teacher.parse().unwrap(), rules, at: At::Random, seed: 3, turns: None }
    }

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).unwrap()
    }

    #[test]
    fn samples_do_not_depend_on_the_number_of_threads() {
        let collect = |count, player: Option<&Tree>| {
            let stop = AtomicBool::new(false);
            let watch = watch("lowest-risk");
            watch.collect(0..150, player, PARTS, threads(count), &stop, |_| {}).unwrap()
        };
        let alone = collect(1, None);
        assert_eq!(alone, collect(3, None));
        let tree = distill(&alone, &Growth::default(), false).tree;
        let played = collect(2, Some(&tree));
        assert_eq!(played, collect(1, Some(&tree)));
        assert_ne!(played, alone);
    }

    #[test]
    fn a_run_of_games_is_the_sum_of_its_parts() {
        let collect = |games| {
            let stop = AtomicBool::new(false);
            watch("lowest-risk").collect(games, None, PARTS, threads(2), &stop, |_| {}).unwrap()
        };
        let mut parts = collect(0..40);
        for (part, more) in parts.iter_mut().zip(collect(40..100)) {
            part.merge(&more);
        }
        assert_eq!(parts, collect(0..100));
    }

    #[test]
    fn turns_limit_what_is_watched() {
        let stop = AtomicBool::new(false);
        let count = |turns| {
            let watch = Watch { turns, ..watch("lowest-risk") };
            let parts = watch.collect(0..50, None, PARTS, threads(1), &stop, |_| {}).unwrap();
            parts.iter().map(|part| part.total().samples()).sum::<u64>()
        };
        assert!(count(Some(1)) * 3 < count(None));
    }

    #[test]
    fn who_tells_nothing_cannot_be_imitated() {
        let stop = AtomicBool::new(false);
        let error = watch("random").collect(0..5, None, PARTS, threads(1), &stop, |_| {});
        let error = error.unwrap_err().to_string();
        assert_eq!(error, "agent `random` tells no estimates, so there is nothing to imitate");
        stop.store(true, Ordering::Relaxed);
        let stopped = watch("lowest-risk").collect(0..5, None, PARTS, threads(1), &stop, |_| {});
        assert_eq!(stopped, Err(WatchError::Stopped));
    }

    #[test]
    fn further_rounds_make_a_better_player() {
        let growth = Growth { features: trees::Features::Clues, depth: 12, ..Growth::default() };
        let stop = AtomicBool::new(false);
        let rate = |rounds| {
            let lessons = Lessons { growth, prune: true, games: 300, rounds };
            let (distilled, _) =
                watch("lowest-risk").teach(&lessons, threads(2), &stop, |_| {}).unwrap();
            assert!(distilled.fidelity.rate() > 0.8, "{:?}", distilled.fidelity);
            let mut player = TreePlayer::new(distilled.tree);
            let won = (0..400).filter(|&game| {
                let seed = GameSeed { seed: 9, game };
                let mut game = Match::new(watch("random").rules, At::Random, seed);
                game.play(&mut player) == deminer_game::Outcome::Won
            });
            won.count()
        };
        let (one, four) = (rate(1), rate(4));
        assert!(four > one, "{one} and {four} of 400");
    }
}
