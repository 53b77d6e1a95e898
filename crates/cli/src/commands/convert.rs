//! `deminer convert`: converts between formats.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use deminer::documents::{FormatDocument, FormatsDocument};
use deminer::roster::nearest;
use deminer_formats::{Document, FORMATS, Format};
use deminer_game::Outcome;

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_input};
use crate::tournament::text_table;

/// Convert a board, position, replay or record to another format.
///
/// The format of the input is detected from its content; --from overrides that. Reads replays of
/// Arbiter (.avf), Minesweeper Clone (.mvf), Metasweeper (.evf), Viennasweeper (.rmv) and RawVF;
/// writes RawVF and .evf. A game written as a board keeps only its mines; a record written as a
/// replay gets one click for each move.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer convert game.mvf game.rawvf
  deminer convert game.rmv --to record
  deminer convert board.mbf --to link
  deminer convert 'https://example.org/?b=1&m=0g0' --to text
  deminer convert - --from mine --to analysis < position.mine")]
pub struct Args {
    /// A file, a link, or - for stdin.
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    input: Option<PathBuf>,

    /// The file to write; default: stdout.
    #[arg(value_name = "OUTPUT")]
    output: Option<PathBuf>,

    /// The format of the input; default: detected from its content.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// The format to write; default: from the extension of the output, else text.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,

    /// List the formats.
    #[arg(long)]
    list: bool,

    /// With --list: print one JSON document.
    #[arg(long, requires = "list")]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        if self.list {
            let document = FormatsDocument::all();
            return match self.json {
                true => output.json(&document),
                false => output.print(table(&document.formats)),
            };
        }
        let input = self.input.expect("required without --list");
        let from = self.from.as_deref().map(format_named).transpose()?;
        let to = match (&self.to, &self.output) {
            (Some(name), _) => format_named(name)?,
            (None, Some(path)) => by_extension(path)?,
            (None, None) => format_named("text")?,
        };
        let document = read_document(&input, from)?;
        let written = to.write(&document);
        let written = written
            .with_context(|| format!("cannot write {} in the format {}", title(&input), to.name))?;
        match &self.output {
            Some(path) => output.file(path, &written),
            None => output.document(to, &written),
        }
    }
}

/// Reads a file, stdin for `-`, or a link, in the given or detected format.
pub fn read_document(input: &Path, from: Option<&Format>) -> Result<Document, Failure> {
    let bytes = match link(input) {
        Some(link) => link.as_bytes().to_vec(),
        None => read_input(input)?,
    };
    if bytes.is_empty() {
        return Err(Failure::input(anyhow!("{} is empty", title(input))));
    }
    let document = match from {
        Some(format) => (format.read)(&bytes),
        None => deminer_formats::read(&bytes, input.to_str()),
    };
    document.with_context(|| title(input)).map_err(Failure::input)
}

/// The name of an input in messages.
pub fn title(input: &Path) -> String {
    link(input).map_or_else(|| name_input(input), |_| "the link".to_owned())
}

/// For a game, prints a note about which position is analyzed.
pub fn note_position(document: &Document, output: &Output) {
    let Ok(record) = document.record() else { return };
    let outcome = match record.outcome {
        Outcome::Won => "The game was won: no safe cell is left to open.",
        Outcome::Lost => "The game was lost: the position shows the mine that was opened.",
        _ => "The game was not finished.",
    };
    let moves = record.moves.len();
    output.note(format_args!(
        "Analyzing the last position of the game, after move {moves}. {outcome}"
    ));
}

/// The argument as a link, if it looks like one and is not a file.
fn link(input: &Path) -> Option<&str> {
    let text = input.to_str()?;
    let like = ["?b=", "?m=", "?analysis=", "&b=", "&m=", "&analysis=", "b=", "analysis="];
    let is_link = text.contains("://") || like.iter().any(|mark| text.contains(mark));
    (is_link && !input.exists()).then_some(text)
}

/// The format with this name; the error suggests the nearest name and lists all.
pub fn format_named(name: &str) -> Result<&'static Format, Failure> {
    deminer_formats::find(name).map_err(|unknown| {
        let hint = match nearest(name, FORMATS.iter().map(|format| format.name)) {
            Some(nearest) => format!("; did you mean `{nearest}`?"),
            None => String::new(),
        };
        Failure::wrong(format!("{unknown}{hint}"))
    })
}

fn by_extension(path: &Path) -> Result<&'static Format, Failure> {
    let name = path.to_string_lossy();
    let known = path.extension().and_then(|_| deminer_formats::by_extension(&name));
    known.ok_or_else(|| {
        Failure::wrong(format!("the extension of {name} is not a known format: use --to FORMAT"))
    })
}

fn table(formats: &[FormatDocument]) -> String {
    let mut table = text_table("format | files | holds | written | what it is");
    for format in formats {
        let extensions: Vec<String> =
            format.extensions.iter().map(|end| format!(".{end}")).collect();
        table.add_row([
            format.name.to_owned(),
            extensions.join(" "),
            format.holds.iter().map(|kind| kind.0.name()).collect::<Vec<_>>().join(", "),
            if format.written { "yes" } else { "no" }.to_owned(),
            format.about.to_owned(),
        ]);
    }
    format!("{}\n", table.trim_fmt())
}
