//! Reads `SUMMARY.md`: the chapters and their parts.

use anyhow::{Context, Result, ensure};

/// Chapters under one heading; those before the first heading have none.
pub struct Part {
    /// The heading.
    pub title: Option<String>,
    /// The chapters, in reading order.
    pub chapters: Vec<Chapter>,
}

/// A page of the guide.
pub struct Chapter {
    /// Its title in the list of contents.
    pub title: String,
    /// Its Markdown file, seen from `src`.
    pub path: String,
}

/// `# Summary`, then lines such as `# Tutorial` and `- [A first game](tutorial/first-game.md)`.
pub fn parse(text: &str) -> Result<Vec<Part>> {
    let mut parts = vec![Part { title: None, chapters: Vec::new() }];
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            if number > 0 {
                parts.push(Part { title: Some(title.to_owned()), chapters: Vec::new() });
            }
            continue;
        }
        let chapter = chapter(line.strip_prefix("- ").unwrap_or(line));
        let chapter = chapter.with_context(|| {
            format!("line {}: `{line}` is neither `# PART` nor `- [TITLE](FILE.md)`", number + 1)
        })?;
        parts.last_mut().expect("at least one").chapters.push(chapter);
    }
    parts.retain(|part| !part.chapters.is_empty());
    ensure!(!parts.is_empty(), "it lists no chapter");
    Ok(parts)
}

fn chapter(link: &str) -> Option<Chapter> {
    let (title, path) = link.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    path.ends_with(".md").then(|| Chapter { title: title.to_owned(), path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_chapters() {
        let text = "# Summary\n\n[About](about.md)\n\n# How to\n\n- [Play](a/b.md)\n";
        let parts = parse(text).unwrap();
        let shown: Vec<(Option<&str>, &str, &str)> = (parts.iter())
            .map(|part| (part.title.as_deref(), &part.chapters[0]))
            .map(|(title, chapter)| (title, &*chapter.title, &*chapter.path))
            .collect();
        assert_eq!(shown, [(None, "About", "about.md"), (Some("How to"), "Play", "a/b.md")]);
    }

    #[test]
    fn other_lines_are_refused_with_their_number() {
        for wrong in ["- About", "- [About](about.html)", "  - [About](about.md)", ""] {
            let error = parse(&format!("# Summary\n\n{wrong}")).err().unwrap().to_string();
            let reason = if wrong.is_empty() { "no chapter" } else { "line 3" };
            assert!(error.contains(reason), "{error}");
        }
    }
}
