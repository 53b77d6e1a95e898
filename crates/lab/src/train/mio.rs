//! Rules learned by induction: the Mio learner.

mod wire;

use std::num::NonZero;

use deminer_game::FirstClick;
use deminer_learn::ilp::paper::{self, ExampleSource, Induced, Share, learn_from_pool};
use deminer_learn::ilp::{
    BeyondPlan, BeyondProgress, Clause, Effort, Event as SessionEvent, Gain, Method, News, Session,
    Setting, Target, Theory, aleph, on_boards, plainly,
};
use serde::{Deserialize, Serialize};

use super::choices::{ANY, KEEPING, options};
use super::{
    Choices, Context, Learner, LearnerEntry, LearnerOption, Made, OptionError, Progress, Step,
    Takes, TrainError, Unit, pack, unpack,
};

use crate::tables::MIO;
use wire::Remote;
pub use wire::serve;

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "mio",
    about: "rules induced from examples",
    details: "Rules about safe cells are learned by one of the four settings of L. Peña Castillo \
              and S. Wrobel (2003), rules about mines by the best of them, from boards of 8x8 with \
              10 mines opened at random. Each rule is printed when it is learned; the theory is \
              printed in Prolog's syntax with an explanation of each rule. `deminer bench --agent \
              mio:FILE` plays it.",
    examples: "\
  deminer train mio --setting al+gs+m --seed 1 --out mine.pl
  deminer train mio --setting ida+m --pool
  deminer train mio --server 127.0.0.1:7655
  deminer train mio --client 127.0.0.1:7655 --out mine.pl
  deminer bench --agent mio:mine.pl --agent mio-rules --board 8x8x10 --start unsafe --at random",
    paper: Some(MIO.full),
    options: &[OPTIONS, KEEPING],
    extension: "pl",
    small: &[("setting", "ida+m")],
    split: |choices| Ok(vec![(choices.entry.name.to_owned(), choices.clone())]),
    check,
    begin: |choices, saved, context| match choices.has("beyond") {
        true => Ok(Box::new(BeyondLearner::begin(choices.clone(), saved)?)),
        false => Ok(Box::new(MioLearner::begin(choices.clone(), saved, context)?)),
    },
};

const OPTIONS: &[LearnerOption] = options! {
    "setting" = "al+gs+m", Takes::OneOf(&["ida", "ida+m", "al+ida+m", "al+gs+m"]),
        "How rules are searched for: al is active learning, gs greedy search, m macros.";
    "beyond", Takes::Flag,
        "Learn beyond the paper: all predicates, labels by what can be known, counterexamples from \
         play.";
    "seed" = "1", ANY, "The seed of boards and choices.";
    "labels" = "content", Takes::OneOf(&["content", "deducible"]),
        "What examples are labeled with: what a cell is, or what can be known of it.";
    "pool", Takes::Flag,
        "Learn from the whole pool of 2890 safe cells and 1306 mines at once, from boards that \
         were played only; takes minutes.";
    "rounds" = "6", ANY, "Rounds of play when learning beyond the paper.";
    "server", Takes::Text, "Serve examples to learners at this address, until interrupted.", local;
    "client", Takes::Text, "Learn from the example server at this address.", local;
    "aleph", Takes::Text,
        "Write the task for Aleph, another learner, to this file instead of learning.", local;
};

/// Refuses options that do not go together.
fn check(choices: &Choices) -> Result<(), TrainError> {
    choices.refuse("beyond", &["setting", "labels", "pool", "server", "client"])?;
    choices.refuse("pool", &["server", "client"])?;
    choices.refuse("server", &["client"])?;
    choices.refuse("aleph", &["server", "client", "beyond"])?;
    match choices.has("rounds") && !choices.has("beyond") {
        true => Err(OptionError::new("beyond", "the other options need `beyond` too").into()),
        false => Ok(()),
    }
}

fn source(choices: &Choices) -> ExampleSource {
    ExampleSource { seed: choices.get("seed"), labels: choices.get("labels") }
}

/// The task for Aleph, another learner.
pub fn write_aleph(choices: &Choices) -> String {
    let method = Setting::ActiveGreedyMacros.method();
    let pool = paper::pool(&source(choices).sampler(), Target::Safe, method.reach());
    aleph::task(&pool, Target::Safe, &method)
}

/// A theory that is learned as the paper did.
struct MioLearner {
    choices: Choices,
    source: ExampleSource,
    remote: Option<Remote>,
    saved: Saved,
}

/// A checkpoint.
#[derive(Default, Serialize, Deserialize)]
struct Saved {
    /// What was learned about each target that is done.
    learned: Vec<Induced>,
    /// What these targets came to.
    before: Standing,
    /// The session about the next target, if it has begun.
    session: Option<Session>,
}

/// How far the learner is with both targets.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Standing {
    rounds: u64,
    rules: usize,
    /// Examples of which a target holds and its rules say so.
    covered: usize,
    /// All examples of which a target holds.
    examples: usize,
    /// Clauses that were tried.
    clauses: usize,
}

impl Standing {
    /// Together with a session about another target.
    fn with(self, session: &Session, method: &Method) -> Self {
        let [covered, examples] = session.coverage(method);
        Self {
            rounds: self.rounds + session.round,
            rules: self.rules + session.rules.len(),
            covered: self.covered + covered,
            examples: self.examples + examples,
            clauses: self.clauses + session.effort.clauses,
        }
    }
}

impl MioLearner {
    fn begin(
        choices: Choices,
        saved: Option<&[u8]>,
        context: &Context,
    ) -> Result<Self, TrainError> {
        let source = source(&choices);
        let saved: Saved = saved.map(unpack).transpose()?.unwrap_or_default();
        let connect = |address: &str| Remote::connect(address, source);
        let remote = choices.text("client").map(connect).transpose()?;
        let mut learner = Self { choices, source, remote, saved };
        if learner.saved.session.is_none() && learner.saved.learned.is_empty() {
            learner.open(context.threads)?;
        }
        Ok(learner)
    }

    /// The target that is learned, and how.
    fn target(&self) -> (Target, Setting) {
        match Target::ALL[self.saved.learned.len().min(1)] {
            Target::Safe => (Target::Safe, self.choices.get("setting")),
            Target::Mine => (Target::Mine, Setting::ActiveGreedyMacros),
        }
    }

    /// Whether the target is learned from a pool instead of a server.
    fn is_pooled(&self) -> bool {
        self.choices.has("pool") || !self.target().1.is_active()
    }

    /// Begins a session about the next target.
    fn open(&mut self, threads: NonZero<usize>) -> Result<(), TrainError> {
        if self.is_pooled() {
            return Ok(());
        }
        let (target, setting) = self.target();
        self.saved.session = Some(match &mut self.remote {
            Some(remote) => Session::begin(target, self.source.seed, remote)?,
            None => {
                let mut server = self.source.server(setting.method().reach(), threads);
                let Ok(session) = Session::begin(target, self.source.seed, &mut server);
                session
            }
        });
        Ok(())
    }

    /// Learns a whole target from the pool; nothing when it was stopped.
    fn learn_from_pool(&self, context: &mut Context) -> Option<Induced> {
        let (target, setting) = self.target();
        let share = if self.choices.has("pool") { Share::Whole } else { Share::Sample };
        let (method, threads, stop) = (setting.method(), context.threads, context.stop);
        let tell = |event: SessionEvent<'_>| tell(context, &event);
        learn_from_pool(self.source, target, share, &method, threads, stop, tell)
    }

    /// One round of a session; nothing changes when it is stopped.
    fn round(&mut self, context: &mut Context) -> Result<(), TrainError> {
        let (threads, stop) = (context.threads, context.stop);
        let method = self.target().1.method();
        let session = self.saved.session.as_mut().expect("a session has begun");
        let tell = |event: SessionEvent<'_>| tell(context, &event);
        match &mut self.remote {
            Some(remote) => session.round(remote, &method, threads, stop, tell),
            None => {
                let mut server = self.source.server(method.reach(), threads);
                let Ok(()) = session.round(&mut server, &method, threads, stop, tell);
                Ok(())
            }
        }
    }
}

impl Learner for MioLearner {
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        let induced = if self.is_pooled() {
            self.learn_from_pool(context)
        } else {
            if self.saved.session.is_none() {
                self.open(context.threads)?;
            }
            self.round(context)?;
            let session = self.saved.session.as_ref().expect("a session has begun");
            session.is_over().then(|| Induced::of(session))
        };
        let Some(induced) = induced else {
            return Ok(if context.is_stopped() { Step::Going } else { Step::Mark });
        };
        let rounds = self.saved.before.rounds + Session::ROUNDS;
        if let Some(session) = self.saved.session.take() {
            self.saved.before = self.saved.before.with(&session, &self.target().1.method());
        }
        self.saved.before.rounds = rounds;
        self.saved.learned.push(induced);
        Ok(if self.saved.learned.len() == Target::ALL.len() { Step::Over } else { Step::Mark })
    }

    fn progress(&self) -> Progress {
        let method = self.target().1.method();
        let standing = match &self.saved.session {
            Some(session) => self.saved.before.with(session, &method),
            None => self.saved.before,
        };
        let total = Session::ROUNDS * Target::ALL.len() as u64;
        let progress = Progress::new(standing.rounds, total, "rounds");
        if standing.examples == 0 {
            return progress;
        }
        progress
            .with("covered", standing.covered as f64, Unit::Count)
            .with("examples", standing.examples as f64, Unit::Count)
            .with("rules", standing.rules as f64, Unit::Count)
            .with("clauses", standing.clauses as f64, Unit::Count)
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&self.saved)
    }

    fn finish(&self, context: &mut Context) -> Result<Made, TrainError> {
        let mut origin = vec![
            format!("setting: {}", self.choices.get::<Setting>("setting")),
            format!("seed: {}", self.source.seed),
            format!("labels: {}", self.source.labels.name()),
        ];
        for (target, induced) in Target::ALL.iter().zip(&self.saved.learned) {
            let Induced { clauses, effort, examples: [positive, other], rounds } = induced;
            origin.push(format!(
                "{}: {} rules from {positive} + {other} examples in {rounds} rounds; {} searches, \
                 {}",
                target.name(),
                clauses.len(),
                effort.searches,
                cost(effort),
            ));
        }
        let rules = self.saved.learned.iter().flat_map(|induced| induced.clauses.clone());
        Ok(made(rules.collect(), origin, &self.choices, context.threads))
    }
}

/// A theory that is learned beyond the paper.
struct BeyondLearner {
    choices: Choices,
    plan: BeyondPlan,
    progress: BeyondProgress,
}

impl BeyondLearner {
    fn begin(choices: Choices, saved: Option<&[u8]>) -> Result<Self, TrainError> {
        let plan = BeyondPlan {
            rules: paper::rules(),
            at: FirstClick::Random,
            seed: choices.get("seed"),
            first: 1000,
            rounds: choices.get("rounds"),
            games: 1000,
            positions: 40,
            tests: 4000,
        };
        let progress = saved.map(unpack).transpose()?.unwrap_or_else(|| plan.begin());
        Ok(Self { choices, plan, progress })
    }
}

impl Learner for BeyondLearner {
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        let (threads, stop) = (context.threads, context.stop);
        self.plan.round(&mut self.progress, threads, stop, |news| match news {
            News::Learned(gain, effort) => context.note(learned(gain, &effort)),
            News::Refuted(clause) => context.note(format_args!("refuted: {}", one_line(clause))),
            News::Round(progress) => {
                let seen = progress.seen.last().map_or(String::new(), |(unneeded, wrong)| {
                    format!(
                        ", {unneeded:.3} unneeded guesses and {wrong:.3} wrong moves a game before"
                    )
                });
                let BeyondProgress { round, rules, examples, .. } = progress;
                let (rules, examples) = (rules.len(), examples.len());
                context
                    .note(format_args!("round {round}: {rules} rules, {examples} examples{seen}"));
            }
        });
        Ok(match self.plan.is_over(&self.progress) {
            true => Step::Over,
            false if context.is_stopped() => Step::Going,
            false => Step::Mark,
        })
    }

    fn progress(&self) -> Progress {
        let round = self.progress.round;
        let progress = Progress::new(round, self.plan.rounds.max(round), "rounds");
        match self.progress.seen.last() {
            Some(&(unneeded, wrong)) => {
                progress.with("unneeded", unneeded, Unit::Plain).with("wrong", wrong, Unit::Plain)
            }
            None => progress,
        }
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&self.progress)
    }

    fn finish(&self, context: &mut Context) -> Result<Made, TrainError> {
        let BeyondProgress { round, seen, effort, .. } = &self.progress;
        let seen: Vec<String> = seen.iter().map(|(unneeded, _)| format!("{unneeded:.3}")).collect();
        let origin = vec![
            "setting: beyond the paper".to_owned(),
            format!("seed: {}", self.plan.seed),
            format!("rounds: {round} of {} games", self.plan.games),
            format!("unneeded guesses a game, round by round: {}", seen.join(" ")),
            format!("searches: {}, {}", effort.searches, cost(effort)),
        ];
        let rules = self.plan.finish(&self.progress, context.threads);
        Ok(made(rules, origin, &self.choices, context.threads))
    }
}

fn cost(effort: &Effort) -> String {
    let (mean, limited) = (effort.mean(), 100.0 * effort.limited_share());
    format!("{mean:.0} clauses each, {limited:.0} % at the limit")
}

/// The theory, with each rule in plain language and on a board.
fn made(
    rules: Vec<Clause>,
    about: Vec<String>,
    choices: &Choices,
    threads: NonZero<usize>,
) -> Made {
    let mut origin = vec!["deminer theory 1".to_owned()];
    origin.extend(about);
    origin.push(format!("command: {}", choices.command));
    let theory = Theory { origin, rules };
    let artifact = theory.to_string();
    let mut report = artifact.clone();
    let pictures = on_boards(&theory.rules, &source(choices).sampler(), threads);
    for ((name, clause), picture) in theory.named().zip(pictures) {
        report += &format!("\n{name}: {}\n", plainly(clause));
        if let Some(picture) = picture {
            report += &format!("\n{picture}");
        }
    }
    Made { artifact: artifact.into_bytes(), report, ..Made::default() }
}

/// Notes what happens in a session.
fn tell(context: &mut Context, event: &SessionEvent<'_>) {
    match event {
        SessionEvent::Learned(gain, effort) => context.note(learned(gain, effort)),
        SessionEvent::Judged(clause, record, stands) => context.note(format_args!(
            "{}, {} right and {} wrong: {}",
            if *stands { "stands" } else { "falls" },
            record.right,
            record.wrong,
            one_line(clause)
        )),
        SessionEvent::Round(session) => context.note(format_args!(
            "round {} about {}: {} rules, {} examples, {:.0} clauses a search",
            session.round,
            session.target.name(),
            session.rules.len(),
            session.examples.len(),
            session.effort.mean()
        )),
    }
}

fn learned(gain: &Gain, effort: &Effort) -> String {
    let (wanted, mean) = (gain.wanted, effort.mean());
    format!("{wanted} more examples, {mean:.0} clauses a search: {}", one_line(&gain.clause))
}

fn one_line(clause: &Clause) -> String {
    clause.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
