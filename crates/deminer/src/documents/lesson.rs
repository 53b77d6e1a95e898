//! Chapters and exercises of the course.

use deminer_formats::wire::{PositionRow, RowColumn, WirePosition, Word};
use deminer_game::{Cell, View};
use serde::Serialize;

use super::{SCHEMA_VERSION, places};
use crate::hint::Hint;
use crate::lesson::{CHAPTERS, Chapter, Exercise, LessonError, Task, Verdict};

/// What is asked as a word.
pub type TaskWord = Word<Task>;

/// The course.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LessonsDocument {
    /// The version of all documents.
    pub schema_version: u32,
    /// The chapters, easiest first.
    pub chapters: Vec<ChapterDocument>,
}

/// A chapter of the course.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChapterDocument {
    /// What it is called in requests.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// A position that shows it.
    pub example: WirePosition,
    /// How many exercises the course has: those of the seeds from 1 on. All others are practice.
    pub exercises: u64,
}

/// An exercise, with answers and a hint as far as they were asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LessonDocument {
    /// The version of all documents.
    pub schema_version: u32,
    /// The name of the chapter.
    pub chapter: &'static str,
    /// The seed.
    pub seed: u64,
    /// What is asked.
    pub task: TaskWord,
    /// What is asked, in words.
    pub question: String,
    /// The cells, row by row. Flags are on mines that easier techniques prove.
    pub rows: Vec<PositionRow>,
    /// Mines on the whole board.
    pub mines: usize,
    /// How many cells are asked for.
    pub asked: usize,
    /// Whether they were all found.
    pub solved: bool,
    /// What each answer is worth, in their order.
    pub verdicts: Vec<VerdictDocument>,
    /// The hint that was asked for; none if nothing is left to find.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<LessonHintDocument>,
    /// The cells once all safe ones are open, when they were all found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<Vec<PositionRow>>,
}

/// What an answer is worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct VerdictDocument {
    /// The cell.
    pub cell: RowColumn,
    /// Whether it is one of those asked for.
    pub right: bool,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
}

/// A hint; the higher the level, the more of it is there.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LessonHintDocument {
    /// How much the hint reveals.
    pub level: u8,
    /// Level 1: cells to look at.
    pub area: Vec<RowColumn>,
    /// Level 2: the technique, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technique: Option<&'static str>,
    /// Level 2: the clues that matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clues: Option<Vec<RowColumn>>,
    /// Level 3: a cell that is still to be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<RowColumn>,
    /// Level 3: why, a sentence each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
}

impl LessonsDocument {
    /// All chapters.
    pub fn of_course() -> Self {
        let chapter = |chapter: &Chapter| ChapterDocument {
            name: chapter.name,
            title: chapter.title,
            about: chapter.about,
            example: WirePosition::of(&chapter.position()),
            exercises: Chapter::EXERCISES,
        };
        let chapters = CHAPTERS.iter().map(chapter).collect();
        Self { schema_version: SCHEMA_VERSION, chapters }
    }
}

impl LessonDocument {
    /// An exercise, the verdicts on some cells, and a hint of a level where one is given.
    ///
    /// # Errors
    /// If a cell is open or has a flag.
    pub fn of(exercise: &Exercise, cells: &[Cell], level: Option<u8>) -> Result<Self, LessonError> {
        let verdicts = exercise.judge(cells)?;
        let shape = exercise.view.shape();
        let solved = exercise.is_solved(cells);
        let hint = level.and_then(|level| {
            let hint = exercise.hint(cells)?;
            Some(LessonHintDocument::of(&hint, level, exercise))
        });
        let verdict = |Verdict { cell, right, reasons }| VerdictDocument {
            cell: RowColumn::of(cell, shape),
            right,
            reasons,
        };
        let task = exercise.chapter.task();
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            chapter: exercise.chapter.name,
            seed: exercise.seed,
            task: Word(task),
            question: exercise.question(),
            rows: rows(&exercise.view),
            mines: exercise.view.rules().mines(),
            asked: exercise.asked(),
            solved,
            verdicts: verdicts.into_iter().map(verdict).collect(),
            hint,
            opened: (solved && task == Task::Safe).then(|| rows(&exercise.opened())),
        })
    }
}

impl LessonHintDocument {
    fn of(hint: &Hint, level: u8, exercise: &Exercise) -> Self {
        let shape = exercise.view.shape();
        Self {
            level,
            area: places(shape, &hint.area),
            technique: (level >= 2).then_some(exercise.chapter.technique),
            clues: (level >= 2).then(|| places(shape, &hint.clues)),
            cell: (level >= 3).then(|| RowColumn::of(hint.cell, shape)),
            reasons: (level >= 3).then(|| hint.reasons.clone()),
        }
    }
}

fn rows(view: &View) -> Vec<PositionRow> {
    WirePosition::of(view).rows
}
