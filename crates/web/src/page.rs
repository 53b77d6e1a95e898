//! Serves the site: the page and the guide, which are embedded in the binary, and the documents
//! and weights that the page asks for.

use std::io::Read;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use flate2::read::GzDecoder;

use crate::problem::Problem;
use crate::site::{self, Site};
use crate::state::App;

/// The files of the built page and of the guide by path, as gzip.
static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

const INDEX: &str = "index.html";

/// The first page of the guide, also at `/guide/`.
const GUIDE: &str = "guide/index.html";

/// The rooms of the page: at `/` and at these names the page itself is served.
const ROOMS: [&str; 5] = ["play", "analyze", "review", "watch", "lab"];

/// Shown if the page was not built.
const NO_PAGE: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>deminer</title>
<h1>deminer</h1>
<p>This program was built without its page: <code>page/dist</code> was not there. Build the page
(<code>npm ci &amp;&amp; npm run build</code> in <code>page/</code>) and then the program again.</p>
<p>The <a href=\"/api/v1/openapi.json\">HTTP interface</a> works without it.</p>
</html>
";

/// Shown in a browser at a path that does not exist.
const NOT_FOUND: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>Not found · deminer</title>
<h1>Not found</h1>
<p>There is no page at this address.</p>
<p><a href=\"/\">Go to the start page</a>, or to a room:
<a href=\"/#/play\">Play</a>, <a href=\"/#/learn\">Learn</a>, <a href=\"/#/analyze\">Analyze</a>,
<a href=\"/#/review\">Review</a>, <a href=\"/#/watch\">Watch</a>, <a href=\"/#/lab\">Lab</a>.
The <a href=\"/guide/\">guide</a> explains it all.</p>
</html>
";

/// The paths of the files of page and guide, the page itself last.
pub fn paths() -> Vec<String> {
    let mut paths: Vec<String> = PAGE.iter().map(|(path, _)| (*path).to_owned()).collect();
    paths.sort_by_key(|path| (path == INDEX, path.clone()));
    paths
}

/// A file of the page or the guide.
pub fn file(path: &str) -> Option<Vec<u8>> {
    Some(unzip(zipped(path)?))
}

fn zipped(path: &str) -> Option<&'static [u8]> {
    PAGE.iter().find(|(name, _)| *name == path).map(|(_, zipped)| *zipped)
}

fn unzip(zipped: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = GzDecoder::new(zipped).read_to_end(&mut bytes);
    read.expect("the build script compressed it");
    bytes
}

/// A file of the site; the page itself at `/` and in its rooms.
pub async fn serve(app: App, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return Problem::not_found("no such path; see /api/v1/openapi.json").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Problem::method("pages can only be read").into_response();
    }
    let room = path.is_empty() || ROOMS.contains(&path);
    let path = match path {
        "guide" => return Redirect::permanent("/guide/").into_response(),
        "guide/" => GUIDE,
        path => {
            if room {
                INDEX
            } else {
                path
            }
        }
    };
    if Site::is_document(path) {
        return document(&app, path.to_owned(), request.headers()).await;
    }
    match zipped(path) {
        Some(zipped) => {
            let (bytes, encoding) = match accepts_gzip(request.headers()) {
                true => (zipped.to_vec(), Some("gzip")),
                false => (unzip(zipped), None),
            };
            let tag = site::hash(&bytes);
            answer(path, bytes, &tag, encoding, request.headers())
        }
        None if room => answer_text(StatusCode::OK, NO_PAGE),
        None if is_browser(request.headers()) => answer_text(StatusCode::NOT_FOUND, NOT_FOUND),
        None => Problem::not_found("there is no page at this address").into_response(),
    }
}

/// A document of the site or a file of weights.
async fn document(app: &App, path: String, headers: &HeaderMap) -> Response {
    let (site, wanted) = (app.site().clone(), path.clone());
    // Theories are shown on boards that have to be found first.
    let found = app.slow().run(move |_| site.file(&wanted)).await.flatten();
    match found {
        Ok(bytes) => {
            let tag = site::hash(&bytes);
            answer(&path, bytes, &tag, None, headers)
        }
        Err(problem) => problem.into_response(),
    }
}

/// Whether the client accepts HTML.
fn is_browser(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let mut words = accepted.unwrap_or_default().split(',').map(str::trim);
    words.any(|word| word == "gzip" || word.starts_with("gzip;q=1"))
}

fn answer(
    path: &str,
    bytes: Vec<u8>,
    tag: &str,
    encoding: Option<&'static str>,
    headers: &HeaderMap,
) -> Response {
    let tag = HeaderValue::from_str(&format!("\"{tag}\"")).expect("hexadecimal digits");
    // Files under assets/ carry a hash of their content in their names.
    let cache = match path.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let mut response = match headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => bytes.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn answer_text(status: StatusCode, text: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind(INDEX)), (header::CACHE_CONTROL, "no-cache")];
    (status, headers, text).into_response()
}

/// The content type of a file by its name.
pub fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "csv" => "text/csv; charset=utf-8",
        "md" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
