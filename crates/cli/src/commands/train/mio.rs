//! `deminer train mio`: rules learned by induction.

mod wire;

use std::cell::{Cell, RefCell};
use std::net::TcpListener;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_game::At;
use deminer_lab::induce::{self, Induced, Share, Source};
use deminer_lab::provenance::Provenance;
use deminer_learn::ilp::{
    Clause, Course, Event, Labels, Method, News, Server, Session, Setting, Target, Theory, aleph,
    on_boards, plainly,
};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::stop_on_interrupt;

/// Learn rules that play, by induction: the Mio learner.
///
/// Rules about safe cells are learned by one of the four settings of L. Peña Castillo and S.
/// Wrobel (2003), rules about mines by the best of them, from boards of 8x8 with 10 mines opened
/// at random. Each rule is told as it is learned; the theory is printed in Prolog's syntax with an
/// explanation of each rule. `deminer bench --agent mio:FILE` plays it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer train mio --setting al+gs+m --seed 1 --out mine.pl
  deminer train mio --setting ida+m --pool
  deminer train mio --server 127.0.0.1:7655
  deminer train mio --client 127.0.0.1:7655 --out mine.pl
  deminer bench --agent mio:mine.pl --agent mio-rules --board 8x8x10 --start unsafe --at random")]
pub struct Args {
    /// How rules are sought: al is active learning, gs greedy search, m macros.
    #[arg(long, value_name = "SETTING", default_value = "al+gs+m",
          value_parser = PossibleValuesParser::new(Setting::ALL.map(Setting::name)).map(|word| word.parse::<Setting>().expect("a listed word")))]
    setting: Setting,

    /// Learn beyond the paper: all predicates, labels by what can be known, counterexamples from
    /// play.
    #[arg(long, conflicts_with_all = ["setting", "labels", "pool", "server", "client"])]
    beyond: bool,

    /// The seed of boards and choices.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// What examples are labeled with: what a cell is, or what can be known of it.
    #[arg(long, value_name = "LABELS", default_value = "content",
          value_parser = PossibleValuesParser::new(Labels::ALL.map(Labels::name)).map(labels))]
    labels: Labels,

    /// Learn from the whole pool of 2890 safe cells and 1306 mines at once, from boards that were
    /// played only; takes minutes.
    #[arg(long, conflicts_with_all = ["server", "client"])]
    pool: bool,

    /// Rounds of play when learning beyond the paper.
    #[arg(long, value_name = "N", default_value_t = 6, requires = "beyond")]
    rounds: u64,

    /// Serve examples to learners at this address, until interrupted.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "client")]
    server: Option<String>,

    /// Learn from the example server at this address.
    #[arg(long, value_name = "ADDRESS")]
    client: Option<String>,

    /// Write the task for Aleph, another learner, to this file instead of learning.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["server", "client", "beyond"])]
    aleph: Option<PathBuf>,

    /// Keep the theory in a file. What is known after each round is kept beside it, so that the
    /// same command goes on after an interrupt.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How many threads learn; all cores unless given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

fn labels(word: String) -> Labels {
    let named = |labels: &Labels| labels.name() == word;
    Labels::ALL.into_iter().find(named).expect("a listed word")
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN);
        let source = Source { seed: self.seed, labels: self.labels };
        if let Some(path) = &self.aleph {
            let method = Setting::ActiveGreedyMacros.method();
            let pool = induce::pool(&source.sampler(), Target::Safe, method.reach());
            return output.file(path, aleph::task(&pool, Target::Safe, &method).as_bytes());
        }
        let stop = stop_on_interrupt()?;
        if let Some(address) = &self.server {
            let listener = TcpListener::bind(address).map_err(|error| {
                Failure::usage(anyhow::anyhow!("cannot listen at {address}: {error}"))
            })?;
            output.note(format_args!("serving examples at {}", listener.local_addr()?));
            return Ok(wire::serve(&listener, threads, &stop, |text| output.note(text))?);
        }
        let (rules, origin) = if self.beyond {
            self.learn_beyond(threads, &stop, output)?
        } else if let Some(address) = &self.client {
            let mut remote = wire::Remote::connect(address, source)?;
            self.learn(source, Some(&mut remote), threads, &stop, output)?
        } else {
            self.learn(source, None, threads, &stop, output)?
        };
        let mut header = vec!["deminer theory 1".to_owned()];
        header.extend(origin);
        header.push(format!("command: {}", Provenance::here().command));
        let theory = Theory { origin: header, rules };
        if let Some(path) = &self.out {
            output.file(path, theory.to_string().as_bytes())?;
            let _ = std::fs::remove_file(progress_file(path));
        }
        output.print(explained(&theory, source, threads))
    }

    /// Learns both targets as the paper did.
    fn learn(
        &self,
        source: Source,
        mut remote: Option<&mut wire::Remote>,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        output: &Output,
    ) -> Result<(Vec<Clause>, Vec<String>), Failure> {
        let keeper = Keeper::new(self, output)?;
        let mut rules = Vec::new();
        let mut origin = vec![
            format!("setting: {}", self.setting),
            format!("seed: {}", self.seed),
            format!("labels: {}", self.labels.name()),
        ];
        // What the targets before came to, and this one as well.
        let (mut before, now) = (Standing::default(), Cell::new(Standing::default()));
        for target in Target::ALL {
            let setting = match target {
                Target::Safe => self.setting,
                Target::Mine => Setting::ActiveGreedyMacros,
            };
            let method = setting.method();
            let tell = |event: Event<'_>| {
                if let Event::Round(session) = &event {
                    now.set(before.with(session, &method));
                    now.get().tell(output);
                }
                tell(output, &keeper, event);
            };
            let induced = if self.pool || !setting.is_active() {
                let share = if self.pool { Share::Whole } else { Share::Sample };
                induce::learn_from_pool(source, target, share, &method, threads, stop, tell)
            } else if let Some(remote) = remote.as_deref_mut() {
                let session = keeper.session(target, self.seed, remote)?;
                induce::learn_actively(session, remote, &method, threads, stop, tell)
                    .map_err(|error| keeper.interrupted(&error))?
            } else {
                let mut server = source.server(method.reach(), threads);
                let Ok(session) = keeper.session(target, self.seed, &mut server);
                let Ok(induced) =
                    induce::learn_actively(session, &mut server, &method, threads, stop, tell);
                induced
            };
            let Some(Induced { clauses, effort, examples: [positive, other], rounds }) = induced
            else {
                return Err(keeper.stopped());
            };
            origin.push(format!(
                "{}: {} rules from {positive} + {other} examples in {rounds} rounds; {} searches, \
                 {:.0} clauses each, {:.0} % at the limit",
                target.name(),
                clauses.len(),
                effort.searches,
                effort.mean(),
                100.0 * effort.limited_share(),
            ));
            rules.extend(clauses);
            before = Standing { rounds: before.rounds + Session::ROUNDS, ..now.get() };
        }
        Ok((rules, origin))
    }

    fn learn_beyond(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        output: &Output,
    ) -> Result<(Vec<Clause>, Vec<String>), Failure> {
        let course = Course {
            rules: induce::rules(),
            at: At::Random,
            seed: self.seed,
            first: 1000,
            rounds: self.rounds,
            games: 1000,
            positions: 40,
            tests: 4000,
        };
        let mut progress = course.begin();
        while !course.is_over(&progress) {
            course.round(&mut progress, threads, stop, |news| match news {
                News::Learned(gain, effort) => output.note(format_args!(
                    "{} more examples, {:.0} clauses a search: {}",
                    gain.wanted,
                    effort.mean(),
                    one_line(&gain.clause)
                )),
                News::Refuted(clause) => output.note(format_args!("refuted: {}", one_line(clause))),
                News::Round(progress) => {
                    let seen = progress.seen.last().map_or(String::new(), |(unneeded, wrong)| {
                        format!(", {unneeded:.3} unneeded guesses and {wrong:.3} wrong moves a game before")
                    });
                    output.note(format_args!(
                        "round {}: {} rules, {} examples{seen}",
                        progress.round,
                        progress.rules.len(),
                        progress.examples.len()
                    ));
                    if let Some((unneeded, wrong)) = progress.seen.last() {
                        let measures = format!("unneeded {unneeded:.4}, wrong {wrong:.4}");
                        let total = self.rounds.max(progress.round);
                        output.standing(progress.round, total, "rounds", measures);
                    }
                }
            });
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        if progress.rules.is_empty() {
            return Err(Failure::interrupted("interrupted before any rule was learned"));
        }
        let seen: Vec<String> =
            progress.seen.iter().map(|(unneeded, _)| format!("{unneeded:.3}")).collect();
        let origin = vec![
            "setting: beyond the paper".to_owned(),
            format!("seed: {}", self.seed),
            format!("rounds: {} of {} games", progress.round, course.games),
            format!("unneeded guesses a game, round by round: {}", seen.join(" ")),
            format!(
                "searches: {}, {:.0} clauses each, {:.0} % at the limit",
                progress.effort.searches,
                progress.effort.mean(),
                100.0 * progress.effort.limited_share()
            ),
        ];
        Ok((course.finish(&progress, threads), origin))
    }
}

/// How far the learner has come with both targets.
#[derive(Clone, Copy, Default)]
struct Standing {
    rounds: u64,
    rules: usize,
    /// Examples of which a target holds and its rules say so.
    covered: usize,
    /// All examples of which a target holds.
    examples: usize,
    /// Clauses that were tried.
    clauses: usize,
}

impl Standing {
    /// Together with a session about another target.
    fn with(self, session: &Session, method: &Method) -> Self {
        let [covered, examples] = session.coverage(method);
        Self {
            rounds: self.rounds + session.round,
            rules: self.rules + session.rules.len(),
            covered: self.covered + covered,
            examples: self.examples + examples,
            clauses: self.clauses + session.effort.clauses,
        }
    }

    fn tell(self, output: &Output) {
        let Self { rounds, rules, covered, examples, clauses } = self;
        let measures =
            format!("covered {covered}, examples {examples}, rules {rules}, clauses {clauses}");
        let total = Session::ROUNDS * Target::ALL.len() as u64;
        output.standing(rounds, total, "rounds", measures);
    }
}

/// Where the progress of a theory is kept.
fn progress_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".progress");
    PathBuf::from(name)
}

/// Keeps what is known after each round.
struct Keeper<'a> {
    path: Option<PathBuf>,
    belongs_to: String,
    found: Option<wire::Kept>,
    /// The last session about safe cells.
    safe: RefCell<Option<Session>>,
    output: &'a Output,
}

impl<'a> Keeper<'a> {
    fn new(args: &Args, output: &'a Output) -> Result<Self, Failure> {
        let belongs_to = format!("{} {} {}", args.setting, args.seed, args.labels.name());
        let path = args.out.as_deref().map(progress_file);
        let text = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let found = text.map(|text| wire::Kept::read(&text)).transpose().map_err(|error| {
            let path = path.as_ref().expect("it was read").display();
            Failure::input(anyhow::anyhow!("{path}: {error:#}"))
        })?;
        let found = found.filter(|kept| kept.belongs_to == belongs_to && !args.pool);
        if found.is_some() {
            output.note("going on with what was learned before");
        }
        Ok(Self { path, belongs_to, found, safe: RefCell::default(), output })
    }

    /// The session of a target: the one that was kept, or a new one.
    fn session<S: Server>(
        &self,
        target: Target,
        seed: u64,
        server: &mut S,
    ) -> Result<Session, S::Error> {
        let shapes = self.found.iter().flat_map(|kept| kept.safe.iter().chain([&kept.session]));
        for shape in shapes {
            match shape.read() {
                Ok(session) if session.target == target => {
                    self.see(&session);
                    return Ok(session);
                }
                Ok(_) => {}
                Err(error) => self.output.note(format_args!("what was kept is no use: {error:#}")),
            }
        }
        Session::begin(target, seed, server)
    }

    fn see(&self, session: &Session) {
        if session.target == Target::Safe {
            *self.safe.borrow_mut() = Some(session.clone());
        }
    }

    fn keep(&self, session: &Session) {
        self.see(session);
        let Some(path) = &self.path else { return };
        let safe = self.safe.borrow();
        let done = safe.as_ref().filter(|_| session.target == Target::Mine);
        let kept = wire::Kept::new(self.belongs_to.clone(), done, session);
        let text = serde_json::to_string(&kept).expect("sessions are plain data");
        // Written aside and renamed, so that an interrupt leaves the one before.
        let fresh = path.with_extension("progress-new");
        let written = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, path));
        if let Err(error) = written {
            self.output.note(format_args!("cannot keep progress in {}: {error}", path.display()));
        }
    }

    fn where_kept(&self) -> String {
        match &self.path {
            Some(path) if path.exists() => {
                format!("; {} keeps what is known, the same command goes on", path.display())
            }
            _ => String::new(),
        }
    }

    fn stopped(&self) -> Failure {
        Failure::interrupted(format!("interrupted{}", self.where_kept()))
    }

    fn interrupted(&self, error: &anyhow::Error) -> Failure {
        Failure::input(anyhow::anyhow!("{error:#}{}", self.where_kept()))
    }
}

/// Tells what happens, and keeps it.
fn tell(output: &Output, keeper: &Keeper<'_>, event: Event<'_>) {
    match event {
        Event::Learned(gain, effort) => output.note(format_args!(
            "{} more examples, {:.0} clauses a search: {}",
            gain.wanted,
            effort.mean(),
            one_line(&gain.clause)
        )),
        Event::Judged(clause, record, stands) => {
            let verdict = if stands { "stands" } else { "falls" };
            output.note(format_args!(
                "{verdict}, {} right and {} wrong: {}",
                record.right,
                record.wrong,
                one_line(clause)
            ));
        }
        Event::Round(session) => {
            keeper.keep(session);
            output.note(format_args!(
                "round {} about {}: {} rules, {} examples, {:.0} clauses a search",
                session.round,
                session.target.name(),
                session.rules.len(),
                session.examples.len(),
                session.effort.mean()
            ));
        }
    }
}

fn one_line(clause: &Clause) -> String {
    clause.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The theory, then each rule in plain language and on a board.
fn explained(theory: &Theory, source: Source, threads: NonZero<usize>) -> String {
    let mut text = theory.to_string();
    let pictures = on_boards(&theory.rules, &source.sampler(), threads);
    for ((name, clause), picture) in theory.named().zip(pictures) {
        text += &format!("\n{name}: {}\n", plainly(clause));
        if let Some(picture) = picture {
            text += &format!("\n{picture}");
        }
    }
    text
}
