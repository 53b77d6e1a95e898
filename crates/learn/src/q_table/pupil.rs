//! The pupil: plays, and learns what its steps were worth.

use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{
    Agent, At, Decision, GameSeed, Match, Outcome, Purpose, Rng, Rules, Size, View,
};

use super::table::{Key, MOST_CELLS, Table};

/// What a step is paid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    /// A cell opened, the game going on.
    pub safe: f32,
    /// The last one.
    pub won: f32,
    /// A mine.
    pub mine: f32,
}

/// How a table is learned.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// The rules of the games.
    pub rules: Rules,
    /// Where the first click goes.
    pub at: At,
    /// The seed of the games, and of all that is tried.
    pub seed: u64,
    /// How many games are played.
    pub games: u64,
    /// What steps are paid.
    pub rewards: Rewards,
    /// How much the next step counts beside what a step is paid.
    pub discount: f32,
    /// How often anything is tried at the start; it falls to a tenth of that.
    pub curiosity: f64,
    /// How much of a difference is learned at the start; it falls to a tenth of that.
    pub rate: f32,
}

impl Lessons {
    /// Whether boards of this size have tables.
    pub fn fits(size: Size) -> bool {
        size.width * size.height <= MOST_CELLS
    }

    /// Plays and learns; nothing if it is stopped. `see` is told how far it is, after every
    /// thousand games and at the end.
    ///
    /// # Panics
    /// If boards of this size have no tables.
    pub fn learn(&self, stop: &AtomicBool, mut see: impl FnMut(&Standing)) -> Option<Table> {
        let rng = GameSeed { seed: self.seed, game: 0 }.rng(Purpose::Lab);
        let table = Table::new(self.rules.size());
        let mut pupil = Pupil { table, path: Vec::new(), curiosity: 0.0, rng };
        let seed = |game| GameSeed { seed: self.seed, game };
        let mut played = Match::new(self.rules.clone(), self.at, seed(0));
        let mut won = 0;
        for game in 0..self.games {
            if game % SEEN == 0 && stop.load(Ordering::Relaxed) {
                return None;
            }
            let left = 1.0 - 0.9 * game as f64 / self.games as f64;
            pupil.curiosity = self.curiosity * left;
            played.restart(seed(game));
            let is_won = played.play(&mut pupil) == Outcome::Won;
            pupil.learn(is_won, &self.rewards, self.discount, self.rate * left as f32);
            won += u64::from(is_won);
            let games = game + 1;
            if games % SEEN == 0 || games == self.games {
                see(&Standing { games, won, views: pupil.table.len() });
            }
        }
        Some(pupil.table)
    }
}

/// How far learning is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Games played.
    pub games: u64,
    /// Those won, with all that was tried in them.
    pub won: u64,
    /// Views met.
    pub views: usize,
}

/// Games from look to look.
const SEEN: u64 = 1000;

struct Pupil {
    table: Table,
    /// The views of this game, and what was opened in each, by its place in the row.
    path: Vec<(Key, usize)>,
    curiosity: f64,
    rng: Rng,
}

impl Pupil {
    /// Learns from the game just played, from its end to its start.
    fn learn(&mut self, won: bool, rewards: &Rewards, discount: f32, rate: f32) {
        let mut worth = if won { rewards.won } else { rewards.mine };
        for (key, place) in self.path.drain(..).rev() {
            let row = self.table.row(key);
            row.visits += 1;
            row.values[place] += rate * (worth - row.values[place]);
            worth = rewards.safe + discount * row.best();
        }
    }
}

impl Agent for Pupil {
    fn begin(&mut self, _: &Rules) {
        self.path.clear();
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        let place = self.table.place(view);
        let tries = self.rng.unit() < self.curiosity;
        let row = self.table.row(place.key);
        let best = row.best();
        let places: Vec<usize> = (row.values.iter().enumerate())
            .filter(|(_, value)| if tries { !value.is_nan() } else { **value == best })
            .map(|(at, _)| at)
            .collect();
        let &at = self.rng.pick(&places).expect("a game goes on while cells are covered");
        self.path.push((place.key, at));
        Decision::blind(self.table.cells(place, view).nth(at).expect("a row has all cells"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lessons(games: u64) -> Lessons {
        Lessons {
            rules: Rules::of("3x2x1".parse().unwrap()).unwrap(),
            at: At::Corner,
            seed: 1,
            games,
            rewards: Rewards { safe: 0.0, won: 1.0, mine: 0.0 },
            discount: 1.0,
            curiosity: 0.5,
            rate: 0.05,
        }
    }

    #[test]
    fn it_learns_how_often_a_view_leads_to_a_win() {
        let never = AtomicBool::new(false);
        let table = lessons(20_000).learn(&never, |_| ()).unwrap();
        // One of the two in the middle is the mine: whatever is opened first, half of the games
        // are won.
        let view: View = "mines 1\n1 # #\n1 # #".parse().unwrap();
        let values = table.values(&view).unwrap();
        let best = values.iter().map(|(_, value)| *value).fold(0.0, f32::max);
        assert!((0.4..0.6).contains(&best), "{values:?}");
        let again = lessons(20_000).learn(&never, |_| ()).unwrap();
        assert_eq!(again.values(&view), Some(values));
    }

    #[test]
    fn it_stops_when_told() {
        assert!(lessons(10).learn(&AtomicBool::new(true), |_| ()).is_none());
    }
}
