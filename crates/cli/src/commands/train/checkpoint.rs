//! What runs of evolution share: checkpoints, rows to plot, the line of progress.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use deminer_learn::evolve::{CheckpointError, Row};

use crate::failure::{Done, Failure};
use crate::output::Output;

/// Where a run is kept on its way.
#[derive(clap::Args)]
#[command(next_help_heading = "Keeping the run")]
pub struct Checkpoint {
    /// Keep the run in this file; if it is there already, go on from it.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Iterations from checkpoint to checkpoint, and from row to row.
    #[arg(long, value_name = "N", default_value = "100")]
    pub every: NonZero<u64>,

    /// Write what a plot of the run needs as CSV: fitness, diversity and size over time.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
}

impl Checkpoint {
    /// The run that is kept, if there is one.
    pub fn read(&self) -> Result<Option<String>, Failure> {
        match &self.checkpoint {
            Some(path) if path.exists() => {
                let text = fs::read_to_string(path);
                let text = text.with_context(|| format!("cannot read {}", path.display()));
                Ok(Some(text.map_err(Failure::input)?))
            }
            _ => Ok(None),
        }
    }

    /// Says what is wrong with the run that is kept.
    pub fn unreadable(&self, error: CheckpointError) -> Failure {
        let path = self.checkpoint.as_deref().unwrap_or(std::path::Path::new("-"));
        Failure::input(anyhow!("{}: {error}", path.display()))
    }

    /// Keeps the run: whole or not at all.
    pub fn write(&self, text: impl FnOnce() -> String) -> Done {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let beside = path.with_extension("part");
        fs::write(&beside, text())
            .and_then(|()| fs::rename(&beside, path))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(())
    }

    /// Writes the rows, if they are asked for.
    pub fn write_rows(&self, rows: &[Row], output: &Output) -> Done {
        let Some(path) = &self.rows else { return Ok(()) };
        let mut text = Row::COLUMNS.join(",") + "\n";
        for row in rows {
            text += &(row.text().replace(' ', ",") + "\n");
        }
        output.file(path, text.as_bytes())
    }

    /// What to say when a run is interrupted.
    pub fn farewell(&self) -> &'static str {
        match self.checkpoint {
            Some(_) => "interrupted: the same command goes on from its checkpoint",
            None => "interrupted: nothing is kept without --checkpoint",
        }
    }
}

/// A population in one line.
pub fn standing(row: &Row) -> String {
    format!(
        "best {:.4}, mean {:.4}, diversity {:.0} %, size {:.0} (best {})",
        row.best,
        row.mean,
        100.0 * row.diversity,
        row.size,
        row.best_size
    )
}
