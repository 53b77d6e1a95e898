//! Reviews of games.

use deminer_formats::wire::WireRecord;
use serde::Deserialize;

use super::files::{FileContent, FileRequest};
use super::{Context, Request, RequestError, read_record};
use crate::coach::{ReviewError, review};
use crate::documents::ReviewDocument;

/// A game: a record, or a file as base64 or text.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CoachRequest))]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// A record.
    pub record: Option<WireRecord>,
    /// The file's name; its extension decides where the content does not.
    #[cfg_attr(feature = "schema", schema(max_length = 255))]
    pub name: Option<String>,
    /// The format, where it is known.
    pub from: Option<String>,
    /// The content as text.
    pub text: Option<String>,
    /// The content as base64.
    pub base64: Option<String>,
}

impl Request for ReviewRequest {
    const NAME: &'static str = "review";
    type Answer = ReviewDocument;

    fn work(self, _: &Context) -> Result<ReviewDocument, RequestError> {
        let Self { record, name, from, text, base64 } = self;
        let record = match record {
            Some(record) => read_record(record, "record")?,
            None => {
                let file = FileContent::try_from(FileRequest { name, from, text, base64 })?;
                let record = file.read()?.1.record();
                record.map_err(|error| RequestError::invalid(error).at("base64"))?
            }
        };
        let review = review(&record).map_err(|error| match error {
            ReviewError::Stopped => RequestError::stopped("the game takes too long to look at"),
            error => RequestError::invalid(error).at("record"),
        })?;
        Ok(ReviewDocument::of(&review, record.rules.shape()))
    }
}
