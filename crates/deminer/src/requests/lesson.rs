//! The course, its exercises, and verdicts on answers.

use deminer_formats::wire::{Count, RowColumn};
use serde::Deserialize;

use super::{Context, Request, RequestError};
use crate::documents::{LessonDocument, LessonsDocument};
use crate::lesson::{Chapter, LessonError};

/// All chapters are asked for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LessonsRequest {}

impl Request for LessonsRequest {
    const NAME: &'static str = "lessons";
    type Answer = LessonsDocument;

    fn work(self, _: &Context) -> Result<LessonsDocument, RequestError> {
        Ok(LessonsDocument::of_course())
    }
}

/// An exercise, and perhaps answers and a hint.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LessonRequest {
    /// The name of the chapter.
    #[cfg_attr(feature = "schema", schema(max_length = 40))]
    pub chapter: String,
    /// The seed; any unless given.
    pub seed: Option<Count>,
    /// Answers to be judged, right ones found before included.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 100))]
    pub cells: Vec<RowColumn>,
    /// A hint: 1 where to look, 2 the technique and its clues, 3 a cell and why.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 3))]
    pub hint: Option<u8>,
}

/// More cells than any board of the course has.
const MOST_CELLS: usize = 100;

impl Request for LessonRequest {
    const NAME: &'static str = "lesson";
    type Answer = LessonDocument;

    fn work(self, context: &Context) -> Result<LessonDocument, RequestError> {
        if self.hint.is_some_and(|level| !(1..=3).contains(&level)) {
            return Err(RequestError::invalid("a hint is 1, 2 or 3").at("hint"));
        }
        if self.cells.len() > MOST_CELLS {
            return Err(RequestError::too_large(format!(
                "a lesson takes at most {MOST_CELLS} cells"
            ))
            .at("cells"));
        }
        let chapter = Chapter::named(&self.chapter);
        let chapter = chapter.map_err(|error| RequestError::invalid(error).at("chapter"))?;
        let seed = self.seed.map_or_else(context.any_seed, |seed| seed.0);
        let exercise = chapter.exercise(seed).map_err(RequestError::stopped)?;
        let shape = exercise.view.shape();
        let cells = self.cells.iter().enumerate();
        let cells = cells.map(|(number, place)| place.cell(shape, &format!("cells[{number}]")));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let lesson = LessonDocument::of(&exercise, &cells, self.hint);
        lesson.map_err(|error: LessonError| RequestError::invalid(error).at("cells"))
    }
}
