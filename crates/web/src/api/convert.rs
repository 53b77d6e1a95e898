//! Conversion between file formats.

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use deminer::documents::FormatsDocument;
use deminer::requests::{FileContent, FileRequest, ReadAnswer, find_format};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::{Asked, Input, Raw};
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(convert))
        .layer(DefaultBodyLimit::max(LARGE_BODY))
        .routes(routes!(formats))
}

/// All formats. As `deminer convert --list --json`.
#[utoipa::path(get, path = "/api/v1/formats", responses((status = 200, body = FormatsDocument)))]
async fn formats() -> Json<FormatsDocument> {
    Json(FormatsDocument::all())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    to: Option<String>,
}

/// Reads a file in any format, up to 4 MB. With `to` the answer is the file in that format; without
/// it, what the file holds and what it can become. The body is JSON, or the file itself as
/// `application/octet-stream`.
#[utoipa::path(
    post, path = "/api/v1/convert", request_body = FileRequest,
    params(("to" = Option<String>, Query, description = "the format to answer with")),
    responses((status = 200, body = ReadAnswer), Problem)
)]
async fn convert(
    app: App,
    Asked(wanted): Asked<Wanted>,
    File(file): File,
) -> Result<Response, Problem> {
    let to = wanted.to.as_deref().map(|name| find_format(name, "to")).transpose()?;
    let answer = app.quick().run(move |_| match to {
        Some(to) => file.convert(to).map(|(name, media_type, bytes)| {
            let disposition = format!("attachment; filename=\"{name}\"");
            let headers =
                [(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, disposition)];
            (headers, bytes).into_response()
        }),
        None => file.contents().map(|contents| Json(contents).into_response()),
    });
    Ok(answer.await??)
}

/// A file that was sent.
struct File(FileContent);

impl FromRequest<App> for File {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &App) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let content = if kind == Some("application/octet-stream") {
            let Raw(bytes) = Raw::from_request(request, state).await?;
            FileContent::new(None, None, bytes.to_vec())
        } else {
            let Input(file) = Input::<FileRequest>::from_request(request, state).await?;
            FileContent::try_from(file)
        };
        Ok(Self(content?))
    }
}
