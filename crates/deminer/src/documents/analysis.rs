//! The analysis of a position as a document.

use deminer_agents::search::Weighed;
use deminer_formats::wire::{RowColumn, Verb, Word};
use deminer_game::{Alternative, Cell, Premise, Shape, View};
use serde::Serialize;

use super::{FactWord, RungWord, SCHEMA_VERSION, estimates, places, rows};
use crate::analysis::{Analysis, Best, Conflict, Explanation};
use crate::reasons::of_other;

/// An analysis.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnalysisDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The position's name, where it is one of many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Mines on the whole board.
    pub mines: usize,
    /// Whether any layout fits.
    pub consistent: bool,
    /// Clues that cannot hold together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<Vec<RowColumn>>,
    /// Whether the mine total is part of the conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict_total: Option<bool>,
    /// Whether the odds are exact.
    pub exact: bool,
    /// Why there are no odds, or none that are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The greatest standard error of odds that were sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// The decimal logarithm of the number of layouts.
    pub log10_layouts: Option<f64>,
    /// The number of layouts, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<String>,
    /// The probability of a mine, row by row; null for open cells.
    pub mine_probability: Option<Vec<Vec<Option<f64>>>>,
    /// The same as fractions, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine_fraction: Option<Vec<Vec<Option<String>>>>,
    /// Cells that are surely safe.
    pub safe: Vec<RowColumn>,
    /// Cells that are surely mines.
    pub mine: Vec<RowColumn>,
    /// Flags on cells that are surely safe.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub wrong_flags: Vec<RowColumn>,
    /// The move to make.
    pub best: Option<BestDocument>,
    /// Why certain cells are certain, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<Vec<ProofDocument>>,
    /// How likely each number of mines around the cell asked for is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub around: Option<[f64; 9]>,
    /// Uncertain cells whose opening would tell nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<Vec<RowColumn>>,
    /// 50/50s: pairs of cells with one mine, which only a guess can decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fifty_fifty: Option<Vec<[RowColumn; 2]>>,
    /// CPU time of the odds, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub micros: Option<f64>,
}

/// The move to make, and why.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BestDocument {
    /// The agent that chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What to do with the cell, where it is not to be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Verb>,
    /// The cell.
    pub cell: RowColumn,
    /// The probability that it is safe: 1 minus its `mine_probability`. The one exception is a
    /// position in which nothing has happened, under a start rule that promises a safe first
    /// click: there it is 1.
    pub safety: f64,
    /// The probability of winning with best play, if it can be computed.
    pub win: Option<f64>,
    /// Whether that is certain, and not an estimate.
    pub win_exact: bool,
    /// Why, in words: the reasons, one after another.
    pub why: String,
    /// Why it is the best move, a sentence each.
    pub reasons: Vec<String>,
    /// What was weighed, best first, the chosen cell included.
    pub alternatives: Vec<AlternativeDocument>,
}

impl BestDocument {
    /// The best move of an analysis.
    pub fn of(best: &Best, shape: &Shape) -> Self {
        let chosen = &best.weighed[0];
        let alternative = |one: &Weighed| {
            let is_other = one.cell != chosen.cell;
            let why = is_other.then(|| of_other(shape, chosen, one, best.exact));
            AlternativeDocument::of_weighed(one, why, shape)
        };
        Self {
            agent: None,
            action: None,
            cell: RowColumn::of(best.cell, shape),
            safety: best.safety,
            win: best.win,
            win_exact: best.exact,
            why: best.why(),
            reasons: best.reasons.clone(),
            alternatives: best.weighed.iter().map(alternative).collect(),
        }
    }
}

/// One of the cells that were weighed.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AlternativeDocument {
    /// The cell.
    pub cell: RowColumn,
    /// The probability that it is safe.
    pub safety: f64,
    /// The probability of winning after opening it, where it is known or estimated.
    pub win: Option<f64>,
    /// The probability, if it turns out safe, that another cell is certainly safe then, or the
    /// game is won; only for guesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<f64>,
    /// How safe the safest cell is then, on average; only for guesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_safety: Option<f64>,
    /// 50/50s that it decides, each by two of its cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub settles: Vec<[RowColumn; 2]>,
    /// About how likely it avoids a 50/50 that would arise later; only for guesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avoids: Option<f64>,
    /// How it compares with the best move, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl AlternativeDocument {
    /// One of the cells an agent weighed.
    pub fn of(alternative: &Alternative, shape: &Shape) -> Self {
        let &Alternative { cell, safety, win } = alternative;
        let cell = RowColumn::of(cell, shape);
        Self {
            cell,
            safety,
            win,
            progress: None,
            next_safety: None,
            settles: Vec::new(),
            avoids: None,
            why: None,
        }
    }

    /// One of the cells that were held against each other.
    pub fn of_weighed(weighed: &Weighed, why: Option<String>, shape: &Shape) -> Self {
        let place = |cell: Cell| RowColumn::of(cell, shape);
        Self {
            cell: place(weighed.cell),
            safety: weighed.safety,
            win: weighed.win,
            progress: weighed.prospect.map(|prospect| prospect.progress),
            next_safety: weighed.prospect.map(|prospect| prospect.next_safety),
            settles: weighed.settles.iter().map(|pair| pair.map(place)).collect(),
            avoids: Some(weighed.avoids).filter(|&avoids| avoids > 0.0),
            why,
        }
    }
}

/// Why a cell is safe or a mine.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProofDocument {
    /// The cell.
    pub cell: RowColumn,
    /// What is proved of it.
    pub fact: FactWord,
    /// The simplest rung of the ladder that finds it.
    pub rule: RungWord,
    /// Clues that entail it.
    pub clues: Vec<RowColumn>,
    /// Whether the mine total is needed too.
    pub mine_total: bool,
    /// Whether no smaller set of clues entails it.
    pub minimum: bool,
    /// How many conclusions it follows from, one after another.
    pub depth: usize,
    /// The proof in words, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl ProofDocument {
    /// An explanation, with its sentence where there is one.
    pub fn of(proof: &Explanation, shape: &Shape, why: Option<String>) -> Self {
        Self {
            cell: RowColumn::of(proof.cell, shape),
            fact: Word(proof.fact),
            rule: Word(proof.rung),
            clues: clue_places(&proof.premises, shape),
            mine_total: proof.premises.contains(&Premise::MineTotal),
            minimum: proof.minimum,
            depth: proof.depth,
            why,
        }
    }
}

/// The places of the clues among premises.
fn clue_places(premises: &[Premise], shape: &Shape) -> Vec<RowColumn> {
    let clue = |premise: &Premise| match premise {
        Premise::Clue(cell) => Some(RowColumn::of(*cell, shape)),
        _ => None,
    };
    premises.iter().filter_map(clue).collect()
}

impl AnalysisDocument {
    /// The analysis of a view, or the conflict in it.
    pub fn of(view: &View, analysis: &Result<Analysis, Conflict>) -> Self {
        let shape = view.shape();
        let (analysis, conflict) = match analysis {
            Ok(analysis) => (analysis, None),
            Err(conflict) => (&Analysis::of_conflict(view, conflict), Some(&conflict.premises)),
        };
        let odds = analysis.odds.as_ref();
        let marks = analysis.marks.as_ref();
        let place = |cell: Cell| RowColumn::of(cell, shape);
        Self {
            schema_version: SCHEMA_VERSION,
            name: None,
            width: shape.width(),
            height: shape.height(),
            mines: view.rules().mines(),
            consistent: conflict.is_none(),
            conflict: conflict.map(|premises| clue_places(premises, shape)),
            conflict_total: conflict.map(|premises| premises.contains(&Premise::MineTotal)),
            exact: odds.is_some_and(|odds| odds.error.is_none()),
            reason: analysis.reason.clone(),
            standard_error: odds.and_then(|odds| odds.error),
            log10_layouts: odds.and_then(|odds| odds.log10_layouts),
            layouts: analysis.exact.as_ref().map(|exact| exact.layouts().to_string()),
            mine_probability: odds.map(|odds| estimates(shape, &odds.estimates)),
            mine_fraction: analysis
                .exact
                .as_ref()
                .map(|exact| rows(shape, |cell| exact.mine(cell).map(ToString::to_string))),
            safe: places(shape, &analysis.safe),
            mine: places(shape, &analysis.mines),
            wrong_flags: places(shape, &analysis.wrong_flags),
            best: analysis.best.as_ref().map(|best| BestDocument::of(best, shape)),
            proofs: analysis.proofs.as_ref().map(|proofs| {
                let proof = |proof: &Explanation| {
                    ProofDocument::of(proof, shape, Some(proof.sentence(view)))
                };
                proofs.iter().map(proof).collect()
            }),
            around: analysis.around,
            dead: marks.map(|marks| places(shape, &marks.dead)),
            fifty_fifty: marks
                .map(|marks| marks.fifty_fifty.iter().map(|pair| pair.map(place)).collect()),
            micros: None,
        }
    }
}
