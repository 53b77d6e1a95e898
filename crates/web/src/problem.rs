//! Every error as `application/problem+json` (RFC 9457).

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use deminer::requests::{RequestError, RequestErrorKind};
use deminer_formats::wire::FieldError;
use serde::Serialize;
use utoipa::openapi::response::{Response as Described, ResponseBuilder};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoResponses, ToSchema};

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

    /// A body that took too long to arrive.
    pub fn slow() -> Self {
        let detail = "the body did not arrive in time";
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", "Request timed out", detail)
    }

    /// The server has no free capacity right now.
    pub fn busy(detail: impl Display) -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let problem = Self::new(status, "busy", "The server is busy", detail);
        Self { retry_after: Some(2), ..problem }
    }

    /// The same with the field, or row and column, that it is about.
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { at: Some(place.into()), ..self }
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

/// A function for each kind of problem: its status, its word and the kind in words.
macro_rules! kinds {
    ($($(#[$about:meta])* $name:ident: $status:ident, $word:literal, $title:literal;)+) => {
        impl Problem {
            $($(#[$about])*
            pub fn $name(detail: impl Display) -> Self {
                Self::new(StatusCode::$status, $word, $title, detail)
            })+
        }
    };
}

kinds! {
    /// The request cannot be understood.
    malformed: BAD_REQUEST, "malformed", "The request could not be read";
    /// The request is readable, but one of its values is not valid.
    unfit: UNPROCESSABLE_ENTITY, "unfit", "The request is not valid";
    /// The path or the thing it names does not exist.
    not_found: NOT_FOUND, "not-found", "Not found";
    /// The path is there, but not for this method.
    method: METHOD_NOT_ALLOWED, "method", "Method not allowed";
    /// Larger than the server accepts.
    too_large: PAYLOAD_TOO_LARGE, "too-large", "Too large";
    /// The body has the wrong content type.
    media: UNSUPPORTED_MEDIA_TYPE, "media", "Unsupported content type";
    /// Not allowed here.
    forbidden: FORBIDDEN, "forbidden", "Not allowed";
    /// The Host header names another server.
    misdirected: MISDIRECTED_REQUEST, "misdirected", "Wrong host name";
    /// The request conflicts with the current state.
    conflict: CONFLICT, "conflict", "Conflict";
    /// A fault in deminer itself.
    fault: INTERNAL_SERVER_ERROR, "fault", "Internal error";
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        let detail = error.detail;
        let problem = match error.kind.0 {
            RequestErrorKind::Malformed => Self::malformed(detail),
            RequestErrorKind::Invalid => Self::unfit(detail),
            RequestErrorKind::Conflict => Self::conflict(detail),
            RequestErrorKind::TooLarge => Self::too_large(detail),
            RequestErrorKind::Stopped => Self::busy(detail),
            RequestErrorKind::Fault => Self::fault(detail),
        };
        Self { at: error.at, ..problem }
    }
}

impl From<FieldError> for Problem {
    fn from(error: FieldError) -> Self {
        RequestError::from(error).into()
    }
}

/// In descriptions, a problem stands for the answers to bad requests.
impl IntoResponses for Problem {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        described("4XX")
    }
}

/// In descriptions: what the path names does not exist.
pub struct Missing;

impl IntoResponses for Missing {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        described("404")
    }
}

/// In descriptions: the server has no free capacity.
pub struct Busy;

impl IntoResponses for Busy {
    fn responses() -> BTreeMap<String, RefOr<Described>> {
        described("503")
    }
}

fn described(status: &str) -> BTreeMap<String, RefOr<Described>> {
    let content = Content::new(Some(Ref::from_schema_name("Problem")));
    let answer = ResponseBuilder::new().content("application/problem+json", content).build();
    BTreeMap::from([(status.to_owned(), answer.into())])
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
