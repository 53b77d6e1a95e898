//! `deminer report`: writes the totals of a sealed run as Markdown, CSV and SVG.

use std::path::PathBuf;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use deminer_lab::durable::RunDir;
use deminer_lab::report::{self, REPORTS, Report};

use super::durable;
use crate::failure::Done;
use crate::output::Output;

/// Report a sealed campaign as Markdown, CSV or an SVG chart.
///
/// Prints one format, or writes all of them into a folder: report.md, agents.csv, pairs.csv and
/// rates.svg. Reads the totals only; `deminer seal` checks the games again.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer report campaign
  deminer report campaign --format csv > agents.csv
  deminer report campaign --out paper/results")]
pub struct Args {
    /// The directory of the run.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The format to print.
    #[arg(long, value_name = "FORMAT", default_value = REPORTS[0].name,
          value_parser = PossibleValuesParser::new(REPORTS.map(|format| format.name)))]
    format: String,

    /// Write the reports of all formats into this folder instead.
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    out: Option<PathBuf>,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let run = RunDir::existing(self.folder).map_err(durable::failure)?;
        let report = Report::of(&run).map_err(durable::failure)?;
        let Some(folder) = self.out else {
            let format = report::find(&self.format).expect("clap checked the name");
            return output.bytes((format.write)(&report).as_bytes());
        };
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the directory {}", folder.display()))?;
        for (name, text) in report.files() {
            output.file(&folder.join(name), text.as_bytes())?;
        }
        Ok(())
    }
}
