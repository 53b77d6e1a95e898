//! Tournaments: agents play the same seeds on several threads. The results do not depend on the
//! number of threads.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use deminer_game::{Agent, BuildError, Cell, Face, FirstClick, GameSeed, Match, Outcome, Rules};

use thiserror::Error;

use crate::measure::{Measure, Measurements, Watcher};
use crate::stats::{self, Interval};
use crate::weighted::{WeighError, Weigher};
use deminer::roster::Spec;
pub use deminer_formats::wire::Estimator;

/// Agents, rules and seeds: everything that determines the results of a tournament.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The agents.
    pub agents: Vec<Spec>,
    /// The rules.
    pub rules: Rules,
    /// Where the first click goes.
    pub at: FirstClick,
    /// The seed of the run.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
    /// How the win rate is estimated.
    pub estimator: Estimator,
    /// What else is measured; nothing in weighted games.
    pub measures: Vec<Measure>,
}

/// A tournament cannot be played.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RunError {
    /// An agent could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The weight of a game could not be computed.
    #[error(transparent)]
    Weigh(#[from] WeighError),
}

/// One finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// How it ended.
    pub outcome: Outcome,
    /// Its weight in the win rate; in plain play 1 for a win and 0 otherwise.
    pub weight: f64,
    /// Opening moves survived after the first click.
    pub survived: u32,
    /// Actions, flags and non-moves included.
    pub actions: u32,
    /// Guesses according to the exact engine, if unneeded guesses are measured and it could judge
    /// all moves; otherwise the moves that the agent considered guesses.
    pub guesses: u32,
    /// Safe cells opened.
    pub opened: u32,
    /// Flags on mines at the end.
    pub flags: u32,
    /// Flags elsewhere at the end.
    pub wrong_flags: u32,
    /// The other measures.
    pub measured: Measurements,
    /// CPU time of the whole game, in nanoseconds.
    pub nanos: u64,
}

impl GameRow {
    /// The row of a finished match, without guesses, measures and time.
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
            measured: Measurements::default(),
            nanos: 0,
        }
    }
}

/// A random seed, short enough to type.
pub fn any_seed() -> u64 {
    RandomState::new().hash_one("seed") % 1_000_000
}

/// Plays the game of one seed and measures it.
pub fn play_game(
    game: &mut Match,
    agent: &mut dyn Agent,
    seed: GameSeed,
    watcher: &mut Watcher,
) -> GameRow {
    let (start, mut watching) = (ThreadTime::now(), Duration::ZERO);
    game.restart(seed);
    watcher.begin(game.board().view().rules());
    let mut guesses = 0;
    while let Some((by, decision)) = game.ask(agent) {
        guesses += u32::from(decision.why.is_guess());
        if !watcher.is_idle() {
            timed(&mut watching, || watcher.see(game.board().view(), by, &decision));
        }
        let effect = game.carry_out(&decision);
        if !watcher.is_idle() {
            timed(&mut watching, || watcher.saw(game.board().view(), &decision, effect));
        }
    }
    let nanos = start.elapsed().saturating_sub(watching).as_nanos() as u64;
    let guesses = watcher.guesses().unwrap_or(guesses);
    GameRow { guesses, measured: watcher.finish(), nanos, ..GameRow::of(game) }
}

/// CPU time of this thread in microseconds: the clock of recorded games.
pub fn thread_micros() -> u64 {
    ThreadTime::now().as_duration().as_micros() as u64
}

/// Does something and adds its CPU time.
fn timed(time: &mut Duration, act: impl FnOnce()) {
    let start = ThreadTime::now();
    act();
    *time += start.elapsed();
}

/// A weight of 1 in units of 2⁻⁶⁴.
const WHOLE: f64 = 18_446_744_073_709_551_616.0;

/// The survival statistics count games that survived this many moves.
pub const SURVIVAL_MOVES: [u32; 3] = [1, 3, 5];

/// Sums over the finished games of one agent.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The outcome of each game, in the order of the games.
    pub outcomes: Vec<Outcome>,
    /// The weight of each game; empty in plain play, where it follows from the outcome.
    pub weights: Vec<f64>,
    /// The sum of the weights in units of 2⁻⁶⁴. The sum of integers does not depend on their
    /// order, so a rate does not depend on how the games were distributed.
    sum: u128,
    /// The sum of their squares.
    squares: f64,
    /// The number of games with each outcome, in the order of [`Outcome::ALL`].
    ended: [u64; Outcome::ALL.len()],
    /// Games that survived the moves of [`SURVIVAL_MOVES`], or were won sooner.
    pub survivors: [u64; SURVIVAL_MOVES.len()],
    /// Actions of all games.
    pub actions: u64,
    /// Guesses of all games.
    pub guesses: u64,
    /// Safe cells opened in all games.
    pub opened: u64,
    /// Unneeded guesses in the judged games: using everything known, and using the clues alone.
    pub unneeded: [u64; 2],
    /// Games whose guesses were judged.
    pub judged: u64,
    /// CPU time of all games, in nanoseconds.
    pub nanos: u64,
}

impl Tally {
    /// Adds the next games.
    fn add(&mut self, rows: &[GameRow], estimator: Estimator) {
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
    fn append(&mut self, other: Tally) {
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

    /// Number of games with this outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.ended[outcome as usize]
    }

    /// The weight of a game in the win rate.
    pub(crate) fn weight(&self, game: usize) -> f64 {
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

    /// A quick standard error of the win rate, for progress only.
    pub fn standard_error(&self) -> f64 {
        let (games, rate) = (self.games() as f64, self.rate());
        // In plain play weights are 0 or 1, so they equal their squares.
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

/// The results of a tournament.
#[derive(Clone, Debug)]
pub struct Results {
    /// One tally for each agent, all over the same games.
    pub tallies: Vec<Tally>,
    /// Whether every game was played; false after an interruption.
    pub complete: bool,
}

/// Games given to a thread at a time. All agents play them, so finished games are always paired.
const BATCH: u64 = 64;

/// Cuts games into batches, in order.
pub(crate) fn batches(games: Range<u64>) -> impl Iterator<Item = Range<u64>> + Send {
    pieces(games, BATCH)
}

/// Cuts games into pieces of a size, in order.
pub(crate) fn pieces(games: Range<u64>, size: u64) -> impl Iterator<Item = Range<u64>> + Send {
    let end = games.end;
    games.step_by(size as usize).map(move |start| start..end.min(start + size))
}

/// Finished games.
pub(crate) struct Batch {
    /// Which ones.
    pub games: Range<u64>,
    /// For each agent, its rows in the order of the games.
    pub rows: Vec<Vec<GameRow>>,
}

/// Adds games to the tally of each agent.
pub(crate) fn add_all(tallies: &mut [Tally], rows: &[Vec<GameRow>], estimator: Estimator) {
    tallies.iter_mut().zip(rows).for_each(|(tally, rows)| tally.add(rows, estimator));
}

impl Tournament {
    /// Games from the first one on that begin in the corner and are counted as they end.
    pub fn plain(agents: Vec<Spec>, rules: Rules, seed: u64, games: u64) -> Self {
        let (at, estimator, measures) = (FirstClick::Corner, Estimator::Plain, Vec::new());
        Self { agents, rules, at, seed, games: 0..games, estimator, measures }
    }

    /// Plays all games. After each batch `progress` gets the tallies so far, in no fixed order of
    /// games. `stop` ends the tournament early; the results then have the games finished so far.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        mut progress: impl FnMut(&[Tally]),
    ) -> Result<Results, RunError> {
        let none = vec![Tally::default(); self.agents.len()];
        let (mut totals, mut finished) = (none.clone(), Vec::new());
        self.play(threads, stop, batches(self.games.clone()), |batch| {
            add_all(&mut totals, &batch.rows, self.estimator);
            progress(&totals);
            let mut tallies = none.clone();
            add_all(&mut tallies, &batch.rows, self.estimator);
            finished.push((batch.games.start, tallies));
            Ok::<(), RunError>(())
        })?;
        finished.sort_by_key(|&(start, _)| start);
        let mut tallies = none;
        for (_, batch) in finished {
            for (tally, part) in tallies.iter_mut().zip(batch) {
                tally.append(part);
            }
        }
        let games = self.games.end.saturating_sub(self.games.start);
        let complete = tallies.iter().all(|tally| tally.games() == games);
        Ok(Results { tallies, complete })
    }

    /// Plays batches of games; a free thread takes the next one. The calling thread passes each
    /// finished batch to `done`, in the order in which they finish. An error of `done` or `stop`
    /// ends the play.
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
        // Room for some milliseconds of play, because `done` may write files. If `done` is slower,
        // the threads wait, so that a kill loses few finished games.
        let (sender, receiver) = mpsc::sync_channel(32 * threads.get());
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                let (sender, batches) = (sender.clone(), &batches);
                scope.spawn(move || {
                    let mut worker = None;
                    while !stop.load(Ordering::Relaxed) {
                        let next = batches.lock().expect("batches are taken without panics").next();
                        let Some(games) = next else { break };
                        let worker = worker.get_or_insert_with(|| Worker::new(self));
                        if sender.send(worker.play(games)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Dropping the receiver stops the threads.
            for batch in receiver {
                done(batch.map_err(RunError::from)?)?;
            }
            Ok(())
        })
    }
}

/// The agents and the board of one thread.
struct Worker<'a> {
    tournament: &'a Tournament,
    agents: Vec<Box<dyn Agent>>,
    game: Match,
    weigher: Weigher,
    watcher: Watcher,
}

impl<'a> Worker<'a> {
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
    use deminer::roster::agent;

    use super::*;
    use crate::totals::Totals;

    fn tournament(board: &str, games: Range<u64>) -> Tournament {
        let agents = ["random", "single-point"].map(|name| agent(name).unwrap()).to_vec();
        let rules = Rules::of(board.parse().unwrap()).unwrap();
        Tournament { games, ..Tournament::plain(agents, rules, 1, 0) }
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
        let tournament = tournament("beginner", 0..2000);
        let results = run(&tournament, 2);
        let [pair] = &Totals::of(&tournament, &results).paired[..] else { panic!("one pair") };
        let [random, single] = &results.tallies[..] else { panic!("two agents") };
        assert!((pair.difference - (single.rate() - random.rate())).abs() < 1e-12);
        assert!(pair.low > 0.1 && pair.p_value.unwrap() < 1e-9, "{pair:?}");
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
            let game = Match::new(rules.clone(), FirstClick::Random, GameSeed { seed: 9, game });
            let mut views = Vec::new();
            let record = deminer::play::record_game(
                &agent("single-point:flag").unwrap(),
                game,
                |_, board| {
                    views.push(board.view().clone());
                },
            );
            let mut again = Vec::new();
            let record = record.unwrap();
            record.replay(|_, _, board| again.push(board.view().clone())).unwrap();
            assert_eq!(views, again);
            assert_eq!(views.len(), record.moves.len());
        }
    }

    #[test]
    fn no_games_are_no_results_and_no_crash() {
        let tournament = tournament("beginner", 0..0);
        let results = run(&tournament, 3);
        assert_eq!((results.complete, results.tallies[0].games()), (true, 0));
        assert_eq!(Totals::of(&tournament, &results).paired[0].p_value, Some(1.0));
    }
}
