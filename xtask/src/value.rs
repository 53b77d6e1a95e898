//! `cargo xtask value`: learns how likely a game is won, for the agent `best`.

use std::fs;

use anyhow::{Context, Result, bail};
use deminer_agents::search::{Judge, Settings};
use deminer_agents::search::endgame::Endgame;
use deminer_agents::search::value::{FEATURES, Features, HIDDEN, Model, Reader, WEIGHTS};
use deminer_game::{
    Action, Board, Cell, Face, GameSeed, Purpose, Rng, Rules, Size, Start, State, View,
};
use deminer_inference::count::{Engine, Layouts};
use deminer_inference::deduce::{Fact, SinglePoint};

struct Sample {
    features: Features,
    target: f32,
    /// The safety of the next guess, and whether another sample of the same game follows.
    next: f32,
    follows: f32,
}

pub fn run(words: &[&str]) -> Result<()> {
    let mut games = 20_000u64;
    let mut seed = 1000u64;
    let mut size: Size = "expert".parse().unwrap();
    let mut data = "/tmp/value.data".to_owned();
    let mut out = "/tmp/value.weights".to_owned();
    let mut epochs = 4;
    let mut most = usize::MAX;
    let mut arms: Vec<(String, Settings)> = Vec::new();
    let mut mode = "all";
    let (mut rounds, mut lambda) = (0, 0.5f32);
    let start: Option<Vec<f32>> = None;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut next = || words.next().copied().with_context(|| format!("{word} needs a value"));
        match word {
            "--games" => games = next()?.parse()?,
            "--seed" => seed = next()?.parse()?,
            "--board" => size = next()?.parse().map_err(|e| anyhow::anyhow!("{e}"))?,
            "--data" => data = next()?.to_owned(),
            "--out" => out = next()?.to_owned(),
            "--most" => most = next()?.parse()?,
            "--epochs" => epochs = next()?.parse()?,
            "--rounds" => rounds = next()?.parse()?,
            "--lambda" => lambda = next()?.parse()?,
            "stats" | "play" | "train" | "match" => mode = word,
            "--arm" => {
                let text = next()?;
                arms.push((text.to_owned(), settings(text)?));
            }
            _ => bail!("what is {word}"),
        }
    }
    if mode == "match" {
        compare(size, seed, games, &arms);
        return Ok(());
    }
    if mode == "play" {
        return positions(size, seed, games, &data);
    }
    if mode != "play" {
        let mut samples = Vec::new();
        for part in data.split(',') {
            let (board, file) = part.split_once(':').context("BOARD:FILE")?;
            read(board.parse().map_err(|e| anyhow::anyhow!("{e}"))?, file, most, &mut samples)?;
        }
        eprintln!("{} samples", samples.len());
        if mode == "stats" {
            let mut groups: std::collections::BTreeMap<(usize, String), [f64; 3]> =
                Default::default();
            for s in &samples {
                let open = s.features[23];
                let phase = [0.02, 0.06, 0.125, 0.3, 0.6, 0.75].iter().filter(|&&x| open > x).count();
                let safe = s.features[4].exp() - 1.0;
                let name = if safe > 0.5 {
                    let n = [1.5, 2.5, 4.5, 8.5].iter().filter(|&&x| safe > x).count();
                    format!("safe {}", ["1", "2", "3-4", "5-8", "9+"][n])
                } else {
                    format!("next {:.2}", (s.features[2] * 20.0).floor() / 20.0)
                };
                let g = groups.entry((phase, name)).or_default();
                g[0] += 1.0;
                g[1] += f64::from(s.target);
                g[2] += f64::from(s.target).powi(2);
            }
            for ((phase, name), [n, sum, sq]) in groups {
                if n < 200.0 {
                    continue;
                }
                let mean = sum / n;
                println!("{phase} {name:9} {n:7} {mean:.4} ±{:.4}", ((sq / n - mean * mean) / n).sqrt());
            }
            return Ok(());
        }
        let mut model = train(&samples, epochs, 7, start.as_deref());
        for round in 0..rounds {
            // Returns that lean on the judgement of the position after the next guess.
            for at in (0..samples.len()).rev() {
                if samples[at].follows > 0.0 {
                    let after = &samples[at + 1];
                    let judged = model.judge(&after.features) as f32;
                    samples[at].target =
                        samples[at].next * (lambda * after.target + (1.0 - lambda) * judged);
                }
            }
            model = train(&samples, epochs, 8 + round, Some(&model.weights));
        }
        let bytes: Vec<u8> = model.weights.iter().flat_map(|w| w.to_le_bytes()).collect();
        fs::write(&out, bytes)?;
    }
    Ok(())
}

fn settings(text: &str) -> Result<Settings> {
    let mut settings = Settings::QUICK;
    for part in text.split(',') {
        let (name, number) = part.split_once('=').context("name=number")?;
        let number: f64 = number.parse()?;
        match name {
            "mix" => settings.mix = number,
            "power" => settings.power = number,
            "value" => settings.value = number,
            "cut" => settings.cut = number,
            "second" => settings.second = number,
            "progress" => settings.progress = number,
            "live" => settings.live = number,
            "stage" => settings.stage = number,
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

fn read(size: Size, file: &str, most: usize, samples: &mut Vec<Sample>) -> Result<()> {
    let rules = Rules::of(size).unwrap().with_start(Start::Safe).unwrap();
    let (mut engine, mut reader) = (Engine::default(), Reader::default());
    let cells = rules.shape().size();
    let bytes = fs::read(file)?;
    let packed = cells.div_ceil(2);
    for row in bytes.chunks_exact(packed + 12).take(most) {
        let faces = (0..cells)
            .map(|cell| match row[cell / 2] >> (4 * (cell % 2)) & 15 {
                15 => Face::Covered,
                number => {
                    let shown = deminer_game::Shown::Number(number);
                    let degree = rules.shape().degree(rules.shape().nth(cell).unwrap()) as u8;
                    Face::Open { shown, clue: rules.clues().clue(shown, degree) }
                }
            })
            .collect();
        let view = View::from_faces(rules.clone(), faces).unwrap();
        let features = reader.read(&view, engine.odds(&view).unwrap());
        let number = |at: usize| {
            f32::from_le_bytes(row[packed + 4 * at..packed + 4 * at + 4].try_into().unwrap())
        };
        samples.push(Sample { features, target: number(0), next: number(1), follows: number(2) });
    }
    Ok(())
}

/// Writes rows: each cell half a byte (15 covered), then target, next safety, follows, risk paid.
fn positions(size: Size, seed: u64, games: u64, file: &str) -> Result<()> {
    use std::io::Write;
    let mut out = std::io::BufWriter::new(fs::File::create(file)?);
    let rules = Rules::of(size).unwrap().with_start(Start::Safe).unwrap();
    let mut player = Player::new();
    let mut count = 0u64;
    for game in 0..games {
        for row in player.game(&rules, GameSeed { seed, game }) {
            out.write_all(&row)?;
            count += 1;
        }
        if game % 20000 == 0 {
            out.flush()?;
            eprintln!("{game}: {count} samples");
        }
    }
    out.flush()?;
    Ok(())
}

fn pack(view: &View) -> Vec<u8> {
    let codes: Vec<u8> = view
        .faces()
        .iter()
        .map(|face| match face {
            Face::Open { shown: deminer_game::Shown::Number(n), .. } => *n,
            _ => 15,
        })
        .collect();
    codes.chunks(2).map(|c| c[0] | c.get(1).copied().unwrap_or(0) << 4).collect()
}

struct Player {
    agent: Box<dyn deminer_game::Agent>,
    engine: Engine,
    layouts: Layouts,
    endgame: Endgame,
}

impl Player {
    fn new() -> Self {
        let entry = deminer_agents::ROSTER.iter().find(|e| e.name == "best").unwrap();
        let agent = (entry.build)(&Default::default()).unwrap();
        Self {
            agent,
            engine: Engine::default(),
            layouts: Layouts::default(),
            endgame: Endgame::new(200_000),
        }
    }

    fn game(&mut self, rules: &Rules, seed: GameSeed) -> Vec<Vec<u8>> {
        let mut board = Board::dealt(rules.clone(), seed);
        let mut rng = seed.rng(Purpose::Lab);
        let explored = rng.below(12);
        let mut guesses = 0;
        // Weight before each sample.
        let mut weight = 1.0f64;
        let mut kept: Vec<(Vec<u8>, f64)> = Vec::new();
        self.agent.begin(rules);
        board.act(Action::Open(rules.shape().nth(0).unwrap()));
        let mut won = 0.0;
        while matches!(board.state(), State::Fresh | State::Live) {
            let decision = self.agent.decide(board.view(), &mut rng);
            let Action::Open(mut cell) = decision.action else { break };
            if !decision.why.is_guess() {
                board.act(Action::Open(cell));
                continue;
            }
            let view = board.view();
            let odds = self.engine.odds(view).unwrap();
            if self.layouts.list(view, odds, 400).is_ok() {
                if let Ok(solved) = self.endgame.solve(view, &self.layouts) {
                    won = solved.win;
                    break;
                }
            }
            if guesses == explored {
                let cells: Vec<Cell> = decision.alternatives.iter().map(|a| a.cell).collect();
                if let Some(&other) = rng.pick(&cells) {
                    cell = other;
                }
                kept.clear();
            }
            guesses += 1;
            let risk = odds.mine(cell).unwrap();
            if odds.fact(cell) == Some(Fact::Mine) {
                break;
            }
            weight *= 1.0 - risk;
            if board.hides_mine(cell) {
                let layout = self.engine.sample(board.view(), Some(cell), &mut rng).unwrap();
                board.redraw(layout).unwrap();
            }
            let mut before: View = board.view().clone();
            board.act(Action::Open(cell));
            if let Face::Open { shown, .. } = board.view().face(cell) {
                before.suppose(cell, shown);
                kept.push((pack(&before), weight));
            }
        }
        if board.state() == State::Won {
            won = 1.0;
        }
        let weights: Vec<f64> = kept.iter().map(|k| k.1).collect();
        kept.into_iter()
            .enumerate()
            .map(|(at, (mut row, before))| {
                let next = weights.get(at + 1).map(|after| after / before);
                let target = (weight * won / before) as f32;
                let follows: f32 = if next.is_some() { 1.0 } else { 0.0 };
                for number in [target, next.unwrap_or(0.0) as f32, follows] {
                    row.extend(number.to_le_bytes());
                }
                row
            })
            .collect()
    }
}

fn train(samples: &[Sample], epochs: usize, seed: u64, _start: Option<&[f32]>) -> Model {
    let mut rng = Rng::new(5);
    let mut samples: Vec<&Sample> = samples.iter().collect();
    rng.shuffle(&mut samples);
    let held = samples.split_off(samples.len() * 19 / 20);
    let mut rng = Rng::new(seed);
    // Scale features to mean 0 and deviation 1, folded into the first layer at the end.
    let n = samples.len() as f64;
    let mut mean = [0.0f64; FEATURES];
    let mut square = [0.0f64; FEATURES];
    for s in samples.iter() {
        for i in 0..FEATURES {
            mean[i] += f64::from(s.features[i]);
            square[i] += f64::from(s.features[i]).powi(2);
        }
    }
    let scale: Vec<(f32, f32)> = (0..FEATURES)
        .map(|i| {
            let m = mean[i] / n;
            let v = (square[i] / n - m * m).max(1e-8);
            (m as f32, (1.0 / v.sqrt()).min(100.0) as f32)
        })
        .collect();
    let mut w: Vec<f32> = Vec::with_capacity(WEIGHTS);
    for (inputs, outputs) in [(FEATURES, HIDDEN[0]), (HIDDEN[0], HIDDEN[1]), (HIDDEN[1], 1)] {
        let spread = (6.0 / inputs as f64).sqrt();
        for _ in 0..inputs * outputs {
            w.push(((rng.unit() * 2.0 - 1.0) * spread) as f32);
        }
        for _ in 0..outputs {
            w.push(0.0);
        }
    }
    assert_eq!(w.len(), WEIGHTS);
    let (mut m, mut v) = (vec![0.0f32; WEIGHTS], vec![0.0f32; WEIGHTS]);
    let mut grad = vec![0.0f32; WEIGHTS];
    let batch = 256;
    let steps = epochs * samples.len() / batch;
    let (a, b) = ((FEATURES + 1) * HIDDEN[0], (HIDDEN[0] + 1) * HIDDEN[1]);
    let mut step = 0;
    let mut running = 0.0;
    'all: loop {
        rng.shuffle(&mut samples);
        for chunk in samples.chunks_exact(batch) {
            grad.fill(0.0);
            for s in chunk {
                let mut x = [0.0f32; FEATURES];
                for i in 0..FEATURES {
                    x[i] = (s.features[i] - scale[i].0) * scale[i].1;
                }
                let mut h1 = [0.0f32; HIDDEN[0]];
                h1.copy_from_slice(&w[FEATURES * HIDDEN[0]..a]);
                for i in 0..FEATURES {
                    for j in 0..HIDDEN[0] {
                        h1[j] += x[i] * w[i * HIDDEN[0] + j];
                    }
                }
                for j in 0..HIDDEN[0] {
                    h1[j] = h1[j].max(0.0);
                }
                let mut h2 = [0.0f32; HIDDEN[1]];
                h2.copy_from_slice(&w[a + HIDDEN[0] * HIDDEN[1]..a + b]);
                for i in 0..HIDDEN[0] {
                    for j in 0..HIDDEN[1] {
                        h2[j] += h1[i] * w[a + i * HIDDEN[1] + j];
                    }
                }
                for j in 0..HIDDEN[1] {
                    h2[j] = h2[j].max(0.0);
                }
                let third = &w[a + b..];
                let mut out = third[HIDDEN[1]];
                for j in 0..HIDDEN[1] {
                    out += h2[j] * third[j];
                }
                let p = 1.0 / (1.0 + (-out).exp());
                let d = (p - s.target) / batch as f32;
                running = 0.9999 * running + 0.0001 * f64::from((p - s.target).powi(2));
                let mut d2 = [0.0f32; HIDDEN[1]];
                for j in 0..HIDDEN[1] {
                    grad[a + b + j] += d * h2[j];
                    d2[j] = if h2[j] > 0.0 { d * third[j] } else { 0.0 };
                }
                grad[a + b + HIDDEN[1]] += d;
                let mut d1 = [0.0f32; HIDDEN[0]];
                for i in 0..HIDDEN[0] {
                    let mut sum = 0.0;
                    if h1[i] > 0.0 {
                        for j in 0..HIDDEN[1] {
                            grad[a + i * HIDDEN[1] + j] += h1[i] * d2[j];
                            sum += w[a + i * HIDDEN[1] + j] * d2[j];
                        }
                        d1[i] = sum;
                    }
                }
                for j in 0..HIDDEN[1] {
                    grad[a + HIDDEN[0] * HIDDEN[1] + j] += d2[j];
                }
                for i in 0..FEATURES {
                    for j in 0..HIDDEN[0] {
                        grad[i * HIDDEN[0] + j] += x[i] * d1[j];
                    }
                }
                for j in 0..HIDDEN[0] {
                    grad[FEATURES * HIDDEN[0] + j] += d1[j];
                }
            }
            step += 1;
            let done = step as f32 / steps as f32;
            let rate = 2e-3 * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
            let (c1, c2) = (1.0 - 0.9f32.powi(step as i32), 1.0 - 0.999f32.powi(step as i32));
            for i in 0..WEIGHTS {
                m[i] = 0.9 * m[i] + 0.1 * grad[i];
                v[i] = 0.999 * v[i] + 0.001 * grad[i] * grad[i];
                w[i] -= rate * (m[i] / c1) / ((v[i] / c2).sqrt() + 1e-8);
            }
            if step % 4000 == 0 {
                eprintln!("step {step}/{steps} mse {running:.5}");
            }
            if step >= steps {
                break 'all;
            }
        }
    }
    // Fold the scaling in.
    for j in 0..HIDDEN[0] {
        let mut shift = 0.0;
        for i in 0..FEATURES {
            let at = i * HIDDEN[0] + j;
            w[at] *= scale[i].1;
            shift += w[at] * scale[i].0;
        }
        w[FEATURES * HIDDEN[0] + j] -= shift;
    }
    let model = Model { weights: w };
    let mean = held.iter().map(|s| f64::from(s.target)).sum::<f64>() / held.len() as f64;
    let var =
        held.iter().map(|s| (f64::from(s.target) - mean).powi(2)).sum::<f64>() / held.len() as f64;
    let mse =
        held.iter().map(|s| (f64::from(s.target) - model.judge(&s.features)).powi(2)).sum::<f64>()
            / held.len() as f64;
    println!("held {}: variance {var:.5}, mse {mse:.5}, R2 {:.4}", held.len(), 1.0 - mse / var);
    model
}
