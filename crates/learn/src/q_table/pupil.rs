//! The learner: plays games and updates the values of its moves.

use deminer_game::{
    Agent, Decision, FirstClick, GameSeed, Match, Outcome, Purpose, Rng, Rules, View,
};

use serde::{Deserialize, Serialize};

use super::table::{Key, Row, Table};

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
pub struct QTablePlan {
    /// The rules of the games.
    pub rules: Rules,
    /// Where the first click goes.
    pub at: FirstClick,
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

/// How far learning is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Standing {
    /// Games played.
    pub games: u64,
    /// Those won, with all that was tried in them.
    pub won: u64,
    /// Views met.
    pub views: usize,
}

/// A table that is learned by playing.
pub struct Pupil {
    plan: QTablePlan,
    standing: Standing,
    table: Table,
    /// The views of this game, and what was opened in each, by its place in the row.
    path: Vec<(Key, usize)>,
    curiosity: f64,
    rng: Rng,
}

/// Where learning stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PupilState {
    standing: Standing,
    rng: [u64; 4],
    /// Views, how often each was met, and the values of their covered cells.
    rows: Vec<(Key, u32, Vec<f32>)>,
}

impl Pupil {
    /// A pupil that knows nothing.
    ///
    /// # Panics
    /// If boards of this size have no tables.
    pub fn new(plan: QTablePlan) -> Self {
        let rng = GameSeed { seed: plan.seed, game: 0 }.rng(Purpose::Lab);
        let table = Table::new(plan.rules.size());
        let standing = Standing::default();
        Self { plan, standing, table, path: Vec::new(), curiosity: 0.0, rng }
    }

    /// A pupil that continues.
    ///
    /// # Panics
    /// If boards of this size have no tables.
    pub fn resume(plan: QTablePlan, state: PupilState) -> Self {
        let mut pupil = Self::new(plan);
        pupil.standing = state.standing;
        pupil.rng = Rng::resume(state.rng);
        for (key, visits, known) in state.rows {
            let row = pupil.table.row(key);
            row.visits = visits;
            let covered = row.values.iter_mut().filter(|value| !value.is_nan());
            covered.zip(known).for_each(|(value, known)| *value = known);
        }
        pupil
    }

    /// Where learning stands.
    pub fn state(&self) -> PupilState {
        let known =
            |row: &Row| row.values.iter().copied().filter(|value| !value.is_nan()).collect();
        let rows = self.table.rows.iter().map(|(&key, row)| (key, row.visits, known(row)));
        PupilState { standing: self.standing, rng: self.rng.state(), rows: rows.collect() }
    }

    /// How far learning is.
    pub fn standing(&self) -> Standing {
        Standing { views: self.table.len(), ..self.standing }
    }

    /// What was learned so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Plays this many games, or those that are left, and learns from them.
    pub fn learn(&mut self, games: u64) {
        let plan = self.plan.clone();
        let seed = |game| GameSeed { seed: plan.seed, game };
        let from = self.standing.games;
        let to = from.saturating_add(games).min(plan.games);
        let mut played = Match::new(plan.rules.clone(), plan.at, seed(from));
        for game in from..to {
            let left = 1.0 - 0.9 * game as f64 / plan.games as f64;
            self.curiosity = plan.curiosity * left;
            played.restart(seed(game));
            let is_won = played.play(self) == Outcome::Won;
            self.learn_from_game(is_won, &plan, plan.rate * left as f32);
            self.standing.won += u64::from(is_won);
        }
        self.standing.games = to;
    }

    /// Learns from the game just played, from its end to its start.
    fn learn_from_game(&mut self, won: bool, plan: &QTablePlan, rate: f32) {
        let rewards = &plan.rewards;
        let mut worth = if won { rewards.won } else { rewards.mine };
        for (key, place) in self.path.drain(..).rev() {
            let row = self.table.row(key);
            row.visits += 1;
            row.values[place] += rate * (worth - row.values[place]);
            worth = rewards.safe + plan.discount * row.best();
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

    fn plan(games: u64) -> QTablePlan {
        QTablePlan {
            rules: Rules::of("3x2x1".parse().unwrap()).unwrap(),
            at: FirstClick::Corner,
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
        let mut pupil = Pupil::new(plan(20_000));
        pupil.learn(u64::MAX);
        // One of the two in the middle is the mine: whatever is opened first, half of the games
        // are won.
        let view: View = "mines 1\n1 # #\n1 # #".parse().unwrap();
        let values = pupil.table().values(&view).unwrap();
        let best = values.iter().map(|(_, value)| *value).fold(0.0, f32::max);
        assert!((0.4..0.6).contains(&best), "{values:?}");
        let mut again = Pupil::new(plan(20_000));
        again.learn(7_000);
        let mut again = Pupil::resume(plan(20_000), again.state());
        again.learn(u64::MAX);
        assert_eq!(again.table().values(&view), Some(values));
    }
}
