//! Lists of agents and file formats.

use serde::Deserialize;

use super::{Context, Request, RequestError};
use crate::documents::{AgentsDocument, FormatsDocument};
use crate::roster::entries;

/// Asks for all agents.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentsRequest {}

impl Request for AgentsRequest {
    const NAME: &'static str = "agents";
    type Answer = AgentsDocument;

    fn work(self, context: &Context) -> Result<AgentsDocument, RequestError> {
        Ok(AgentsDocument::of(context.agents.roster().artifacts(), entries()))
    }
}

/// Asks for all file formats.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FormatsRequest {}

impl Request for FormatsRequest {
    const NAME: &'static str = "formats";
    type Answer = FormatsDocument;

    fn work(self, _: &Context) -> Result<FormatsDocument, RequestError> {
        Ok(FormatsDocument::all())
    }
}
