//! Errors as RFC 9457 has them: `application/problem+json`, whatever went wrong.

use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// What is wrong, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is.
    #[serde(rename = "type")]
    #[schema(example = "urn:deminer:unfit")]
    kind: String,
    /// The kind in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// This very problem in words.
    detail: String,
    /// The field it is about, or its row and column.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// Seconds after which it may be gone.
    #[serde(skip)]
    retry_after: Option<u32>,
}

impl Problem {
    fn new(status: StatusCode, word: &str, title: &'static str, detail: impl Display) -> Self {
        Self {
            kind: format!("urn:deminer:{word}"),
            title,
            status: status.as_u16(),
            detail: detail.to_string(),
            at: None,
            retry_after: None,
        }
    }

    /// The request cannot be understood.
    pub fn malformed(detail: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", "The request cannot be read", detail)
    }

    /// The request is understood, but asks for what cannot be.
    pub fn unfit(detail: impl Display) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "unfit", "The request asks for what cannot be", detail)
    }

    /// Nothing is there.
    pub fn not_found(detail: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing", detail)
    }

    /// The path is there, but not for this method.
    pub fn method(detail: impl Display) -> Self {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        Self::new(status, "method", "The path does not take this method", detail)
    }

    /// More than is taken.
    pub fn too_large(detail: impl Display) -> Self {
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        Self::new(status, "too-large", "That is more than is taken", detail)
    }

    /// A body that is no JSON.
    pub fn media(detail: impl Display) -> Self {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "media", "The body has another type than expected", detail)
    }

    /// A body that took too long to arrive.
    pub fn slow() -> Self {
        let detail = "the body did not arrive in time";
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", "The request took too long", detail)
    }

    /// Not allowed here.
    pub fn forbidden(detail: impl Display) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "That is not allowed here", detail)
    }

    /// A host that this server is not.
    pub fn misdirected(detail: impl Display) -> Self {
        let status = StatusCode::MISDIRECTED_REQUEST;
        Self::new(status, "misdirected", "This server has another name", detail)
    }

    /// Something there is in the way.
    pub fn conflict(detail: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "What is there is in the way", detail)
    }

    /// More is asked for than can be done now.
    pub fn busy(detail: impl Display) -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let problem = Self::new(status, "busy", "There is too much to do", detail);
        Self { retry_after: Some(2), ..problem }
    }

    /// A fault of our own.
    pub fn fault(detail: impl Display) -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Self::new(status, "fault", "Something here is broken", detail)
    }

    /// The same with the field, or row and column, that it is about.
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { at: Some(place.into()), ..self }
    }

    /// The same where the fields of a part stand by themselves: `rules.shape` becomes `shape`, and
    /// one field goes by another name.
    pub fn within(self, part: &str, field: &str, name: &str) -> Self {
        let at = self.at.map(|at| match at.strip_prefix(part) {
            Some(rest) if rest == field => name.to_owned(),
            Some(rest) => rest.to_owned(),
            None => at,
        });
        Self { at, ..self }
    }

    /// This very problem in words.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).expect("made of one")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).expect("plain values");
        let mut response = (self.status(), body).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
