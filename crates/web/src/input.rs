//! Reads requests with limits; unreadable input is a [`Problem`].

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use deminer::requests::read_json;
use deminer_formats::MAX_FILE;
use serde::de::DeserializeOwned;

use crate::BODY;
use crate::api::LARGE_BODY;
use crate::problem::Problem;
use crate::seats::Arrival;

/// A body must arrive within this time.
const PATIENCE: Duration = Duration::from_secs(15);

/// A JSON body.
pub struct Input<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Input<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        let json = kind.eq_ignore_ascii_case("application/json")
            || kind.to_ascii_lowercase().ends_with("+json");
        if !json {
            return Err(Problem::media("send JSON, with Content-Type: application/json"));
        }
        let bytes = read_body(request, state).await?;
        Ok(Self(read_json(&bytes)?))
    }
}

/// A body of any kind.
pub struct Raw(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read_body(request, state).await.map(Self)
    }
}

async fn read_body<S: Send + Sync>(request: Request<Body>, state: &S) -> Result<Bytes, Problem> {
    let announced = request.body().size_hint().lower();
    // Reject an oversized Content-Length before reading the body.
    if announced > LARGE_BODY as u64 {
        return Err(Problem::too_large(format!(
            "The request has {} MB; deminer reads files up to {} MB.",
            announced.div_ceil(1 << 20),
            MAX_FILE >> 20
        )));
    }
    let arrival = request.extensions().get::<Arrival>().cloned();
    let others = async {
        match &arrival {
            Some(arrival) => arrival.hurried().await,
            None => std::future::pending().await,
        }
    };
    let read = tokio::select! {
        read = tokio::time::timeout(PATIENCE, Bytes::from_request(request, state)) => {
            read.map_err(|_| Problem::slow())?
        }
        () = others => return Err(Problem::slow()),
    };
    if let Some(arrival) = &arrival {
        arrival.complete();
    }
    read.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(format!(
            "The request is larger than this path takes ({} kB; files and games: {} MB).",
            BODY >> 10,
            MAX_FILE >> 20
        )),
        _ => Problem::malformed(rejection.body_text()),
    })
}

/// Query parameters.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(value)| Self(value)).map_err(|rejection: QueryRejection| {
            let text = rejection.body_text();
            let message = text.rsplit_once(": ").map_or(text.as_str(), |(_, message)| message);
            Problem::unfit(message).at("query")
        })
    }
}

/// Parts of the path.
pub struct Named<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(value)| Self(value))
            .map_err(|rejection: PathRejection| Problem::not_found(rejection.body_text()))
    }
}
