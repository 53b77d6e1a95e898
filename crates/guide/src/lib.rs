//! The guide as a website.
//!
//! `docs/book` is an mdBook: `book.toml`, `src/SUMMARY.md` and Markdown. This crate turns it into
//! HTML pages that need no script, for the program to embed, and checks the links of Markdown
//! files. It reads what our guide uses of mdBook: chapters and parts of `SUMMARY.md`, and
//! `{{#include FILE}}`.

pub mod links;
mod markdown;
mod page;
mod summary;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

pub use markdown::anchors;
pub use summary::{Chapter, Part};

/// An mdBook in a folder.
pub struct Book {
    title: String,
    repository: String,
    source: PathBuf,
    parts: Vec<Part>,
}

impl Book {
    /// Reads `book.toml` and `src/SUMMARY.md` of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let settings = read(&folder.join("book.toml"))?;
        let setting = |key: &str| -> Result<String> {
            let mut lines = settings.lines().filter_map(|line| line.split_once(" = "));
            let found = lines.find(|(name, _)| *name == key);
            let (_, value) = found.with_context(|| format!("book.toml has no line `{key} = …`"))?;
            Ok(value.trim_matches('"').to_owned())
        };
        let source = folder.join("src");
        let parts = summary::parse(&read(&source.join("SUMMARY.md"))?).context("SUMMARY.md")?;
        let (title, repository) = (setting("title")?, setting("git-repository-url")?);
        Ok(Self { title, repository, source, parts })
    }

    /// All chapters in reading order.
    pub fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.parts.iter().flat_map(|part| &part.chapters)
    }

    /// The files of the website by path. `home` is the folder of the program's own page, seen
    /// from the first page of the guide.
    pub fn files(&self, home: Option<&str>) -> Result<BTreeMap<String, Vec<u8>>> {
        self.check_sources()?;
        let mut files = BTreeMap::from([("guide.css".to_owned(), page::STYLE.into())]);
        let chapters: Vec<&Chapter> = self.chapters().collect();
        let mut pictures = BTreeSet::new();
        for (place, chapter) in chapters.iter().enumerate() {
            let text = self.text(chapter)?;
            let body = markdown::html(&text, &chapter.path, &self.repository, &mut pictures)
                .with_context(|| chapter.path.clone())?;
            let turn = page::Turn {
                before: place.checked_sub(1).map(|place| chapters[place]),
                after: chapters.get(place + 1).copied(),
            };
            let html = page::html(&self.title, &self.parts, chapter, turn, home, &body);
            files.insert(page::address(&chapter.path), html.clone().into_bytes());
            if place == 0 {
                ensure!(!chapter.path.contains('/'), "the first chapter lies in src/ itself");
                files.insert("index.html".to_owned(), html.into_bytes());
            }
        }
        for picture in pictures {
            let path = self.source.join(&picture);
            let bytes =
                fs::read(&path).with_context(|| format!("no picture {}", path.display()))?;
            files.insert(picture, bytes);
        }
        Ok(files)
    }

    /// The Markdown of a chapter, with what it includes.
    pub fn text(&self, chapter: &Chapter) -> Result<String> {
        let path = self.source.join(&chapter.path);
        let folder = path.parent().expect("it lies in a folder");
        markdown::with_includes(&read(&path)?, folder).with_context(|| chapter.path.clone())
    }

    /// Every page must be in the summary, so that readers find it.
    fn check_sources(&self) -> Result<()> {
        let listed: BTreeSet<PathBuf> =
            self.chapters().map(|chapter| self.source.join(&chapter.path)).collect();
        for path in links::markdown_files(&self.source)? {
            if !listed.contains(&path) && !path.ends_with("SUMMARY.md") {
                bail!("{} is not in SUMMARY.md", path.display());
            }
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
