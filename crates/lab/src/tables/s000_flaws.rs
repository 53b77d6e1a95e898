//! Lubarski, Samujło and Wszeborowski: what each flaw of their programs costs, and what would bring
//! our originals nearer to theirs.

use deminer_game::{Agent, By, Estimates, GameSeed, Match, Outcome, Rules, Size};
use deminer_neural::encode::Encoding;
use deminer_neural::nets::{self, Boards, Design, Layer, Net, Sight, Variant};
use deminer_neural::train::{EXACT, Length, Recipe, Targets};

use super::s000_nets::{MOVES, lasting as lasts};
use super::s000_t1::PAPER;
use super::{Findings, Line, Measured, Played, Reading, Study, Table, Target, Work};
use crate::training::TRIAL_SEED;

pub const TABLE: Table = Table {
    id: "s000-flaws",
    title: "What each flaw of the original networks costs",
    paper: Some(PAPER),
    about: "The originals for 7x7 boards with 5 mines, trained as published (300 epochs, a dense \
            network on 1000 games, a convolutional one on 50), then changed. The changes of \
            `mlp-5x5` add up: each row has those above it too; those of `cnn-full` do not. \
            `cnn-full` alone drops nothing in training; two rows tell why. 4000 games on new boards. The paper says that `mlp-5x5` mostly answers 0; \
            an answer below 0.005 is 0 in two decimals.",
    trials: Vec::new,
    studies: || CHANGES.iter().map(|change| Study::new(change.name, EPOCHS, run)).collect(),
    read,
    digest: None,
};

const BOARD: Size = Size { width: 7, height: 7, mines: 5 };
const EPOCHS: u64 = 300;
const TRIAL: u64 = 4000;

/// An original with something changed.
struct Change {
    name: &'static str,
    /// The paper's percentages after 1, 3 and 5 moves and at the end, of what was not changed.
    paper: [f64; 4],
    design: Design,
}

const WINDOW: [f64; 4] = [84.5, 56.0, 31.3, 8.3];
const FULL: [f64; 4] = [71.0, 38.7, 16.5, 3.5];

static CHANGES: [Change; 9] = [
    window("mlp-5x5, as published", published_window, window_recipe),
    window("mlp-5x5, the same scale in play", same_scale, window_recipe),
    window("mlp-5x5, a channel for each code", channels, window_recipe),
    window("mlp-5x5, exact odds for answers", channels, of_odds),
    window("mlp-5x5, nothing dropped", channels_without_dropout, of_odds),
    full("cnn-full, as published", published_full, full_recipe),
    full("cnn-full, answers of the mended solver", published_full, of_mended_solver),
    full("cnn-full, three in ten dropped", dropping, full_recipe),
    full("cnn-full, three in ten dropped, steps of 100 boards", dropping, by_small_steps),
];

type Build = fn(Variant, Size) -> Net;
type Learn = fn(Variant) -> Recipe;

const fn window(name: &'static str, build: Build, recipe: Learn) -> Change {
    let (sight, boards_are) = (Sight::Window, Boards::Each);
    let design = Design { name: "mlp-5x5", sight, build, recipe, boards: &[], boards_are };
    Change { name, paper: WINDOW, design }
}

const fn full(name: &'static str, build: Build, recipe: Learn) -> Change {
    let (sight, boards_are) = (Sight::Board, Boards::Each);
    let design = Design { name: "cnn-full", sight, build, recipe, boards: &[], boards_are };
    Change { name, paper: FULL, design }
}

fn published(net: &str) -> &'static Design {
    nets::find(net).expect("a design of ours")
}

fn published_window(variant: Variant, size: Size) -> Net {
    (published("mlp-5x5").build)(variant, size)
}

fn published_full(variant: Variant, size: Size) -> Net {
    (published("cnn-full").build)(variant, size)
}

fn same_scale(variant: Variant, size: Size) -> Net {
    let net = published_window(variant, size);
    Net { in_play: net.encoding, ..net }
}

fn channels(variant: Variant, size: Size) -> Net {
    let encoding = Encoding::OneHot11;
    let mut net = Net { encoding, in_play: encoding, ..published_window(variant, size) };
    let Some(Layer::Dense { inputs, .. }) = net.layers.first_mut() else {
        panic!("a dense network begins with a dense layer")
    };
    *inputs *= encoding.channels();
    net
}

fn channels_without_dropout(variant: Variant, size: Size) -> Net {
    let mut net = channels(variant, size);
    net.layers.retain(|layer| !matches!(layer, Layer::Dropout(_)));
    net
}

/// Like all other originals.
fn dropping(variant: Variant, size: Size) -> Net {
    let mut net = published_full(variant, size);
    let layers = net.layers.into_iter().flat_map(|layer| {
        let dropout = matches!(layer, Layer::Relu).then_some(Layer::Dropout(0.3));
        std::iter::once(layer).chain(dropout)
    });
    net.layers = layers.collect();
    net
}

fn window_recipe(variant: Variant) -> Recipe {
    (published("mlp-5x5").recipe)(variant)
}

fn full_recipe(variant: Variant) -> Recipe {
    (published("cnn-full").recipe)(variant)
}

fn of_odds(variant: Variant) -> Recipe {
    let published = window_recipe(variant);
    let targets = Targets { rounded: false, ..published.targets };
    Recipe { teacher: EXACT.to_owned(), targets, ..published }
}

fn of_mended_solver(variant: Variant) -> Recipe {
    Recipe { teacher: "gauss-csp+".to_owned(), ..full_recipe(variant) }
}

fn by_small_steps(variant: Variant) -> Recipe {
    Recipe { batch: 100, ..full_recipe(variant) }
}

/// Trains for `amount` epochs, and plays.
fn run(work: &Work<'_>) -> Option<Findings> {
    let change =
        CHANGES.iter().find(|change| change.name == work.name).expect("studies have these names");
    let (design, variant) = (&change.design, Variant::Orig);
    let mut recipe = (design.recipe)(variant);
    recipe.length = Length::Epochs(work.amount);
    if work.sketch {
        recipe.games = 2;
    }
    let (trainer, _) = work.teach(design, variant, vec![BOARD], &recipe)?;
    let mut player = deminer_neural::player(design, variant, &trainer);
    let rules = Rules::of(BOARD).and_then(|rules| rules.with_start(recipe.start));
    let rules = rules.expect("a board that allows this start");
    let games = if work.sketch { 2 } else { TRIAL };
    let mut findings = Findings::default();
    for game in 0..games {
        let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
        play(Match::new(rules.clone(), recipe.at, seed), player.as_mut(), &mut findings);
    }
    (!work.is_stopped()).then_some(findings)
}

/// Plays a game and notes how long it lasted, and how many answers were zero in two decimals.
fn play(mut game: Match, player: &mut dyn Agent, findings: &mut Findings) {
    let (mut moves, mut answers, mut zeros) = (0, 0, 0);
    while let Some((by, decision)) = game.ask(player) {
        if by == By::Agent {
            moves += 1;
            let view = game.board().view();
            let answered = |estimates: &Estimates| {
                view.covered().filter_map(|cell| estimates.mine(cell)).collect::<Vec<f64>>()
            };
            let risks = decision.estimates.as_deref().map(answered).unwrap_or_default();
            answers += risks.len();
            zeros += risks.iter().filter(|&&risk| risk < 0.005).count();
        }
        game.carry_out(&decision);
    }
    let won = game.outcome() == Some(Outcome::Won);
    for lasting in MOVES {
        findings.push(&lasts(lasting), f64::from(won || moves > lasting));
    }
    findings.push("won", f64::from(won));
    findings.push(ZEROS, zeros as f64 / answers.max(1) as f64);
}

const ZEROS: &str = "answers below 0.005";

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for change in &CHANGES {
        let findings = played.findings(change.name);
        let agent = format!("{}:orig", change.design.name);
        let measures = MOVES.map(lasts).into_iter().chain(["won".to_owned()]);
        for (measure, paper) in measures.zip(change.paper) {
            let target = Target::Beside { paper: paper / 100.0 };
            let ours: Measured = findings.share(&measure);
            lines.push(Line::new(change.name, &agent, measure, target, ours));
        }
        if change.design.sight == Sight::Window {
            let ours = findings.mean(ZEROS);
            lines.push(Line::new(change.name, &agent, ZEROS, Target::None, ours));
        }
    }
    Reading { lines, ..Reading::default() }
}
