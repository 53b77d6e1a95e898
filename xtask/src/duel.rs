//! `cargo xtask duel`: compares settings of the judge of `best` on the same boards.
//!
//! It makes the experiments of docs/book/src/explanation/player.md. A game goes on after every mine,
//! and ends with its exact win chance where it can be solved, so that small differences become
//! visible; `--plain` plays as always and counts wins. An outside player takes part by the file of
//! its results.
//!
//! It stops early once a difference is decided: the intervals that decide it hold for all numbers
//! of games at once, so that looking after every batch does not raise the error above 5 %.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::num::NonZero;
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use cpu_time::ThreadTime;
use deminer_agents::search::Settings;
use deminer_game::{Board, Cell, GameSeed, Layout, Rules, Size, Start};

use crate::survivor::Survivor;

const USAGE: &str = "usage: cargo xtask duel [--board BOARD] [--open] [--plain] [--games N] \
                     [--from N] [--seed N | --boards FILE] [--threads N] [--results FILE] \
                     [--log FILE] SETTINGS SETTINGS…\nSETTINGS are a name of \
                     xtask/src/duel/settings.txt, changes of quick such as few=4000,cut=0.8, or \
                     @FILE with the results of an outside player, one number from 0 to 1 in a line";

/// Named settings: what experiments compared, so that each can be repeated by its name.
const NAMED: &str = include_str!("duel/settings.txt");

/// Games that are played between two looks at the difference.
const BATCH: usize = 1000;

/// Fewer games decide nothing: games that differ are rare, so their spread is not known yet.
const LEAST_GAMES: usize = 5000;

/// Plays the same boards with each of the settings, and prints how the others differ from the
/// first.
pub fn run(words: &[&str]) -> Result<()> {
    let duel = Duel::read(words)?;
    let mut played: Vec<Played> = duel.players.iter().map(|_| Played::default()).collect();
    let mut is_decided = vec![false; played.len()];
    is_decided[0] = played.len() > 1;
    for batch in (0..duel.games).step_by(BATCH) {
        let games = batch..duel.games.min(batch + BATCH);
        for (at, one) in played.iter_mut().enumerate() {
            if at == 0 || !is_decided[at] {
                duel.play(at, games.clone(), one)?;
            }
        }
        let (first, others) = played.split_first().expect("settings were read");
        for (other, is_decided) in others.iter().zip(&mut is_decided[1..]) {
            *is_decided |= Difference::of(other, first).is_decided();
        }
        if is_decided.iter().all(|decided| *decided) {
            break;
        }
    }
    let lines: Vec<String> =
        (0..played.len()).map(|at| duel.line(at, &played[at], &played[0])).collect();
    lines.iter().for_each(|line| println!("{line}"));
    if let Some(path) = duel.log {
        let log = OpenOptions::new().create(true).append(true).open(path);
        let mut log = log.with_context(|| format!("--log {path}"))?;
        lines.iter().try_for_each(|line| writeln!(log, "{line}"))?;
    }
    if let Some(path) = duel.results {
        let won: Vec<String> = played[0].won.iter().map(|won| format!("{won}\n")).collect();
        fs::write(path, won.concat()).with_context(|| format!("--results {path}"))?;
    }
    Ok(())
}

/// What is played.
struct Duel<'a> {
    rules: Rules,
    first: Cell,
    boards: Boards<'a>,
    plain: bool,
    games: usize,
    threads: NonZero<usize>,
    players: Vec<(&'a str, Player)>,
    log: Option<&'a str>,
    results: Option<&'a str>,
}

/// Where boards come from.
enum Boards<'a> {
    Seed { seed: u64, from: u64 },
    File { path: &'a str, layouts: Vec<Layout> },
}

/// Someone who plays.
enum Player {
    Settings(Settings),
    /// The results of an outside player.
    Outside(Vec<f64>),
}

/// How likely each game is won, and what all of them took.
#[derive(Default)]
struct Played {
    won: Vec<f64>,
    seconds: f64,
}

impl<'a> Duel<'a> {
    fn read(words: &[&'a str]) -> Result<Self> {
        let (mut size, mut start, mut plain) = ("30x16x99", Start::Safe, false);
        let (mut games, mut seed, mut from, mut threads) = (10_000, 1, 0, 1);
        let (mut file, mut log, mut results) = (None, None, None);
        let mut players: Vec<(&str, Player)> = Vec::new();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "--board" => size = words.next().context("--board needs a board")?,
                "--open" => start = Start::Open,
                "--plain" => plain = true,
                "--games" => games = crate::number(word, words.next(), 2)? as usize,
                "--from" => from = crate::number(word, words.next(), 0)?,
                "--seed" => seed = crate::number(word, words.next(), 0)?,
                "--boards" => file = Some(file_after(word, words.next())?),
                "--log" => log = Some(file_after(word, words.next())?),
                "--results" => results = Some(file_after(word, words.next())?),
                "--threads" => threads = crate::number(word, words.next(), 1)?,
                _ if word.starts_with('-') => bail!("`{word}` is not an option\n{USAGE}"),
                _ => players.push((word, Player::read(word)?)),
            }
        }
        ensure!(!players.is_empty(), "no settings are given\n{USAGE}");
        let parsed: Size = size.parse().with_context(|| format!("--board {size}"))?;
        let rules = Rules::of(parsed)?.with_start(start)?;
        let shape = rules.shape();
        let first = match start {
            Start::Open => shape.cell(3.min(shape.height() - 1), 3.min(shape.width() - 1)),
            Start::Unsafe | Start::Safe => shape.nth(0),
        };
        let first = first.expect("on the board");
        let boards = match file {
            None => Boards::Seed { seed, from },
            Some(path) => Boards::File { path, layouts: read_layouts(path, &rules, first)? },
        };
        if let Boards::File { layouts, .. } = &boards {
            games = games.min(layouts.len());
        }
        for (name, player) in &players {
            if let Player::Outside(won) = player {
                let have = won.len();
                ensure!(have >= games, "{name} has results of {have} games, not of {games}");
            }
        }
        let threads = NonZero::new(threads as usize).expect("one or more");
        Ok(Self { rules, first, boards, plain, games, threads, players, log, results })
    }

    /// Plays some games with one of the players.
    fn play(&self, at: usize, games: std::ops::Range<usize>, played: &mut Played) -> Result<()> {
        let settings = match &self.players[at].1 {
            Player::Outside(won) => {
                played.won.extend(&won[games]);
                return Ok(());
            }
            &Player::Settings(settings) => settings,
        };
        let threads = self.threads.get();
        let part = |from: usize| -> Result<(Vec<f64>, f64)> {
            let began = ThreadTime::now();
            let mut player = Survivor::new(&self.rules, settings);
            let mine = games.clone().skip(from).step_by(threads);
            let won: Result<Vec<f64>> = mine
                .map(|game| {
                    let (board, seed) = self.board(game)?;
                    Ok(match self.plain {
                        true => f64::from(u8::from(player.wins(board, self.first, seed))),
                        false => player.play(board, self.first, seed, |_, _, _, _| {}),
                    })
                })
                .collect();
            Ok((won?, began.elapsed().as_secs_f64()))
        };
        let parts: Result<Vec<(Vec<f64>, f64)>> = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads).map(|from| scope.spawn(move || part(from))).collect();
            workers.into_iter().map(|worker| worker.join().expect("games do not panic")).collect()
        });
        let parts = parts?;
        played.won.extend((0..games.len()).map(|game| parts[game % threads].0[game / threads]));
        played.seconds += parts.iter().map(|(_, seconds)| seconds).sum::<f64>();
        Ok(())
    }

    /// The board of a game, and the seed of its random numbers.
    fn board(&self, game: usize) -> Result<(Board, GameSeed)> {
        Ok(match &self.boards {
            &Boards::Seed { seed, from } => {
                let seed = GameSeed { seed, game: from + game as u64 };
                (Board::dealt(self.rules.clone(), seed), seed)
            }
            Boards::File { path, layouts } => {
                let board = Board::laid(self.rules.clone(), layouts[game].clone(), 0);
                let board = board.with_context(|| format!("{path}, line {}", game + 1))?;
                (board, GameSeed { seed: 0, game: game as u64 })
            }
        })
    }

    /// What a player did, in one line that can be kept.
    fn line(&self, at: usize, played: &Played, first: &Played) -> String {
        let (name, boards) = (self.players[at].0, &self.boards);
        let (size, start) = (self.rules.size(), self.rules.start());
        let boards = match boards {
            Boards::Seed { seed, from: 0 } => format!("seed {seed}"),
            Boards::Seed { seed, from } => format!("seed {seed} from game {from}"),
            Boards::File { path, .. } => (*path).to_owned(),
        };
        let way = if self.plain { "plain" } else { "weighted" };
        let games = played.won.len();
        let (won, error) = mean(&played.won);
        let mut line = format!(
            "{size} {start}, {boards}, {games} {way} games: {name} {won:.3} ± {error:.3} %"
        );
        if played.seconds > 0.0 {
            line += &format!(", {:.0} games a CPU second", games as f64 / played.seconds);
        }
        if at > 0 {
            let Difference { points, error, always, .. } = Difference::of(played, first);
            line += &format!(
                ", {points:+.3} ± {error:.3} (± {always:.3} at any stop) points against {}",
                self.players[0].0
            );
        }
        line
    }
}

/// How much more one player wins than another on the same boards, in points.
struct Difference {
    games: usize,
    points: f64,
    /// The half of the 95 % interval, for a number of games that was fixed before.
    error: f64,
    /// The half of the 95 % interval that holds for all numbers of games at once.
    always: f64,
}

impl Difference {
    fn of(one: &Played, other: &Played) -> Self {
        let pairs: Vec<f64> = one.won.iter().zip(&other.won).map(|(one, two)| one - two).collect();
        let (points, error) = mean(&pairs);
        Self {
            games: pairs.len(),
            points,
            error,
            always: error / 1.96 * widening(pairs.len() as f64),
        }
    }

    fn is_decided(&self) -> bool {
        self.games >= LEAST_GAMES && self.points.abs() > self.always
    }
}

/// Standard errors in the half of an interval that holds for all numbers of games at once, with 95 %:
/// the boundary of a mixture of normal distributions (Robbins 1970), tightest near `TIGHTEST` games.
fn widening(games: f64) -> f64 {
    const TIGHTEST: f64 = 20_000.0;
    const ERROR: f64 = 0.05;
    // What makes the boundary tightest there.
    let prior = TIGHTEST / (-2.0 * ERROR.ln() + (1.0 - 2.0 * ERROR.ln()).ln());
    ((games + prior) / games * ((games + prior) / (prior * ERROR * ERROR)).ln()).sqrt()
}

/// The mean of numbers and the half of its 95 % interval, in percent.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let spread = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (100.0 * mean, 196.0 * (spread / count).sqrt())
}

/// The file after an option.
fn file_after<'a>(option: &str, word: Option<&'a str>) -> Result<&'a str> {
    word.with_context(|| format!("{option} needs a file"))
}

/// Layouts from a file: one in a line, row by row, `*` for a mine and `.` for a safe cell.
fn read_layouts(path: &str, rules: &Rules, first: Cell) -> Result<Vec<Layout>> {
    let text = fs::read_to_string(path).with_context(|| format!("--boards {path}"))?;
    let layout = |(number, line): (usize, &str)| {
        let shape = rules.shape();
        let (cells, size) = (line.trim().chars().count(), shape.size());
        let place = |what: String| format!("{path}, line {}: {what}", number + 1);
        ensure!(cells == size, place(format!("{cells} cells, not {size}")));
        let mut mines = Vec::new();
        for (cell, symbol) in shape.cells().zip(line.trim().chars()) {
            match symbol {
                '*' => mines.push(cell),
                '.' => {}
                _ => bail!(place(format!("`{symbol}` is not a cell (use * for a mine and .)"))),
            }
        }
        ensure!(!mines.contains(&first), place("the first click opens a mine".to_owned()));
        Layout::new(shape.clone(), mines).with_context(|| place("a bad layout".to_owned()))
    };
    text.lines().enumerate().map(layout).collect()
}

impl Player {
    fn read(word: &str) -> Result<Self> {
        let Some(path) = word.strip_prefix('@') else { return settings(word).map(Self::Settings) };
        let text = fs::read_to_string(path).with_context(|| format!("results {path}"))?;
        let result = |(number, line): (usize, &str)| {
            let won = line.trim().parse().ok().filter(|won| (0.0..=1.0).contains(won));
            won.with_context(|| {
                format!("{path}, line {}: `{line}` is not a number from 0 to 1", number + 1)
            })
        };
        text.lines().enumerate().map(result).collect::<Result<_>>().map(Self::Outside)
    }
}

/// Settings from their name or their changes.
fn settings(word: &str) -> Result<Settings> {
    let named = NAMED.lines().filter_map(|line| line.split_once(':')).find(|one| one.0 == word);
    let mut changes = named.map_or(word, |(_, changes)| changes.trim()).split(',').peekable();
    let mut settings = match changes.next_if(|word| ["quick", "deep"].contains(word)) {
        Some("deep") => Settings::DEEP,
        _ => Settings::QUICK,
    };
    for change in changes {
        let (name, value) = change.split_once('=').with_context(|| {
            format!(
                "`{change}` is neither named nor a change; write a name of \
                 xtask/src/duel/settings.txt, or few=N, wide=N, nodes=N, settle=N or cut=SHARE"
            )
        })?;
        let share = || {
            let share = value.parse().ok().filter(|share| (0.0..=1.0).contains(share));
            share.with_context(|| format!("{name} is a share from 0 to 1, not `{value}`"))
        };
        match name {
            "few" => settings.few = crate::number(name, Some(value), 1)? as usize,
            "wide" => settings.wide = crate::number(name, Some(value), 1)? as usize,
            "nodes" => settings.nodes = crate::number(name, Some(value), 1)? as usize,
            "cut" => settings.cut = share()?,
            "settle" => settings.settle = crate::number(name, Some(value), 0)? as usize,
            _ => bail!("`{name}` is not a setting (use few, wide, nodes, cut, settle)"),
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
        assert_eq!(settings("quick,few=7,cut=0.5").unwrap(), changed);
        for word in ["few", "few=x", "cut=2", "depth=3", ""] {
            assert!(settings(word).is_err(), "{word}");
        }
        for (name, _) in NAMED.lines().map(|line| line.split_once(':').expect("name: changes")) {
            settings(name).unwrap();
        }
    }

    fn duel(words: &[&str]) -> Vec<Played> {
        let duel = Duel::read(words).unwrap();
        let mut played: Vec<Played> = duel.players.iter().map(|_| Played::default()).collect();
        for (at, one) in played.iter_mut().enumerate() {
            duel.play(at, 0..duel.games, one).unwrap();
        }
        played
    }

    #[test]
    fn threads_change_nothing_and_plain_games_are_won_or_lost() {
        let words = ["--board", "8x8x10", "--games", "7", "--threads"];
        let one = duel(&[&words[..], &["1", "quick"]].concat());
        let three = duel(&[&words[..], &["3", "quick"]].concat());
        assert_eq!(one[0].won, three[0].won);
        assert!(one[0].won.iter().all(|won| (0.0..=1.0).contains(won)));
        let plain = duel(&[&words[..], &["1", "--plain", "quick"]].concat());
        assert!(plain[0].won.iter().all(|won| [0.0, 1.0].contains(won)));
        // Part of the games by their numbers.
        let words = ["--board", "8x8x10", "--games", "3", "--from", "2", "quick"];
        assert_eq!(duel(&words)[0].won, one[0].won[2..5]);
    }

    #[test]
    fn given_boards_and_outside_results_are_paired() {
        let folder = std::env::temp_dir().join(format!("deminer-duel-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (boards, results) = (folder.join("boards"), folder.join("results"));
        fs::write(&boards, "......*..\n.....*...\n").unwrap();
        fs::write(&results, "1\n0\n").unwrap();
        let (boards, results) = (boards.to_str().unwrap(), format!("@{}", results.display()));
        let words = ["--board", "3x3x1", "--plain", "--boards", boards, "quick", &results];
        let played = duel(&words);
        assert_eq!((&played[0].won[..], &played[1].won[..]), (&[1.0, 1.0][..], &[1.0, 0.0][..]));
        let refused = |text: &str, reason: &str| {
            fs::write(boards, text).unwrap();
            let error = Duel::read(&words).err().expect("refused");
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        };
        refused(".....*..", "line 1: 8 cells, not 9");
        refused(".....*...\n.....x...", "line 2: `x` is not a cell");
        refused("*........", "line 1: the first click opens a mine");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_interval_for_any_stop_is_wider() {
        for games in [1e3, 1e4, 1e5, 1e6] {
            assert!((2.5..5.0).contains(&widening(games)), "{games}: {}", widening(games));
        }
        // Coins that are fair are rarely told apart, however often one looks.
        let mut rng = deminer_game::Rng::new(3);
        let mut wrong = 0;
        for _ in 0..200 {
            let (mut sum, mut games) = (0.0, 0.0);
            for _ in 0..50 {
                sum += (0..1000).map(|_| f64::from(rng.below(2) as u32) - 0.5).sum::<f64>();
                games += 1000.0;
                if sum.abs() > widening(games) * 0.5 * f64::sqrt(games) {
                    wrong += 1;
                    break;
                }
            }
        }
        assert!(wrong <= 12, "{wrong}");
    }
}
