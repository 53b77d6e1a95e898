//! `deminer lesson`: a short course, from one clue to 50/50s.

use std::io::{self, BufRead, IsTerminal};

use deminer::documents::{LessonDocument, LessonsDocument};
use deminer::lesson::{CHAPTERS, Chapter, Exercise, Verdict};
use deminer_draw::BoardPicture;
use deminer_game::{Cell, Shape};

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::seed;

/// A short course: find safe cells and good guesses in positions of real games.
///
/// Without a chapter, lists the chapters. The exercise of a chapter and seed is always the same;
/// seeds 1 to 5 are the course, all others are practice. Answers are read from the terminal, cell
/// by cell, or taken from --answer. Flags are on mines that easier techniques prove.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer lesson
  deminer lesson two-clues
  deminer lesson two-clues --seed 3 --hint 2
  deminer lesson two-clues --seed 3 --answer 3,0 3,2

Exit codes: 1 an answer is wrong, or cells are missing.")]
pub struct Args {
    /// The chapter; default: list all chapters.
    #[arg(value_name = "CHAPTER")]
    chapter: Option<String>,

    /// The seed of the exercise.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true, default_value_t = 1, requires = "chapter")]
    seed: u64,

    /// The answer: cells as ROW,COLUMN from 0.
    #[arg(long, value_name = "CELL", num_args = 1.., requires = "chapter")]
    answer: Vec<String>,

    /// Give a hint: 1 where to look, 2 the technique and its clues, 3 a cell and why.
    #[arg(long, value_name = "LEVEL", requires = "chapter",
          value_parser = clap::value_parser!(u8).range(1..=3))]
    hint: Option<u8>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let Some(chapter) = &self.chapter else { return self.list(output) };
        let chapter = Chapter::named(chapter).map_err(Failure::usage)?;
        let exercise =
            chapter.exercise(self.seed).map_err(|error| Failure::limit(error.to_string()))?;
        let shape = exercise.view.shape();
        let cells = self.answer.iter().map(|text| read_cell(text, shape));
        let cells = cells.collect::<Result<Vec<Cell>, Failure>>()?;
        if self.json {
            let lesson =
                LessonDocument::of(&exercise, &cells, self.hint).map_err(Failure::usage)?;
            return output.json(&lesson);
        }
        let is_asked = self.answer.is_empty() && self.hint.is_none();
        if is_asked && !io::stdin().is_terminal() {
            return Err(Failure::wrong(
                "stdin is not a terminal: give the answer with --answer ROW,COLUMN, or ask for \
                 --hint LEVEL or --json",
            ));
        }
        let verdicts = exercise.judge(&cells).map_err(Failure::usage)?;
        output.print(position(&exercise))?;
        if is_asked {
            return ask(&exercise, output, io::stdin().lock());
        }
        output.print(verdicts.iter().map(verdict).collect::<String>())?;
        if let Some(level) = self.hint {
            output.print(hint(&exercise, &cells, level))?;
        }
        let wrong = verdicts.iter().filter(|verdict| !verdict.right).count();
        match (self.answer.is_empty(), wrong, exercise.is_solved(&cells)) {
            (true, ..) => Ok(()),
            (_, 0, true) => output.print("Solved.\n"),
            (_, 0, false) => Err(Failure::no("right so far, but cells are missing".into())),
            _ => Err(Failure::no(format!("{wrong} of {} cells are wrong", verdicts.len()))),
        }
    }

    fn list(&self, output: &Output) -> Done {
        if self.json {
            return output.json(&LessonsDocument::of_course());
        }
        let width = CHAPTERS.iter().map(|chapter| chapter.name.len()).max().unwrap_or(0);
        for (number, chapter) in CHAPTERS.iter().enumerate() {
            let Chapter { name, title, .. } = chapter;
            output.print(format_args!("{} {name:width$}  {title}\n", number + 1))?;
        }
        output.print("\n`deminer lesson CHAPTER` begins a chapter.\n")
    }
}

/// Reads answers, cell by cell, until the exercise is solved.
fn ask(exercise: &Exercise, output: &Output, answers: impl BufRead) -> Done {
    let shape = exercise.view.shape();
    let mut found: Vec<Cell> = Vec::new();
    let mut level = 0;
    output.print("Type a cell as ROW,COLUMN, `hint`, or `quit`.\n")?;
    for line in answers.lines() {
        let line = line?;
        match line.trim() {
            "" => continue,
            "q" | "quit" => break,
            "h" | "hint" => {
                level = (level + 1).min(3);
                output.print(hint(exercise, &found, level))?;
                continue;
            }
            text => {
                let judged = read_cell(text, shape)
                    .and_then(|cell| exercise.judge(&[cell]).map_err(Failure::usage));
                match judged {
                    Err(failure) => output.print(format_args!("{failure}\n"))?,
                    Ok(verdicts) => {
                        output.print(verdicts.iter().map(verdict).collect::<String>())?;
                        let right = verdicts.iter().filter(|verdict| verdict.right);
                        let before = found.len();
                        found.extend(right.map(|verdict| verdict.cell));
                        level = if found.len() > before { 0 } else { level };
                    }
                }
            }
        }
        if exercise.is_solved(&found) {
            let next = exercise.seed.wrapping_add(1);
            let name = exercise.chapter.name;
            return output
                .print(format_args!("Solved. Next: deminer lesson {name} --seed {next}\n"));
        }
    }
    Err(Failure::no("the exercise is not solved yet".into()))
}

fn read_cell(text: &str, shape: &Shape) -> Result<Cell, Failure> {
    let wrong = || Failure::wrong(format!("`{text}` is not a cell: write ROW,COLUMN, such as 2,3"));
    let (row, column) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    shape.cell_at(number(row)?, number(column)?).map_err(Failure::usage)
}

fn position(exercise: &Exercise) -> String {
    let Exercise { chapter, seed, view, .. } = exercise;
    let mines = view.rules().mines();
    let left = mines - view.flag_count();
    format!(
        "{}, exercise {seed}\n{}\n\n{}\n{mines} mines, {left} of them not flagged\n{}\n",
        chapter.title,
        chapter.about,
        BoardPicture::new(view).text(),
        exercise.question(),
    )
}

fn verdict(verdict: &Verdict) -> String {
    let word = if verdict.right { "Right" } else { "No" };
    format!("{word}. {}\n", verdict.reasons.join(" "))
}

/// A hint, with what the levels below it say.
fn hint(exercise: &Exercise, found: &[Cell], level: u8) -> String {
    let Some(hint) = exercise.hint(found) else { return "Nothing is left to find.\n".into() };
    let places = |cells: &[Cell]| {
        let shape = exercise.view.shape();
        let place = |&cell: &Cell| {
            let (row, column) = shape.position(cell);
            format!("{row},{column}")
        };
        cells.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    let mut text = format!("Look around here: {}\n", places(&hint.area));
    if level >= 2 {
        text += &format!(
            "{}\nThe numbers that matter: {}\n",
            exercise.chapter.technique,
            places(&hint.clues)
        );
    }
    if level >= 3 {
        text += &format!("{}\n", hint.reasons.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_until_the_exercise_is_solved() {
        let exercise = Chapter::named("two-clues").unwrap().exercise(1).unwrap();
        let right: Vec<String> = exercise
            .answer
            .iter()
            .map(|&cell| exercise.view.shape().position(cell))
            .map(|(row, column)| format!("{row},{column}"))
            .collect();
        let solved = |lines: &[&str]| {
            ask(&exercise, &Output::new(true), lines.join("\n").as_bytes()).is_ok()
        };
        let right: Vec<&str> = right.iter().map(String::as_str).collect();
        assert!(right.len() > 1);
        assert!(solved(&right));
        assert!(solved(
            &[&["", "hint", "9,9", "nonsense", "0,0", "h", "h", "h"], &right[..]].concat()
        ));
        assert!(!solved(&right[1..]));
        assert!(!solved(&[&["quit"], &right[..]].concat()));
    }
}
