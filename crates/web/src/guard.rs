//! Checks the Host and Origin headers of every request and sets the security headers of every
//! answer.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::state::App;

/// Only our own files, no frames, no forms.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Refuses foreign hosts and origins, and sets the headers of the answer.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let refused = host(request.headers(), app.options().names.as_slice())
        .and_then(|host| origin(request.method(), request.headers(), &host))
        .and_then(|()| path(request.uri().path()));
    let mut response = match refused {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The requested host. Browsers send the name under which a page was loaded, so a foreign name
/// means DNS rebinding. Addresses and `localhost` cannot be rebound.
fn host(headers: &HeaderMap, names: &[String]) -> Result<Authority, Problem> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
        _ => None,
    };
    let host =
        host.ok_or_else(|| Problem::malformed("exactly one Host header is required").at("Host"))?;
    let name = host.host().trim_start_matches('[').trim_end_matches(']');
    let ours = name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || name.to_ascii_lowercase().ends_with(".localhost")
        || names.iter().any(|ours| ours.eq_ignore_ascii_case(name));
    match ours && !host.as_str().contains('@') {
        true => Ok(host),
        false => Err(Problem::misdirected(format!(
            "this server is not `{name}`; use the address it printed at the start, or add the \
             name with --host"
        ))
        .at("Host")),
    }
}

/// Refuses requests from pages of other sites.
fn origin(method: &Method, headers: &HeaderMap, host: &Authority) -> Result<(), Problem> {
    let foreign =
        || Err(Problem::forbidden("pages of other sites may not send requests here").at("Origin"));
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !place.is_some_and(|place| place.eq_ignore_ascii_case(host.as_str())) {
            return foreign();
        }
    }
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let reads = method == Method::GET || method == Method::HEAD;
    match site {
        Some("cross-site" | "same-site") if !reads => foreign(),
        _ => Ok(()),
    }
}

/// Refuses paths that try to leave their folder. No path leads to a file of this machine anyway.
fn path(path: &str) -> Result<(), Problem> {
    let lower = path.to_ascii_lowercase();
    let tricks = ["..", "//", "\\", "%2e", "%2f", "%5c", "%00", "%25"];
    match tricks.iter().any(|trick| lower.contains(trick)) {
        true => Err(Problem::not_found("there is no such path")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(host: &str, more: &[(&'static str, &str)], method: Method) -> Result<(), u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        for (name, value) in more {
            headers.insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let host = super::host(&headers, &["lab.example".into()]);
        let answer = host.and_then(|host| origin(&method, &headers, &host));
        answer.map_err(|problem| problem.status().as_u16())
    }

    #[test]
    fn the_page_states_the_same_policy() {
        let page = String::from_utf8(crate::page::file("index.html").unwrap()).unwrap();
        // Browsers read `frame-ancestors` in headers only.
        let policy = POLICY.strip_suffix("; frame-ancestors 'none'").unwrap();
        assert!(page.replace("&#39;", "'").contains(&format!("content=\"{policy}\"")));
    }

    #[test]
    fn foreign_hosts_are_refused() {
        for host in ["localhost", "127.0.0.1:7654", "[::1]:7654", "LocalHost:1", "lab.example:80"] {
            assert_eq!(ask(host, &[], Method::GET), Ok(()), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7654"] {
            assert_eq!(ask(host, &[], Method::GET), Err(421), "{host}");
        }
        assert_eq!(ask("user@127.0.0.1", &[], Method::GET), Err(421));
        assert_eq!(ask("", &[], Method::GET), Err(400));
    }

    #[test]
    fn foreign_origins_are_refused() {
        let host = "localhost:7654";
        let post = |more: &[(&'static str, &str)]| ask(host, more, Method::POST);
        assert_eq!(post(&[("origin", "http://localhost:7654")]), Ok(()));
        assert_eq!(post(&[("origin", "http://localhost:7655")]), Err(403));
        assert_eq!(post(&[("origin", "null")]), Err(403));
        assert_eq!(post(&[("origin", "https://evil.example")]), Err(403));
        assert_eq!(post(&[("sec-fetch-site", "cross-site")]), Err(403));
        assert_eq!(ask(host, &[("sec-fetch-site", "cross-site")], Method::GET), Ok(()));
    }

    #[test]
    fn suspicious_paths_are_refused() {
        for trick in ["/../etc/passwd", "/a//b", "/%2e%2e/x", "/..%5c", "/a%00"] {
            assert!(path(trick).is_err(), "{trick}");
        }
        assert!(path("/api/v1/tables/s000-t1/chart.svg").is_ok());
    }
}
