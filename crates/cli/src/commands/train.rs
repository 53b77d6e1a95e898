//! `deminer train`: every learner of the lab as a subcommand.

use std::io::Write;
use std::net::TcpListener;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use deminer::roster::Roster;
use deminer_lab::disk::Disk;
use deminer_lab::provenance::Provenance;
use deminer_lab::train::{
    self, Choices, Context, Event, LEARNERS, LearnerEntry, LearnerOption, Made, Takes, TrainError,
};
use deminer_learn::trees::Artifact;
use indicatif::ProgressBar;

use crate::commands::tree::Views;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::tournament::stop_on_interrupt;

/// Make a learned agent: it watches another play, plays itself, learns from examples, or evolves.
#[derive(clap::Args)]
pub struct Args {
    /// Print what happens as JSON documents, one a line: progress, notes, the report at the end.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = ["json"])]
    events: Option<String>,

    /// End at once when standard input closes, as it does when the program that holds its other
    /// end dies.
    #[arg(long, global = true, hide = true)]
    with_parent: bool,

    #[command(subcommand)]
    order: Order,
}

/// A learner with its arguments.
struct Order {
    entry: &'static LearnerEntry,
    values: Vec<(String, String)>,
    /// How a tree is shown.
    views: Option<Views>,
}

impl Subcommand for Order {
    fn augment_subcommands(command: Command) -> Command {
        LEARNERS.iter().fold(command, |command, entry| command.subcommand(command_of(entry)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        train::find(name).is_some()
    }
}

fn command_of(entry: &'static LearnerEntry) -> Command {
    let paper = entry.paper.map_or(String::new(), |paper| format!("\n\nPaper: {paper}."));
    let command = Command::new(entry.name);
    // The views first: a flattened group puts its own description on the command.
    let command = if entry.name == "tree" { Views::augment_args(command) } else { command };
    command
        .about(entry.about)
        .long_about(format!("Train {}: {}.\n\n{}{paper}", entry.name, entry.about, entry.details))
        .after_help(format!("Examples:\n{}", entry.examples))
        .args(entry.all_options().map(argument))
}

fn argument(option: &LearnerOption) -> Arg {
    let arg = Arg::new(option.name).long(option.name).help(option.about);
    let (value, several) = match option.takes {
        Takes::Flag => return arg.action(ArgAction::SetTrue),
        Takes::Whole(..) => ("N", false),
        Takes::Number(..) => ("X", false),
        Takes::OneOf(words) => {
            return defaulted(arg.value_parser(PossibleValuesParser::new(words)), option);
        }
        Takes::Board => ("BOARD", false),
        Takes::Boards => ("BOARD", true),
        Takes::Agent | Takes::Teacher => ("AGENT", false),
        Takes::Sides => ("SIDE,…", false),
        Takes::FirstClick => ("CELL", false),
        Takes::Clues => ("CLUES", false),
        Takes::Text => ("PATH", false),
    };
    let action = if several { ArgAction::Append } else { ArgAction::Set };
    defaulted(arg.value_name(value).action(action).allow_hyphen_values(true), option)
}

fn defaulted(arg: Arg, option: &LearnerOption) -> Arg {
    if option.default.is_empty() { arg } else { arg.default_value(option.default) }
}

impl FromArgMatches for Order {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let chosen = matches.subcommand();
        let chosen = chosen.and_then(|(name, own)| Some((train::find(name)?, own)));
        let (entry, own) =
            chosen.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))?;
        let given = |option: &&LearnerOption| {
            own.value_source(option.name) == Some(clap::parser::ValueSource::CommandLine)
        };
        let values = entry.all_options().filter(given).flat_map(|option| {
            let texts: Vec<String> = match option.takes {
                Takes::Flag => vec!["true".to_owned()],
                _ => own.get_many::<String>(option.name).into_iter().flatten().cloned().collect(),
            };
            texts.into_iter().map(|text| (option.name.to_owned(), text))
        });
        let views = (entry.name == "tree").then(|| Views::from_arg_matches(own)).transpose()?;
        Ok(Self { entry, values: values.collect(), views })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        if self.with_parent {
            end_with_parent()?;
        }
        let Order { entry, values, views } = self.order;
        // A run that continues, or that a program follows, is the same run.
        let mut command = Provenance::here().command;
        for word in [" --resume", " --events=json", " --events json", " --with-parent"] {
            command = command.replace(word, "");
        }
        let choices = Choices::read(entry, &command, roster, values).map_err(Failure::usage)?;
        let threads = choices.find("threads").or_else(|| thread::available_parallelism().ok());
        let threads = threads.unwrap_or(NonZero::<usize>::MIN);
        (entry.check)(&choices).map_err(failure)?;
        let asked = |name| entry.option(name).and_then(|_| choices.text(name));
        if let Some(path) = asked("aleph") {
            return output.file(path.as_ref(), train::write_aleph(&choices).as_bytes());
        }
        let stop = stop_on_interrupt()?;
        if let Some(address) = asked("server") {
            return serve(address, threads, &stop, output);
        }
        let mut screen = match self.events {
            Some(_) => Screen::Events,
            None => Screen::bar(entry.name, output),
        };
        let mut tell = |event: Event| {
            if screen.show(&event).is_err() {
                // The reader of the events is gone, so the training stops.
                stop.store(true, Ordering::Relaxed);
            }
        };
        let mut context = Context { threads, stop: &stop, disk: Disk::default(), tell: &mut tell };
        let made = train::train(&choices, &mut context);
        screen.clear();
        let made = made.map_err(failure)?;
        let made =
            made.map_err(|farewell| Failure::interrupted(format!("interrupted: {farewell}")))?;
        let is_written = choices.text("out").is_some();
        for made in &made {
            screen.report(made, is_written, output)?;
            if let Some(views) = views.as_ref().filter(|_| self.events.is_none()) {
                let tree = Artifact::read(&made.artifact).expect("what was written can be read");
                views.show(&tree, roster, output)?;
            }
        }
        Ok(())
    }
}

/// Ends this program when standard input closes. Files are replaced whole, so it may end anywhere.
fn end_with_parent() -> std::io::Result<()> {
    let wait = || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(130);
    };
    thread::Builder::new().name("parent".into()).spawn(wait).map(drop)
}

/// What a failed training is to the shell.
fn failure(error: TrainError) -> Failure {
    match error {
        TrainError::Checkpoint(_) | TrainError::Server(_) => Failure::input(error),
        TrainError::File(..) | TrainError::InUse(..) => error.into(),
        _ => Failure::usage(error),
    }
}

fn serve(address: &str, threads: NonZero<usize>, stop: &AtomicBool, output: &Output) -> Done {
    let listener = TcpListener::bind(address)
        .map_err(|error| Failure::wrong(format!("cannot listen at {address}: {error}")))?;
    output.note(format_args!("serving examples at {}", listener.local_addr()?));
    Ok(train::serve(&listener, threads, stop, |text| output.note(text))?)
}

/// How often a line is printed where there is no terminal for a bar.
const LINE_EVERY: Duration = Duration::from_secs(20);

/// Where events go.
enum Screen<'a> {
    /// To a program, as JSON.
    Events,
    /// To a person: a bar, or a line now and then where there is no terminal.
    Bar {
        name: &'a str,
        output: &'a Output,
        bar: Option<ProgressBar>,
        begun: Instant,
        said: Instant,
    },
}

impl<'a> Screen<'a> {
    fn bar(name: &'a str, output: &'a Output) -> Self {
        let now = Instant::now();
        Self::Bar { name, output, bar: None, begun: now, said: now }
    }

    fn show(&mut self, event: &Event) -> std::io::Result<()> {
        let (name, output, bar, begun, said) = match self {
            Self::Events => {
                let line = serde_json::to_string(event)? + "\n";
                return std::io::stdout().lock().write_all(line.as_bytes());
            }
            Self::Bar { name, output, bar, begun, said } => (name, output, bar, begun, said),
        };
        let progress = match event {
            Event::Note { text } => {
                match bar {
                    Some(bar) => bar.suspend(|| output.note(text)),
                    None => output.note(text),
                }
                return Ok(());
            }
            Event::Progress(progress) => progress,
        };
        let bar = bar.get_or_insert_with(|| {
            let bar = output.progress(progress.total, &progress.things, false);
            // What was done before must not count in the estimate of the remaining time.
            bar.set_position(progress.done);
            bar.reset_eta();
            bar
        });
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(progress.words());
        if bar.is_hidden() && said.elapsed() > LINE_EVERY {
            *said = Instant::now();
            let (done, minutes) = (100.0 * progress.share(), begun.elapsed().as_secs_f64() / 60.0);
            let words = progress.words();
            output.note(format_args!("{name}: {done:.1} % after {minutes:.1} min, {words}"));
        }
        Ok(())
    }

    fn clear(&self) {
        if let Self::Bar { bar: Some(bar), .. } = self {
            bar.finish_and_clear();
        }
    }

    /// Prints what was made.
    fn report(&mut self, made: &Made, is_written: bool, output: &Output) -> Done {
        if let Self::Events = self {
            let text = made.report.clone();
            return if text.is_empty() { Ok(()) } else { Ok(self.show(&Event::Note { text })?) };
        }
        output.print(&made.report)?;
        if !is_written {
            output.print(&made.text)?;
        }
        Ok(())
    }
}
