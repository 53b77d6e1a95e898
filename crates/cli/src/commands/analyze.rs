//! `deminer analyze`: exact odds, proofs and the best move of a position.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_formats::Document;
use deminer_game::{At, Cell, ClueRule, Face, Form, Premise, Rules, Shape, Start, View};
use deminer_lab::analysis::{self, Analysis, Best, Question};
use deminer_lab::coach::percent;
use deminer_lab::documents::AnalysisDocument;
use deminer_lab::reasons;
use deminer_lab::report::{BoardPicture, Look, odds_text};
use serde::Serialize;

use crate::commands::convert::{format_named, note_position, read_document};
use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, plural, read_input};

/// The exact mine probability of each cell, what is certain and why, and the best move.
///
/// A position is text (`mines 10`, then rows of # F . 1-8 ? *), or any format that `convert`
/// reads; of a game its last position is taken. A flag is a covered cell unless --trust-flags.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer analyze position.txt --why
  printf 'mines 3\\n####\\n#12#\\n####\\n' | deminer analyze - --exact --json
  deminer analyze corpus.txt --jsonl > odds.jsonl

Exit codes: 1 contradictory clues, 3 unreadable, 4 the odds are not exact.")]
pub struct Args {
    /// A file, a link, or - for stdin.
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// The format of the input; its content decides unless given.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// Explain more: a proof of every certain cell, and how each other guess compares with the best.
    #[arg(long)]
    why: bool,

    /// Count in whole numbers: the number of layouts, probabilities as fractions.
    #[arg(long)]
    exact: bool,

    /// Tell how likely each number of mines around this covered cell is, provided it is safe.
    #[arg(long, value_name = "ROW,COLUMN")]
    around: Option<String>,

    /// Take flags for mines.
    #[arg(long)]
    trust_flags: bool,

    /// The number of mines, instead of what the position says.
    #[arg(long, value_name = "N")]
    mines: Option<usize>,

    /// How the cells lie together, instead of what the position says.
    #[arg(long, value_name = "SHAPE",
          value_parser = PossibleValuesParser::new(Form::ALL.map(Form::name)).map(|word| word.parse::<Form>().expect("a listed word")))]
    shape: Option<Form>,

    /// What clues show, instead of what the position says.
    #[arg(long, value_name = "CLUES")]
    clues: Option<ClueRule>,

    /// What the first opened cell is promised. It matters only if no cell is open and no mine is
    /// shown; a position does not say, so it counts as unsafe, a record says it.
    #[arg(long, value_name = "START",
          value_parser = PossibleValuesParser::new(Start::ALL.map(Start::name)).map(|word| word.parse::<Start>().expect("a listed word")))]
    start: Option<Start>,

    /// Additions that may be spent on a region before it is sampled instead of counted.
    #[arg(long, value_name = "N", default_value_t = Question::BUDGET)]
    budget: usize,

    /// Draw the odds as an SVG.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    svg: Option<PathBuf>,

    /// Draw the odds as a PNG.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    png: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,

    /// Answer each of many positions, a `> name` line before each, with one JSON line, with the
    /// CPU time of its odds.
    #[arg(long)]
    jsonl: bool,
}

#[derive(Serialize)]
struct ErrorShape<'a> {
    schema_version: u32,
    name: &'a str,
    error: String,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        if self.jsonl {
            return self.run_lines(output);
        }
        let from = self.from.as_deref().map(format_named).transpose()?;
        let document = read_document(&self.input, from)?;
        note_position(&document, output);
        let view = self.position(document)?;
        let analysis = self.analyze(&view)?;
        if self.json {
            output.json(&AnalysisDocument::of(&view, &analysis))?;
        } else {
            output.print(report(&view, &analysis, self.why))?;
        }
        if let Some(odds) = &analysis.odds {
            let look = Look { percentages: true, ..Look::default() };
            let mut picture = BoardPicture::new(&view).look(look).estimates(&odds.estimates);
            if let Some(best) = &analysis.best {
                picture = picture.action(best.cell);
            }
            if let Some(path) = &self.svg {
                output.file(path, picture.scene().svg().as_bytes())?;
            }
            if let Some(path) = &self.png {
                output.file(path, &picture.scene().png(2.0))?;
            }
        }
        verdict(&analysis)
    }

    /// One line of JSON for each block of a file.
    fn run_lines(&self, output: &Output) -> Done {
        let bytes = read_input(&self.input)?;
        let text = String::from_utf8(bytes).map_err(Failure::input)?;
        let mut unreadable = 0;
        let mut inexact = 0;
        let mut meter = analysis::Meter::new(self.budget);
        for (name, block) in blocks(&text) {
            let view = block.parse::<View>().map_err(|error| error.to_string()).and_then(|view| {
                self.change(view, Start::Unsafe).map_err(|failure| failure.to_string())
            });
            match view {
                Ok(view) => {
                    let micros = meter.micros(&view);
                    let analysis = self.analyze(&view)?;
                    inexact += usize::from(
                        analysis.odds.as_ref().is_some_and(|odds| odds.error.is_some()),
                    );
                    output.json_line(&AnalysisDocument {
                        name: Some(name.to_owned()),
                        micros: Some(micros),
                        ..AnalysisDocument::of(&view, &analysis)
                    })?;
                }
                Err(error) => {
                    unreadable += 1;
                    let shape = ErrorShape { schema_version: SCHEMA_VERSION, name, error };
                    output.json_line(&shape)?;
                }
            }
        }
        if unreadable > 0 {
            let message =
                format!("{unreadable} blocks of {} could not be read", name_input(&self.input));
            return Err(Failure::input(anyhow!(message)));
        }
        if inexact > 0 {
            return Err(Failure::limit(format!("the odds of {inexact} positions are not exact")));
        }
        Ok(())
    }

    /// The position of a document, with the rules changed as the flags say.
    fn position(&self, document: Document) -> Result<View, Failure> {
        let view = document.position().map_err(Failure::input)?;
        let start = match document {
            Document::Position(_) | Document::Layout(_) => Start::Unsafe,
            Document::Replay(_) | Document::Record(_) => view.rules().start(),
        };
        self.change(view, start)
    }

    fn change(&self, view: View, start: Start) -> Result<View, Failure> {
        let old = view.rules();
        let shape = match self.shape {
            None => old.shape().clone(),
            Some(form) => Shape::new(form, old.shape().width(), old.shape().height())?,
        };
        let clues = self.clues.unwrap_or(old.clues());
        let rules = Rules::new(shape.clone(), self.mines.unwrap_or(old.mines()))
            .map_err(Failure::usage)?
            .with_clues(clues);
        let face = |cell: Cell| match view.face(cell) {
            Face::Open { shown, .. } => {
                Face::Open { shown, clue: clues.clue(shown, shape.degree(cell) as u8) }
            }
            Face::Flagged if self.trust_flags => Face::Mine,
            face => face,
        };
        let faces = shape.cells().map(face).collect();
        let view = View::from_faces(rules, faces)?;
        view.with_start(self.start.unwrap_or(start)).map_err(Failure::usage)
    }

    fn analyze(&self, view: &View) -> Result<Analysis, Failure> {
        let around = match self.around.as_deref().map(|text| At::parse(text, view.shape())) {
            None => None,
            Some(Ok(At::Cell(cell))) => Some(cell),
            Some(Ok(_)) => return Err(Failure::usage(anyhow!("--around needs ROW,COLUMN"))),
            Some(Err(error)) => return Err(Failure::usage(error)),
        };
        let (why, exact, budget) = (self.why, self.exact, self.budget);
        Ok(Question { why, exact, around, budget, marks: false }.answer(view))
    }
}

/// Named blocks of a file; what stands before the first name has none.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let named = text.split("\n>").enumerate().map(|(number, block)| match number {
        0 => block.strip_prefix('>').unwrap_or(block),
        _ => block,
    });
    named.filter(|block| !block.trim().is_empty()).map(|block| {
        let (name, rows) = block.split_once('\n').unwrap_or((block, ""));
        (name.trim(), rows)
    })
}

/// Exit code 1 for a position that cannot be, 4 for odds that are not exact.
fn verdict(analysis: &Analysis) -> Done {
    match &analysis.odds {
        None if analysis.conflict.is_none() => {
            Err(Failure::limit(analysis.reason.clone().unwrap_or_default()))
        }
        None => Err(Failure::no(analysis.reason.clone().unwrap_or_default())),
        Some(_) => match &analysis.reason {
            Some(reason) => Err(Failure::limit(reason.clone())),
            None => Ok(()),
        },
    }
}

fn report(view: &View, analysis: &Analysis, why: bool) -> String {
    let Some(odds) = &analysis.odds else { return without_odds(view, analysis) };
    let best = analysis.best.as_ref();
    let mut text = odds_text(view, &odds.estimates, best.map(|best| best.cell));
    text += &plural(view.covered_count(), "covered cell", "covered cells");
    text += &format!(", {}", plural(view.rules().mines(), "mine", "mines"));
    match (&analysis.exact, odds.log10_layouts) {
        (Some(exact), _) => text += &format!(", {} layouts", exact.layouts()),
        (None, Some(log)) if log < 6.0 => {
            text += &format!(", {}", plural(10f64.powf(log).round() as usize, "layout", "layouts"));
        }
        (None, Some(log)) => text += &format!(", 10^{log:.2} layouts"),
        (None, None) => {}
    }
    text += &match (analysis.safe.len(), analysis.mines.len()) {
        (0, 0) => "; nothing is certain\n".to_owned(),
        (safe, mines) => format!("; certain: {safe} safe, {}\n", plural(mines, "mine", "mines")),
    };
    for &flag in &analysis.wrong_flags {
        let place = reasons::place(view.shape(), flag);
        text += &format!("the flag at {place} is wrong: no mine can be there\n");
    }
    if let Some(best) = best {
        text += &advice(view, best, why);
    }
    if let Some(exact) = &analysis.exact
        && let Some(best) = best
        && let Some(fraction) = exact.mine(best.cell)
    {
        text += &format!("its mine probability is {fraction}\n");
    }
    if let Some(around) = &analysis.around {
        let shares = around.iter().enumerate().filter(|(_, share)| **share > 0.0);
        let shares = shares.map(|(count, share)| format!("{count} with {:.1} %", 100.0 * share));
        text += &format!("mines around it if safe: {}\n", shares.collect::<Vec<_>>().join(", "));
    }
    for proof in analysis.proofs.iter().flatten() {
        text += &format!("{} ({})\n", proof.sentence(view), proof.rung.name());
    }
    text
}

/// A position that has no odds: clues that contradict each other, or too wide a region.
fn without_odds(view: &View, analysis: &Analysis) -> String {
    let mut text = BoardPicture::new(view).text();
    let premise = |premise: &Premise| match premise {
        Premise::Clue(cell) => {
            let shown = view.face(*cell).to_string().replace('.', "0");
            format!("the {shown} at {}", reasons::place(view.shape(), *cell))
        }
        _ => format!("the total of {}", plural(view.rules().mines(), "mine", "mines")),
    };
    let premises: Vec<String> = analysis.conflict.iter().flatten().map(premise).collect();
    if analysis.conflict.is_none() {
        let safe = plural(analysis.safe.len(), "cell", "cells");
        let mines = plural(analysis.mines.len(), "mine", "mines");
        text += &format!("simple rules find {safe} certainly safe, and {mines}\n");
    }
    if !premises.is_empty() {
        text += &format!("cannot hold together: {}\n", premises.join("; "));
    }
    text
}

/// The best move, why, and the other guesses that were weighed.
fn advice(view: &View, best: &Best, why: bool) -> String {
    let shape = view.shape();
    let mut text = format!("best: open {}\n", reasons::place(shape, best.cell));
    let mut sentences = best.reasons.clone();
    if best.safety == 1.0 {
        sentences.extend(best.win.map(|win| reasons::win_chance(win, best.exact)));
    }
    for sentence in sentences {
        text += &format!("  {sentence}\n");
    }
    // Safe cells are listed above; guesses are held against each other.
    for other in best.others().iter().filter(|_| best.safety < 1.0) {
        let name = if best.exact { "win chance" } else { "estimated win chance" };
        let win = other.win.map_or(String::new(), |win| format!(", {name} {}", percent(win)));
        let place = reasons::place(shape, other.cell);
        text += &format!("or open {place}: {} safe{win}\n", percent(other.safety));
        if why {
            let compared = reasons::of_other(shape, &best.weighed[0], other, best.exact);
            text += &format!("  {compared}\n");
        }
    }
    text
}
