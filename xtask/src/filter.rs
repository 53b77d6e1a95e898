//! `cargo xtask filter`: mines the templates of the agent `filter` from windows with exact odds.
//!
//! Games are played on the three levels. Whenever the filters found so far see no safe cell, the
//! windows of all unknown cells next to clues are recorded with their exact odds, and the game goes
//! on with the safest cell. Each round searches for templates that make the center certain; the last
//! round finds templates that predict the odds best, and gives them scores. The same seed gives the
//! same list. Run it with `--release`: it is slow otherwise.

use anyhow::{Context, Result, bail};
use deminer_agents::players::filter::{Filter, Filters, Reading, Scene, Template};
use deminer_game::{Action, Board, Cell, GameSeed, Purpose, Rng, Rules, Size, State, View};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::{Engine, Odds};
use rustc_hash::FxHashMap;

const FILE: &str = "crates/agents/src/players/filter/templates.txt";

/// The most clues of the certain templates that each round looks for. The first finds mines, so
/// that the second sees clues that lack none.
const ROUNDS: [u32; 5] = [1, 1, 2, 3, 3];

/// The most clues of scored templates.
const SCORED_CLUES: u32 = 3;

/// Each round plays its own games, fewer than this.
const GAMES: u64 = 1 << 32;

/// A certain template must be the first to match at least this many windows of a round.
const CERTAIN_WINDOWS: u64 = 10;

/// A scored template must be the first to match at least this many windows.
const SCORED_WINDOWS: u64 = 60;

/// The spread of a template's odds is pooled with that of this many windows of all kinds, since few
/// windows may agree by chance.
const DOUBT: f64 = 50.0;

/// Writes the file and prints it, or with `--check` compares it.
pub fn run(words: &[&str]) -> Result<()> {
    let (mut windows, mut seed, mut check) = (400_000, 1, false);
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--windows" => windows = crate::number(word, words.next(), 1)?,
            "--seed" => seed = crate::number(word, words.next(), 0)?,
            "--check" => check = true,
            _ => bail!(
                "`{word}` is no option; usage: cargo xtask filter [--windows N] [--seed N] [--check]"
            ),
        }
    }
    let text = mine(windows, seed)?;
    if !check {
        print!("{text}");
    }
    crate::keep(FILE, text.as_bytes(), check, "filter")
}

/// The list as text, with comments on how it was made and how well it predicts the odds. Each round
/// collects this many windows.
fn mine(a_round: u64, seed: u64) -> Result<String> {
    let mut list: Vec<Filter> = Vec::new();
    for (round, &clues) in ROUNDS.iter().enumerate() {
        let windows = windows_when_stuck(a_round, seed, round, &Filters::new(list.clone()))?;
        list.extend(certain(&windows, clues));
    }
    let certain = list.len();
    let windows = windows_when_stuck(a_round, seed, ROUNDS.len(), &Filters::new(list.clone()))?;
    list.extend(scored(&windows));
    let scored = list.len() - certain;
    let filters = Filters::new(list);
    let (spread, error) = spread_and_error(&filters, &windows);
    Ok(format!(
        "; Made by `cargo run --release -p xtask -- filter --windows {a_round} --seed \
         {seed}`.\n\
         ; {certain} certain filters, then {scored} with a score. In the last round the exact odds \
         had a\n; standard deviation of {spread:.3}; scores were off by {error:.3}.\n\
         ; Score, windows that it was the first to match, template.\n{filters}"
    ))
}

/// The standard deviation of the odds in some windows, and that of the odds from their scores.
fn spread_and_error(filters: &Filters, windows: &Windows) -> (f64, f64) {
    let (mut all, mut error) = (Tally::default(), 0.0);
    for (window, tally) in windows {
        all.append(tally);
        if let Some((rank, _)) = filters.first(&window.scene()) {
            error += tally.squares_from(filters.list()[rank].score);
        }
    }
    (all.variance_with(0.0, 0.0).sqrt(), (error / all.windows as f64).sqrt())
}

/// What the windows that a template matches add up to.
#[derive(Clone, Copy, Default)]
struct Tally {
    windows: u64,
    safe: u64,
    mines: u64,
    sum: f64,
    squares: f64,
}

impl Tally {
    fn add(&mut self, odds: &Odds, cell: Cell) {
        let mine = odds.mine(cell).expect("covered cells have odds");
        self.windows += 1;
        self.safe += u64::from(odds.fact(cell) == Some(Fact::Safe));
        self.mines += u64::from(odds.fact(cell) == Some(Fact::Mine));
        self.sum += mine;
        self.squares += mine * mine;
    }

    fn append(&mut self, other: &Tally) {
        self.windows += other.windows;
        self.safe += other.safe;
        self.mines += other.mines;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn mean(&self) -> f64 {
        self.sum / self.windows as f64
    }

    /// The sum of the squares of how far the odds are from a score.
    fn squares_from(&self, score: f64) -> f64 {
        let sum = self.squares - 2.0 * score * self.sum + score * score * self.windows as f64;
        sum.max(0.0)
    }

    /// The variance of the odds, as if `doubt` windows of another variance were among them.
    fn variance_with(&self, doubt: f64, variance: f64) -> f64 {
        (self.squares_from(self.mean()) + doubt * variance) / (self.windows as f64 + doubt)
    }

    fn fact(&self) -> Option<Fact> {
        match self.windows {
            windows if windows == self.safe => Some(Fact::Safe),
            windows if windows == self.mines => Some(Fact::Mine),
            _ => None,
        }
    }
}

/// Windows, each as the template of all its clues, upright, in a fixed order.
type Windows = Vec<(Template, Tally)>;

/// Collects windows until there are enough.
#[derive(Default)]
struct Collection {
    tallies: FxHashMap<Template, Tally>,
    windows: u64,
}

impl Collection {
    fn add(&mut self, view: &View, reading: &Reading, odds: &Odds) {
        for cell in view.covered().filter(|&cell| reading.known(cell).is_none()) {
            let scene = reading.scene(view, cell);
            if scene.next() == 0 {
                continue;
            }
            self.tallies.entry(scene.all().upright()).or_default().add(odds, cell);
            self.windows += 1;
        }
    }

    fn sorted(self) -> Windows {
        let mut windows: Windows = self.tallies.into_iter().collect();
        windows.sort_unstable_by_key(|(template, _)| *template);
        windows
    }
}

/// The boards played on, one after another, with the first cell opened.
fn boards(seed: u64, round: usize) -> Result<impl Iterator<Item = (Board, Rng)>> {
    let levels: Result<Vec<Rules>, _> =
        Size::LEVELS.iter().map(|(_, size)| Rules::of(*size)).collect();
    let levels = levels.context("the levels are boards")?;
    Ok((round as u64 * GAMES..).map(move |game| {
        let rules = levels[game as usize % levels.len()].clone();
        let corner = rules.shape().nth(0).expect("boards have cells");
        let seed = GameSeed { seed, game };
        let mut board = Board::dealt(rules, seed);
        board.act(Action::Open(corner));
        (board, seed.rng(Purpose::Lab))
    }))
}

/// Windows at the moments when filters find no more safe cells. Each round plays other games.
fn windows_when_stuck(enough: u64, seed: u64, round: usize, filters: &Filters) -> Result<Windows> {
    let mut engine = Engine::default();
    let mut collection = Collection::default();
    for (mut board, mut rng) in boards(seed, round)? {
        let mut reading = Reading::new(board.view().shape());
        while board.state() == State::Live && collection.windows < enough {
            reading.update(board.view(), filters);
            if let Some(found) = reading.safe(board.view()) {
                board.act(Action::Open(found.cell));
                continue;
            }
            let view = board.view();
            let odds = engine.odds(view)?;
            collection.add(view, &reading, odds);
            let next = least_risk(view, odds);
            let next = *rng.pick(&next).expect("a live game has covered cells");
            board.act(Action::Open(next));
        }
        if collection.windows >= enough {
            break;
        }
    }
    Ok(collection.sorted())
}

/// The cells least likely to be mines.
fn least_risk(view: &View, odds: &Odds) -> Vec<Cell> {
    let risk = |cell: Cell| odds.mine(cell).expect("covered cells have odds");
    let least = view.covered().map(risk).fold(1.0, f64::min);
    view.covered().filter(|&cell| risk(cell) <= least).collect()
}

/// The simplest templates by which windows are certain, chosen greedily by how many windows they
/// make so.
fn certain(windows: &Windows, most_clues: u32) -> Vec<Filter> {
    let mut matches: FxHashMap<Template, Vec<u32>> = FxHashMap::default();
    for (number, (window, tally)) in windows.iter().enumerate() {
        if tally.fact().is_none() {
            continue;
        }
        let scene = window.scene();
        let proving = |clues| {
            let parts = parts(&scene, clues).into_iter().map(Template::without_unknown);
            let proving = parts.filter(|part| part.verdict().is_some());
            proving.map(|part| relaxed(part).upright()).collect::<Vec<_>>()
        };
        let mut simplest =
            (1..=most_clues).map(proving).find(|found| !found.is_empty()).unwrap_or_default();
        simplest.sort_unstable();
        simplest.dedup();
        for template in simplest {
            matches.entry(template).or_default().push(number as u32);
        }
    }
    let mut matches: Vec<(Template, Vec<u32>)> = matches.into_iter().collect();
    matches.sort_unstable_by_key(|(template, _)| *template);
    cover(windows, matches)
}

/// The parts of a scene that this number of clues see, connected with each other and the center.
fn parts(scene: &Scene, clues: u32) -> Vec<Template> {
    let bits =
        |mask: u32| (0..u32::BITS).map(|place| 1 << place).filter(move |bit| mask & bit != 0);
    let mut sets: Vec<u32> = bits(scene.next()).collect();
    for _ in 1..clues {
        let grown = sets.iter().flat_map(|&set| {
            let tied = bits(set)
                .fold(0, |tied, bit: u32| tied | scene.tied(bit.trailing_zeros() as usize));
            bits((tied | scene.next()) & !set).map(move |bit| set | bit)
        });
        sets = grown.collect();
        sets.sort_unstable();
        sets.dedup();
    }
    sets.into_iter().map(|set| scene.part(set).settled()).collect()
}

/// The template with as few known cells as prove the same.
fn relaxed(mut template: Template) -> Template {
    let verdict = template.verdict();
    while let Some(simpler) = template.relaxed().find(|simpler| simpler.verdict() == verdict) {
        template = simpler;
    }
    template
}

/// Takes the template that matches the most windows not matched yet, again and again.
fn cover(windows: &Windows, mut matches: Vec<(Template, Vec<u32>)>) -> Vec<Filter> {
    let mut taken = vec![false; windows.len()];
    let mut list = Vec::new();
    loop {
        let weight = |numbers: &Vec<u32>| -> u64 {
            let free = numbers.iter().filter(|&&number| !taken[number as usize]);
            free.map(|&number| windows[number as usize].1.windows).sum()
        };
        let weights: Vec<u64> = matches.iter().map(|(_, numbers)| weight(numbers)).collect();
        let best = (0..matches.len()).max_by_key(|&place| (weights[place], usize::MAX - place));
        let Some(best) = best.filter(|&best| weights[best] >= CERTAIN_WINDOWS) else { break };
        let (template, numbers) = matches.swap_remove(best);
        for number in numbers {
            taken[number as usize] = true;
        }
        let score = if template.verdict() == Some(Fact::Safe) { 0.0 } else { 1.0 };
        list.push(Filter { template, score, windows: weights[best] });
    }
    list
}

/// Templates ordered by how little the odds vary in their windows, each with the mean odds of
/// the windows that it is first to match. Those with a single clue and nothing else come last.
fn scored(windows: &Windows) -> Vec<Filter> {
    let mut all = Tally::default();
    windows.iter().for_each(|(_, tally)| all.append(tally));
    let variance = all.variance_with(0.0, 0.0);
    let mut matches: FxHashMap<Template, (Tally, Vec<u32>)> = FxHashMap::default();
    for (number, (window, tally)) in windows.iter().enumerate() {
        let scene = window.scene();
        let bare = parts(&scene, 1).into_iter().map(Template::bare);
        let exact = (1..=SCORED_CLUES).flat_map(|clues| parts(&scene, clues));
        let mut templates: Vec<Template> = exact.chain(bare).map(Template::upright).collect();
        templates.sort_unstable();
        templates.dedup();
        for part in templates {
            let (sum, numbers) = matches.entry(part).or_default();
            sum.append(tally);
            numbers.push(number as u32);
        }
    }
    let mut candidates: Vec<(Template, Tally, Vec<u32>)> = matches
        .into_iter()
        .map(|(template, (tally, numbers))| (template, tally, numbers))
        .filter(|(template, tally, _)| tally.windows >= least_windows(*template))
        .collect();
    candidates.sort_unstable_by(|(one, its, _), (other, their, _)| {
        let last = |template: Template| template == template.bare();
        let spread = |tally: &Tally| tally.variance_with(DOUBT, variance);
        let order = last(*one).cmp(&last(*other));
        order.then(spread(its).total_cmp(&spread(their))).then(one.cmp(other))
    });
    let mut taken = vec![false; windows.len()];
    let mut list = Vec::new();
    for (template, _, numbers) in candidates {
        let mut reached = Tally::default();
        let free = numbers.iter().filter(|&&number| !taken[number as usize]);
        free.for_each(|&number| reached.append(&windows[number as usize].1));
        if reached.windows < least_windows(template) {
            continue;
        }
        for number in numbers {
            taken[number as usize] = true;
        }
        // 0 and 1 are for what is certain.
        let score = reached.mean().clamp(0.0001, 0.9999);
        list.push(Filter { template, score, windows: reached.windows });
    }
    list
}

/// How many windows a template must be the first to match to have a score of its own.
fn least_windows(template: Template) -> u64 {
    if template == template.bare() { 1 } else { SCORED_WINDOWS }
}
