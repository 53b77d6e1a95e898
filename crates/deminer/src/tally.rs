//! Sums over finished games, and two players compared on the same games.

use deminer_game::{Match, Outcome};

use crate::stats::{self, Interval};

/// What a finished game adds to a tally.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FinishedGame {
    /// How it ended.
    pub outcome: Outcome,
    /// Its weight in the win rate; none in plain play, where a win counts 1.
    pub weight: Option<f64>,
    /// Opening moves survived after the first click.
    pub survived: u32,
    /// Actions, flags and non-moves included.
    pub actions: u32,
    /// Guesses.
    pub guesses: u32,
    /// Safe cells opened.
    pub opened: u32,
    /// Unneeded guesses where they were judged: using everything known, and the clues alone.
    pub unneeded: Option<[u32; 2]>,
    /// CPU time of the whole game, in nanoseconds.
    pub nanos: u64,
}

impl FinishedGame {
    /// A match that is over, played plainly.
    ///
    /// # Panics
    /// If the match is not over.
    pub fn of(game: &Match, guesses: u32, nanos: u64) -> Self {
        Self {
            outcome: game.outcome().expect("a match without a next decision is over"),
            weight: None,
            survived: game.survived() as u32,
            actions: game.actions() as u32,
            guesses,
            opened: game.board().view().opened().len() as u32,
            unneeded: None,
            nanos,
        }
    }
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
    /// Adds the next game.
    pub fn add(&mut self, row: &FinishedGame) {
        self.outcomes.push(row.outcome);
        if let Some(weight) = row.weight {
            self.weights.push(weight);
            self.sum += (weight * WHOLE) as u128;
            self.squares += weight * weight;
        }
        self.ended[row.outcome as usize] += 1;
        for (survivors, moves) in self.survivors.iter_mut().zip(SURVIVAL_MOVES) {
            let survived = row.outcome == Outcome::Won || row.survived >= moves;
            *survivors += u64::from(survived);
        }
        self.actions += u64::from(row.actions);
        self.guesses += u64::from(row.guesses);
        self.opened += u64::from(row.opened);
        if let Some([known, by_clues]) = row.unneeded {
            self.unneeded[0] += u64::from(known);
            self.unneeded[1] += u64::from(by_clues);
            self.judged += 1;
        }
        self.nanos += row.nanos;
    }

    /// Adds the games of another tally after these.
    pub fn append(&mut self, other: Tally) {
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
    pub fn weight(&self, game: usize) -> f64 {
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
