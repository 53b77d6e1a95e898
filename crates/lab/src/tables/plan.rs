//! A table as data: what it plays, what it studies, and one row for each number it shows.
//!
//! A table adds rows to a [`Plan`]. A row on games names run, agent, measure and target, so the
//! games to play and the reading of them both follow from the rows. Runs, agents in them and
//! studies are known by handles, which only a plan gives out: a reading cannot ask for games that
//! are not played.

use std::num::NonZero;

use deminer_game::{ClueRule, FirstClick, Rules, Size, Start};

use super::chart::Figure;
use super::games::{Games, Measured, Played};
use super::line::{Line, Target, Unit};
use super::missing::{self, Missing};
use super::study::{Found, MissingFinding, Study};
use super::{Reading, Table};
use crate::durable::RunSpec;
use crate::measure::Measure;
use crate::tournament::Tournament;
use deminer::roster::{RefusalError, Roster, SpecError};
use deminer_draw::{Axis, Chart, Series};

/// The seed of every table's runs, unless another is asked for.
pub(super) const SEED: u64 = 1;

/// Games in a shard of a run.
fn shard(games: u64) -> NonZero<u64> {
    NonZero::new(games.min(500)).unwrap_or(NonZero::<u64>::MIN)
}

/// A run of a table: the same games for each of its agents.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its name within the table.
    pub name: String,
    /// The agents, in the order of the rows.
    pub agents: Vec<String>,
    /// What is played; its agents are those above.
    pub spec: RunSpec,
}

impl Run {
    /// Games on a board, with a safe start at the corner and unneeded guesses measured.
    pub(super) fn new(name: impl Into<String>, board: &str, games: u64) -> Self {
        let mut tournament = Tournament::plain(Vec::new(), rules(board, Start::Safe), SEED, games);
        tournament.measures = vec![Measure::Unneeded];
        let spec = RunSpec { tournament, shard: shard(games) };
        Self { name: name.into(), agents: Vec::new(), spec }
    }

    /// Games on a board, named after it.
    pub(super) fn on(board: &str, games: u64) -> Self {
        Self::new(board, board, games)
    }

    /// The same with another start and first click.
    pub(super) fn start(self, start: Start, at: FirstClick) -> Self {
        let rules = |rules: Rules| rules.with_start(start).expect("a start that the board allows");
        self.with(|games| Tournament { at, rules: rules(games.rules), ..games })
    }

    /// The same without cascade.
    pub(super) fn one_by_one(self) -> Self {
        self.with(|games| Tournament { rules: games.rules.with_cascade(false), ..games })
    }

    /// The same with other clues.
    pub(super) fn clues(self, clues: ClueRule) -> Self {
        self.with(|games| Tournament { rules: games.rules.with_clues(clues), ..games })
    }

    /// The same, measuring only this.
    pub(super) fn measuring(self, measures: &[Measure]) -> Self {
        self.with(|games| Tournament { measures: measures.to_vec(), ..games })
    }

    /// The same with another seed.
    pub(super) fn seed(self, seed: u64) -> Self {
        self.with(|games| Tournament { seed, ..games })
    }

    fn with(self, change: impl FnOnce(Tournament) -> Tournament) -> Self {
        let RunSpec { tournament, shard } = self.spec;
        Self { spec: RunSpec { tournament: change(tournament), shard }, ..self }
    }
}

/// The rules of a board with a start that it allows.
pub(super) fn rules(board: &str, start: Start) -> Rules {
    let size: Size = board.parse().expect("a board of a table");
    let rules = Rules::of(size).and_then(|rules| rules.with_start(start));
    rules.expect("a board that allows this start")
}

/// A run of a plan.
#[derive(Clone, Copy, Debug)]
pub struct RunId(pub(super) usize);

/// An agent in a run of a plan.
#[derive(Clone, Copy, Debug)]
pub struct RunAgent {
    pub(super) run: RunId,
    pub(super) agent: usize,
}

/// A study of a plan.
#[derive(Clone, Copy, Debug)]
pub struct StudyId(pub(super) usize);

type Result<T> = std::result::Result<T, MissingFinding>;

/// Our number, from what was done and the lines before.
type Ours = Box<dyn Fn(&Played, &[Line]) -> Result<Measured>>;

/// A number that a table shows.
pub struct Row {
    /// The board or other setting.
    pub setting: String,
    /// The agent's spec, or what else is measured.
    pub agent: String,
    /// What is measured, such as `won`.
    pub measure: String,
    unit: Unit,
    ours: Ours,
    target: Goal,
    /// Whether it is in the chart of all rows.
    pub(super) charted: bool,
    /// Whether it is left out where its study has no such finding.
    pub optional: bool,
    /// Figure, series and place.
    point: Option<(usize, String, f64)>,
}

type MeasuredTarget = Box<dyn Fn(&Played) -> Result<Target>>;

/// The target of a row.
pub enum Goal {
    /// A target known beforehand.
    Fixed(Target),
    /// A target that other numbers set.
    Measured(MeasuredTarget),
}

impl Goal {
    /// The target that the win rate of another agent sets.
    pub(super) fn from_wins(other: RunAgent, target: fn(f64) -> Target) -> Self {
        Goal::Measured(Box::new(move |played| Ok(target(played.games(other).won().value))))
    }
}

impl From<Target> for Goal {
    fn from(target: Target) -> Self {
        Goal::Fixed(target)
    }
}

impl Row {
    /// The same in another setting than the name of the run.
    pub(super) fn setting(&mut self, setting: impl Into<String>) -> &mut Self {
        self.setting = setting.into();
        self
    }

    /// The same, written as a plain number.
    pub(super) fn in_numbers(&mut self) -> &mut Self {
        self.unit = Unit::Number;
        self
    }

    /// The same, as a point of a figure's series.
    pub(super) fn point(&mut self, figure: FigureId, series: &str, across: f64) -> &mut Self {
        self.point = Some((figure.0, series.to_owned(), across));
        self
    }

    /// The target, where it does not depend on other numbers.
    pub fn target(&self) -> Option<Target> {
        match self.target {
            Goal::Fixed(target) => Some(target),
            Goal::Measured(_) => None,
        }
    }

    fn line(&self, played: &Played, before: &[Line]) -> Result<Line> {
        let target = match &self.target {
            Goal::Fixed(target) => *target,
            Goal::Measured(target) => target(played)?,
        };
        let ours = (self.ours)(played, before)?;
        let line = Line::new(&self.setting, &self.agent, &self.measure, target, ours);
        Ok(Line { unit: self.unit, ..line })
    }
}

/// A figure of a plan.
#[derive(Clone, Copy, Debug)]
pub struct FigureId(usize);

type Remark = Box<dyn Fn(&Played, &mut Reading) -> Result<()>>;

/// What a table plays, studies and shows.
#[derive(Default)]
pub struct Plan {
    /// The agents, with the artifacts they play with.
    pub(super) roster: Roster,
    /// The runs.
    pub runs: Vec<Run>,
    /// The studies.
    pub studies: Vec<Study>,
    /// The numbers, in order.
    pub rows: Vec<Row>,
    /// Networks without which agents of the table cannot play.
    pub missing: Vec<Missing>,
    figures: Vec<Figure>,
    remarks: Vec<Remark>,
    pub(super) changes: Changes,
}

/// What to do otherwise than a table says.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Games of each run, and of studies whose amount is games.
    pub games: Option<u64>,
    /// The amount of each other study.
    pub amount: Option<u64>,
    /// The seed of each run and study.
    pub seed: Option<u64>,
    /// The only agents to play, where any is named.
    pub agents: Vec<String>,
}

/// Why an agent of the roster cannot play these rules.
pub(super) fn obstacle(roster: &Roster, name: &str, rules: &Rules) -> Option<String> {
    let spec = roster.agent(name).expect("a name of the roster");
    match spec.admit(rules) {
        Err(RefusalError::Unfit { refused, .. }) => Some(format!("it does not play {refused}")),
        Err(RefusalError::Lacking { missing_artifact, .. }) => Some(missing_artifact),
        // A network that is not trained cannot be built.
        Ok(()) => spec.build().err().map(|error| error.to_string()),
    }
}

impl Plan {
    /// The plan of a table, for agents of this roster.
    pub fn of(
        table: &Table,
        roster: &Roster,
        changes: Changes,
    ) -> std::result::Result<Self, SpecError> {
        let mut plan = Self { roster: roster.clone(), changes, ..Self::default() };
        (table.plan)(&mut plan);
        if !plan.missing.is_empty() {
            plan.note(missing::note(table.id, &plan.missing));
        }
        for Run { agents, spec, .. } in &mut plan.runs {
            for text in agents {
                spec.tournament.agents.push(roster.agent(text)?);
            }
        }
        Ok(plan)
    }

    /// Whether an agent of a table has what it needs: networks may be missing.
    pub(super) fn is_available(&mut self, agent: &str) -> bool {
        let available = self.roster.agent(agent).is_ok_and(|spec| spec.build().is_ok());
        if !available {
            self.lack(Missing::new(agent, None, &self.roster));
        }
        available
    }

    pub(super) fn lack(&mut self, missing: Missing) {
        if !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }

    /// Adds a run; rows give it agents.
    pub(super) fn run(&mut self, mut run: Run) -> RunId {
        let spec = &mut run.spec;
        spec.tournament.seed = self.changes.seed.unwrap_or(spec.tournament.seed);
        spec.tournament.games = 0..self.changes.games.unwrap_or(spec.games());
        spec.shard = shard(spec.games());
        self.runs.push(run);
        RunId(self.runs.len() - 1)
    }

    /// Adds a study.
    pub(crate) fn study(&mut self, mut study: Study) -> StudyId {
        study.seed = self.changes.seed.unwrap_or(study.seed);
        let Changes { games, amount, .. } = self.changes;
        study.amount = if study.in_games { games } else { amount }.unwrap_or(study.amount);
        self.studies.push(study);
        StudyId(self.studies.len() - 1)
    }

    /// How much a study does.
    pub(super) fn amount(&self, study: StudyId) -> u64 {
        self.studies[study.0].amount
    }

    /// An agent in a run, added if it is not in it yet.
    pub(super) fn agent(&mut self, run: RunId, agent: &str) -> RunAgent {
        let agents = &mut self.runs[run.0].agents;
        let known = agents.iter().position(|known| known == agent);
        let agent = known.unwrap_or_else(|| {
            agents.push(agent.to_owned());
            agents.len() - 1
        });
        RunAgent { run, agent }
    }

    /// A row for the games of an agent in a run; its setting is the run's name.
    pub(super) fn row(
        &mut self,
        run: RunId,
        agent: &str,
        measure: &str,
        of: impl Fn(&Games<'_>) -> Measured + 'static,
        target: impl Into<Goal>,
    ) -> &mut Row {
        let games = self.agent(run, agent);
        let setting = self.runs[run.0].name.clone();
        self.show([&setting, agent, measure], move |played, _| Ok(of(&played.games(games))), target)
    }

    /// A row for the win rate of an agent in a run.
    pub(super) fn won(&mut self, run: RunId, agent: &str, target: impl Into<Goal>) -> &mut Row {
        self.row(run, agent, "won", |games| games.won(), target)
    }

    /// A row for the findings of a study, named by setting, agent and measure.
    pub(crate) fn found(
        &mut self,
        study: StudyId,
        labels: [&str; 3],
        of: impl Fn(&Found) -> Result<Measured> + 'static,
        target: impl Into<Goal>,
    ) -> &mut Row {
        self.show(labels, move |played, _| of(played.found(study)), target)
    }

    /// A row for anything, from what was done and the lines before it.
    pub(super) fn show(
        &mut self,
        labels: [&str; 3],
        ours: impl Fn(&Played, &[Line]) -> Result<Measured> + 'static,
        target: impl Into<Goal>,
    ) -> &mut Row {
        let [setting, agent, measure] = labels.map(str::to_owned);
        let (ours, target): (Ours, Goal) = (Box::new(ours), target.into());
        let (unit, charted, optional, point) = (Unit::Percent, true, false, None);
        let row = Row { setting, agent, measure, unit, ours, target, charted, optional, point };
        self.rows.push(row);
        self.rows.last_mut().expect("pushed above")
    }

    /// A chart of all rows in percent, by setting.
    pub(super) fn chart(&mut self, title: &str) {
        self.figure(Figure::by_setting(title));
    }

    /// A chart whose points are rows.
    pub(super) fn figure(&mut self, figure: Figure) -> FigureId {
        self.figures.push(figure);
        FigureId(self.figures.len() - 1)
    }

    /// Rows for the win rates of agents in a run, with the same target.
    pub(super) fn wins(&mut self, run: RunId, agents: &[&str], target: Target) {
        for agent in agents {
            self.won(run, agent, target);
        }
    }

    /// A chart that rows cannot fill, in a file of its own.
    pub(super) fn curves(
        &mut self,
        file: &str,
        title: String,
        [across, up]: [Axis; 2],
        series: impl Fn(&Played) -> Result<Vec<Series>> + 'static,
    ) {
        let file = file.to_owned();
        self.remark(move |played, reading| {
            let (across, up, series) = (across.clone(), up.clone(), series(played)?);
            reading.charts.push((file.clone(), Chart { title: title.clone(), across, up, series }));
            Ok(())
        });
    }

    /// Adds a note that does not depend on the numbers.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.note_on(move |_| Ok(text.clone()));
    }

    /// Adds a note on the numbers.
    pub(super) fn note_on(&mut self, text: impl Fn(&Played) -> Result<String> + 'static) {
        self.remark(move |played, reading| {
            reading.notes.push(text(played)?);
            Ok(())
        });
    }

    /// Adds pictures that a study drew, by name.
    pub(super) fn pictures(&mut self, study: StudyId, names: &'static [&'static str]) {
        self.remark(move |played, reading| {
            for name in names {
                let svg = played.found(study).text(name)?.to_owned();
                reading.pictures.push(((*name).to_owned(), svg));
            }
            Ok(())
        });
    }

    /// Adds something that the rows cannot say: notes, pictures, lines that depend on findings.
    /// Remarks are made in order, after the lines and charts of the rows.
    pub(super) fn remark(
        &mut self,
        remark: impl Fn(&Played, &mut Reading) -> Result<()> + 'static,
    ) {
        self.remarks.push(Box::new(remark));
    }

    /// What the games and findings show.
    pub fn read(&self, played: &Played) -> Result<Reading> {
        let mut reading = Reading::default();
        let mut figures = self.figures.clone();
        for row in &self.rows {
            let line = match row.line(played, &reading.lines) {
                Err(_) if row.optional => continue,
                line => line?,
            };
            if let Some((figure, series, across)) = &row.point {
                figures[*figure].add(series, *across, &line);
            }
            if row.charted {
                figures.iter_mut().for_each(|figure| figure.add_by_setting(&line));
            }
            reading.lines.push(line);
        }
        reading.charts.extend(figures.into_iter().map(Figure::finish));
        for remark in &self.remarks {
            remark(played, &mut reading)?;
        }
        Ok(reading)
    }
}
