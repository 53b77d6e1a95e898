//! The command line of `deminer`. Results go to stdout, everything else to stderr.

mod commands;
mod failure;
mod output;
mod rule_args;
mod tournament;

use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use deminer::roster::Roster;
use deminer_lab::artifact_files::insert_folder;
use deminer_lab::provenance::Build;

use crate::failure::Failure;
use crate::output::Output;

/// The Minesweeper laboratory: play, analyze, measure, generate and convert.
///
/// Agents play the same boards, explain their moves and are measured with confidence intervals.
/// Boards come from seeds: the same seed always gives the same board.
#[derive(Parser)]
#[command(name = "deminer", version, long_version = BUILD.as_str())]
#[command(propagate_version = true, max_term_width = 100)]
#[command(after_help = EXIT_CODES)]
pub struct Cli {
    /// Print results only: no progress, no notes.
    #[arg(long, short, global = true, help_heading = "Output")]
    quiet: bool,

    /// When to use colors; auto means when stdout is a terminal. NO_COLOR is honored.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    color: ColorChoice,

    /// Load trained networks, trees, theories, genomes and tables from this folder and its folders
    /// `networks`, `trees` and so on; they take precedence over the shipped ones.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Artifacts")]
    artifacts: Option<std::path::PathBuf>,

    #[command(subcommand)]
    command: Command,
}

/// What `--version` prints; `-V` prints the version alone.
static BUILD: LazyLock<String> = LazyLock::new(Build::line);

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 unreadable input, 4 a limit was \
reached, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    Agents(commands::agents::Args),
    Play(commands::play::Args),
    Bench(commands::bench::Args),
    Run(commands::durable::Run),
    RunShard(commands::durable::RunShard),
    Seal(commands::durable::Seal),
    Report(commands::report::Args),
    Analyze(commands::analyze::Args),
    Coach(commands::coach::Args),
    Lesson(commands::lesson::Args),
    Generate(commands::generate::Args),
    Convert(commands::convert::Args),
    Reproduce(commands::reproduce::Args),
    Train(commands::train::Args),
    Tree(commands::tree::Args),
    Genome(commands::genome::Args),
    Serve(commands::serve::Args),
    Site(commands::site::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let output = Output::new(cli.quiet);
    let mut artifacts = deminer_artifacts::shipped();
    if let Some(folder) = &cli.artifacts
        && let Err(error) = insert_folder(&mut artifacts, folder)
    {
        return Failure::input(error).report();
    }
    let roster = Roster::new(artifacts);
    let done = match cli.command {
        Command::Agents(args) => args.run(&roster, &output),
        Command::Play(args) => args.run(&roster, &output),
        Command::Bench(args) => args.run(&roster, &output),
        Command::Run(args) => args.run(&roster, &output),
        Command::RunShard(args) => args.run(&roster, &output),
        Command::Seal(args) => args.run(&output),
        Command::Report(args) => args.run(&output),
        Command::Analyze(args) => args.run(&output),
        Command::Coach(args) => args.run(&output),
        Command::Lesson(args) => args.run(&output),
        Command::Generate(args) => args.run(&output),
        Command::Convert(args) => args.run(&output),
        Command::Reproduce(args) => args.run(&roster, &output),
        Command::Train(args) => args.run(&roster, &output),
        Command::Tree(args) => args.run(&roster, &output),
        Command::Genome(args) => args.run(&roster, &output),
        Command::Serve(args) => args.run(&roster, &output),
        Command::Site(args) => args.run(&roster, &output),
        Command::Completions(args) => args.run(&output, Cli::command()),
        Command::Man(args) => args.run(&output, Cli::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
