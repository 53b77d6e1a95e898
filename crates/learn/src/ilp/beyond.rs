//! Beyond the paper: all predicates, labels by what can be known, and counterexamples from play.
//!
//! The first rules are learned from boards opened at random. Then the theory plays; positions
//! where it guesses although the exact engine is sure of some cell join the examples, and
//! clauses are learned for examples not yet covered. Every new clause is tested on fresh boards; a
//! counterexample becomes an example too.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{FirstClick, GameSeed, Purpose, Rules, View};

use super::active::is_refuted;
use super::background::{BACKGROUND, Meaning, Predicate, Reach, Supposed};
use super::bottom::Saturation;
use super::clause::{Clause, Target};
use super::example::{Example, Labels, Sampler};
use super::learn::{Effort, Method, Task, learn};
use super::play::watch;
use super::pool::{Bits, Pool};
use super::program::Program;
use super::search::{Bounds, Gain, Strategy};
use super::situation::Surveyor;
use super::theory::Theory;

/// How clauses are learned here: with all predicates, but for a supposition that would suppose
/// what is to be shown. A supposition and a clash are a whole proof, so single macros will do.
pub fn method(target: Target) -> Method {
    let own = match target {
        Target::Safe => Supposed::Safe,
        Target::Mine => Supposed::Mine,
    };
    let useful = |predicate: &&Predicate| !matches!(predicate.meaning, Meaning::Board(supposed) if supposed == own);
    Method {
        predicates: BACKGROUND.iter().filter(useful).collect(),
        saturation: Saturation { depth: 4, sets: 32, joins: 120, relations: 120 },
        strategy: Strategy::GreedyWithMacros,
        bounds: Bounds { clauses: 1000, body: 16, kept: 0 },
        seeds: 4,
    }
}

/// What is played and how much of it.
#[derive(Clone, Debug)]
pub struct BeyondPlan {
    /// The boards.
    pub rules: Rules,
    /// Where games begin.
    pub at: FirstClick,
    /// Seed of boards and choices.
    pub seed: u64,
    /// Random examples to begin with.
    pub first: usize,
    /// Rounds of play.
    pub rounds: u64,
    /// Games of a round.
    pub games: u64,
    /// Positions of a round that become examples.
    pub positions: usize,
    /// Fresh random examples that test the clauses of a round.
    pub tests: usize,
}

/// How far the learner has come.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct BeyondProgress {
    /// Rounds done.
    pub round: u64,
    /// The rules so far.
    pub rules: Vec<Clause>,
    /// All examples.
    pub examples: Vec<Example>,
    /// For each target the places of examples from which nothing could be learned.
    pub given_up: [Vec<usize>; 2],
    /// What the searches cost.
    pub effort: Effort,
    /// What each round saw of the theory before it learned: guesses not needed, and wrong moves,
    /// in a game.
    pub seen: Vec<(f64, f64)>,
}

/// What happens while learning.
#[derive(Debug)]
pub enum News<'a> {
    /// A clause was learned.
    Learned(&'a Gain, Effort),
    /// A clause did not stand the test.
    Refuted(&'a Clause),
    /// A round is over.
    Round(&'a BeyondProgress),
}

impl BeyondPlan {
    fn sampler(&self) -> Sampler {
        let labels = Labels::Deducible;
        Sampler { rules: self.rules.clone(), seed: self.seed, labels, sea: true, scattered: false }
    }

    /// The examples to begin with.
    pub fn begin(&self) -> BeyondProgress {
        let mut examples = self.sampler().draw(0, self.first, &mut Surveyor::default());
        examples.truncate(self.first);
        BeyondProgress { examples, ..BeyondProgress::default() }
    }

    /// Whether all rounds are done.
    pub fn is_over(&self, progress: &BeyondProgress) -> bool {
        progress.round > self.rounds
    }

    /// One round. The first learns from the examples to begin with; each other one lets the
    /// theory play before. When stopped, everything is as it was.
    pub fn round(
        &self,
        progress: &mut BeyondProgress,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut tell: impl FnMut(News<'_>),
    ) {
        let mut next = progress.clone();
        if next.round > 0 {
            self.watch(&mut next, threads);
        }
        for target in Target::ALL {
            self.learn(&mut next, target, threads, stop, &mut tell);
            if stop.load(Ordering::Relaxed) {
                return;
            }
        }
        next.round += 1;
        *progress = next;
        tell(News::Round(progress));
    }

    /// Lets the theory play and takes in what it should have known.
    fn watch(&self, progress: &mut BeyondProgress, threads: NonZero<usize>) {
        let theory = Theory { rules: progress.rules.clone(), ..Theory::default() };
        let games = (progress.round - 1) * self.games..progress.round * self.games;
        let watched = watch(&theory, &self.rules, self.at, self.seed, games, threads);
        let share = |count: usize| count as f64 / self.games as f64;
        progress.seen.push((share(watched.unneeded), share(watched.wrong)));
        let mut positions: Vec<*const View> = Vec::new();
        for example in watched.examples {
            let view = Arc::as_ptr(&example.view);
            if positions.last() != Some(&view) {
                positions.push(view);
            }
            if positions.len() > self.positions {
                break;
            }
            progress.examples.push(example);
        }
    }

    /// Learns clauses for examples not yet covered, and tests them.
    fn learn(
        &self,
        progress: &mut BeyondProgress,
        target: Target,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        tell: &mut impl FnMut(News<'_>),
    ) {
        let method = method(target);
        let mut surveyor = Surveyor::default();
        let pool = Pool::new(progress.examples.clone(), method.reach(), &mut surveyor);
        progress.rules.retain(|clause| clause.target() != target || !is_refuted(&pool, clause));
        let known: Vec<Clause> =
            progress.rules.iter().filter(|clause| clause.target() == target).cloned().collect();
        let mut given_up = Bits::none(pool.cases().len());
        let place = target as usize;
        progress.given_up[place].iter().for_each(|&at| given_up.set(at));
        let task =
            Task { pool: &pool, target, known: &known, given_up: &given_up, method: &method };
        let game = 2 * progress.round + place as u64;
        let mut rng = GameSeed { seed: self.seed, game }.rng(Purpose::Agent);
        let report = |gain: &Gain, effort| tell(News::Learned(gain, effort));
        let learned = learn(task, &mut rng, threads, stop, report);
        progress.effort.join(learned.effort);
        progress.given_up[place] = learned.given_up.iter().collect();

        let examples = self.sampler().draw(1 + progress.round, self.tests, &mut surveyor);
        let tests = Pool::new(examples, method.reach(), &mut surveyor);
        let positives = tests.positives(target);
        let programs: Vec<Program> = learned.clauses.iter().map(Program::new).collect();
        for (clause, mut cover) in learned.clauses.iter().zip(tests.cover(&programs, threads)) {
            cover.remove(&positives);
            match cover.iter().next() {
                None => progress.rules.push(clause.clone()),
                Some(at) => {
                    tell(News::Refuted(clause));
                    progress.examples.push(tests.cases()[at].example.clone());
                }
            }
        }
    }

    /// The theory without rules that the others make superfluous on all examples: from the
    /// longest to the shortest, a rule goes if all it covers is covered without it. Short rules
    /// come first, and those that ask about the whole board last.
    pub fn finish(&self, progress: &BeyondProgress, threads: NonZero<usize>) -> Vec<Clause> {
        let examples = progress.examples.clone();
        let pool = Pool::new(examples, Reach::Wide, &mut Surveyor::default());
        let mut rules = progress.rules.clone();
        rules.sort_by_key(|clause| {
            (clause.target(), Program::new(clause).asks_for_left, clause.body().len())
        });
        let programs: Vec<Program> = rules.iter().map(Program::new).collect();
        let mut covers: Vec<Option<Bits>> =
            pool.cover(&programs, threads).into_iter().map(Some).collect();
        for place in (0..rules.len()).rev() {
            let mut only = covers[place].take().expect("each is looked at once");
            let whole = only.clone();
            for (other, cover) in covers.iter().enumerate() {
                if let Some(cover) = cover
                    && rules[other].target() == rules[place].target()
                {
                    only.remove(cover);
                }
            }
            if only.count() > 0 {
                covers[place] = Some(whole);
            }
        }
        let kept = |(rule, cover): (Clause, Option<Bits>)| cover.map(|_| rule);
        rules.into_iter().zip(covers).filter_map(kept).collect()
    }
}
