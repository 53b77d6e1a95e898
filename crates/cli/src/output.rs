//! Where results, notes and progress go.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use deminer::roster::Roster;
use deminer_draw::Scene;
use deminer_formats::Format;
use deminer_game::ArtifactKind;
use deminer_learn::header::ReadArtifactError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::failure::Failure;

pub use deminer_lab::totals::SCHEMA_VERSION;

/// A count with its noun.
pub fn plural(count: usize, word: &str, words: &str) -> String {
    match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {words}"),
    }
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema_version: u32,
    #[serde(flatten)]
    document: &'a T,
}

/// Results to stdout, notes to stderr unless quiet.
pub struct Output {
    quiet: bool,
}

impl Output {
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Prints text, without colors if stdout does not support them.
    pub fn print(&self, text: impl std::fmt::Display) -> Result<(), Failure> {
        let mut stdout = anstream::stdout().lock();
        write!(stdout, "{text}")?;
        Ok(stdout.flush()?)
    }

    /// Prints one JSON document.
    pub fn json(&self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(document)?;
        self.bytes(format!("{text}\n").as_bytes())
    }

    /// Prints one JSON document with its version.
    pub fn versioned(&self, document: &impl Serialize) -> Result<(), Failure> {
        self.json(&Versioned { schema_version: SCHEMA_VERSION, document })
    }

    /// Prints one JSON document on one line.
    pub fn json_line(&self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(document)?;
        self.bytes(format!("{text}\n").as_bytes())
    }

    /// Prints bytes unchanged.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        Ok(stdout.flush()?)
    }

    /// Prints a document; refuses binary formats on a terminal.
    pub fn document(&self, format: &Format, bytes: &[u8]) -> Result<(), Failure> {
        if format.binary && io::stdout().is_terminal() {
            let message = format!("{} is a binary format: name a file to write it to", format.name);
            return Err(Failure::wrong(message));
        }
        self.bytes(bytes)
    }

    /// Prints a note on stderr, unless quiet.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            anstream::eprintln!("{text}");
        }
    }

    /// A progress bar on stderr, shown only on a terminal.
    pub fn progress(&self, length: u64, things: &str, hidden: bool) -> ProgressBar {
        let (target, template) = if self.quiet || hidden || !io::stderr().is_terminal() {
            (ProgressDrawTarget::hidden(), "")
        } else {
            let bar = "{bar:24.cyan/dim} {pos}/{len} THINGS, {elapsed} so far, {eta} to go  {msg}";
            (ProgressDrawTarget::stderr_with_hz(5), bar)
        };
        let style = ProgressStyle::with_template(&template.replace("THINGS", things));
        let bar = ProgressBar::with_draw_target(Some(length), target)
            .with_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// Writes a file and prints a note.
    pub fn file(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        self.note(format_args!("wrote {}", path.display()));
        Ok(())
    }

    /// Writes a picture as SVG.
    pub fn svg(&self, path: &Path, scene: &Scene) -> Result<(), Failure> {
        self.file(path, scene.svg().as_bytes())
    }
}

/// Reads a file, or stdin for `-`.
pub fn read_input(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    read.with_context(|| format!("cannot read {}", name_input(path))).map_err(Failure::input)?;
    Ok(bytes)
}

/// Reads an artifact from a file, or the shipped one of this name.
pub fn read_artifact<T>(
    roster: &Roster,
    kind: ArtifactKind,
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, ReadArtifactError>,
) -> Result<T, Failure> {
    let artifacts = roster.artifacts();
    let bytes = match path.to_str().and_then(|name| artifacts.get(&kind.path(name))) {
        Some(bytes) if !path.exists() => bytes.to_vec(),
        _ => read_input(path).map_err(|failure| {
            let names: Vec<&str> = artifacts.names(kind).collect();
            Failure::input(anyhow::anyhow!("{failure}; the shipped ones are {}", names.join(", ")))
        })?,
    };
    read(&bytes).with_context(|| name_input(path)).map_err(Failure::input)
}

/// The name of an input in messages.
pub fn name_input(path: &Path) -> String {
    if path == Path::new("-") { "stdin".into() } else { path.display().to_string() }
}
