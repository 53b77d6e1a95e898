//! The page, the guide, and requests that are refused before they reach a path.

use axum::body::Body;

use crate::laboratory::{Laboratory, request};
use crate::position;

#[tokio::test]
async fn bodies_that_are_none_are_refused() {
    let lab = Laboratory::new();
    let send = |body: Vec<u8>| lab.ask(request("POST", "/api/v1/analyze", Body::from(body)));
    assert_eq!(send(b"{".to_vec()).await.problem().0, 400);
    assert_eq!(send(b"\xff\xfe".to_vec()).await.problem().0, 400);
    assert_eq!(send(Vec::new()).await.problem().0, 400);
    assert_eq!(send(b"[]".to_vec()).await.problem().0, 422);
    assert_eq!(send(vec![b' '; 65 * 1024]).await.problem().0, 413);
    let nested = r#"{"rows":"#.to_owned() + &"[".repeat(60_000);
    assert_eq!(send(nested.into_bytes()).await.problem().0, 400);
    let mut plain = request("POST", "/api/v1/analyze", Body::from("{}"));
    plain.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(lab.ask(plain).await.problem().0, 415);
}

#[tokio::test]
async fn foreign_hosts_origins_and_paths_are_refused() {
    let lab = Laboratory::new();
    let change = |name: &'static str, value: &str| {
        let mut request = request("POST", "/api/v1/analyze", Body::from(position().to_string()));
        request.headers_mut().insert(name, value.parse().unwrap());
        lab.ask(request)
    };
    assert_eq!(change("host", "evil.example").await.problem().0, 421);
    assert_eq!(change("origin", "http://evil.example").await.problem().0, 403);
    assert_eq!(change("sec-fetch-site", "cross-site").await.problem().0, 403);
    assert!(change("origin", "http://127.0.0.1:7654").await.status.is_success());
    let mut nameless = request("GET", "/healthz", Body::empty());
    nameless.headers_mut().remove("host");
    assert_eq!(lab.ask(nameless).await.problem().0, 400);
    for path in [
        "/api",
        "/api/v1",
        "/api/v2/analyze",
        "/api/v1/tables/../../../etc/passwd",
        "/api/v1/tables/%2e%2e/Cargo.toml",
        "/api/v1/records/..%2f..%2fetc",
        "/assets/..%5c..%5cCargo.toml",
        "/../Cargo.toml",
        "//etc/passwd",
        "/Cargo.toml",
        "/.git/config",
    ] {
        assert_eq!(lab.get(path).await.problem().0, 404, "{path}");
    }
    assert_eq!(lab.delete("/api/v1/analyze").await.problem().0, 405);
    assert_eq!(lab.delete("/").await.problem().0, 405);
}

#[tokio::test]
async fn the_page_or_a_word_about_it_is_at_the_root_and_in_the_rooms() {
    let lab = Laboratory::new();
    for path in ["/", "/play", "/watch"] {
        let answer = lab.get(path).await;
        assert_eq!(answer.status, 200);
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert_eq!(answer.headers["cache-control"], "no-cache");
        assert!(answer.text().contains("deminer"));
    }
}

#[tokio::test]
async fn the_guide_is_beside_the_page() {
    let lab = Laboratory::new();
    for path in ["/guide/", "/guide/index.html", "/guide/tutorial/first-game.html"] {
        let answer = lab.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert!(answer.text().contains("index.html\">Laboratory</a>"), "{path}");
    }
    let answer = lab.get("/guide").await;
    assert_eq!(answer.status, 308);
    assert_eq!(answer.headers["location"], "/guide/");
}

#[tokio::test]
async fn a_browser_at_a_wrong_address_gets_a_page_with_a_way_back() {
    let lab = Laboratory::new();
    for path in ["/nothing", "/nothing/here", "/assets/none.js"] {
        assert_eq!(lab.get(path).await.problem().0, 404, "{path}");
        let mut browser = request("GET", path, Body::empty());
        let accepted = "text/html,application/xhtml+xml,*/*;q=0.8".parse().unwrap();
        browser.headers_mut().insert("accept", accepted);
        let answer = lab.ask(browser).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert!(answer.text().contains("<h1>Not found</h1>"));
        for way in ["/", "/#/learn", "/#/lab", "/guide/"] {
            assert!(answer.text().contains(&format!("<a href=\"{way}\">")), "{way}");
        }
    }
}
