//! Decision trees that imitate an agent.
//!
//! The agent plays; every window of the fringe goes with the agent's estimate for its middle cell
//! into [`Samples`]. Equal windows are counted, not kept one by one, and the counts are whole
//! numbers: the result is the same for any number of threads.

use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{
    Agent, FirstClick, Form, GameSeed, HexWindowError, Match, MovedBy, Purpose, Rules,
};
use deminer_learn::evolve::in_order;
use deminer_learn::trees::{self, Artifact, Fidelity, Growth, Origin, Samples, Tree, TreePlayer};
use serde::{Deserialize, Serialize};

use super::choices::{ANY, KEEPING, RULES, options};
use super::{
    Choices, Context, Event, Learner, LearnerEntry, LearnerOption, Made, Progress, Step, Takes,
    TrainError, Unit, pack, unpack,
};
use crate::stats;
use crate::tournament::pieces;
use deminer::roster::Spec;

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "tree",
    about: "a decision tree that imitates another agent",
    details: "The agent plays; what it believes of each fringe cell, in four classes of risk, is \
              what the tree learns to tell from the 5x5 window around the cell. One board in five \
              is held out and judges the tree: its fidelity is the share of windows it puts into \
              the agent's class. `deminer bench --agent tree:FILE` plays it.",
    examples: "\
  deminer train tree --of lowest-risk --board 10x10x10 --start open --at random --out mine.tree
  deminer train tree --of lowest-risk --features clues --depth 4 --rules-depth 4
  deminer bench --agent tree:mine.tree --board 10x10x10 --start open --at random",
    paper: Some(
        "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving Minesweeper, \
         Gdańsk University of Technology",
    ),
    options: &[OPTIONS, RULES, KEEPING],
    extension: "tree",
    small: &[
        ("board", "8x7x8"),
        ("start", "open"),
        ("games", "100"),
        ("rounds", "2"),
        ("prune", "true"),
        ("depth", "4"),
    ],
    split: |choices| Ok(vec![(choices.entry.name.to_owned(), choices.clone())]),
    check: |choices| TreeLearner::new(choices).map(|_| ()),
    begin: |choices, saved, _| {
        let mut learner = TreeLearner::new(choices)?;
        if let Some(saved) = saved {
            learner.state = unpack(saved)?;
        }
        Ok(Box::new(learner))
    },
};

const OPTIONS: &[LearnerOption] = options! {
    "of" = "lowest-risk", Takes::Agent,
        "The agent to imitate, as `name[:option,…]`; it must give estimates.";
    "games" = "1000", Takes::Whole(5, 1_000_000_000),
        "How many games are watched in each round; one in five is held out.";
    "seed" = "1", ANY, "The seed of the run.";
    "depth" = "8", Takes::Whole(0, 64), "The greatest depth: questions on a path.";
    "features" = "raw", Takes::OneOf(&["raw", "one-hot", "symmetric", "clues"]),
        "What the tree may ask: the 25 codes by their order, one code at a time, the window turned \
         to its standard position, or how many mines the numbers around still need.";
    "criterion" = "class", Takes::OneOf(&["class", "risk"]),
        "What it predicts: one of four classes, or a risk, which makes it a better player.";
    "least" = "1", ANY, "The fewest samples of a leaf.";
    "prune", Takes::Flag, "Remove questions that do not help on another fifth of the boards.";
    "rounds" = "1", Takes::Whole(1, 100),
        "How many rounds of games are watched: after the first the tree so far plays, and the \
         agent is asked for its estimates there. The tree plays better and stays as faithful.";
    "turns", Takes::Whole(0, u32::MAX as u64), "Watch only this many decisions of each game.";
    "cross-validate", Takes::Flag,
        "Also grow five trees, each judged on another fifth of the boards.", local;
};

/// The games of an agent to imitate.
#[derive(Clone, Debug)]
pub(crate) struct Demonstration {
    /// The agent that is imitated.
    pub teacher: Spec,
    /// The rules it plays by.
    pub rules: Rules,
    /// Where its first click goes.
    pub at: FirstClick,
    /// The seed of the run.
    pub seed: u64,
    /// At most this many decisions of each game are watched; all unless given. The paper's log
    /// has one.
    pub turns: Option<u32>,
}

/// Games that a thread plays at a time. A training can stop when all threads have played as many.
const BATCH: u64 = 16;

impl Demonstration {
    /// Watches games of the run and deals them into parts: game `i` goes to part `i % parts`, so
    /// the windows of one board are all in the same part.
    ///
    /// The games are the teacher's own, or those of a tree whose positions the teacher is asked
    /// about.
    fn watch(
        &self,
        games: Range<u64>,
        player: Option<&Tree>,
        parts: NonZero<usize>,
        threads: NonZero<usize>,
    ) -> Result<Vec<Samples>, TrainError> {
        let teacher = self.teacher.with_estimates();
        let batches: Vec<Range<u64>> = pieces(games, BATCH).collect();
        let watched = in_order(threads, batches.len(), |at| -> Result<_, TrainError> {
            let mut samples = vec![Samples::default(); parts.get()];
            let mut teacher = teacher.build()?;
            let mut player = player.map(|tree| TreePlayer::new(tree.clone()));
            for game in batches[at].clone() {
                let part = &mut samples[(game % parts.get() as u64) as usize];
                self.watch_game(game, teacher.as_mut(), player.as_mut(), part)?;
            }
            Ok(samples)
        });
        let mut all = vec![Samples::default(); parts.get()];
        for samples in watched {
            all.iter_mut().zip(samples?).for_each(|(all, part)| all.merge(&part));
        }
        Ok(all)
    }

    fn watch_game(
        &self,
        game: u64,
        teacher: &mut dyn Agent,
        mut player: Option<&mut TreePlayer>,
        samples: &mut Samples,
    ) -> Result<(), TrainError> {
        let seed = GameSeed { seed: self.seed, game };
        let mut game = Match::new(self.rules.clone(), self.at, seed);
        let mut rng = seed.rng(Purpose::Lab);
        let mut turns = 0;
        while self.turns.is_none_or(|most| turns < most) {
            let asked = match &mut player {
                Some(player) => game.ask(*player),
                None => game.ask(teacher),
            };
            let Some((by, mut decision)) = asked else { break };
            // What the teacher believes before this is done.
            let view = game.board().view();
            let estimates = match by {
                _ if player.is_none() => decision.estimates.take(),
                MovedBy::Agent => teacher.decide(view, &mut rng).estimates,
                MovedBy::Start => {
                    teacher.begin(view.rules());
                    None
                }
            };
            if let Some(estimates) = estimates {
                samples.see(view, &estimates)?;
                turns += 1;
            }
            game.carry_out(&decision);
        }
        Ok(())
    }

    /// Watches many games of the teacher, as one part.
    pub fn collect(
        &self,
        games: Range<u64>,
        threads: NonZero<usize>,
        stop: &AtomicBool,
    ) -> Result<Samples, TrainError> {
        let mut all = Samples::default();
        for games in pieces(games.clone(), BATCH * threads.get() as u64) {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainError::Stopped);
            }
            for samples in self.watch(games, None, NonZero::<usize>::MIN, threads)? {
                all.merge(&samples);
            }
        }
        match all.windows() == 0 && !games.is_empty() {
            true => Err(TrainError::Silent(self.teacher.to_string())),
            false => Ok(all),
        }
    }
}

/// The parts that games are dealt into: one is held out, so 80 % of the boards are for growing,
/// and five make the folds of a cross-validation.
const PARTS: NonZero<usize> = NonZero::new(5).expect("five is not zero");

/// A tree and how faithful it is on boards it has not seen.
#[derive(Clone, Debug)]
struct Distilled {
    /// The tree.
    tree: Tree,
    /// The samples it was grown and pruned with.
    samples: u64,
    /// How faithful it is on the part held out.
    fidelity: Fidelity,
}

/// Grows a tree from all parts but the first, which judges it. With pruning, the second part
/// prunes instead of growing.
///
/// # Panics
/// If there are fewer than two parts, or three with pruning.
fn distill(parts: &[Samples], growth: &Growth, prune: bool) -> Distilled {
    let (held_out, known) = parts.split_first().expect("a part to hold out");
    let (validation, grown_from) = known.split_at(usize::from(prune));
    assert!(!grown_from.is_empty(), "a part to grow from");
    let mut samples = Samples::default();
    grown_from.iter().for_each(|part| samples.merge(part));
    let mut tree = trees::grow(&samples, growth);
    if let [validation] = validation {
        tree = trees::prune(&tree, validation);
    }
    Distilled {
        samples: known.iter().map(|part| part.total().samples()).sum(),
        fidelity: trees::fidelity(&tree, held_out),
        tree,
    }
}

/// A tree that learns.
///
/// A teacher that plays well never sees the positions its pupil gets itself into, so a pupil
/// that is faithful on the teacher's games may still play badly. Further rounds show it its own
/// (S. Ross, G. Gordon and D. Bagnell, "A Reduction of Imitation Learning and Structured
/// Prediction to No-Regret Online Learning", 2011). The part held out is always of the teacher's
/// own games.
struct TreeLearner {
    choices: Choices,
    demonstration: Demonstration,
    growth: Growth,
    /// Games of each round.
    games: u64,
    state: TreeState,
}

/// What a tree learner knows: its checkpoint.
#[derive(Serialize, Deserialize)]
struct TreeState {
    /// Games watched in all rounds.
    done: u64,
    /// The samples so far, in [`PARTS`].
    parts: Vec<Samples>,
    /// The tree of the rounds before.
    tree: Option<Tree>,
}

impl TreeLearner {
    fn new(choices: &Choices) -> Result<Self, TrainError> {
        let (rules, at) = choices.rules()?;
        let teacher = choices.agent("of")?;
        teacher.admit(&rules)?;
        if rules.shape().form() == Form::Hex {
            return Err(HexWindowError.into());
        }
        teacher.with_estimates().build()?;
        let growth = Growth {
            features: choices.get("features"),
            criterion: choices.get("criterion"),
            depth: choices.get("depth"),
            least: choices.get("least"),
        };
        let (seed, turns) = (choices.get("seed"), choices.find("turns"));
        let demonstration = Demonstration { teacher, rules, at, seed, turns };
        let parts = vec![Samples::default(); PARTS.get()];
        let state = TreeState { done: 0, parts, tree: None };
        let games = choices.get("games");
        Ok(Self { choices: choices.clone(), demonstration, growth, games, state })
    }

    fn total(&self) -> u64 {
        self.games.saturating_mul(self.choices.get("rounds"))
    }

    fn distill(&self) -> Distilled {
        distill(&self.state.parts, &self.growth, self.choices.has("prune"))
    }
}

impl Learner for TreeLearner {
    /// Watches some games. At the end of a round, grows a tree for the next one.
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        let round = self.state.done / self.games;
        let end = (round + 1) * self.games;
        let piece = BATCH * context.threads.get() as u64;
        let games = pieces(self.state.done..end, piece).next().expect("a round has games left");
        self.state.done = games.end;
        let player = self.state.tree.as_ref();
        let samples = self.demonstration.watch(games, player, PARTS, context.threads)?;
        let held_out = usize::from(round > 0);
        for (part, more) in self.state.parts.iter_mut().zip(samples).skip(held_out) {
            part.merge(&more);
        }
        if self.state.done < end {
            return Ok(Step::Going);
        }
        if self.state.parts.iter().all(|part| part.windows() == 0) {
            return Err(TrainError::Silent(self.demonstration.teacher.to_string()));
        }
        if self.state.done == self.total() {
            return Ok(Step::Over);
        }
        self.state.tree = Some(self.distill().tree);
        Ok(Step::Mark)
    }

    fn progress(&self) -> Progress {
        Progress::new(self.state.done, self.total(), "games")
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&self.state)
    }

    fn finish(&self, context: &mut Context) -> Result<Made, TrainError> {
        let Distilled { tree, samples, fidelity } = self.distill();
        let by_depth = trees::fidelity_by_depth(&tree, &self.state.parts[0]);
        let deepest = by_depth.len() as u64 - 1;
        for (questions, fidelity) in (0..).zip(&by_depth) {
            let progress = Progress::new(questions, deepest, "questions");
            let progress = progress.with("fidelity", fidelity.rate(), Unit::Plain);
            (context.tell)(Event::Progress(progress));
        }
        if self.choices.has("cross-validate") {
            context.note(self.cross_validated());
        }
        let Demonstration { teacher, rules, seed, .. } = &self.demonstration;
        let origin = Origin {
            agent: teacher.to_string(),
            rules: rules.to_string(),
            games: self.total(),
            seed: *seed,
            samples,
            fidelity: (fidelity.agreed(), fidelity.samples()),
            command: self.choices.command.clone(),
        };
        let artifact = Artifact { origin, tree }.write().into_bytes();
        Ok(Made { artifact, ..Made::default() })
    }
}

impl TreeLearner {
    fn cross_validated(&self) -> String {
        let folds = trees::cross_validate(&self.state.parts, &self.growth);
        let rates: Vec<f64> = folds.iter().map(Fidelity::rate).collect();
        let interval = stats::bootstrap(&rates);
        let list: Vec<String> = rates.iter().map(|rate| format!("{rate:.4}")).collect();
        format!(
            "five-fold fidelity {} (mean {:.4}, {:.4} to {:.4}), without pruning",
            list.join(" "),
            stats::mean(&rates),
            interval.low,
            interval.high,
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use deminer_game::{Outcome, Start};

    use super::*;
    use crate::train;

    fn demonstration(teacher: &str) -> Demonstration {
        let rules = Rules::of("8x7x8".parse().unwrap()).unwrap().with_start(Start::Open).unwrap();
        let teacher = deminer::roster::agent(teacher).unwrap();
        Demonstration { teacher, rules, at: FirstClick::Random, seed: 3, turns: None }
    }

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).unwrap()
    }

    fn watch(games: Range<u64>, player: Option<&Tree>, count: usize) -> Vec<Samples> {
        demonstration("lowest-risk").watch(games, player, PARTS, threads(count)).unwrap()
    }

    #[test]
    fn samples_do_not_depend_on_the_number_of_threads() {
        let alone = watch(0..150, None, 1);
        assert_eq!(alone, watch(0..150, None, 3));
        let tree = distill(&alone, &Growth::default(), false).tree;
        let played = watch(0..150, Some(&tree), 2);
        assert_eq!(played, watch(0..150, Some(&tree), 1));
        assert_ne!(played, alone);
    }

    #[test]
    fn a_run_of_games_is_the_sum_of_its_parts() {
        let mut parts = watch(0..40, None, 2);
        for (part, more) in parts.iter_mut().zip(watch(40..100, None, 2)) {
            part.merge(&more);
        }
        assert_eq!(parts, watch(0..100, None, 1));
    }

    #[test]
    fn turns_limit_what_is_watched() {
        let count = |turns| {
            let demonstration = Demonstration { turns, ..demonstration("lowest-risk") };
            let parts = demonstration.watch(0..50, None, PARTS, threads(1)).unwrap();
            parts.iter().map(|part| part.total().samples()).sum::<u64>()
        };
        assert!(count(Some(1)) * 3 < count(None));
    }

    #[test]
    fn an_agent_without_estimates_cannot_be_imitated() {
        let stop = Arc::new(AtomicBool::new(false));
        let error = demonstration("random").collect(0..5, threads(1), &stop).unwrap_err();
        let expected = "agent `random` gives no estimates, so there is nothing to imitate";
        assert_eq!(error.to_string(), expected);
        stop.store(true, Ordering::Relaxed);
        let stopped = demonstration("lowest-risk").collect(0..5, threads(1), &stop);
        assert!(matches!(stopped, Err(TrainError::Stopped)));
    }

    #[test]
    fn further_rounds_make_a_better_player() {
        let stop = Arc::new(AtomicBool::new(false));
        let rate = |rounds: u64| {
            let options = [
                ("board", "8x7x8"),
                ("start", "open"),
                ("at", "random"),
                ("seed", "3"),
                ("features", "clues"),
                ("depth", "12"),
                ("prune", "true"),
                ("games", "300"),
                ("rounds", &rounds.to_string()),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
            let entry = train::find("tree").unwrap();
            let mut learner =
                TreeLearner::new(&Choices::read(entry, "", &Default::default(), options).unwrap())
                    .unwrap();
            let (threads, disk) = (threads(2), crate::disk::Disk::default());
            let mut context = Context { threads, stop: &stop, disk, tell: &mut |_| () };
            assert!(train::learn(&mut learner, &mut context, &mut |_| Ok(())).unwrap());
            let distilled = learner.distill();
            assert!(distilled.fidelity.rate() > 0.8, "{:?}", distilled.fidelity);
            let mut player = TreePlayer::new(distilled.tree);
            let won = (0..400).filter(|&game| {
                let seed = GameSeed { seed: 9, game };
                let rules = demonstration("random").rules;
                Match::new(rules, FirstClick::Random, seed).play(&mut player) == Outcome::Won
            });
            won.count()
        };
        let (one, four) = (rate(1), rate(4));
        assert!(four > one, "{one} and {four} of 400");
    }
}
