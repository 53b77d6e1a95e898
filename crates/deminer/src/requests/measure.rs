//! Measures of games: 3BV, ZiNi, clicks and time.

use deminer_formats::wire::WireRecord;
use deminer_game::GameMeasures;
use serde::{Deserialize, Serialize};

use super::{Context, Request, RequestError, read_record};
use crate::documents::{MeasuresDocument, SCHEMA_VERSION};

/// A game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MeasureRequest {
    /// A record in which something was opened.
    pub record: WireRecord,
}

/// The measures of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MeasureAnswer {
    /// The version of the document.
    schema_version: u32,
    #[serde(flatten)]
    measures: MeasuresDocument,
}

impl Request for MeasureRequest {
    const NAME: &'static str = "measure";
    type Answer = MeasureAnswer;

    fn work(self, _: &Context) -> Result<MeasureAnswer, RequestError> {
        let record = read_record(self.record, "record")?;
        let wrong = |detail: String| RequestError::invalid(detail).at("record");
        let measures = GameMeasures::of(&record).map_err(|error| wrong(error.to_string()))?;
        let nothing = || wrong("no cell was opened, so the mines are not known".into());
        let measures = MeasuresDocument::of(&measures.ok_or_else(nothing)?);
        Ok(MeasureAnswer { schema_version: SCHEMA_VERSION, measures })
    }
}
