//! `cargo xtask rollouts`: plays close guesses of `best` to the end, to find what its lookahead
//! misjudges.
//!
//! Where two or more cells are nearly as good by the lookahead, each of them is opened in layouts
//! drawn from all that fit, the same for all cells where they are safe, and the game is played on
//! with weights. What one cell wins more than another is explained by what distinguishes them: a
//! linear regression of the differences within a position on those of their traits. A trait that
//! explains something beside the score is what the score lacks. Single games are almost all noise,
//! so two layouts at each of many positions say more than many layouts at few.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, Result, bail, ensure};
use deminer_agents::search::win_estimate::{is_dead, outlook, promise};
use deminer_agents::search::{Judge, Settings};
use deminer_game::{
    Action, Board, Cell, GameSeed, Layout, Purpose, Rng, Rules, Shown, Size, State, View,
};
use deminer_inference::odds::{Engine, Odds};

use crate::survivor::Survivor;

const USAGE: &str = "usage: cargo xtask rollouts [--board BOARD] [--games N] [--from N] \
                     [--seed N] [--cells N] [--within SHARE] [--layouts N] [--rows FILE]";

/// What describes a cell. Those from `P(zero)` on are means over the symbols that it may show.
const TRAITS: [&str; 16] = [
    "log score",
    "log safety",
    "touches no clue",
    "beside walls",
    "covered around",
    "regions around",
    "P(zero)",
    "P(1 safe)",
    "P(2 safe)",
    "P(3-4 safe)",
    "P(5+ safe)",
    "entropy",
    "log promise",
    "log outlook",
    "fringe after",
    "cells decided",
];

/// A cell that was opened, and what was won with it on average.
struct Row {
    traits: [f64; TRAITS.len()],
    won: f64,
}

/// A position with a close guess.
struct Position {
    /// How likely the game came here.
    reached: f64,
    open: usize,
    rows: Vec<Row>,
}

/// Plays games, compares the close guesses in them, and prints what explains the differences.
pub fn run(words: &[&str]) -> Result<()> {
    let (mut size, mut games, mut seed, mut from) = ("30x16x99", 1000, 1, 0);
    let (mut cells, mut within, mut layouts, mut rows) = (3, 0.04, 2, None);
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--board" => size = words.next().context("--board needs a board")?,
            "--games" => games = crate::number(word, words.next(), 1)?,
            "--from" => from = crate::number(word, words.next(), 0)?,
            "--seed" => seed = crate::number(word, words.next(), 0)?,
            "--cells" => cells = crate::number(word, words.next(), 2)? as usize,
            "--layouts" => layouts = crate::number(word, words.next(), 1)? as usize,
            "--within" => {
                let share = words.next().and_then(|word| word.parse().ok());
                within = share.context("--within needs a share")?;
            }
            "--rows" => rows = Some(words.next().context("--rows needs a file")?),
            _ => bail!("`{word}` is not an option\n{USAGE}"),
        }
    }
    ensure!((0.0..1.0).contains(&within), "--within is a share from 0 to 1");
    let rules = Rules::of(size.parse::<Size>().with_context(|| format!("--board {size}"))?)?;
    let first = rules.shape().nth(0).expect("a board has cells");
    let mut player = Survivor::new(&rules, Settings::QUICK);
    let mut lab = Lab::new(rules.clone(), cells, within, layouts);
    let mut positions = Vec::new();
    for game in from..from + games {
        let seed = GameSeed { seed, game };
        let mut guesses = Vec::new();
        player.play(Board::dealt(rules.clone(), seed), first, seed, |before, _, _, survived| {
            guesses.push((before.clone(), survived));
        });
        let mut rng = seed.rng(Purpose::Agent);
        let mut reached = 1.0;
        for (view, survived) in guesses {
            positions.extend(lab.compare(&view, reached, &mut rng));
            reached = survived;
        }
    }
    if let Some(path) = rows {
        write_rows(path, &positions).with_context(|| format!("--rows {path}"))?;
    }
    println!("{size}, seed {seed}, {games} games from {from}");
    let phases = [("all", 0..usize::MAX), ("fewer than 12 open", 0..12), ("12 to 99", 12..100)];
    let late = [("100 to 249", 100..250), ("250 and more", 250..usize::MAX)];
    for (name, open) in phases.into_iter().chain(late) {
        let meant: Vec<&Position> =
            positions.iter().filter(|one| open.contains(&one.open)).collect();
        report(name, &meant, games);
    }
    Ok(())
}

/// Compares cells by playing on.
struct Lab {
    rules: Rules,
    judge: Judge,
    engine: Engine,
    player: Survivor,
    cells: usize,
    within: f64,
    layouts: usize,
}

impl Lab {
    fn new(rules: Rules, cells: usize, within: f64, layouts: usize) -> Self {
        let (judge, engine) = (Judge::new(Settings::QUICK), Engine::default());
        let player = Survivor::new(&rules, Settings::QUICK);
        Self { rules, judge, engine, player, cells, within, layouts }
    }

    /// Compares the best cells of a position, if there are several nearly as good.
    fn compare(&mut self, view: &View, reached: f64, rng: &mut Rng) -> Option<Position> {
        let candidates = self.judge.judge(view, &[], rng).ok()?.moves;
        let candidates: Vec<Cell> = candidates.iter().map(|one| one.cell).collect();
        // Now each of them has a value.
        let moves = self.judge.judge(view, &candidates, rng).ok()?.moves;
        let enough = moves.first()?.win? * (1.0 - self.within);
        let is_close = |win: Option<f64>| win.is_some_and(|win| win >= enough);
        let close: Vec<_> = moves.iter().filter(|one| is_close(one.win)).take(self.cells).collect();
        if close.len() < 2 {
            return None;
        }
        let odds = self.engine.odds(view).ok()?.clone();
        let mut rows = Vec::new();
        for one in &close {
            let score = one.win.expect("close cells have a win");
            rows.push(Row { traits: self.traits(view, &odds, one.cell, score), won: 0.0 });
        }
        for layout in self.engine.samples(view, None, self.layouts, rng).ok()? {
            for (row, one) in rows.iter_mut().zip(&close) {
                let layout = match layout.is_mine(one.cell) {
                    true => self.engine.sample(view, Some(one.cell), rng).ok()?,
                    false => layout.clone(),
                };
                let won = one.safety * self.play(view, layout, one.cell, rng);
                row.won += won / self.layouts as f64;
            }
        }
        Some(Position { reached, open: view.opened().len(), rows })
    }

    /// Opens a safe cell in a layout, and plays on.
    fn play(&mut self, view: &View, layout: Layout, cell: Cell, rng: &mut Rng) -> f64 {
        let mut board = Board::laid(self.rules.clone(), layout, 0).expect("the same rules");
        for &open in view.opened().iter().chain([&cell]) {
            if board.view().face(open).is_covered() && board.state() != State::Won {
                board.act(Action::Open(open));
            }
        }
        self.player.play_on(board, rng, |_, _, _, _| {})
    }

    fn traits(&mut self, view: &View, odds: &Odds, cell: Cell, score: f64) -> [f64; TRAITS.len()] {
        let near = view.shape().neighbors(cell);
        let safety = 1.0 - odds.mine(cell).expect("candidates are covered");
        let is_undecided = |cell: &Cell| odds.mine(*cell).is_some() && odds.fact(*cell).is_none();
        let region = |cell: &Cell| {
            let class = odds.class(*cell);
            odds.regions().iter().position(|region| region.contains(&class))
        };
        let around = near.iter().filter(|cell| is_undecided(cell));
        let mut regions: Vec<usize> = around.clone().filter_map(region).collect();
        regions.sort_unstable();
        regions.dedup();
        let all = odds.log10_layouts().expect("clues are exact") + safety.log10();
        let mut means = [0.0; 10];
        let mut promised = 0.0;
        let mut next = view.clone();
        for number in 0..=8 {
            next.suppose(cell, Shown::Number(number));
            if let Ok(after) = self.engine.odds(&next) {
                let chance = 10f64.powf(after.log10_layouts().expect("clues are exact") - all);
                let fringe = next
                    .covered()
                    .filter(|&cell| after.fact(cell).is_none() && after.class(cell) != Odds::SEA);
                let is_safe = |cell: &Cell| after.mine(*cell) == Some(0.0);
                let safe = next.covered().filter(is_safe);
                let safe = safe.filter(|&cell| !is_dead(&next, after, cell)).count();
                let decided =
                    next.covered().filter(|cell| after.fact(*cell).is_some() && is_undecided(cell));
                let is = |holds: bool| f64::from(u8::from(holds));
                let parts = [
                    is(number == 0),
                    is(safe == 1),
                    is(safe == 2),
                    is((3..=4).contains(&safe)),
                    is(safe > 4),
                    -chance.ln(),
                    0.0,
                    outlook(&next, after).ln(),
                    fringe.count() as f64,
                    (decided.count() as f64).min(10.0),
                ];
                promised += chance * promise(&next, after);
                for (mean, part) in means.iter_mut().zip(parts) {
                    *mean += chance * part;
                }
            }
            next.take_back();
        }
        means[6] = promised.ln();
        let mut traits = [0.0; TRAITS.len()];
        traits[..6].copy_from_slice(&[
            score.ln(),
            safety.ln(),
            f64::from(u8::from(odds.class(cell) == Odds::SEA)),
            (8 - near.len()) as f64,
            around.count() as f64,
            regions.len() as f64,
        ]);
        traits[6..].copy_from_slice(&means);
        traits
    }
}

/// Writes a line for each cell, for other programs.
fn write_rows(path: &str, positions: &[Position]) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "position,reached,open,won,{}", TRAITS.join(","))?;
    for (number, Position { reached, open, rows }) in positions.iter().enumerate() {
        for row in rows {
            write!(file, "{number},{reached:.5},{open},{:.5}", row.won)?;
            row.traits.iter().try_for_each(|value| write!(file, ",{value:.5}"))?;
            writeln!(file)?;
        }
    }
    Ok(file.flush()?)
}

/// Prints how many points a standard deviation of each trait is worth beside the score, and beside
/// all traits.
fn report(name: &str, positions: &[&Position], games: u64) {
    let weight: f64 = positions.iter().map(|one| one.reached).sum();
    let count = positions.len();
    println!("\n{name}: {count} positions, {:.2} a game by weight", weight / games as f64);
    let every: Vec<usize> = (0..TRAITS.len()).collect();
    let together = regress(positions, &every);
    for (at, name) in TRAITS.iter().enumerate() {
        let beside: &[usize] = if at == 0 { &[0] } else { &[0, at] };
        let alone = regress(positions, beside).and_then(|found| found.last().copied());
        let all = together.as_ref().map(|found| found[at]);
        let [alone, all] = [alone, all].map(|found| match found {
            Some(Coefficient { points, error }) => format!("{points:+.3} ± {error:.3}"),
            None => "follows from others".to_owned(),
        });
        println!("{name:>16}: {alone}, beside all {all}");
    }
}

/// What a standard deviation of a trait within positions is worth, in points, with half of its 95 %
/// interval.
#[derive(Clone, Copy)]
struct Coefficient {
    points: f64,
    error: f64,
}

/// Least squares within positions, weighted by how likely they are reached; its errors allow for
/// positions of unequal spread. None if a trait follows from others.
fn regress(positions: &[&Position], traits: &[usize]) -> Option<Vec<Coefficient>> {
    let count = traits.len();
    // Traits and wins of each cell as differences from the mean of its position.
    let differences = |position: &Position| -> Vec<(Vec<f64>, f64)> {
        let mean = |value: &dyn Fn(&Row) -> f64| {
            position.rows.iter().map(value).sum::<f64>() / position.rows.len() as f64
        };
        let means: Vec<f64> = traits.iter().map(|&at| mean(&|row| row.traits[at])).collect();
        let won = mean(&|row| row.won);
        let difference = |row: &Row| {
            let values = traits.iter().zip(&means).map(|(&at, mean)| row.traits[at] - mean);
            (values.collect(), row.won - won)
        };
        position.rows.iter().map(difference).collect()
    };
    let mut matrix = vec![vec![0.0; count]; count];
    let mut target = vec![0.0; count];
    let mut rows = 0.0;
    for position in positions {
        for (values, won) in differences(position) {
            rows += position.reached;
            for (i, value) in values.iter().enumerate() {
                target[i] += position.reached * value * won;
                for (sum, other) in matrix[i].iter_mut().zip(&values) {
                    *sum += position.reached * value * other;
                }
            }
        }
    }
    let inverse = invert(&matrix)?;
    let times = |vector: &[f64]| -> Vec<f64> {
        inverse.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    };
    let slopes = times(&target);
    let mut variances = vec![0.0; count];
    for position in positions {
        let mut push = vec![0.0; count];
        for (values, won) in differences(position) {
            let expected: f64 = values.iter().zip(&slopes).map(|(a, b)| a * b).sum();
            for (push, value) in push.iter_mut().zip(values) {
                *push += position.reached * value * (won - expected);
            }
        }
        for (variance, push) in variances.iter_mut().zip(times(&push)) {
            *variance += push * push;
        }
    }
    let coefficient = |at: usize| {
        let deviation = 100.0 * (matrix[at][at] / rows).sqrt();
        let error = 1.96 * deviation * variances[at].sqrt();
        Coefficient { points: deviation * slopes[at], error }
    };
    Some((0..count).map(coefficient).collect())
}

/// The inverse of a positive matrix; none if it has none.
fn invert(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (at, row) in rows.iter_mut().enumerate() {
        row.extend((0..count).map(|other| f64::from(u8::from(other == at))));
    }
    for pivot in 0..count {
        let scale = rows[pivot][pivot];
        if scale.is_nan() || scale <= 1e-9 * matrix[pivot][pivot] {
            return None;
        }
        rows[pivot].iter_mut().for_each(|value| *value /= scale);
        let row = rows[pivot].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(value, part)| *value -= factor * part);
        }
    }
    Some(rows.into_iter().map(|row| row[count..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_traits_are_worth_is_found_within_positions() {
        let mut rng = Rng::new(3);
        let mut positions = Vec::new();
        for _ in 0..2000 {
            // What all cells of a position share does not count.
            let shared = rng.unit();
            let row = |_| {
                let traits: [f64; TRAITS.len()] = std::array::from_fn(|_| rng.unit());
                let won = shared + 0.3 * traits[0] - 0.2 * traits[5] + 0.1 * (rng.unit() - 0.5);
                Row { traits, won }
            };
            let rows = (0..3).map(row).collect();
            positions.push(Position { reached: 0.5, open: 5, rows });
        }
        let positions: Vec<&Position> = positions.iter().collect();
        let found = regress(&positions, &[0, 5, 9]).unwrap();
        // The deviation of each trait within three cells.
        let deviation = 100.0 * (2.0f64 / 3.0 / 12.0).sqrt();
        for (found, slope) in found.iter().zip([0.3, -0.2, 0.0]) {
            assert!((found.points - slope * deviation).abs() < 2.0 * found.error, "{slope}");
            assert!(found.error < 0.2);
        }
        assert!(regress(&positions, &[0, 0]).is_none());
    }

    #[test]
    fn close_guesses_are_played_on() {
        let rules = Rules::of("8x8x10".parse::<Size>().unwrap()).unwrap();
        let mut lab = Lab::new(rules.clone(), 3, 0.5, 2);
        let view: View = "mines 10
            1 # # # # # # #
            # # # # # # # #
            # # # # # # # #
            # # # # # # # #
            # # # # # # # #
            # # # # # # # #
            # # # # # # # #
            # # # # # # # #"
            .parse()
            .unwrap();
        let compared = lab.compare(&view, 1.0, &mut Rng::new(1)).unwrap();
        assert!((2..=3).contains(&compared.rows.len()));
        assert!(compared.rows.iter().all(|row| (0.0..=1.0).contains(&row.won)));
    }
}
