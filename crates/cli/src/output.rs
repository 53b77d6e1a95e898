//! Where results, notes and progress go.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use deminer_formats::Format;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use serde::Serialize;

use crate::failure::Failure;

pub use deminer_lab::totals::SCHEMA_VERSION;

/// A number of things in words.
pub fn plural(count: usize, word: &str, words: &str) -> String {
    match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {words}"),
    }
}

/// Results to stdout, notes to stderr unless quiet.
pub struct Output {
    quiet: bool,
}

impl Output {
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Prints text as it is; colors are dropped where stdout shows none.
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

    /// Prints one JSON document on a line of its own.
    pub fn json_line(&self, document: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(document)?;
        self.bytes(format!("{text}\n").as_bytes())
    }

    /// Prints bytes as they are.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        Ok(stdout.flush()?)
    }

    /// Prints a document in its format, unless it would spoil the terminal.
    pub fn document(&self, format: &Format, bytes: &[u8]) -> Result<(), Failure> {
        if format.binary && io::stdout().is_terminal() {
            let message = format!("{} is not text: name a file to write it to", format.name);
            return Err(Failure::usage(anyhow::anyhow!(message)));
        }
        self.bytes(bytes)
    }

    /// Says something to the person at the terminal.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            anstream::eprintln!("{text}");
        }
    }

    /// Tells a program that follows how a learner stands, as `loss 0.21, validation 0.25`.
    pub fn standing(&self, done: u64, total: u64, things: &str, measures: impl std::fmt::Display) {
        if is_followed() {
            anstream::eprintln!("progress {done}/{total} {things}  {measures}");
        }
    }

    /// A progress bar on stderr, shown only on a terminal.
    pub fn progress(&self, length: u64, things: &str, hidden: bool) -> ProgressBar {
        let (target, template) = if is_followed() {
            let target = ProgressDrawTarget::term_like_with_hz(Box::new(Lines), 5);
            (target, "progress {pos}/{len} THINGS, {elapsed} so far, {eta} to go  {msg}")
        } else if self.quiet || hidden || !io::stderr().is_terminal() {
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

    /// Writes a file and says so.
    pub fn file(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        self.note(format_args!("wrote {}", path.display()));
        Ok(())
    }
}

/// Whether a program reads progress as lines on stderr (`DEMINER_PROGRESS=lines`).
fn is_followed() -> bool {
    std::env::var_os("DEMINER_PROGRESS").is_some_and(|how| how == "lines")
}

/// Progress as lines on stderr, for a program that reads them. When that program is gone, so is
/// the reason to go on.
#[derive(Debug)]
struct Lines;

impl TermLike for Lines {
    fn width(&self) -> u16 {
        500
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.write_str(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let text = text.trim();
        if !text.is_empty() && writeln!(io::stderr(), "{text}").is_err() {
            std::process::exit(130);
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
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

/// What messages call an input.
pub fn name_input(path: &Path) -> String {
    if path == Path::new("-") { "stdin".into() } else { PathBuf::from(path).display().to_string() }
}
