//! Lists of templates with their scores.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Scene, Template};

/// A template and what it says of the center of a window that it matches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// The template, to be matched in all eight turns.
    pub template: Template,
    /// The mean probability of a mine in the windows that it was first to match: 0 is taken for
    /// safe, 1 for a mine.
    pub score: f64,
    /// How many windows these were.
    pub windows: u64,
}

/// Filters in the order in which they are tried: the first that matches a window counts.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    list: Vec<Filter>,
    /// The templates in all their turns, by the place of their first clue next to the center and
    /// what it lacks, with their ranks, least first.
    turned: [[Vec<(u32, Template)>; 9]; 25],
}

impl Filters {
    /// These filters in this order. A template without a clue next to the center matches nothing.
    pub fn new(list: Vec<Filter>) -> Self {
        let mut filters = Self { list, ..Self::default() };
        for (rank, filter) in filters.list.iter().enumerate() {
            let mut turned = filter.template.turned().to_vec();
            turned.sort_unstable();
            turned.dedup();
            for template in turned {
                if let Some((place, missing)) = template.first_next() {
                    filters.turned[place][missing as usize].push((rank as u32, template));
                }
            }
        }
        filters
    }

    /// The filters in order.
    pub fn list(&self) -> &[Filter] {
        &self.list
    }

    /// The rank of the first filter that matches a scene, and the places of its clues.
    pub fn first(&self, scene: &Scene) -> Option<(usize, u32)> {
        let mut best: Option<(u32, u32)> = None;
        for (place, missing) in scene.next_clues() {
            let turned = &self.turned[place][missing as usize];
            let end = best
                .map_or(turned.len(), |(best, _)| turned.partition_point(|(rank, _)| *rank < best));
            let found = turned[..end].iter().find(|(_, template)| template.matches(scene));
            best = found.map(|(rank, template)| (*rank, template.clues())).or(best);
        }
        best.map(|(rank, clues)| (rank as usize, clues))
    }
}

/// One filter a line: score, windows, template.
impl fmt::Display for Filters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for filter in &self.list {
            writeln!(f, "{:.4} {:>7} {}", filter.score, filter.windows, filter.template)?;
        }
        Ok(())
    }
}

/// The text is no list of filters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {0}: {1}")]
pub struct ParseFiltersError(usize, String);

/// Reads one filter a line; lines that begin with `;` are remarks.
impl FromStr for Filters {
    type Err = ParseFiltersError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines = (1..).zip(text.lines());
        let filters = lines.filter(|(_, line)| !line.starts_with(';') && !line.trim().is_empty());
        let filter = |(line, text)| read(text).map_err(|problem| ParseFiltersError(line, problem));
        Ok(Self::new(filters.map(filter).collect::<Result<_, _>>()?))
    }
}

fn read(line: &str) -> Result<Filter, String> {
    let [score, windows, template] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err("a filter is a score, a number of windows and a template".into());
    };
    let in_range = |score: &f64| (0.0..=1.0).contains(score);
    let score = score.parse().ok().filter(in_range);
    let score = score.ok_or("the score must be a number from 0 to 1")?;
    let windows = windows.parse().map_err(|_| "the number of windows must be a whole number")?;
    let template =
        template.parse().map_err(|error: super::ParseTemplateError| error.to_string())?;
    Ok(Filter { template, score, windows })
}
