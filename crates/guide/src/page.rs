//! The frame of a page: contents, the page, the pages before and after.

use std::fmt::Write;

use crate::markdown::escape;
use crate::summary::{Chapter, Part};

pub const STYLE: &str = include_str!("guide.css");

/// The pages beside a page.
pub struct Turn<'a> {
    pub before: Option<&'a Chapter>,
    pub after: Option<&'a Chapter>,
}

/// The address of the page that a Markdown file becomes.
pub fn address(path: &str) -> String {
    path.strip_suffix(".md").map_or_else(|| path.to_owned(), |path| format!("{path}.html"))
}

/// A whole page.
pub fn html(
    book: &str,
    parts: &[Part],
    chapter: &Chapter,
    turn: Turn<'_>,
    home: Option<&str>,
    body: &str,
) -> String {
    let up = "../".repeat(chapter.path.matches('/').count());
    let (book, title) = (plain(book), plain(&chapter.title));
    let link = |chapter: &Chapter| format!("{up}{}", address(&chapter.path));
    let mut contents = String::new();
    for part in parts {
        if let Some(title) = &part.title {
            writeln!(contents, "<h2>{}</h2>", plain(title)).expect("text");
        }
        contents += "<ul>\n";
        for entry in &part.chapters {
            let here = if entry.path == chapter.path { " aria-current=\"page\"" } else { "" };
            let (address, title) = (link(entry), plain(&entry.title));
            writeln!(contents, "<li><a href=\"{address}\"{here}>{title}</a></li>").expect("text");
        }
        contents += "</ul>\n";
    }
    let (home, icon) = match home {
        Some(home) => (
            format!("<a href=\"{up}{home}index.html\">Laboratory</a>"),
            format!("<link rel=\"icon\" href=\"{up}{home}icon.svg\" type=\"image/svg+xml\">\n"),
        ),
        None => Default::default(),
    };
    let mut beside = String::new();
    for (arrow, chapter) in [("←", turn.before), ("→", turn.after)] {
        let Some(chapter) = chapter else { continue };
        let (address, title) = (link(chapter), plain(&chapter.title));
        let rel = if arrow == "←" { "prev" } else { "next" };
        let words = if arrow == "←" { format!("← {title}") } else { format!("{title} →") };
        writeln!(beside, "<a rel=\"{rel}\" href=\"{address}\">{words}</a>").expect("text");
    }
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<title>{title} · {book}</title>
{icon}<link rel=\"stylesheet\" href=\"{up}guide.css\">
</head>
<body>
<header><a href=\"{up}index.html\">{book}</a><a class=\"jump\" href=\"#contents\">Contents</a>{home}</header>
<main>
{body}<nav class=\"turn\" aria-label=\"Before and after\">
{beside}</nav>
</main>
<nav id=\"contents\" aria-label=\"Contents\">
{contents}</nav>
</body>
</html>
"
    )
}

fn plain(text: &str) -> String {
    let mut plain = String::new();
    escape(&mut plain, text);
    plain
}
