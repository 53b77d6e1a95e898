use anyhow::{Context, Result, bail};
use std::fs;
use deminer_agents::search::{Judge, Settings};
use deminer_game::{Action, Board, Cell, GameSeed, Purpose, Rng, Rules, Size, Start, State};
use deminer_inference::count::Engine;
use deminer_inference::deduce::{Fact, SinglePoint};

pub fn run(words: &[&str]) -> Result<()> {
    let mut games = 1000u64;
    let mut seed = 1u64;
    let mut size: Size = "expert".parse().unwrap();
    let mut arms: Vec<(String, Settings)> = Vec::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut next = || words.next().copied().with_context(|| format!("{word} needs a value"));
        match word {
            "--games" => games = next()?.parse()?,
            "--seed" => seed = next()?.parse()?,
            "--board" => size = next()?.parse().map_err(|e| anyhow::anyhow!("{e}"))?,
            "--arm" => {
                let text = next()?;
                arms.push((text.to_owned(), settings(text)?));
            }
            _ => bail!("what is {word}"),
        }
    }
    compare(size, seed, games, &arms);
    Ok(())
}

fn settings(text: &str) -> Result<Settings> {
    let mut settings = Settings::QUICK;
    for part in text.split(',') {
        let (name, number) = part.split_once('=').context("name=number")?;
        let number: f64 = number.parse()?;
        match name {
            "mix" => settings.mix = number,
            "cut" => settings.cut = number,
            "margin" => settings.margin = number,
            "few" => settings.few = number as usize,
            "nodes" => settings.nodes = number as usize,
            _ => bail!("{name}?"),
        }
    }
    Ok(settings)
}

/// Paired differences of survival-weighted games, to the first arm.
fn compare(size: Size, seed: u64, games: u64, arms: &[(String, Settings)]) {
    let rules = Rules::of(size).unwrap().with_start(Start::Safe).unwrap();
    let mut players: Vec<_> = arms
        .iter()
        .map(|(_, settings)| {
            (Judge::new(*settings), SinglePoint::new(rules.shape()), Engine::default(), 0.0f64)
        })
        .collect();
    let mut sums = vec![[0.0f64; 4]; arms.len()];
    for game in 0..games {
        let mut first = 0.0;
        for (side, (judge, known, engine, time)) in players.iter_mut().enumerate() {
            let start = cpu();
            let weight = weighted(&rules, GameSeed { seed, game }, judge, known, engine);
            *time += cpu() - start;
            if side == 0 {
                first = weight;
            }
            let difference = weight - first;
            let sum = &mut sums[side];
            sum[0] += weight;
            sum[1] += weight * weight;
            sum[2] += difference;
            sum[3] += difference * difference;
        }
    }
    let n = games as f64;
    let spread = |sum: f64, square: f64| 196.0 * ((square / n - (sum / n).powi(2)) / n).sqrt();
    for ((sum, (_, _, _, time)), (name, _)) in sums.iter().zip(&players).zip(arms) {
        println!(
            "{:.3} ±{:.3}  diff {:+.3} ±{:.3}  {:5.0} games/s  {name} ({games} games, seed {seed})",
            100.0 * sum[0] / n,
            spread(sum[0], sum[1]),
            100.0 * sum[2] / n,
            spread(sum[2], sum[3]),
            n / time
        );
    }
}

fn cpu() -> f64 {
    // Ticks of this process's CPU clock.
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

/// The weight of one game.
fn weighted(
    rules: &Rules,
    seed: GameSeed,
    judge: &mut Judge,
    known: &mut SinglePoint,
    engine: &mut Engine,
) -> f64 {
    let mut board = Board::dealt(rules.clone(), seed);
    let mut rng = seed.rng(Purpose::Lab);
    known.reset(rules.shape());
    board.act(Action::Open(rules.shape().nth(0).unwrap()));
    let mut weight = 1.0f64;
    let mut safe: Vec<Cell> = Vec::new();
    loop {
        if board.state() == State::Won {
            return weight;
        }
        known.update(board.view());
        safe.clear();
        safe.extend(known.fresh().filter(|(_, fact)| *fact == Fact::Safe).map(|(cell, _)| cell));
        if safe.is_empty() {
            let judged = judge.find_best(board.view(), known, &mut Rng::new(0)).unwrap();
            if judged.exact {
                return weight * judged.win.unwrap();
            }
            safe = judged.safe;
            if safe.is_empty() {
                let best = judged.moves[0];
                weight *= best.safety;
                let draw = rng.bits();
                if board.hides_mine(best.cell) {
                    let mut rng = Rng::new(draw);
                    let layout = engine.sample(board.view(), Some(best.cell), &mut rng).unwrap();
                    board.redraw(layout).unwrap();
                }
                safe.push(best.cell);
            }
        }
        for &cell in &safe {
            if board.view().face(cell).is_covered() {
                board.act(Action::Open(cell));
            }
        }
    }
}

