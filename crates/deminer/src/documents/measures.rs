//! Measures of games: 3BV, ZiNi, clicks and time.

use deminer_game::GameMeasures;
use serde::Serialize;

/// The measures of a game that players compare.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MeasuresDocument {
    /// 3BV: the fewest left clicks that open the board without chords.
    pub three_bv: usize,
    /// Groups of touching zeros.
    pub openings: usize,
    /// Groups of touching numbers that belong to no opening.
    pub islands: usize,
    /// Greedy ZiNi: clicks that solve the board with flags and chords.
    pub zini: usize,
    /// Human ZiNi: the same, with all openings opened first.
    pub human_zini: usize,
    /// The 3BV of what was opened.
    pub solved_three_bv: usize,
    /// The clicks of the record, those of undone moves included. Clicks that changed nothing
    /// count where the record has them.
    pub clicks: ClicksDocument,
    /// Milliseconds from the start to the last move; null unless every move was timed.
    pub millis: Option<f64>,
    /// 3BV solved for each second.
    pub three_bv_per_second: Option<f64>,
    /// 3BV solved for each click.
    pub efficiency: Option<f64>,
    /// ZiNi for each click, of a won game.
    pub zini_efficiency: Option<f64>,
}

/// Clicks of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClicksDocument {
    /// Cells opened.
    pub left: usize,
    /// Flags placed and removed.
    pub right: usize,
    /// Chords.
    pub chord: usize,
    /// All of them.
    pub all: usize,
}

impl MeasuresDocument {
    /// The measures of a game.
    pub fn of(measures: &GameMeasures) -> Self {
        let clicks = measures.clicks;
        Self {
            three_bv: measures.three_bv,
            openings: measures.openings,
            islands: measures.islands,
            zini: measures.zini,
            human_zini: measures.human_zini,
            solved_three_bv: measures.solved_three_bv,
            clicks: ClicksDocument {
                left: clicks.left,
                right: clicks.right,
                chord: clicks.chord,
                all: clicks.all(),
            },
            millis: measures.micros.map(millis),
            three_bv_per_second: measures.three_bv_per_second(),
            efficiency: measures.efficiency(),
            zini_efficiency: measures.zini_efficiency(),
        }
    }
}

/// Microseconds as milliseconds.
pub(super) fn millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}
