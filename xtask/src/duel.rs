//! `cargo xtask duel`: compares settings of the judge of `best` on the same boards.
//!
//! It makes the experiments of docs/PLAYER.md. A game goes on after every mine, and ends with its
//! exact win chance where it can be solved, so that small differences become visible.

use std::num::NonZero;
use std::thread;

use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use deminer_agents::search::Settings;
use deminer_game::{GameSeed, Rules, Size, Start};

use crate::survivor::Survivor;

const USAGE: &str = "usage: cargo xtask duel [--board BOARD] [--open] [--games N] [--seed N] \
                     [--threads N] SETTINGS SETTINGS…\nSETTINGS are quick, deep, or changes of \
                     quick such as few=4000,cut=0.8";

/// Plays the same boards with each of the settings, and prints how the others differ from the
/// first.
pub fn run(words: &[&str]) -> Result<()> {
    let (mut size, mut start) = (String::from("30x16x99"), Start::Safe);
    let (mut games, mut seed, mut threads) = (10_000, 1, 1);
    let mut rivals: Vec<(&str, Settings)> = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--board" => size = words.next().context("--board needs a board")?.to_owned(),
            "--open" => start = Start::Open,
            "--games" => games = crate::number(word, words.next(), 2)?,
            "--seed" => seed = crate::number(word, words.next(), 0)?,
            "--threads" => threads = crate::number(word, words.next(), 1)?,
            _ if word.starts_with('-') => bail!("`{word}` is not an option\n{USAGE}"),
            _ => rivals.push((word, settings(word)?)),
        }
    }
    if rivals.is_empty() {
        bail!("no settings are given\n{USAGE}");
    }
    let size: Size = size.parse().with_context(|| format!("--board {size}"))?;
    let rules = Rules::of(size)?.with_start(start)?;
    let threads = NonZero::new(threads as usize).expect("one or more");
    let played: Vec<Played> =
        rivals.iter().map(|&(_, settings)| play(&rules, settings, seed, games, threads)).collect();
    println!("{size}, start {start}, seed {seed}, {games} games; points, ± is 95 %");
    for ((name, _), one) in rivals.iter().zip(&played) {
        let ((won, error), speed) = (mean(&one.won), games as f64 / one.seconds);
        print!("{name:<24} {won:7.3} ± {error:.3}   {speed:6.0} games a CPU second");
        if !std::ptr::eq(one, &played[0]) {
            let pairs = one.won.iter().zip(&played[0].won);
            let (more, error) = mean(&pairs.map(|(one, first)| one - first).collect::<Vec<f64>>());
            print!("   {more:+.3} ± {error:.3} against {}", rivals[0].0);
        }
        println!();
    }
    Ok(())
}

/// How likely each game is won, and what all of them took.
struct Played {
    won: Vec<f64>,
    seconds: f64,
}

fn play(
    rules: &Rules,
    settings: Settings,
    seed: u64,
    games: u64,
    threads: NonZero<usize>,
) -> Played {
    let shape = rules.shape();
    let first = match rules.start() {
        Start::Open => shape.cell(3.min(shape.height() - 1), 3.min(shape.width() - 1)),
        Start::Unsafe | Start::Safe => shape.nth(0),
    };
    let first = first.expect("on the board");
    let part = |from: u64| {
        let began = ThreadTime::now();
        let mut player = Survivor::new(rules, settings);
        let games = (from..games).step_by(threads.get());
        let won: Vec<f64> = games
            .map(|game| player.play(rules, first, GameSeed { seed, game }, |_, _, _, _| {}))
            .collect();
        (won, began.elapsed().as_secs_f64())
    };
    let parts: Vec<(Vec<f64>, f64)> = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads.get() as u64).map(|from| scope.spawn(move || part(from))).collect();
        workers.into_iter().map(|worker| worker.join().expect("games do not panic")).collect()
    });
    let won = (0..games as usize).map(|game| parts[game % threads].0[game / threads]);
    Played { won: won.collect(), seconds: parts.iter().map(|(_, seconds)| seconds).sum() }
}

/// The mean of numbers and the half of its 95 % interval, in percent.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let spread = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (100.0 * mean, 196.0 * (spread / count).sqrt())
}

/// Settings from their words.
fn settings(word: &str) -> Result<Settings> {
    let mut settings = match word {
        "quick" => return Ok(Settings::QUICK),
        "deep" => return Ok(Settings::DEEP),
        _ => Settings::QUICK,
    };
    for change in word.split(',') {
        let (name, value) = change.split_once('=').with_context(|| {
            format!(
                "`{change}` changes nothing; write quick, deep, few=N, wide=N, nodes=N or cut=SHARE"
            )
        })?;
        match name {
            "few" => settings.few = crate::number(name, Some(value), 1)? as usize,
            "wide" => settings.wide = crate::number(name, Some(value), 1)? as usize,
            "nodes" => settings.nodes = crate::number(name, Some(value), 1)? as usize,
            "cut" => {
                let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
                settings.cut =
                    share.with_context(|| format!("cut is a share from 0 to 1, not `{value}`"))?;
            }
            _ => bail!("`{name}` is not a setting (use few, wide, nodes, cut)"),
        }
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_errors_reported() {
        assert_eq!(settings("deep").unwrap(), Settings::DEEP);
        let changed = Settings { few: 7, cut: 0.5, ..Settings::QUICK };
        assert_eq!(settings("few=7,cut=0.5").unwrap(), changed);
        for word in ["few", "few=x", "cut=2", "depth=3", ""] {
            assert!(settings(word).is_err(), "{word}");
        }
    }

    #[test]
    fn the_same_settings_differ_by_nothing_on_any_number_of_threads() {
        let rules = Rules::of("8x8x10".parse().unwrap()).unwrap();
        let won = |threads| play(&rules, Settings::QUICK, 1, 7, NonZero::new(threads).unwrap()).won;
        assert_eq!(won(1), won(3));
        assert!(won(1).iter().all(|won| (0.0..=1.0).contains(won)));
    }
}
