//! Trains tables with the value of each cell in each view (Q-learning).

use deminer_draw::{Axis, Chart};
use deminer_game::{GameSeed, Match, Outcome, Rules};
use deminer_learn::q_table::{
    self, Artifact, MOST_CELLS, Origin, Player, Pupil, PupilState, QTablePlan, Rewards, Standing,
};
use serde::{Deserialize, Serialize};

use super::choices::{ANY, KEEPING, RULES, options};
use super::network::TRIAL_SEED;
use super::{
    Choices, Context, Learner, LearnerEntry, LearnerOption, Made, MadeFile, OptionError, Progress,
    Step, Takes, TrainError, Unit, pack, unpack,
};
use crate::stats;
use crate::tables::{bare, series};

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "q-table",
    about: "a table of what each cell of a tiny board is worth, learned by trying",
    details: "Q-learning with a table: for tiny boards, whose views can all be met. A pupil plays, \
              mostly what it holds best and now and then anything; every step is worth what it is \
              paid and what the best step of the next view is worth. `deminer bench --agent \
              q-table:FILE` plays it.",
    examples: "\
  deminer train q-table --board 4x4x3 --out mine.q
  deminer train q-table --board 5x5x5 --games 3000000 --out mine.q
  deminer bench --agent q-table:mine.q --agent optimal --board 4x4x3",
    paper: q_table::ENTRY.paper,
    options: &[OPTIONS, RULES, KEEPING],
    extension: "q",
    small: &[("board", "3x3x2"), ("games", "5000"), ("trial", "50"), ("least", "2")],
    split: |choices| Ok(vec![(choices.entry.name.to_owned(), choices.clone())]),
    check: |choices| plan(choices).map(|_| ()),
    begin: |choices, saved, _| {
        let plan = plan(choices)?;
        let (pupil, marks) = match saved {
            None => (Pupil::new(plan.clone()), Vec::new()),
            Some(saved) => {
                let Saved { pupil, marks } = unpack(saved)?;
                (Pupil::resume(plan.clone(), pupil), marks)
            }
        };
        Ok(Box::new(TableLearner { choices: choices.clone(), plan, pupil, marks }))
    },
};

const PAY: Takes = Takes::Number(-1000.0, 1000.0);
const FRACTION: Takes = Takes::Number(0.0, 1.0);

const OPTIONS: &[LearnerOption] = options! {
    "games" = "1000000", Takes::Whole(1, 1_000_000_000), "Games the pupil plays.";
    "seed" = "1", ANY, "The seed of the run.";
    "safe" = "1", PAY, "The reward of a safe step.";
    "won" = "1", PAY, "What the step that wins is paid.";
    "mine" = "-1", PAY, "The reward of opening a mine.";
    "discount" = "0.9", FRACTION, "How much the next step counts beside the reward of this one.";
    "curiosity" = "0.3", FRACTION,
        "How often a random cell is tried at the start; it falls to a tenth of that.";
    "rate" = "0.1", FRACTION,
        "The learning rate at the start; it falls to a tenth of that.";
    "least" = "1", Takes::Whole(0, u32::MAX as u64),
        "Keep only views that were met at least this often.";
    "trial" = "10000", ANY, "Games on other boards, played at the end.", free;
};

/// Games of a step.
const PIECE: u64 = 1000;

/// Points of the learning curve.
const MARKS: u64 = 50;

fn plan(choices: &Choices) -> Result<QTablePlan, TrainError> {
    let (rules, at) = choices.rules()?;
    let size = rules.size();
    if size.width * size.height > MOST_CELLS {
        let reason = format!(
            "{size} has too many views for a table: {MOST_CELLS} cells at most, such as --board 4x4x3"
        );
        return Err(OptionError::new("board", reason).into());
    }
    if let Some(refused) = q_table::ENTRY.supports.refusal(&rules) {
        let option = refused.split(' ').next().unwrap_or("board");
        return Err(OptionError::new(option, format!("tables are not made for {refused}")).into());
    }
    Ok(QTablePlan {
        rules,
        at,
        seed: choices.get("seed"),
        games: choices.get("games"),
        rewards: Rewards {
            safe: choices.get("safe"),
            won: choices.get("won"),
            mine: choices.get("mine"),
        },
        discount: choices.get("discount"),
        // A single-precision number, as tables were always made.
        curiosity: choices.get::<f32>("curiosity").into(),
        rate: choices.get("rate"),
    })
}

/// A table that is learned.
struct TableLearner {
    choices: Choices,
    plan: QTablePlan,
    pupil: Pupil,
    /// The learning curve.
    marks: Vec<Standing>,
}

/// A checkpoint.
#[derive(Serialize, Deserialize)]
struct Saved {
    pupil: PupilState,
    marks: Vec<Standing>,
}

/// The share of games won from mark to mark.
fn share(before: &Standing, mark: &Standing) -> f64 {
    (mark.won - before.won) as f64 / (mark.games - before.games) as f64
}

fn curve(rules: &Rules, marks: &[Standing]) -> Chart {
    let befores = [Standing::default()].into_iter().chain(marks.iter().copied());
    let point =
        |(before, mark): (Standing, &Standing)| bare(mark.games as f64 / 1e6, share(&before, mark));
    Chart {
        title: format!("A table learns {rules}"),
        across: Axis::Number("million games".into()),
        up: Axis::Percent("games won, with all that was tried in them".into()),
        series: vec![series("q-table", befores.zip(marks).map(point).collect())],
    }
}

impl Learner for TableLearner {
    fn step(&mut self, _: &mut Context) -> Result<Step, TrainError> {
        self.pupil.learn(PIECE);
        let standing = self.pupil.standing();
        let since = standing.games - self.marks.last().map_or(0, |mark| mark.games);
        let over = standing.games == self.plan.games;
        if since < self.plan.games.div_ceil(MARKS) && !over {
            return Ok(Step::Going);
        }
        self.marks.push(standing);
        Ok(if over { Step::Over } else { Step::Mark })
    }

    fn progress(&self) -> Progress {
        let standing = self.pupil.standing();
        let progress = Progress::new(standing.games, self.plan.games, "games");
        let won = match &self.marks[..] {
            [] => return progress,
            [only] => share(&Standing::default(), only),
            [.., before, last] => share(before, last),
        };
        progress.with("won", won, Unit::Plain).with("views", standing.views as f64, Unit::Count)
    }

    fn checkpoint(&self) -> Vec<u8> {
        pack(&Saved { pupil: self.pupil.state(), marks: self.marks.clone() })
    }

    fn finish(&self, _: &mut Context) -> Result<Made, TrainError> {
        let QTablePlan { rules, at, games, seed, .. } = &self.plan;
        let table = self.pupil.table().clone().without_rare(self.choices.get("least"));
        let trial: u64 = self.choices.get("trial");
        let command = self.choices.command.clone();
        let (games, seed) = (*games, *seed);
        let origin = Origin { rules: rules.to_string(), games, seed, won: (0, trial), command };
        let mut artifact = Artifact { origin, table };
        let table = Artifact::read(&artifact.write()).expect("what is written is read").table;
        let views = table.len();
        let mut player = Player::new(vec![table.into()]);
        let wins = |game: &u64| {
            let seed = GameSeed { seed: seed ^ TRIAL_SEED, game: *game };
            Match::new(rules.clone(), *at, seed).play(&mut player) == Outcome::Won
        };
        let won = (0..trial).filter(wins).count() as u64;
        artifact.origin.won.0 = won;
        let interval = stats::wilson(won, trial);
        let report = format!(
            "{views} views of {rules}; won {:.2} % ({:.2} to {:.2}) of {trial} games on other boards\n",
            100.0 * won as f64 / trial.max(1) as f64,
            100.0 * interval.low,
            100.0 * interval.high,
        );
        let files = vec![(MadeFile::Beside("svg"), curve(rules, &self.marks).svg().into_bytes())];
        let artifact = artifact.write().into_bytes();
        Ok(Made { artifact, files, report, text: String::new() })
    }
}
