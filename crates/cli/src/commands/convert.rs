//! `deminer convert`: between formats.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use comfy_table::{Table, presets};
use deminer_formats::{Document, FORMATS, Format};
use deminer_game::Outcome;
use deminer_lab::documents::{FormatDocument, FormatsDocument};
use deminer_lab::roster::nearest;

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_input};

/// Turn a board, position, replay or record into another format.
///
/// The content of the input decides its format; --from overrides that. Replays of Arbiter (.avf),
/// Minesweeper Clone (.mvf), Metasweeper (.evf), Viennasweeper (.rmv) and RawVF are read, RawVF and
/// .evf also written. A game written as a board keeps only its mines; a record written as a replay
/// gets one click for each move.
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

    /// Where to write; stdout unless given.
    #[arg(value_name = "OUTPUT")]
    output: Option<PathBuf>,

    /// The format of the input; its content decides unless given.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// The format to write; by the output's extension, or text.
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

/// Reads a file, stdin for `-`, or a link, in the format given or the one it looks like.
pub fn read_document(input: &Path, from: Option<&Format>) -> Result<Document, Failure> {
    let bytes = match link(input) {
        Some(link) => link.as_bytes().to_vec(),
        None => read_input(input)?,
    };
    let document = match from {
        Some(format) => (format.read)(&bytes),
        None => deminer_formats::read(&bytes, input.to_str()),
    };
    document.with_context(|| title(input)).map_err(Failure::input)
}

/// What messages call an input.
fn title(input: &Path) -> String {
    link(input).map_or_else(|| name_input(input), |_| "the link".to_owned())
}

/// Says which position of a game is analyzed; of anything else there is only one.
pub fn note_position(document: &Document, output: &Output) {
    let Ok(record) = document.record() else { return };
    let outcome = match record.outcome {
        Outcome::Won => "The game was won: no cell is left to open.",
        Outcome::Lost => "The game was lost: the position shows the mine that was opened.",
        _ => "The game was not finished.",
    };
    let moves = record.moves.len();
    output.note(format_args!(
        "Analyzing the last position of the game, after move {moves}. {outcome}"
    ));
}

/// The argument as a link, if it looks like one and is no file.
fn link(input: &Path) -> Option<&str> {
    let text = input.to_str()?;
    let like = ["?b=", "?m=", "?analysis=", "&b=", "&m=", "&analysis=", "b=", "analysis="];
    let is_link = text.contains("://") || like.iter().any(|mark| text.contains(mark));
    (is_link && !input.exists()).then_some(text)
}

/// The format with this name; an unknown one lists the valid ones and the nearest.
pub fn format_named(name: &str) -> Result<&'static Format, Failure> {
    deminer_formats::find(name).map_err(|unknown| {
        let hint = match nearest(name, FORMATS.iter().map(|format| format.name)) {
            Some(nearest) => format!("did you mean `{nearest}`? "),
            None => String::new(),
        };
        Failure::usage(anyhow!("{hint}{unknown}"))
    })
}

fn by_extension(path: &Path) -> Result<&'static Format, Failure> {
    let name = path.to_string_lossy();
    let known = path.extension().and_then(|_| deminer_formats::by_extension(&name));
    known.ok_or_else(|| {
        Failure::usage(anyhow!("{name} has no extension of a known format: use --to FORMAT"))
    })
}

fn table(formats: &[FormatDocument]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "format",
        "files",
        "holds",
        "written",
        "what it is",
    ]);
    for format in formats {
        let extensions: Vec<String> =
            format.extensions.iter().map(|end| format!(".{end}")).collect();
        table.add_row([
            format.name.to_owned(),
            extensions.join(" "),
            format.holds.join(", "),
            if format.written { "yes" } else { "no" }.to_owned(),
            format.about.to_owned(),
        ]);
    }
    format!("{}\n", table.trim_fmt())
}
