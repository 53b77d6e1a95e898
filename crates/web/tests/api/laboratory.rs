//! A laboratory for tests, asked without sockets.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use deminer::roster::Roster;
use deminer_web::{App, Options, router};
use http_body_util::BodyExt;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// A server's insides, with a data folder of its own.
pub struct Laboratory {
    pub router: Router,
    /// Removed with the laboratory.
    _data: Option<TempDir>,
}

/// What was answered.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Laboratory {
    pub fn new() -> Self {
        Self::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut Options)) -> Self {
        let data = tempfile::tempdir().unwrap();
        let opened = Self::open(data.path(), change).unwrap();
        Self { _data: Some(data), ..opened }
    }

    /// Over a data folder that stays.
    pub fn open(data: &Path, change: impl FnOnce(&mut Options)) -> io::Result<Self> {
        let roster = Roster::new(deminer_artifacts::shipped());
        let program = PathBuf::from("/nowhere/deminer");
        let mut options = Options { program, ..Options::local(data.to_owned(), roster) };
        change(&mut options);
        Ok(Self { router: router(App::open(options)?), _data: None })
    }

    pub async fn ask(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        let answer = Answer { status: parts.status, headers: parts.headers, bytes };
        answer.check();
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask(request("GET", path, Body::empty())).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.ask(request("DELETE", path, Body::empty())).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(request("POST", path, Body::from(body.to_string()))).await
    }

    /// Checks that requests are refused at the field that is wrong; an empty one may be anywhere.
    pub async fn refuses(&self, path: &str, wrong: impl IntoIterator<Item = (Value, &str)>) {
        for (request, at) in wrong {
            let (status, place) = self.post(path, &request).await.problem();
            assert!([413, 422].contains(&status), "{request}: {status}");
            assert!(at.is_empty() || place == at, "{request}: {place}");
        }
    }

    /// Waits until a run is in this state.
    pub async fn wait(&self, path: &str, state: &str) -> Value {
        let since = Instant::now();
        loop {
            let run = self.get(path).await.good();
            if run["state"] == state {
                return run;
            }
            assert!(since.elapsed() < Duration::from_secs(60), "{path} is not {state}: {run}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

pub fn request(method: &str, path: &str, body: Body) -> Request<Body> {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "127.0.0.1:7654")
        .header("content-type", "application/json")
        .body(body)
        .unwrap()
}

impl Answer {
    /// What holds for every answer.
    fn check(&self) {
        assert!(self.headers.contains_key("content-security-policy"));
        assert_eq!(self.headers["x-content-type-options"], "nosniff");
        assert!(self.headers.contains_key("cache-control"));
        let html =
            self.headers.get("content-type").is_some_and(|kind| kind == "text/html; charset=utf-8");
        // Pages are for browsers; the API itself answers with problems only.
        let page = html && self.status == 404;
        if !page && (self.status.is_client_error() || self.status.is_server_error()) {
            assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text());
            let problem = self.json();
            assert_eq!(problem["status"], self.status.as_u16());
            assert!(problem["type"].as_str().unwrap().starts_with("urn:deminer:"), "{problem}");
            for field in ["title", "detail"] {
                assert!(!problem[field].as_str().unwrap().is_empty(), "{problem}");
            }
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The status, and the answer if it is JSON.
    pub fn parts(self) -> (u16, Value) {
        (self.status.as_u16(), serde_json::from_slice(&self.bytes).unwrap_or_default())
    }

    /// The answer to a good request.
    #[track_caller]
    pub fn good(self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.text());
        self.json()
    }

    /// The status and place of a problem.
    #[track_caller]
    pub fn problem(self) -> (u16, String) {
        assert!(!self.status.is_success(), "{}", self.text());
        let at = self.json()["at"].as_str().unwrap_or_default().to_owned();
        (self.status.as_u16(), at)
    }
}
