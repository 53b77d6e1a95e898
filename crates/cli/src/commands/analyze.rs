//! `deminer analyze`: mine probabilities, proofs and the best move of a position.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer::analysis::{Analysis, AnalyzeOptions, Best, Conflict};
use deminer::coach::percent;
use deminer::documents::AnalysisDocument;
use deminer::equations::Equations;
use deminer::reasons;
use deminer::{Engine, Overrides};
use deminer_draw::{BoardPicture, Look, odds_text};
use deminer_formats::Document;
use deminer_game::{ClueRule, FirstClick, Form, Premise, Start, View};
use deminer_lab::meter::micros;
use serde::Serialize;

use crate::commands::convert::{format_named, note_position, read_document};
use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, plural, read_input};
use crate::rule_args::word;

/// The exact mine probability of each cell, what is certain and why, and the best move.
///
/// A position is text (`mines 10`, then rows of # F . 1-8 ? *), or any format that `convert`
/// reads; for a game, the last position. Flags count as covered cells unless --trust-flags.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer analyze position.txt --why
  deminer analyze position.txt --equations --svg equations.svg
  printf 'mines 3\\n####\\n#12#\\n####\\n' | deminer analyze - --exact --json
  deminer analyze corpus.txt --jsonl > odds.jsonl

Exit codes: 1 contradictory clues, 3 unreadable, 4 the odds are not exact.")]
pub struct Args {
    /// A file, a link, or - for stdin.
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// The format of the input; default: detected from its content.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// Explain more: a proof for every certain cell, and how other guesses compare with the best.
    #[arg(long)]
    why: bool,

    /// Name the unknowns, print the equation of each number and what follows by linear
    /// elimination alone, as the agent `gauss-csp` sees it; --svg and --png show the names.
    #[arg(long, conflicts_with_all = ["jsonl", "json"])]
    equations: bool,

    /// Count with big integers: the solution count, and probabilities as fractions.
    #[arg(long)]
    exact: bool,

    /// Show the probability of each clue for this covered cell, if it is safe.
    #[arg(long, value_name = "ROW,COLUMN")]
    around: Option<String>,

    /// Treat flags as mines.
    #[arg(long)]
    trust_flags: bool,

    /// The number of mines; overrides the position.
    #[arg(long, value_name = "N")]
    mines: Option<usize>,

    /// How cells are arranged; overrides the position.
    #[arg(long, value_name = "SHAPE", value_parser = word::<Form>())]
    shape: Option<Form>,

    /// What clues show; overrides the position.
    #[arg(long, value_name = "CLUES")]
    clues: Option<ClueRule>,

    /// The promise for the first opened cell. It matters only if no cell is open and no mine is
    /// shown. Positions count as unsafe; records contain their start.
    #[arg(long, value_name = "START", value_parser = word::<Start>())]
    start: Option<Start>,

    /// The most additions for one region; wider regions are sampled instead of counted.
    #[arg(long, value_name = "N", default_value_t = Engine::BUDGET)]
    budget: usize,

    /// Draw the mine probabilities as an SVG.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    svg: Option<PathBuf>,

    /// Draw the mine probabilities as a PNG.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    png: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,

    /// Read many positions, each after a `> name` line, and print one JSON line for each, with the
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
            let text = match &analysis {
                Ok(analysis) => report(&view, analysis, self.why),
                Err(conflict) => contradiction(&view, conflict),
            };
            output.print(text)?;
        }
        let system = self.equations.then(|| Equations::of(&view));
        if let Some(system) = &system {
            output.print(format_args!("\n{}", system.text(&view)))?;
        }
        let analysis = analysis.map_err(|conflict| Failure::no(conflict.to_string()))?;
        if let Some(odds) = &analysis.odds {
            let look = Look { percentages: true, ..Look::default() };
            let mut picture = BoardPicture::new(&view).look(look).estimates(&odds.estimates);
            if let Some(best) = &analysis.best {
                picture = picture.action(best.cell);
            }
            if let Some(system) = &system {
                let lines: Vec<String> = system.equations().chain(system.decided()).collect();
                picture = BoardPicture::new(&view).look(look).names(system.names());
                picture = lines.iter().fold(picture, |picture, line| picture.caption(line));
            }
            if let Some(path) = &self.svg {
                output.svg(path, &picture.scene())?;
            }
            if let Some(path) = &self.png {
                output.file(path, &picture.scene().png(2.0))?;
            }
        }
        // Odds that are missing or not exact.
        analysis.reason.map_or(Ok(()), |reason| Err(Failure::limit(reason)))
    }

    /// Prints one line of JSON for each block of a file.
    fn run_lines(&self, output: &Output) -> Done {
        let bytes = read_input(&self.input)?;
        let text = String::from_utf8(bytes).map_err(Failure::input)?;
        let mut unreadable = 0;
        let mut inexact = 0;
        let mut engine = Engine::new(self.budget);
        for (name, block) in blocks(&text) {
            let view = block.parse::<View>().map_err(|error| error.to_string()).and_then(|view| {
                self.change(&view, Start::Unsafe).map_err(|failure| failure.to_string())
            });
            match view {
                Ok(view) => {
                    let micros = micros(&mut engine, &view);
                    let analysis = self.analyze(&view)?;
                    inexact += usize::from(analysis.as_ref().is_ok_and(|analysis| {
                        analysis.odds.as_ref().is_some_and(|odds| odds.error.is_some())
                    }));
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
            let message = format!("cannot read {unreadable} blocks of {}", name_input(&self.input));
            return Err(Failure::input(anyhow!(message)));
        }
        if inexact > 0 {
            return Err(Failure::limit(format!("the odds of {inexact} positions are not exact")));
        }
        Ok(())
    }

    /// The position of a document, with the rules that the flags override.
    fn position(&self, document: Document) -> Result<View, Failure> {
        let view = document.position().map_err(Failure::input)?;
        let start = match document {
            Document::Position(_) | Document::Layout(_) => Start::Unsafe,
            Document::Replay(_) | Document::Record(_) => view.rules().start(),
        };
        self.change(&view, start)
    }

    fn change(&self, view: &View, start: Start) -> Result<View, Failure> {
        let &Self { mines, shape, start: override_start, clues, trust_flags, .. } = self;
        let overrides =
            Overrides { mines, shape, start: override_start, cascade: None, clues, trust_flags };
        overrides.apply(view, start).map_err(Failure::usage)
    }

    fn analyze(&self, view: &View) -> Result<Result<Analysis, Conflict>, Failure> {
        let around = match self.around.as_deref().map(|text| FirstClick::parse(text, view.shape()))
        {
            None => None,
            Some(Ok(FirstClick::Cell(cell))) => Some(cell),
            Some(Ok(_)) => return Err(Failure::wrong("--around needs ROW,COLUMN")),
            Some(Err(error)) => return Err(Failure::usage(error)),
        };
        let (proofs, exact, budget) = (self.why, self.exact, self.budget);
        Ok(AnalyzeOptions { proofs, exact, around, budget, marks: false }.analyze(view))
    }
}

/// The named blocks of a file.
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

/// A position too wide for odds: what simple rules find.
fn without_odds(view: &View, analysis: &Analysis) -> String {
    let safe = plural(analysis.safe.len(), "cell", "cells");
    let mines = plural(analysis.mines.len(), "mine", "mines");
    let board = BoardPicture::new(view).text();
    format!("{board}simple rules find {safe} certainly safe, and {mines}\n")
}

/// An impossible position: the clues that contradict each other.
fn contradiction(view: &View, conflict: &Conflict) -> String {
    let premise = |premise: &Premise| match premise {
        Premise::Clue(cell) => {
            let shown = view.face(*cell).to_string().replace('.', "0");
            format!("the {shown} at {}", reasons::place(view.shape(), *cell))
        }
        _ => format!("the total of {}", plural(view.rules().mines(), "mine", "mines")),
    };
    let premises: Vec<String> = conflict.premises.iter().map(premise).collect();
    let board = BoardPicture::new(view).text();
    match &premises[..] {
        [] => board,
        [clue] => format!("{board}this clue contradicts the cells around it: {clue}\n"),
        _ => format!("{board}these cannot all be true: {}\n", premises.join("; ")),
    }
}

/// The best move, its reasons, and the other guesses.
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
    // Safe cells are listed above; only guesses are compared.
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
