//! Tournaments: agents play the same seeds on several threads. The results do not depend on the
//! number of threads.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use deminer_game::{
    Agent, BuildError, Cell, Face, FirstClick, GameSeed, Match, Outcome, Rules, stop,
};

use thiserror::Error;

use crate::measure::{Measure, Measurements, Watcher};
use crate::weighted::{WeighError, Weigher};
use deminer::roster::Spec;
use deminer::tally::FinishedGame;
pub use deminer::tally::{Results, Tally};
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

/// Adds the next games to a tally.
pub(crate) fn add_rows(tally: &mut Tally, rows: &[GameRow], estimator: Estimator) {
    for row in rows {
        tally.add(&FinishedGame {
            outcome: row.outcome,
            weight: (estimator == Estimator::Weighted).then_some(row.weight),
            survived: row.survived,
            actions: row.actions,
            guesses: row.guesses,
            opened: row.opened,
            unneeded: row.measured.unneeded.map(|guesses| [guesses.known, guesses.by_clues]),
            nanos: row.nanos,
        });
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
    tallies.iter_mut().zip(rows).for_each(|(tally, rows)| add_rows(tally, rows, estimator));
}

impl Tournament {
    /// Games from the first one on that begin in the corner and are counted as they end.
    pub fn plain(agents: Vec<Spec>, rules: Rules, seed: u64, games: u64) -> Self {
        let (at, estimator, measures) = (FirstClick::Corner, Estimator::Plain, Vec::new());
        Self { agents, rules, at, seed, games: 0..games, estimator, measures }
    }

    /// Plays all games. After each batch `progress` gets the tallies so far, in no fixed order of
    /// games. `stop` ends the tournament within one decision; the results then have the batches finished so
    /// far.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        stop: &Arc<AtomicBool>,
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
        stop: &Arc<AtomicBool>,
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
                        let batch = stop::unless(stop, || worker.play(games));
                        // Some of its games may have been cut short.
                        let cut = stop.load(Ordering::Relaxed);
                        if cut || sender.send(batch).is_err() {
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
    use deminer_game::{Decision, Rng, View};

    use super::*;
    use crate::totals::Totals;

    fn tournament(board: &str, games: Range<u64>) -> Tournament {
        let agents = ["random", "single-point"].map(|name| agent(name).unwrap()).to_vec();
        let rules = Rules::of(board.parse().unwrap()).unwrap();
        Tournament { games, ..Tournament::plain(agents, rules, 1, 0) }
    }

    fn run(tournament: &Tournament, threads: usize) -> Results {
        let threads = NonZero::new(threads).unwrap();
        tournament.run(threads, &Arc::default(), |_| {}).unwrap()
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
        let stop = Arc::new(AtomicBool::new(false));
        let results = tournament
            .run(NonZero::new(2).unwrap(), &stop, |_| stop.store(true, Ordering::Relaxed))
            .unwrap();
        assert!(!results.complete);
        let games = results.tallies[0].games();
        assert!(games > 0 && games < 100_000 && games == results.tallies[1].games());
    }

    #[test]
    fn a_tournament_is_stopped_in_the_middle_of_a_decision() {
        struct Thinker(Arc<AtomicBool>);
        impl Agent for Thinker {
            fn decide(&mut self, _: &View, _: &mut Rng) -> Decision {
                self.0.store(true, Ordering::Relaxed);
                while !stop::is_raised() {
                    thread::yield_now();
                }
                Decision::decline()
            }
        }
        let stop = Arc::new(AtomicBool::new(false));
        let thinker = Arc::clone(&stop);
        let spec = Spec::own("thinker", move || Ok(Box::new(Thinker(Arc::clone(&thinker)))));
        let agents = vec![agent("random").unwrap(), spec];
        let tournament = Tournament { agents, ..tournament("beginner", 0..1000) };
        let results = tournament.run(NonZero::<usize>::MIN, &stop, |_| {}).unwrap();
        assert!(!results.complete && results.tallies.iter().all(|tally| tally.games() == 0));
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
