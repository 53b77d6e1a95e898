//! Active inductive learning: starts with few examples and adds counterexamples to the learned
//! rules.
//!
//! A [`Server`] draws examples and tests rules on them; a [`Session`], its client, learns from
//! what it is sent. They meet in one process here; `deminer train mio --server` puts a socket
//! between them. The server remembers nothing: a round's answer follows from the round and the
//! rules, so a broken connection loses nothing.

use std::convert::Infallible;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{GameSeed, Purpose};
use serde::{Deserialize, Serialize};

use super::background::Reach;
use super::clause::{Clause, Target};
use super::example::{Example, Sampler};
use super::learn::{Effort, Method, Task, learn};
use super::pool::{Bits, Pool};
use super::program::Program;
use super::search::Gain;
use super::situation::Surveyor;

/// Who draws examples and tests rules.
pub trait Server {
    /// Why it may not answer.
    type Error;

    /// The examples to begin with.
    fn begin(&mut self, target: Target, count: usize) -> Result<Vec<Example>, Self::Error>;

    /// Tests rules on this round's examples.
    fn judge(
        &mut self,
        target: Target,
        round: u64,
        rules: &[Clause],
    ) -> Result<Judgment, Self::Error>;
}

/// What a server says of rules.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgment {
    /// What each rule was seen to do.
    pub records: Vec<Record>,
    /// Examples that refute the rules: positive ones that none covers, and others that one does.
    pub counterexamples: Vec<Example>,
}

/// How often a rule was right and wrong. In documents, a pair of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "[u64; 2]", into = "[u64; 2]")]
pub struct Record {
    /// Positive examples that it covers.
    pub right: u64,
    /// Other examples that it covers.
    pub wrong: u64,
}

impl From<[u64; 2]> for Record {
    fn from([right, wrong]: [u64; 2]) -> Self {
        Self { right, wrong }
    }
}

impl From<Record> for [u64; 2] {
    fn from(Record { right, wrong }: Record) -> Self {
        [right, wrong]
    }
}

impl Record {
    /// The share that is right; none where nothing is covered.
    pub fn accuracy(&self) -> Option<f64> {
        let covered = self.right + self.wrong;
        (covered > 0).then(|| self.right as f64 / covered as f64)
    }
}

/// How a server tests rules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// Examples drawn for a round.
    pub sample: usize,
    /// The least share of right answers that a rule may have.
    pub accuracy: f64,
    /// The most counterexamples sent at once.
    pub counterexamples: usize,
}

impl Terms {
    /// Ours: the paper does not say.
    pub const PAPER: Self = Self { sample: 8000, accuracy: 0.99, counterexamples: 10 };
}

/// A server in the same process.
pub struct ExampleServer {
    /// Where examples come from.
    pub sampler: Sampler,
    /// How rules are tested.
    pub terms: Terms,
    /// How far rules look.
    pub reach: Reach,
    /// How many threads test.
    pub threads: NonZero<usize>,
    surveyor: Surveyor,
}

impl ExampleServer {
    /// A server that draws from this sampler.
    pub fn new(sampler: Sampler, terms: Terms, reach: Reach, threads: NonZero<usize>) -> Self {
        Self { sampler, terms, reach, threads, surveyor: Surveyor::default() }
    }
}

impl Server for ExampleServer {
    type Error = Infallible;

    fn begin(&mut self, _: Target, count: usize) -> Result<Vec<Example>, Infallible> {
        let mut examples = self.sampler.draw(0, count, &mut self.surveyor);
        examples.truncate(count);
        Ok(examples)
    }

    fn judge(
        &mut self,
        target: Target,
        round: u64,
        rules: &[Clause],
    ) -> Result<Judgment, Infallible> {
        let mut examples = self.sampler.draw(round, self.terms.sample, &mut self.surveyor);
        examples.truncate(self.terms.sample);
        let mut pool = Pool::new(examples, self.reach, &mut self.surveyor);
        pool.drop_contradictions(target);
        let programs: Vec<Program> = rules.iter().map(Program::new).collect();
        let covers = pool.cover(&programs, self.threads);
        let positives = pool.positives(target);
        let record = |cover: &Bits| {
            let right = cover.common(&positives) as u64;
            Record { right, wrong: cover.count() as u64 - right }
        };
        let records: Vec<Record> = covers.iter().map(record).collect();
        let (mut uncovered, mut refuted) = (positives.clone(), Bits::none(pool.cases().len()));
        for (cover, record) in covers.iter().zip(&records) {
            if record.accuracy().is_some_and(|accuracy| accuracy >= self.terms.accuracy) {
                uncovered.remove(cover);
            }
            refuted.add(cover);
        }
        refuted.remove(&positives);
        // One of each in turn, as long as there are any.
        let (mut missed, mut wrong) = (uncovered.iter(), refuted.iter());
        let mut chosen = Vec::new();
        while chosen.len() < self.terms.counterexamples {
            let pair = [missed.next(), wrong.next()];
            if pair == [None; 2] {
                break;
            }
            chosen.extend(pair.into_iter().flatten());
        }
        chosen.truncate(self.terms.counterexamples);
        let example = |place: usize| pool.cases()[place].example.clone();
        Ok(Judgment { records, counterexamples: chosen.into_iter().map(example).collect() })
    }
}

/// What a client has learned so far: everything needed to go on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Session {
    /// What is learned.
    pub target: Target,
    /// The seed of its random numbers.
    pub seed: u64,
    /// Rounds done.
    pub round: u64,
    /// The examples received.
    pub examples: Vec<Example>,
    /// How many of them have been learned from; the others were sent last.
    pub seen: usize,
    /// The rules that stood every test, with their records.
    pub rules: Vec<(Clause, Record)>,
    /// What the searches cost.
    pub effort: Effort,
    /// Whether the last round found no counterexample.
    pub settled: bool,
}

/// What happens in a session.
#[derive(Debug)]
pub enum Event<'a> {
    /// A clause was learned.
    Learned(&'a Gain, Effort),
    /// The server has judged a rule.
    Judged(&'a Clause, Record, bool),
    /// A round is over.
    Round(&'a Session),
}

impl Session {
    /// The examples that the paper's client begins with; it does not say, this is ours.
    pub const FIRST: usize = 10;
    /// The most rounds.
    pub const ROUNDS: u64 = 40;

    /// A session that has learned nothing yet.
    pub fn begin<S: Server>(target: Target, seed: u64, server: &mut S) -> Result<Self, S::Error> {
        Ok(Self {
            target,
            seed,
            round: 0,
            examples: server.begin(target, Self::FIRST)?,
            seen: 0,
            rules: Vec::new(),
            effort: Effort::default(),
            settled: false,
        })
    }

    /// The rules whose accuracy is established: those that were right often enough for a single
    /// error not to have put them below what is asked.
    pub fn established(&self) -> Vec<Clause> {
        let enough = |record: &Record| {
            record.right as f64 * (1.0 - Terms::PAPER.accuracy) >= Terms::PAPER.accuracy
        };
        let rules = self.rules.iter().filter(|(_, record)| enough(record));
        rules.map(|(clause, _)| clause.clone()).collect()
    }

    /// The examples of which the target holds: how many of them the rules cover, and all.
    pub fn coverage(&self, method: &Method) -> [usize; 2] {
        let pool = Pool::new(self.examples.clone(), method.reach(), &mut Surveyor::default());
        let wanted = pool.positives(self.target);
        let mut left = wanted.clone();
        for (clause, _) in &self.rules {
            left.remove(&pool.covered(&Program::new(clause), &left));
        }
        [wanted.count() - left.count(), wanted.count()]
    }

    /// Whether there is nothing more to do.
    pub fn is_over(&self) -> bool {
        self.settled || self.round >= Self::ROUNDS
    }

    /// One round: learns from the examples sent last, has the rules judged, takes in the
    /// counterexamples. What earlier examples taught is in the rules that stood, and what they
    /// refuted, the server refutes again.
    ///
    /// A round that is stopped, or whose server fails, leaves everything as it was.
    pub fn round<S: Server>(
        &mut self,
        server: &mut S,
        method: &Method,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut tell: impl FnMut(Event<'_>),
    ) -> Result<(), S::Error> {
        let round = self.round + 1;
        let fresh = self.examples[self.seen..].to_vec();
        let mut pool = Pool::new(fresh, method.reach(), &mut Surveyor::default());
        pool.drop_contradictions(self.target);
        let mut rules = self.rules.clone();
        rules.retain(|(clause, _)| !is_refuted(&pool, clause));
        let known: Vec<Clause> = rules.iter().map(|(clause, _)| clause.clone()).collect();
        let mut rng = GameSeed { seed: self.seed, game: round }.rng(Purpose::Lab);
        let report = |gain: &Gain, effort| tell(Event::Learned(gain, effort));
        let (known, given_up) = (&known, &Bits::none(pool.cases().len()));
        let task = Task { pool: &pool, target: self.target, known, given_up, method };
        let learned = learn(task, &mut rng, threads, stop, report);
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        rules.extend(learned.clauses.into_iter().map(|clause| (clause, Record::default())));
        let clauses: Vec<Clause> = rules.iter().map(|(clause, _)| clause.clone()).collect();
        let judgment = server.judge(self.target, round, &clauses)?;
        for ((_, record), seen) in rules.iter_mut().zip(&judgment.records) {
            record.right += seen.right;
            record.wrong += seen.wrong;
        }
        rules.retain(|(clause, record)| {
            let stands =
                record.accuracy().is_some_and(|accuracy| accuracy >= Terms::PAPER.accuracy);
            tell(Event::Judged(clause, *record, stands));
            stands
        });
        self.round = round;
        self.settled = judgment.counterexamples.is_empty();
        self.seen = self.examples.len();
        self.examples.extend(judgment.counterexamples);
        self.rules = rules;
        self.effort.join(learned.effort);
        tell(Event::Round(self));
        Ok(())
    }
}

/// Whether a clause covers an example that it should not.
pub(super) fn is_refuted(pool: &Pool, clause: &Clause) -> bool {
    pool.covered(&Program::new(clause), &pool.negatives(clause.target())).count() > 0
}
