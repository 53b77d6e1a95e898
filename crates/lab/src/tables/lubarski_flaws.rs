//! Lubarski, Samujło and Wszeborowski: the cost of each flaw of their programs, and changes that
//! bring our originals nearer to theirs.

use deminer_game::{Agent, Estimates, GameSeed, Match, MovedBy, Outcome, Size};
use deminer_neural::encode::Encoding;
use deminer_neural::nets::{self, Boards, Design, Layer, Net, Sight, Variant};
use deminer_neural::train::{EXACT, Length, Recipe, Targets};

use super::lubarski_nets::{MOVES, lasting as lasts};
use super::{Findings, LUBARSKI, Study, Table, Target, Work, rules};
use crate::train::TRIAL_SEED;

pub const TABLE: Table = Table {
    id: "s000-flaws",
    title: "What each flaw of the original networks costs",
    about: "The originals for 7x7 boards with 5 mines, trained as published (300 epochs, a dense \
            network on 1000 games, a convolutional one on 50), then changed. The changes of \
            `mlp-5x5` add up: each row has those above it too; those of `cnn-full` do not. The \
            convolutional originals drop nothing in training, unlike the dense ones; two rows \
            show why. Each plays 4000 games on new boards. The paper says that `mlp-5x5` mostly answers 0; an answer below 0.005 is 0 in \
            two decimals.",
    plan: |plan| {
        for Change { name, paper, design } in &CHANGES {
            let study = plan.study(Study::new(*name, EPOCHS, move |work| run(work, design)));
            let agent = format!("{}:orig", design.name);
            let measures = MOVES.map(lasts).into_iter().chain(["won".to_owned()]);
            for (measure, percent) in measures.zip(paper) {
                let target = Target::Beside { paper: percent / 100.0 };
                let key = measure.clone();
                plan.found(study, [name, &agent, &measure], move |found| found.share(&key), target);
            }
            if design.sight == Sight::Window {
                plan.found(study, [name, &agent, ZEROS], |found| found.mean(ZEROS), Target::None);
            }
        }
    },
    ..Table::of(&LUBARSKI)
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

static CHANGES: [Change; 9] = [
    window("mlp-5x5, as published", window_net, window_recipe),
    window(
        "mlp-5x5, the same scale in play",
        |variant, size| {
            let net = window_net(variant, size);
            Net { in_play: net.encoding, ..net }
        },
        window_recipe,
    ),
    window("mlp-5x5, a channel for each code", channels, window_recipe),
    window("mlp-5x5, exact odds for answers", channels, of_odds),
    window(
        "mlp-5x5, nothing dropped",
        |variant, size| {
            let mut net = channels(variant, size);
            net.layers.retain(|layer| !matches!(layer, Layer::Dropout(_)));
            net
        },
        of_odds,
    ),
    full("cnn-full, as published", full_net, full_recipe),
    full("cnn-full, answers of the mended solver", full_net, |variant| Recipe {
        teacher: "gauss-csp+".to_owned(),
        ..full_recipe(variant)
    }),
    full("cnn-full, three in ten dropped", dropping, full_recipe),
    full("cnn-full, three in ten dropped, steps of 100 boards", dropping, |variant| Recipe {
        batch: 100,
        ..full_recipe(variant)
    }),
];

type MakeNet = fn(Variant, Size) -> Net;
type MakeRecipe = fn(Variant) -> Recipe;

const fn window(name: &'static str, build: MakeNet, recipe: MakeRecipe) -> Change {
    let (sight, boards_are) = (Sight::Window, Boards::Each);
    let design = Design { name: "mlp-5x5", sight, build, recipe, boards: &[], boards_are };
    Change { name, paper: [84.5, 56.0, 31.3, 8.3], design }
}

const fn full(name: &'static str, build: MakeNet, recipe: MakeRecipe) -> Change {
    let (sight, boards_are) = (Sight::Board, Boards::Each);
    let design = Design { name: "cnn-full", sight, build, recipe, boards: &[], boards_are };
    Change { name, paper: [71.0, 38.7, 16.5, 3.5], design }
}

fn published(net: &str) -> &'static Design {
    nets::find(net).expect("a design of ours")
}

fn window_net(variant: Variant, size: Size) -> Net {
    (published("mlp-5x5").build)(variant, size)
}

fn full_net(variant: Variant, size: Size) -> Net {
    (published("cnn-full").build)(variant, size)
}

fn window_recipe(variant: Variant) -> Recipe {
    (published("mlp-5x5").recipe)(variant)
}

fn full_recipe(variant: Variant) -> Recipe {
    (published("cnn-full").recipe)(variant)
}

fn channels(variant: Variant, size: Size) -> Net {
    let encoding = Encoding::OneHot11;
    let mut net = Net { encoding, in_play: encoding, ..window_net(variant, size) };
    let Some(Layer::Dense { inputs, .. }) = net.layers.first_mut() else {
        panic!("a dense network begins with a dense layer")
    };
    *inputs *= encoding.channels();
    net
}

/// Drops three in ten after each layer, like the dense originals.
fn dropping(variant: Variant, size: Size) -> Net {
    let mut net = full_net(variant, size);
    let layers = net.layers.into_iter().flat_map(|layer| {
        let dropout = matches!(layer, Layer::Relu).then_some(Layer::Dropout(0.3));
        std::iter::once(layer).chain(dropout)
    });
    net.layers = layers.collect();
    net
}

fn of_odds(variant: Variant) -> Recipe {
    let published = window_recipe(variant);
    let targets = Targets { rounded: false, ..published.targets };
    Recipe { teacher: EXACT.to_owned(), targets, ..published }
}

/// Trains for `amount` epochs, and plays.
fn run(work: &Work<'_>, design: &'static Design) -> Option<Findings> {
    let variant = Variant::Orig;
    let mut recipe = (design.recipe)(variant);
    recipe.length = Length::Epochs(work.amount);
    if work.sketch {
        recipe.games = 2;
    }
    let network = work.teach(design, variant, vec![BOARD], &recipe)?;
    let mut player = deminer_neural::player(design, variant, network.trainer());
    let rules = rules(&BOARD.to_string(), recipe.start);
    let games = if work.sketch { 2 } else { TRIAL };
    let mut findings = Findings::default();
    for game in 0..games {
        let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
        play(Match::new(rules.clone(), recipe.at, seed), player.as_mut(), &mut findings);
    }
    (!work.is_stopped()).then_some(findings)
}

/// Plays a game and notes how long it lasted, and the share of answers that are 0 in two decimals.
fn play(mut game: Match, player: &mut dyn Agent, findings: &mut Findings) {
    let (mut moves, mut answers, mut zeros) = (0, 0, 0);
    while let Some((by, decision)) = game.ask(player) {
        if by == MovedBy::Agent {
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
        findings.note(&lasts(lasting), won || moves > lasting);
    }
    findings.note("won", won);
    findings.push(ZEROS, zeros as f64 / answers.max(1) as f64);
}

const ZEROS: &str = "answers below 0.005";
