//! Tournaments: agents on the same seeds, on all cores, with the same results for any number
//! of threads.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::ops::Range;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use deminer_game::{
    Agent, At, Board, BuildError, Cell, Face, GameSeed, Help, Layout, Match, Move, Outcome, Record,
    Rules, Turn,
};

use thiserror::Error;

use crate::measure::{Measure, Measured, Watcher};
use crate::roster::Spec;
use crate::stats::{self, Interval};
use crate::weighted::{WeighError, Weigher};

/// Agents, rules and seeds: all that decides a tournament's results.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who plays.
    pub agents: Vec<Spec>,
    /// By which rules.
    pub rules: Rules,
    /// Where the first click goes.
    pub at: At,
    /// The run's seed.
    pub seed: u64,
    /// Which games of the run are played.
    pub games: Range<u64>,
    /// How the win rate is found.
    pub estimator: Estimator,
    /// What is measured beyond it; nothing in weighted games.
    pub measures: Vec<Measure>,
}

/// How a win rate is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Estimator {
    /// Games won of games played.
    #[default]
    Plain,
    /// The mean weight of games that go on after a mine; see [`weighted`](crate::weighted).
    Weighted,
}

impl Estimator {
    /// Every estimator.
    pub const ALL: [Estimator; 2] = [Estimator::Plain, Estimator::Weighted];

    /// The word for it in flags and files.
    pub const fn name(self) -> &'static str {
        match self {
            Estimator::Plain => "plain",
            Estimator::Weighted => "weighted",
        }
    }
}

/// The text names no [`Estimator`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not an estimator (use plain or weighted)")]
pub struct ParseEstimatorError(String);

impl FromStr for Estimator {
    type Err = ParseEstimatorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Estimator::ALL
            .into_iter()
            .find(|estimator| estimator.name() == text)
            .ok_or_else(|| ParseEstimatorError(text.to_owned()))
    }
}

/// A tournament cannot be played.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RunError {
    /// An agent could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A game could not be weighed.
    #[error(transparent)]
    Weigh(#[from] WeighError),
}

/// One finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// How it ended.
    pub outcome: Outcome,
    /// What it counts for in the win rate: 1 for a win and 0 for anything else in plain play.
    pub weight: f64,
    /// Opening moves survived after the free first one.
    pub survived: u32,
    /// Actions, flags and non-moves included.
    pub actions: u32,
    /// Openings that could have hit a mine, by the exact engine, where unneeded guesses are
    /// measured and it could judge them; elsewhere the moves that the agent itself took for guesses.
    pub guesses: u32,
    /// Safe cells opened.
    pub opened: u32,
    /// Flags on mines at the end.
    pub flags: u32,
    /// Flags elsewhere at the end.
    pub wrong_flags: u32,
    /// What was measured beyond that.
    pub measured: Measured,
    /// CPU time of the whole game, in nanoseconds.
    pub nanos: u64,
}

impl GameRow {
    /// What a finished match itself tells.
    pub(crate) fn of(game: &Match) -> Self {
        let outcome = game.outcome().expect("a match without a next decision is over");
        let view = game.board().view();
        let flagged = view.covered().filter(|&cell| view.face(cell) == Face::Flagged);
        let (flags, wrong): (Vec<Cell>, Vec<Cell>) =
            flagged.partition(|&cell| game.board().hides_mine(cell));
        Self {
            outcome,
            weight: f64::from(u8::from(outcome == Outcome::Won)),
            survived: game.survived() as u32,
            actions: game.actions() as u32,
            guesses: 0,
            opened: view.opened().len() as u32,
            flags: flags.len() as u32,
            wrong_flags: wrong.len() as u32,
            measured: Measured::default(),
            nanos: 0,
        }
    }
}

/// A seed that nobody chose, short enough to be told to someone.
pub fn any_seed() -> u64 {
    RandomState::new().hash_one("seed") % 1_000_000
}

/// Plays the board of one seed, watched.
pub fn play_game(
    game: &mut Match,
    agent: &mut dyn Agent,
    seed: GameSeed,
    watcher: &mut Watcher,
) -> GameRow {
    let mut clock = Stopwatch::start();
    game.restart(seed);
    watcher.begin(game.board().view().rules());
    let mut guesses = 0;
    while let Some((by, decision)) = game.ask(agent) {
        guesses += u32::from(decision.why.is_guess());
        if !watcher.is_idle() {
            clock.pause(|| watcher.see(game.board().view(), by, &decision));
        }
        let effect = game.carry_out(&decision);
        if !watcher.is_idle() {
            clock.pause(|| watcher.saw(game.board().view(), &decision, effect));
        }
    }
    let nanos = clock.nanos();
    let guesses = watcher.guesses().unwrap_or(guesses);
    GameRow { guesses, measured: watcher.finish(), nanos, ..GameRow::of(game) }
}

/// CPU time of this thread, but for pauses.
struct Stopwatch {
    since: ThreadTime,
    before: Duration,
}

impl Stopwatch {
    fn start() -> Self {
        Self { since: ThreadTime::now(), before: Duration::ZERO }
    }

    /// Does something that is not timed.
    fn pause(&mut self, aside: impl FnOnce()) {
        self.before += self.since.elapsed();
        aside();
        self.since = ThreadTime::now();
    }

    fn nanos(&self) -> u64 {
        (self.before + self.since.elapsed()).as_nanos() as u64
    }
}

/// Plays one game and keeps its record; `see` is shown each turn on the board after it.
pub fn record_game(
    spec: &Spec,
    mut game: Match,
    mut see: impl FnMut(&Turn, &Board),
) -> Result<Record, BuildError> {
    let mut agent = spec.build()?;
    let mut recorder = Recorder::default();
    while let Some((turn, _)) = recorder.turn(&mut game, agent.as_mut()) {
        see(&turn, game.board());
    }
    Ok(recorder.finish(spec, &game))
}

/// Keeps a match turn by turn, for whoever cannot wait for its end.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    moves: Vec<Move>,
    layout: Option<Layout>,
}

impl Recorder {
    /// Plays one turn and times it, in microseconds of CPU time. None once the match is over.
    pub fn turn(&mut self, game: &mut Match, agent: &mut dyn Agent) -> Option<(Turn, u64)> {
        let start = ThreadTime::now();
        let (by, decision) = game.ask(agent)?;
        let micros = start.elapsed().as_micros() as u64;
        let effect = game.carry_out(&decision);
        let turn = Turn { by, decision, effect };
        if self.layout.is_none() {
            self.layout = game.board().layout().cloned();
        }
        self.moves.push(Move { micros: Some(micros), ..Move::of(&turn) });
        Some((turn, micros))
    }

    /// The record of a match that is over.
    ///
    /// # Panics
    /// If it is not.
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

/// A weight of 1 in the parts that a tally adds up.
const WHOLE: f64 = 18_446_744_073_709_551_616.0;

/// The survival statistics count games that survived this many moves.
pub const SURVIVAL_MOVES: [u32; 3] = [1, 3, 5];

/// What the finished games of one agent add up to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The outcome of each game, in the order of the games.
    pub outcomes: Vec<Outcome>,
    /// The weight of each game; empty in plain play, where the outcome tells it.
    pub weights: Vec<f64>,
    /// The sum of the weights in parts of 2⁻⁶⁴: whole numbers add up to the same in any order,
    /// so a rate does not depend on how the games were shared out.
    sum: u128,
    /// The sum of their squares.
    squares: f64,
    /// How many games ended in each way, in the order of [`Outcome::ALL`].
    ended: [u64; Outcome::ALL.len()],
    /// Games that survived the moves of [`SURVIVAL_MOVES`], or were won sooner.
    pub survivors: [u64; SURVIVAL_MOVES.len()],
    /// Actions of all games.
    pub actions: u64,
    /// Guesses of all games.
    pub guesses: u64,
    /// Safe cells opened in all games.
    pub opened: u64,
    /// Guesses not needed in the games that were judged: by all that is known, and by the clues
    /// alone.
    pub unneeded: [u64; 2],
    /// Games whose guesses were judged.
    pub judged: u64,
    /// CPU time of all games, in nanoseconds.
    pub nanos: u64,
}

impl Tally {
    /// Adds the games that follow those already in.
    pub(crate) fn add(&mut self, rows: &[GameRow], estimator: Estimator) {
        for row in rows {
            self.add_game(row, estimator);
        }
    }

    fn add_game(&mut self, row: &GameRow, estimator: Estimator) {
        self.outcomes.push(row.outcome);
        if estimator == Estimator::Weighted {
            self.weights.push(row.weight);
            self.sum += (row.weight * WHOLE) as u128;
            self.squares += row.weight * row.weight;
        }
        self.ended[row.outcome as usize] += 1;
        for (survivors, moves) in self.survivors.iter_mut().zip(SURVIVAL_MOVES) {
            let survived = row.outcome == Outcome::Won || row.survived >= moves;
            *survivors += u64::from(survived);
        }
        self.actions += u64::from(row.actions);
        self.guesses += u64::from(row.guesses);
        self.opened += u64::from(row.opened);
        if let Some(unneeded) = row.measured.unneeded {
            self.unneeded[0] += u64::from(unneeded.known);
            self.unneeded[1] += u64::from(unneeded.by_clues);
            self.judged += 1;
        }
        self.nanos += row.nanos;
    }

    /// Adds the games of another tally after these.
    pub(crate) fn append(&mut self, other: Tally) {
        self.outcomes.extend(other.outcomes);
        self.weights.extend(other.weights);
        self.sum += other.sum;
        self.squares += other.squares;
        let ended = self.ended.iter_mut().zip(other.ended);
        let survivors = self.survivors.iter_mut().zip(other.survivors);
        let unneeded = self.unneeded.iter_mut().zip(other.unneeded);
        for (sum, more) in ended.chain(survivors).chain(unneeded) {
            *sum += more;
        }
        self.actions += other.actions;
        self.guesses += other.guesses;
        self.opened += other.opened;
        self.judged += other.judged;
        self.nanos += other.nanos;
    }

    /// Games finished.
    pub fn games(&self) -> u64 {
        self.outcomes.len() as u64
    }

    /// Games that ended so.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.ended[outcome as usize]
    }

    /// What a game counts for in the win rate.
    fn weight(&self, game: usize) -> f64 {
        let won = || f64::from(u8::from(self.outcomes[game] == Outcome::Won));
        self.weights.get(game).copied().unwrap_or_else(won)
    }

    /// The win rate: the share of games won, or the mean weight.
    pub fn rate(&self) -> f64 {
        match self.weights.len() {
            0 => self.count(Outcome::Won) as f64 / self.games() as f64,
            games => self.sum as f64 / WHOLE / games as f64,
        }
    }

    /// The interval of the win rate: Wilson's, or a bootstrap over the weights.
    pub fn interval(&self) -> Interval {
        match self.weights.is_empty() {
            true => stats::wilson(self.count(Outcome::Won), self.games()),
            false => stats::bootstrap(&self.weights),
        }
    }

    /// The standard error of the win rate, quickly: for progress, not for results.
    pub fn standard_error(&self) -> f64 {
        let (games, rate) = (self.games() as f64, self.rate());
        // Weights lie between 0 and 1; their squares are kept as a sum.
        let squares = if self.weights.is_empty() { rate } else { self.squares / games };
        ((squares - rate * rate).max(0.0) / games).sqrt()
    }

    /// CPU time of all games in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        self.nanos as f64 / 1e9
    }

    /// Games per second of CPU time.
    pub fn games_per_cpu_second(&self) -> f64 {
        self.games() as f64 / self.cpu_seconds()
    }
}

/// How two agents compare on the same games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// Place of the first agent in the tournament.
    pub first: usize,
    /// Place of the second agent.
    pub second: usize,
    /// Win rate of the second minus that of the first.
    pub difference: f64,
    /// Its paired bootstrap interval.
    pub interval: Interval,
    /// The games that only one of them won; none when games are weighted.
    pub split: Option<Split>,
}

/// Games that only one of two agents won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// Those of the first.
    pub only_first: u64,
    /// Those of the second.
    pub only_second: u64,
    /// McNemar's exact p-value.
    pub p_value: f64,
}

/// What a tournament found.
#[derive(Clone, Debug)]
pub struct Results {
    /// One tally for each agent, all over the same games.
    pub tallies: Vec<Tally>,
    /// Whether every game was played; false after an interruption.
    pub complete: bool,
}

impl Results {
    /// Every two agents compared.
    pub fn pairings(&self) -> Vec<Pairing> {
        let agents = 0..self.tallies.len();
        agents
            .clone()
            .flat_map(|first| (first + 1..agents.end).map(move |second| (first, second)))
            .map(|(first, second)| self.pairing(first, second))
            .collect()
    }

    fn pairing(&self, first: usize, second: usize) -> Pairing {
        let (a, b) = (&self.tallies[first], &self.tallies[second]);
        let games = a.outcomes.len();
        let differences: Vec<f64> =
            (0..games).map(|game| b.weight(game) - a.weight(game)).collect();
        let count = |value: f64| differences.iter().filter(|&&found| found == value).count() as u64;
        let split = a.weights.is_empty().then(|| {
            let (only_first, only_second) = (count(-1.0), count(1.0));
            Split { only_first, only_second, p_value: stats::mcnemar(only_first, only_second) }
        });
        Pairing {
            first,
            second,
            difference: differences.iter().sum::<f64>() / games as f64,
            interval: stats::bootstrap(&differences),
            split,
        }
    }
}

/// Games handed to a thread at a time. All agents play them, so whatever is finished is paired.
const BATCH: u64 = 64;

/// Cuts games into batches, in order.
pub(crate) fn batches(games: Range<u64>) -> impl Iterator<Item = Range<u64>> + Send {
    let end = games.end;
    games.step_by(BATCH as usize).map(move |start| start..end.min(start + BATCH))
}

/// Finished games.
pub(crate) struct Batch {
    /// Which ones.
    pub games: Range<u64>,
    /// For each agent, its rows in the order of the games.
    pub rows: Vec<Vec<GameRow>>,
}

impl Batch {
    /// What each agent's games add up to.
    pub(crate) fn tallies(&self, estimator: Estimator) -> Vec<Tally> {
        let tally = |rows: &Vec<GameRow>| {
            let mut tally = Tally::default();
            tally.add(rows, estimator);
            tally
        };
        self.rows.iter().map(tally).collect()
    }
}

impl Tournament {
    /// Plays all games on so many threads. `progress` sees the tallies so far, in no fixed
    /// order of games, each time a batch is done; `stop` ends the tournament early, with what
    /// is finished by then.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut progress: impl FnMut(&[Tally]),
    ) -> Result<Results, RunError> {
        let mut finished: Vec<(u64, Vec<Tally>)> = Vec::new();
        let mut totals = vec![Tally::default(); self.agents.len()];
        self.play(threads, stop, batches(self.games.clone()), |batch| {
            let tallies = batch.tallies(self.estimator);
            for (total, tally) in totals.iter_mut().zip(&tallies) {
                total.append(tally.clone());
            }
            progress(&totals);
            finished.push((batch.games.start, tallies));
            Ok::<(), RunError>(())
        })?;

        finished.sort_by_key(|&(start, _)| start);
        let mut tallies = vec![Tally::default(); self.agents.len()];
        for (_, batch) in finished {
            for (tally, part) in tallies.iter_mut().zip(batch) {
                tally.append(part);
            }
        }
        let games = self.games.end.saturating_sub(self.games.start);
        let complete = tallies.iter().all(|tally| tally.games() == games);
        Ok(Results { tallies, complete })
    }

    /// Plays all games and gives them: for each agent its games in order.
    pub fn rows(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
    ) -> Result<Vec<Vec<GameRow>>, RunError> {
        let mut finished = Vec::new();
        self.play(threads, stop, batches(self.games.clone()), |batch| {
            finished.push(batch);
            Ok::<(), RunError>(())
        })?;
        finished.sort_by_key(|batch| batch.games.start);
        let mut rows = vec![Vec::new(); self.agents.len()];
        for batch in finished {
            for (all, more) in rows.iter_mut().zip(batch.rows) {
                all.extend(more);
            }
        }
        Ok(rows)
    }

    /// Plays batches of games on so many threads, wherever the batches come from: a thread that
    /// is free takes the next one. `done` sees each finished batch on the calling thread, in the
    /// order they finish, while the others play on; its error ends the play, and so does `stop`.
    pub(crate) fn play<E: From<RunError>>(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        batches: impl Iterator<Item = Range<u64>> + Send,
        mut done: impl FnMut(Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        for spec in &self.agents {
            spec.build().map_err(RunError::from)?;
        }
        let batches = Mutex::new(batches.fuse());
        // Room for some milliseconds of play, since `done` may pause to write. Players wait for a
        // slower one: what is finished should not pile up where a kill would lose it.
        let (sender, receiver) = mpsc::sync_channel(32 * threads.get());
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                let (sender, batches) = (sender.clone(), &batches);
                scope.spawn(move || {
                    let mut table = None;
                    while !stop.load(Ordering::Relaxed) {
                        let next = batches.lock().expect("batches are taken without panics").next();
                        let Some(games) = next else { break };
                        let table = table.get_or_insert_with(|| Table::new(self));
                        if sender.send(table.play(games)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Leaving the loop drops the receiver, and nobody plays on for no one.
            for batch in receiver {
                done(batch.map_err(RunError::from)?)?;
            }
            Ok(())
        })
    }
}

/// One thread's agents and their board.
struct Table<'a> {
    tournament: &'a Tournament,
    agents: Vec<Box<dyn Agent>>,
    game: Match,
    weigher: Weigher,
    watcher: Watcher,
}

impl<'a> Table<'a> {
    fn new(tournament: &'a Tournament) -> Self {
        let build = |spec: &Spec| spec.build().expect("an agent that was built once builds again");
        let seed = GameSeed { seed: tournament.seed, game: tournament.games.start };
        Self {
            tournament,
            agents: tournament.agents.iter().map(build).collect(),
            game: Match::new(tournament.rules.clone(), tournament.at, seed),
            weigher: Weigher::default(),
            watcher: Watcher::new(&tournament.measures),
        }
    }

    fn play(&mut self, games: Range<u64>) -> Result<Batch, WeighError> {
        let Tournament { seed, estimator, .. } = self.tournament;
        let mut rows = Vec::with_capacity(self.agents.len());
        for agent in &mut self.agents {
            let play = |game| {
                let seed = GameSeed { seed: *seed, game };
                match estimator {
                    Estimator::Plain => {
                        Ok(play_game(&mut self.game, agent.as_mut(), seed, &mut self.watcher))
                    }
                    Estimator::Weighted => {
                        self.weigher.play(&mut self.game, agent.as_mut(), seed, |_, _| {})
                    }
                }
            };
            rows.push(games.clone().map(play).collect::<Result<_, _>>()?);
        }
        Ok(Batch { games, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(board: &str, games: Range<u64>) -> Tournament {
        Tournament {
            agents: vec!["random".parse().unwrap(), "single-point".parse().unwrap()],
            rules: Rules::of(board.parse().unwrap()).unwrap(),
            at: At::Corner,
            seed: 1,
            games,
            estimator: Estimator::Plain,
            measures: Vec::new(),
        }
    }

    fn run(tournament: &Tournament, threads: usize) -> Results {
        let threads = NonZero::new(threads).unwrap();
        tournament.run(threads, &AtomicBool::new(false), |_| {}).unwrap()
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let tournament = tournament("beginner", 0..777);
        let outcomes = |threads| {
            let results = run(&tournament, threads);
            assert!(results.complete);
            results
                .tallies
                .into_iter()
                .map(|tally| (tally.outcomes, tally.guesses))
                .collect::<Vec<_>>()
        };
        let one = outcomes(1);
        assert_eq!(one, outcomes(2));
        assert_eq!(one, outcomes(5));
        assert_eq!(one[0].0.len(), 777);
    }

    #[test]
    fn a_run_is_the_sum_of_its_parts() {
        let whole = run(&tournament("8x8x10", 0..300), 2);
        let (head, tail) =
            (run(&tournament("8x8x10", 0..100), 2), run(&tournament("8x8x10", 100..300), 1));
        for agent in 0..2 {
            let parts = [&head, &tail].map(|part| part.tallies[agent].outcomes.clone()).concat();
            assert_eq!(whole.tallies[agent].outcomes, parts);
        }
    }

    #[test]
    fn single_point_beats_random_and_the_pairing_says_so() {
        let results = run(&tournament("beginner", 0..2000), 2);
        let [pairing] = results.pairings()[..] else { panic!("two agents make one pair") };
        let [random, single] = &results.tallies[..] else { panic!("two agents") };
        assert!((pairing.difference - (single.rate() - random.rate())).abs() < 1e-12);
        assert!(pairing.interval.low > 0.1 && pairing.split.unwrap().p_value < 1e-9, "{pairing:?}");
        assert!(random.survivors[0] < single.survivors[0]);
    }

    #[test]
    fn a_stopped_tournament_keeps_what_is_finished() {
        let tournament = tournament("beginner", 0..100_000);
        let stop = AtomicBool::new(false);
        let results = tournament
            .run(NonZero::new(2).unwrap(), &stop, |_| stop.store(true, Ordering::Relaxed))
            .unwrap();
        assert!(!results.complete);
        let games = results.tallies[0].games();
        assert!(games > 0 && games < 100_000 && games == results.tallies[1].games());
    }

    #[test]
    fn a_record_replays_to_the_same_end() {
        let rules = Rules::of("beginner".parse().unwrap()).unwrap();
        for game in 0..50 {
            let game = Match::new(rules.clone(), At::Random, GameSeed { seed: 9, game });
            let mut views = Vec::new();
            let record = record_game(&"single-point:flag".parse().unwrap(), game, |_, board| {
                views.push(board.view().clone());
            });
            let mut again = Vec::new();
            let record = record.unwrap();
            record.replay(|_, _, board| again.push(board.view().clone())).unwrap();
            assert_eq!(views, again);
            assert_eq!(views.len(), record.moves.len());
        }
    }

    #[test]
    fn no_games_are_no_results_and_no_crash() {
        let results = run(&tournament("beginner", 0..0), 3);
        assert_eq!((results.complete, results.tallies[0].games()), (true, 0));
        assert_eq!(results.pairings()[0].split.unwrap().p_value, 1.0);
    }
}
