//! Trains networks on a teacher's games or on their own.

mod checkpoint;
mod data;
mod self_play;
mod supervised;
mod teacher;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_draw::{Axis, Chart};
use deminer_game::{Rules, RulesError, Size, Window};
use deminer_neural::artifact::{self, Header, LARGEST, Precision, TRUTH, describe};
use deminer_neural::nets::{self, Boards, Design, Net, Variant};
use deminer_neural::train::{Labels, Length, Recipe, Samples, Trainer};
use serde::{Deserialize, Serialize};

use super::choices::{ANY, KEEPING_HERE, START, options};
use super::{
    Choices, Context, Learner, LearnerEntry, LearnerOption, Made, MadeFile, OptionError, Progress,
    Step, Takes, TrainError, Unit,
};
use crate::tables::{bare, series};
use crate::tournament::Tournament;
use deminer::roster::{self, Roster};

use checkpoint::{Saved, State};
pub(crate) use data::is_frontier;
use self_play::SelfTaught;
use supervised::Supervised;
pub(crate) use teacher::Teacher;

/// The learner of a network.
pub(super) fn entry(design: &'static Design) -> LearnerEntry {
    let agent = deminer_neural::ROSTER.iter().find(|entry| entry.name == design.name);
    let agent = agent.expect("every network has its agent");
    LearnerEntry {
        name: design.name,
        about: agent.about,
        details: DETAILS,
        examples: EXAMPLES,
        paper: agent.paper,
        options: &[OPTIONS, KEEPING_HERE],
        extension: "safetensors",
        small: match (design.recipe)(Variant::Repaired).curriculum {
            None => SMALL,
            Some(_) => SMALL_SELF_PLAY,
        },
        split,
        check: |choices| {
            let runs = split(choices)?.into_iter();
            { runs }
                .try_for_each(|(_, run)| NetworkOrder::new(&run, NonZero::<usize>::MIN)?.check())
        },
        begin: |choices, saved, context| {
            let order = NetworkOrder::new(choices, context.threads)?;
            Ok(Box::new(Network::begin(order, saved, context.stop)?))
        },
    }
}

const DETAILS: &str = "\
Options that are not given follow the network's recipe. Networks on windows and boards (mlp-full, \
mlp-full-wide, enn-full, enn-full-wide, cnn-full, mlp-5x5, cnn-5x5, reg-lin, svm-lin, convnet) learn from the games of a \
teacher; sla-small, sla-large-a, sla-large-b and msla from games of their own. The same seed \
gives the same network. Ctrl-C, or a kill, loses at most a minute: --resume continues.";

const EXAMPLES: &str = "\
  deminer train cnn-5x5 --board 10x10x10
  deminer train mlp-full --orig --board 7x7x5
  deminer train sla-small --games 2000 --out sla.safetensors
  deminer train msla --teacher exact
  deminer train sla-small --mixed --games 2000
  deminer train sla-small --resume
  deminer --artifacts . bench --agent sla-small --board intermediate";

const SMALL: &[(&str, &str)] = &[
    ("board", "5x4x3"),
    ("teacher", "exact"),
    ("games", "6"),
    ("batch", "4"),
    ("epochs", "3"),
    ("trial", "3"),
];

const SMALL_SELF_PLAY: &[(&str, &str)] = &[
    ("board", "5x4x2"),
    ("board", "5x4x3"),
    ("teacher", "exact"),
    ("games", "6"),
    ("draws", "16"),
    ("batch", "4"),
    ("trial", "3"),
];

const MANY: Takes = Takes::Whole(1, u64::MAX);

const OPTIONS: &[LearnerOption] = options! {
    "orig", Takes::Flag, "As the authors built it, with the flaws of their program.";
    "board", Takes::Boards,
        "The board, as WIDTHxHEIGHTxMINES or by name; several times for several. Networks of \
         windows and of one board size make an artifact for each; self-playing ones take them as \
         stages; convnet by turns.";
    "games", MANY, "Games of the teacher, or of each stage of self-play.";
    "further", ANY, "Games of self-play on the last board, after all stages.";
    "mixed", Takes::Flag, "Boards of self-play take turns, game by game, instead of being stages.";
    "teacher", Takes::Teacher,
        "Who teaches: `exact` for exact odds, or any agent that gives estimates.";
    "seed" = "1", ANY, "The seed of the run.";
    "epochs", MANY, "How many times all samples are used.";
    "samples", MANY, "How many samples are used in all, new and repeated ones.";
    "batch", MANY, "Samples per training step.";
    "rate", Takes::Number(0.0, 1e3), "The learning rate at the start.";
    "dropout", Takes::Number(0.0, 0.9),
        "The share of numbers that the network's dropout layers drop in training.";
    "draws", MANY, "Samples drawn after each self-played game.";
    "start", START, "What the first opened cell is promised.";
    "trial" = "1000", ANY, "Games on boards not seen in training, played at the end.", free;
};

/// A training for each board where each board has its own network.
fn split(choices: &Choices) -> Result<Vec<(String, Choices)>, TrainError> {
    let design = nets::find(choices.entry.name).expect("networks are listed by their design");
    let runs: Vec<Choices> = match design.boards_are {
        Boards::Each => {
            let boards = boards(design, choices).into_iter();
            boards.map(|board| choices.clone().with("board", board)).collect()
        }
        Boards::Stages | Boards::Mixed => vec![choices.clone()],
    };
    let out = choices.text("out").map(std::path::Path::new);
    if runs.len() > 1 && out.is_some_and(|out| out.extension().is_some()) {
        let reason = format!(
            "{} is trained for one board at a time: give --board, or a folder as --out",
            design.name
        );
        return Err(OptionError::new("board", reason).into());
    }
    let named = |choices: Choices| {
        let order = NetworkOrder::new(&choices, NonZero::<usize>::MIN)?;
        Ok((order.name(), choices))
    };
    runs.into_iter().map(named).collect()
}

/// The boards that were chosen, or else the design's own.
fn boards(design: &Design, choices: &Choices) -> Vec<Size> {
    if choices.has("board") {
        return choices.all("board");
    }
    let parse = |board: &&str| board.parse().expect("a design's boards are well-formed");
    design.boards.iter().map(parse).collect()
}

/// A network to be trained.
#[derive(Clone, Debug)]
pub(crate) struct NetworkOrder {
    /// Agents that can teach, with their artifacts.
    pub roster: Roster,
    /// Which network.
    pub design: &'static Design,
    /// As its authors had it, or repaired.
    pub variant: Variant,
    /// For which boards: one, or several where the design takes them by stages or by turns.
    pub boards: Vec<Size>,
    /// How.
    pub recipe: Recipe,
    /// The seed of the run.
    pub seed: u64,
    /// Threads on which teachers play.
    pub threads: NonZero<usize>,
    /// Games on boards not seen in training, played at the end.
    pub trial: u64,
    /// The command, for the artifact's header.
    pub command: String,
}

impl NetworkOrder {
    fn new(choices: &Choices, threads: NonZero<usize>) -> Result<Self, TrainError> {
        let design = nets::find(choices.entry.name).expect("networks are listed by their design");
        let variant = if choices.has("orig") { Variant::Orig } else { Variant::Repaired };
        let boards = boards(design, choices);
        let mut recipe = (design.recipe)(variant);
        if let Some(teacher) = choices.text("teacher") {
            teacher.clone_into(&mut recipe.teacher);
        }
        choices.refuse("epochs", &["samples"])?;
        let useless = |option: &str, why: &str| match choices.has(option) {
            true => Err(OptionError::new(option, format!("{} {why}", design.name))),
            false => Ok(()),
        };
        match &mut recipe.curriculum {
            Some(curriculum) => {
                curriculum.games = choices.find("games").unwrap_or(curriculum.games);
                curriculum.draws = choices.find("draws").unwrap_or(curriculum.draws);
                curriculum.further = choices.find("further").unwrap_or(curriculum.further);
                curriculum.mixed = choices.has("mixed");
                useless("epochs", "learns from games of its own: give --games")?;
                useless("samples", "learns from games of its own: give --games")?;
            }
            None => {
                recipe.games = choices.find("games").unwrap_or(recipe.games);
                useless("mixed", "does not play itself: --mixed has no meaning")?;
                useless("draws", "does not play itself: --draws has no meaning")?;
                useless("further", "does not play itself: --further has no meaning")?;
            }
        }
        let epochs = choices.find("epochs").map(Length::Epochs);
        let length = epochs.or_else(|| choices.find("samples").map(Length::Samples));
        recipe.length = length.unwrap_or(recipe.length);
        recipe.batch = choices.find("batch").unwrap_or(recipe.batch);
        recipe.rate = choices.find("rate").unwrap_or(recipe.rate);
        recipe.start = choices.find("start").unwrap_or(recipe.start);
        recipe.dropout = choices.find("dropout");
        if (design.build)(variant, boards[0]).dropout().is_none() {
            useless("dropout", "has no dropout layers: --dropout has no meaning")?;
        }
        let (roster, command) = (choices.roster.clone(), choices.command.clone());
        let (seed, trial) = (choices.get("seed"), choices.get("trial"));
        Ok(Self { roster, design, variant, boards, recipe, seed, threads, trial, command })
    }

    /// The name of its artifact: the network, its variant, its teacher where that may differ, and
    /// the board where each has its own.
    fn name(&self) -> String {
        let mut name = self.design.name.to_owned();
        if self.variant == Variant::Orig {
            name += "-orig";
        }
        if self.labels() == Some(Labels::Teacher) {
            name = format!("{name}-{}", self.recipe.teacher);
        }
        if self.design.boards_are == Boards::Each {
            name = format!("{name}-{}", self.board());
        }
        name
    }

    /// The board it is trained for in the end.
    fn board(&self) -> Size {
        *self.boards.last().expect("an order names a board")
    }

    fn labels(&self) -> Option<Labels> {
        self.recipe.curriculum.as_ref().map(|curriculum| curriculum.labels)
    }

    /// The rules on each board.
    fn rules(&self) -> Result<Vec<Rules>, RulesError> {
        self.boards.iter().map(|&size| Rules::of(size)?.with_start(self.recipe.start)).collect()
    }

    /// Refuses impossible boards, and players that do not play on them.
    fn check(&self) -> Result<(), TrainError> {
        let rules = self.rules()?;
        if self.labels() != Some(Labels::Truth) {
            Teacher::new(&self.roster, &self.recipe.teacher, &rules)?;
        }
        let player = roster::agent(&format!("{}:run-0", self.design.name));
        let player = player.expect("every network has an agent");
        rules.iter().try_for_each(|rules| player.admit(rules)).map_err(TrainError::from)
    }

    fn net(&self) -> Net {
        let net = (self.design.build)(self.variant, self.board());
        match self.recipe.dropout {
            Some(share) => net.dropping(share),
            None => net,
        }
    }
}

/// A point of the learning curve.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The share of the training that is done.
    pub done: f64,
    /// Samples learned from.
    pub samples: u64,
    /// The mean loss since the last point.
    pub loss: f64,
    /// The loss on samples not learned from, or the share of self-played games won.
    pub validation: Option<f64>,
}

/// A network in training.
pub(crate) struct Network {
    order: NetworkOrder,
    way: Way,
}

/// How a network learns.
enum Way {
    Supervised(Box<Supervised>),
    SelfTaught(Box<SelfTaught>),
}

impl Network {
    /// A new network, or one that continues.
    pub fn begin(
        order: NetworkOrder,
        saved: Option<&[u8]>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, TrainError> {
        let saved = match saved {
            Some(saved) => checkpoint::read(saved, order.net(), &order.recipe)?,
            None => Saved {
                state: State::default(),
                trainer: Trainer::new(order.net(), &order.recipe, order.seed),
                memory: Samples::new(Window::SIDE, Window::SIDE, 1),
            },
        };
        let way = match &order.recipe.curriculum {
            None => Way::Supervised(Box::new(Supervised::begin(&order, saved, stop)?)),
            Some(curriculum) => {
                Way::SelfTaught(Box::new(SelfTaught::begin(&order, curriculum.clone(), saved)?))
            }
        };
        Ok(Self { order, way })
    }

    /// The network as it is now.
    pub fn trainer(&self) -> &Trainer {
        match &self.way {
            Way::Supervised(way) => &way.trainer,
            Way::SelfTaught(way) => &way.school.trainer,
        }
    }

    /// The learning curve so far.
    pub fn marks(&self) -> &[Mark] {
        match &self.way {
            Way::Supervised(way) => &way.state.marks,
            Way::SelfTaught(way) => &way.state.marks,
        }
    }

    /// What validation is called: where a network plays itself, its wins.
    fn validation(&self, taught: &'static str, alone: &'static str) -> &'static str {
        if self.order.labels().is_some() { alone } else { taught }
    }

    /// Rules and games learned from, in words.
    fn data(&self, samples: u64) -> String {
        let recipe = &self.order.recipe;
        let boards: Vec<String> = self.order.boards.iter().map(Size::to_string).collect();
        let (boards, start) = (boards.join(", "), recipe.start);
        let games = match &recipe.curriculum {
            Some(curriculum) => format!("{} games of its own on each of", curriculum.games),
            None => format!("{} games of {} on", recipe.games, recipe.teacher),
        };
        let further = recipe.curriculum.as_ref().map_or(0, |curriculum| curriculum.further);
        let further = match further {
            0 => String::new(),
            games => format!(" and {games} more on the last"),
        };
        let dropout = self.trainer().net.dropout();
        let dropout = dropout.map_or(String::new(), |share| format!("; dropout {share}"));
        format!("{games} {boards}{further}, start {start}{dropout}; {samples} samples seen")
    }

    fn curve(&self) -> Chart {
        let line = |name: &str, value: fn(&Mark) -> Option<f64>| {
            let point = |mark: &Mark| Some(bare(mark.samples as f64 / 1e6, value(mark)?));
            series(name, self.marks().iter().filter_map(point).collect())
        };
        Chart {
            title: format!("{}: loss while learning", self.order.name()),
            across: Axis::Number("million samples".into()),
            up: Axis::Number(format!("{:?}", self.order.recipe.loss)),
            series: vec![
                line("training", |mark| Some(mark.loss)),
                line(self.validation("validation", "games won"), |mark| mark.validation),
            ],
        }
    }

    /// Writes the artifact with a header.
    fn write(&self, header: &Header) -> Vec<u8> {
        let trainer = self.trainer();
        let large = trainer.net.parameters() > HALVED;
        let precision = if large { Precision::Half } else { Precision::Single };
        artifact::write(header, &trainer.net, &trainer.weights, precision)
    }

    /// The header, with everything measured but the trial.
    fn header(&self) -> Header {
        let NetworkOrder { design, variant, recipe, seed, command, .. } = &self.order;
        let last = self.marks().last().copied().unwrap_or_default();
        let mut header = Header {
            net: design.name.to_owned(),
            variant: *variant,
            board: self.order.board(),
            teacher: match self.order.labels() {
                Some(Labels::Truth) => TRUTH.to_owned(),
                _ => recipe.teacher.clone(),
            },
            data: self.data(last.samples),
            seed: *seed,
            command: command.clone(),
            metrics: Default::default(),
        };
        let mut measure = |name: &str, value| header.metrics.insert(name.to_owned(), value);
        if !self.marks().is_empty() {
            measure("loss", rounded(last.loss));
            let name = self.validation("validation loss", "self-play wins");
            last.validation.map(|value| measure(name, rounded(value)));
        }
        measure("samples", last.samples as f64);
        header
    }
}

impl Learner for Network {
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError> {
        match &mut self.way {
            Way::Supervised(way) => way.step(&self.order, context.stop),
            Way::SelfTaught(way) => Ok(way.step(&self.order)),
        }
    }

    fn progress(&self) -> Progress {
        let latest = match &self.way {
            Way::Supervised(way) => way.latest,
            Way::SelfTaught(way) => way.latest,
        };
        let progress = Progress::new((latest.done * PARTS) as u64, PARTS as u64, "parts");
        let progress = progress.with("loss", latest.loss, Unit::Plain);
        match self.marks().iter().rev().find_map(|mark| mark.validation) {
            Some(value) => progress.with(self.validation("validation", "won"), value, Unit::Plain),
            None => progress,
        }
    }

    fn checkpoint(&self) -> Vec<u8> {
        match &self.way {
            Way::Supervised(way) => checkpoint::write(&way.state, &way.trainer, None),
            Way::SelfTaught(way) => {
                checkpoint::write(&way.state, &way.school.trainer, Some(&way.school.memory))
            }
        }
    }

    /// Writes the artifact, plays the trial with it and writes it again with what was measured.
    fn finish(&self, context: &mut Context) -> Result<Made, TrainError> {
        let order = &self.order;
        let mut header = self.header();
        if order.trial > 0 {
            let file = self.write(&header);
            for rules in order.rules()? {
                let name = format!("wins on {}", rules.size());
                header.metrics.insert(name, rounded(try_out(order, rules, &file, context.stop)?));
            }
            header.metrics.insert("trial games".into(), order.trial as f64);
        }
        let artifact = self.write(&header);
        let mut files = Vec::new();
        if artifact.len() > LARGEST {
            files.push((MadeFile::Beside("json"), describe(&header).into_bytes()));
        }
        files.push((MadeFile::Beside("svg"), self.curve().svg().into_bytes()));
        let (name, bytes) = (order.name(), artifact.len());
        let numbers = self.trainer().net.parameters();
        let mut report =
            format!("{name}: {numbers} learned numbers, {bytes} bytes, {}\n", header.data);
        for (name, value) in &header.metrics {
            report += &format!("  {name}: {value}\n");
        }
        Ok(Made { artifact, files, report, text: String::new() })
    }
}

/// The share of games won on boards that training never sees: those of another seed.
fn try_out(
    order: &NetworkOrder,
    rules: Rules,
    file: &[u8],
    stop: &Arc<AtomicBool>,
) -> Result<f64, TrainError> {
    let player = roster::agent(&format!("{}:run-0", order.design.name));
    let player = player.expect("every network has an agent").with_artifact(file.to_vec());
    let games = Tournament::plain(vec![player], rules, order.seed ^ TRIAL_SEED, order.trial);
    let games = Tournament { at: order.recipe.at, ..games };
    let results = games.run(order.threads, stop, |_| {})?;
    if !results.complete {
        return Err(TrainError::Stopped);
    }
    Ok(results.tallies[0].rate())
}

/// Parts of a progress bar.
const PARTS: f64 = 10_000.0;

/// Networks with more numbers than this are kept in 16 bits each.
const HALVED: usize = 200_000;

/// Set the boards of training, and those of trials and validation, apart from each other and from
/// those of every tournament with a seed of usual size: what is measured was never learned from.
pub(crate) const LESSON_SEED: u64 = 0x6c65_7373_6f6e_0000;
pub(crate) const TRIAL_SEED: u64 = 0x7472_6961_6c00_0000;

/// Four digits are enough for a header.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
