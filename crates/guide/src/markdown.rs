//! Markdown to HTML, with the links that the website has.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeStream, html,
};

use crate::page;

pub fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Replaces lines `{{#include FILE}}` by the file, seen from `folder`.
pub fn with_includes(text: &str, folder: &Path) -> Result<String> {
    let mut whole = String::new();
    for line in text.lines() {
        match line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
            Some(file) => whole += &crate::read(&folder.join(file))?,
            None => {
                ensure!(!line.starts_with("{{"), "`{line}` is not {{{{#include FILE}}}}");
                whole += line;
                whole.push('\n');
            }
        }
    }
    Ok(whole)
}

/// The anchors of all headings, as GitHub and mdBook name them.
pub fn anchors(text: &str) -> Vec<String> {
    let mut names = Names::default();
    let (mut anchors, mut heading) = (Vec::new(), None);
    for event in parser(text) {
        match (&event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), Some(words)) => {
                anchors.push(names.name(words));
                heading = None;
            }
            (Event::Text(words) | Event::Code(words), Some(heading)) => *heading += words,
            _ => {}
        }
    }
    anchors
}

/// Names for headings: words joined by `-`, a number where the name is taken.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn name(&mut self, heading: &str) -> String {
        let letters = heading.trim().chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
        });
        let name: String = letters.collect();
        let taken = self.0.entry(name.clone()).or_default();
        *taken += 1;
        if *taken == 1 { name } else { format!("{name}-{}", *taken - 1) }
    }
}

/// The body of a page. `path` is its file, seen from the book's `src`; pictures are collected.
pub fn html(
    text: &str,
    path: &str,
    repository: &str,
    pictures: &mut BTreeSet<String>,
) -> Result<String> {
    let mut anchors = anchors(text).into_iter();
    let (mut events, mut session, mut block) = (Vec::new(), false, String::new());
    for event in TextMergeStream::new(parser(text)) {
        let event = match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = anchors.next().map(CowStr::from);
                Event::Start(Tag::Heading { level, id, classes, attrs })
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = address(&dest_url, path, repository)?.into();
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let inside = inside(path, &dest_url);
                let picture = inside
                    .with_context(|| format!("the picture {dest_url} lies outside the guide"))?;
                pictures.insert(picture);
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            // Wide tables scroll on a phone.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Html("<div class=\"wide\">".into()));
                Event::Start(Tag::Table(columns))
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                Event::Html("</div>\n".into())
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(ref language))) => {
                session = matches!(&**language, "console" | "sh");
                event
            }
            Event::End(TagEnd::CodeBlock) => {
                session = false;
                event
            }
            Event::Text(words) if session => Event::Html(prompts(&words).into()),
            // The lines of a comment are events of their own.
            Event::Start(Tag::HtmlBlock) => {
                block = String::new();
                continue;
            }
            Event::Html(line) => {
                block += &line;
                continue;
            }
            Event::End(TagEnd::HtmlBlock) => {
                check_comment(&block)?;
                continue;
            }
            Event::InlineHtml(comment) => {
                check_comment(&comment)?;
                continue;
            }
            other => other,
        };
        events.push(event);
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    Ok(body)
}

/// Comments are the only HTML that pages may have.
fn check_comment(html: &str) -> Result<()> {
    let is_comment = html.starts_with("<!--") && html.trim_end().ends_with("-->");
    ensure!(is_comment, "HTML is only for comments: {html}");
    Ok(())
}

/// The lines of a session; those that are typed stand out.
fn prompts(words: &str) -> String {
    let mut lines = String::new();
    for line in words.trim_end().split_inclusive('\n') {
        let mut plain = String::new();
        escape(&mut plain, line);
        match line.starts_with("$ ") {
            true => writeln!(lines, "<b>{}</b>", plain.trim_end()).expect("text"),
            false => lines += &plain,
        }
    }
    lines
}

/// Text in HTML.
pub fn escape(to: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '&' => to.push_str("&amp;"),
            '"' => to.push_str("&quot;"),
            _ => to.push(letter),
        }
    }
}

/// Where a link of a page leads: to another page, or to the repository.
fn address(target: &str, path: &str, repository: &str) -> Result<String> {
    if is_elsewhere(target) || target.starts_with('#') {
        return Ok(target.to_owned());
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(a, b)| (a, Some(b)));
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    if inside(path, file).is_some() {
        return Ok(page::address(file) + &anchor);
    }
    // docs/book/src is three folders below the root of the repository.
    let from_root = joined(&Path::new("docs/book/src").join(path), file);
    let Some(from_root) = from_root else { bail!("{target} lies outside the repository") };
    Ok(format!("{repository}/blob/main/{from_root}{anchor}"))
}

/// Whether a link leads to another site.
pub fn is_elsewhere(target: &str) -> bool {
    ["http:", "https:", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// The path of a target in the book, if it lies there.
fn inside(path: &str, target: &str) -> Option<String> {
    joined(Path::new(path), target)
}

/// The path of a target that a file names, without `..`; none above the root.
fn joined(file: &Path, target: &str) -> Option<String> {
    let mut path = PathBuf::new();
    for part in file.parent()?.join(target).components() {
        match part {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path.to_str()?.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Result<String> {
        html(text, "how-to/play.md", "https://example.org", &mut BTreeSet::new())
    }

    #[test]
    fn headings_have_the_names_that_github_gives_them() {
        let text = "# The `best` move, and why\n## 50/50s\n## 50/50s\n";
        assert_eq!(anchors(text), ["the-best-move-and-why", "5050s", "5050s-1"]);
        assert!(page(text).unwrap().contains("<h2 id=\"5050s-1\">"));
    }

    #[test]
    fn links_lead_to_pages_and_to_the_repository() {
        for (target, address) in [
            ("http.md#errors", "http.html#errors"),
            ("../reference/formats.md", "../reference/formats.html"),
            ("../../../ARCHITECTURE.md", "https://example.org/blob/main/docs/ARCHITECTURE.md"),
            ("https://example.com/a.md", "https://example.com/a.md"),
            ("#errors", "#errors"),
        ] {
            let html = page(&format!("[x]({target})")).unwrap();
            assert!(html.contains(&format!("href=\"{address}\"")), "{html}");
        }
        assert!(page("[x](../../../../../x.md)").is_err());
    }

    #[test]
    fn what_is_typed_stands_out_and_html_is_escaped() {
        let html = page("```console\n$ deminer <x>\na < b\n```\n").unwrap();
        assert!(html.contains("<b>$ deminer &lt;x&gt;</b>\na &lt; b</code>"), "{html}");
        assert!(page("<script>").is_err());
        assert_eq!(page("one<!--name--> two").unwrap(), "<p>one two</p>\n");
        assert_eq!(page("<!-- a\n\n| b\n-->\n").unwrap(), "");
    }

    #[test]
    fn pictures_of_the_book_are_collected_and_others_refused() {
        let mut pictures = BTreeSet::new();
        html("![odds](../pictures/odds.svg)", "how-to/play.md", "", &mut pictures).unwrap();
        assert_eq!(pictures.into_iter().collect::<Vec<_>>(), ["pictures/odds.svg"]);
        assert!(page("![odds](../../pictures/odds.svg)").is_err());
    }

    #[test]
    fn a_file_is_included_and_other_directives_are_refused() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let whole = with_includes("a\n{{#include Cargo.toml}}\nb", folder).unwrap();
        assert!(whole.starts_with("a\n[package]") && whole.ends_with("\nb\n"), "{whole}");
        assert!(with_includes("{{#include none.rs}}", folder).is_err());
        assert!(with_includes("{{#playground Cargo.toml}}", folder).is_err());
    }
}
