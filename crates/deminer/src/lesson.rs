//! A short course: positions of real games, from one clue to 50/50s, with graded hints.
//!
//! A chapter teaches one technique. Its exercises are made from seeds, so there is always another
//! one. Where cells can be proved, the board is one that can be won without a guess, and the
//! position is the moment in it when the easiest rule that clears a cell is the chapter's. Where
//! cells must be guessed, a board is dealt and played until nothing more can be proved. The same
//! inference that plays and reviews judges the answers, so every answer has a reason.

use deminer_game::{
    Action, Board, Cell, Face, GameSeed, Layout, Premise, Purpose, Rng, Rules, Start, State, View,
    stop,
};
use deminer_inference::deduce::{Fact, Rung, prove, prove_all};
use deminer_inference::odds::Engine;
use deminer_inference::proof::explain_from;
use thiserror::Error;

use crate::analysis::{Analysis, AnalyzeOptions};
use crate::coach::percent;
use crate::hint::Hint;
use crate::no_guess::{Wave, easiest, safe_cells};
use crate::reasons::{capital, of_fifty_fifty, of_other, of_safe, place};

/// A chapter of the course.
#[derive(Debug)]
pub struct Chapter {
    /// What it is called where chapters have names.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is about, for someone who has read the chapters before it.
    pub about: &'static str,
    /// How to find the answer.
    pub technique: &'static str,
    /// A position that shows it, in the text notation.
    example: &'static str,
    /// The boards of its exercises.
    board: &'static str,
    topic: Topic,
}

/// What the exercises of a chapter need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Topic {
    /// Exactly this rung of the ladder.
    Rung(Rung),
    /// The odds of cells none of which is safe.
    Odds,
    /// To see which cells are 50/50s.
    FiftyFifty,
    /// To see that the safest cell is not the best one.
    BestGuess,
}

/// What is asked in an exercise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// All cells that are certainly safe.
    Safe,
    /// One cell that is the best guess.
    Guess,
    /// All cells of 50/50s.
    FiftyFifty,
}
deminer_game::words!(
    Task, "a task": Safe = "safe", Guess = "guess", FiftyFifty = "fifty_fifty",
);

/// The course, easiest chapter first.
pub const CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "one-clue",
        title: "One clue",
        about: "A number counts the mines among the cells around it. If it touches only as many \
                covered cells as it has mines, they are all mines. If it already touches all its \
                mines, its other covered cells are safe.",
        technique: "Take these numbers one by one: which of them has only mines left, and \
                    which of them already has all its mines?",
        example: "mines 1\n. 1 # #\n. 1 1 #",
        board: "7x7x9",
        topic: Topic::Rung(Rung::SingleClue),
    },
    Chapter {
        name: "two-clues",
        title: "Two clues",
        about: "Two numbers that share covered cells say more together. If one of them puts a mine \
                into the shared cells, the other may have none left for its own cells. Or it needs \
                more than the shared cells can hold.",
        technique: "Compare these numbers: how many mines do they share, and how many are \
                    left for the cells that only one of them touches?",
        example: "mines 2\n# # # #\n1 1 2 1",
        board: "8x8x12",
        topic: Topic::Rung(Rung::Pair),
    },
    Chapter {
        name: "several-clues",
        title: "Several clues",
        about: "Sometimes no two numbers are enough, but three or more are. Suppose that a cell is \
                a mine, and go from number to number. If one of them can no longer be right, the \
                cell is safe.",
        technique: "Use these numbers alone. Suppose a mine in one of their cells, then in the \
                    next: when do they contradict each other?",
        example: "mines 5\n# # # # #\n# # # # #\n1 2 # # #\n. 1 # # #",
        board: "8x8x14",
        topic: Topic::Rung(Rung::Several),
    },
    Chapter {
        name: "mines-left",
        title: "Mines left",
        about: "The number of mines on the board is a clue too. Near the end, count the mines that \
                are not flagged yet. If the numbers need all of them, every cell that no number \
                touches is safe.",
        technique: "Count the mines that are left, and how many of them these numbers need at \
                    least or at most.",
        example: "mines 5\n. . 2 F #\n. . 2 F #\n1 1 2 3 #\n# # 1 # #",
        board: "7x7x9",
        topic: Topic::Rung(Rung::MineTotal),
    },
    Chapter {
        name: "odds",
        title: "Odds",
        about: "When no cell is certainly safe, you must guess. The risk of a cell is the share of \
                all possible layouts in which it is a mine. Cells that no number touches have a \
                risk too: they share the mines that are left.",
        technique: "Find the number whose mines are spread over the most cells, and compare it with \
                    the mines left for the cells that no number touches.",
        example: "mines 5\n# # # 1 . .\n# # # 2 1 .\n# # 2 F 1 .",
        board: "8x8x13",
        topic: Topic::Odds,
    },
    Chapter {
        name: "fifty-fifty",
        title: "50/50s",
        about: "Two cells share one mine, and every number around them touches both or none. No \
                later number can tell them apart, so there is nothing to wait for: only a guess \
                decides.",
        technique: "Look for two covered cells that all numbers around them touch together. Cells \
                    whose numbers may still be opened can tell more later.",
        example: "mines 1\n# 1 .\n# 1 .",
        board: "7x7x11",
        topic: Topic::FiftyFifty,
    },
    Chapter {
        name: "best-guess",
        title: "The best guess",
        about: "The safest cell is not always the best guess. A dead cell shows nothing new, so a \
                guess there only delays the next one. A cell that is less safe may decide more \
                and win more often.",
        technique: "For each guess, ask what you would know afterwards. A guess that settles the \
                    rest is worth more than two guesses in a row.",
        example: "mines 5\n. . 1 # #\n. . 1 # #\n1 2 3 3 #\n# # F # #",
        board: "6x6x8",
        topic: Topic::BestGuess,
    },
];

impl Chapter {
    /// How many exercises a chapter has in the course: seeds 1 to this. All others are practice.
    pub const EXERCISES: u64 = 5;

    /// The chapter of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Self, LessonError> {
        let found = CHAPTERS.iter().find(|chapter| chapter.name == name);
        found.ok_or_else(|| LessonError::UnknownChapter(name.to_owned()))
    }

    /// What its exercises ask for.
    pub const fn task(&self) -> Task {
        match self.topic {
            Topic::Rung(_) => Task::Safe,
            Topic::Odds | Topic::BestGuess => Task::Guess,
            Topic::FiftyFifty => Task::FiftyFifty,
        }
    }

    /// The position that shows its technique.
    pub fn position(&self) -> View {
        self.example.parse().expect("examples are positions")
    }

    /// The exercise of a seed: the same for ever.
    ///
    /// # Errors
    /// If none of many layouts holds one.
    pub fn exercise(&'static self, seed: u64) -> Result<Exercise, LessonError> {
        let number = CHAPTERS.iter().position(|chapter| chapter.name == self.name).unwrap_or(0);
        let mut rng = GameSeed { seed, game: number as u64 }.rng(Purpose::Lab);
        let mut maker = Maker::new(self);
        let mut layouts = std::iter::repeat_with(|| maker.exercise(&mut rng, seed)).take(TRIES);
        let found = layouts.find(|found| found.is_some() || stop::is_raised()).flatten();
        found.ok_or(LessonError::NoExercise { chapter: self.name, seed })
    }
}

/// Layouts that are tried for an exercise, far more than any takes: one in hundreds fits.
const TRIES: usize = 100_000;

/// An exercise asks for at most this many cells.
const MOST_ASKED: usize = 6;

/// An exercise has at least this many more covered cells without a flag.
const LEAST_OTHERS: usize = 4;

/// Two chances differ clearly from this difference on.
const CLEAR: f64 = 0.02;

/// Chances that differ by no more are the same.
const SAME: f64 = 1e-9;

/// Where whole games are compared, positions have at most this many layouts, so that the search
/// is complete.
const FEW_LAYOUTS: f64 = 60.0;

/// Finds exercises of a chapter.
struct Maker {
    chapter: &'static Chapter,
    rules: Rules,
    engine: Engine,
}

impl Maker {
    fn new(chapter: &'static Chapter) -> Self {
        let b = std::env::var("LESSON_BOARD").unwrap_or(chapter.board.to_owned());
        let size = b.parse().expect("boards of chapters are sizes");
        let rules = Rules::of(size).and_then(|rules| rules.with_start(Start::Open));
        let rules = rules.expect("boards of chapters have room for their mines");
        Self { chapter, rules, engine: Engine::default() }
    }

    /// Plays the next layout by the easiest rule that clears a cell, until there is an exercise.
    fn exercise(&mut self, rng: &mut Rng, seed: u64) -> Option<Exercise> {
        let first = self.rules.shape().nth(rng.below(self.rules.shape().size()))?;
        let layout = Layout::deal(&self.rules, rng.bits(), first);
        let mut board = Board::laid(self.rules.clone(), layout.clone(), 0)
            .expect("layouts are dealt for these rules");
        board.act(Action::Open(first));
        while board.state() == State::Live {
            let safe = self.safe(board.view())?;
            let wave = match self.chapter.topic {
                Topic::Rung(rung) if !safe.is_empty() => easiest(board.view(), rung),
                _ => None,
            };
            if let Some((view, answer)) = self.asked(board.view(), &safe, wave.as_ref()) {
                return Some(Exercise { chapter: self.chapter, seed, view, answer, layout });
            }
            if safe.is_empty() {
                break;
            }
            let opened = wave.map_or(safe, |wave| safe_cells(&wave.steps).collect());
            opened.into_iter().for_each(|cell| {
                board.act(Action::Open(cell));
            });
        }
        None
    }

    /// All cells that are certainly safe, row by row.
    fn safe(&mut self, view: &View) -> Option<Vec<Cell>> {
        let odds = self.engine.odds(view).ok()?;
        Some(view.covered().filter(|&cell| odds.fact(cell) == Some(Fact::Safe)).collect())
    }

    /// The exercise that a position is for this chapter: what is seen, and the answer.
    fn asked(
        &mut self,
        view: &View,
        safe: &[Cell],
        wave: Option<&Wave>,
    ) -> Option<(View, Vec<Cell>)> {
        let (view, answer) = match self.chapter.topic {
            Topic::Rung(rung) => {
                let wave = wave.filter(|wave| wave.rung == rung)?;
                let view = flagged(&wave.view, &easier_facts(&wave.view, rung));
                (self.needs(&view, rung, wave, safe)).then(|| (view, safe.to_vec()))?
            }
            _ if !safe.is_empty() => return None,
            topic => self.guess(view, topic)?,
        };
        let plain = plain_cells(&view).count();
        let few = answer.len() <= MOST_ASKED && plain >= answer.len() + LEAST_OTHERS;
        few.then_some((view, answer))
    }

    /// Whether the rung proves all safe cells, and nothing simpler than the chapter's technique
    /// does.
    fn needs(&mut self, view: &View, rung: Rung, wave: &Wave, safe: &[Cell]) -> bool {
        let mut proved: Vec<Cell> = safe_cells(&wave.steps).collect();
        proved.sort_unstable();
        if proved != safe {
            return false;
        }
        match rung {
            Rung::SingleClue | Rung::Pair => true,
            Rung::MineTotal => {
                let known = self.engine.facts_of_clues(view);
                known.is_ok_and(|known| safe.iter().all(|&cell| known.get(cell).is_none()))
            }
            Rung::Several | Rung::Contradiction => {
                let steps = prove_all(view);
                let mut proofs = safe.iter().filter_map(|&cell| explain_from(view, &steps, cell));
                proofs.all(|proof| {
                    let total = proof.premises.contains(&Premise::MineTotal);
                    proof.premises.len() >= 3 && !total
                })
            }
        }
    }

    /// What is asked of a position in which no cell is safe.
    fn guess(&mut self, view: &View, topic: Topic) -> Option<(View, Vec<Cell>)> {
        let odds = self.engine.odds(view).ok()?;
        let few = odds.log10_layouts().is_some_and(|log| log < FEW_LAYOUTS.log10());
        if topic != Topic::Odds && !few {
            return None;
        }
        let is_mine = |&cell: &Cell| odds.fact(cell) == Some(Fact::Mine);
        let view = flagged(view, &view.covered().filter(is_mine).collect::<Vec<_>>());
        let analysis = MARKED.analyze(&view).ok()?;
        let answer = match topic {
            Topic::FiftyFifty => of_fifty_fifties(&view, &analysis),
            Topic::BestGuess => most_wins(&view, &analysis),
            Topic::Odds | Topic::Rung(_) => clearly_safest(&view, &analysis),
        };
        answer.map(|answer| (view, answer))
    }
}

const MARKED: AnalyzeOptions = AnalyzeOptions {
    proofs: false,
    exact: false,
    around: None,
    budget: Engine::BUDGET,
    marks: true,
};

/// Covered cells without a flag.
fn plain_cells(view: &View) -> impl Iterator<Item = Cell> + '_ {
    view.covered().filter(|&cell| view.face(cell) == Face::Covered)
}

/// Mines that rungs below this one prove.
fn easier_facts(view: &View, rung: Rung) -> Vec<Cell> {
    let below = Rung::ALL.into_iter().rfind(|&lower| lower < rung);
    let steps = below.map_or(Vec::new(), |below| prove(view, below));
    steps.iter().map(|step| step.conclusion.cell).collect()
}

/// The view with flags on these cells.
fn flagged(view: &View, mines: &[Cell]) -> View {
    let mut faces = view.faces().to_vec();
    mines.iter().for_each(|mine| faces[mine.index()] = Face::Flagged);
    View::from_faces(view.rules().clone(), faces).expect("as many faces as before")
}

/// The safest cells, if all others are clearly less safe, win chances agree, and no 50/50 confuses.
fn clearly_safest(view: &View, analysis: &Analysis) -> Option<Vec<Cell>> {
    let risk = |cell: Cell| analysis.mine_probability(cell).unwrap_or(1.0);
    let least = plain_cells(view).map(risk).min_by(f64::total_cmp)?;
    let is_near = |by: f64| move |cell: &Cell| risk(*cell) <= least + by;
    let safest: Vec<Cell> = plain_cells(view).filter(is_near(SAME)).collect();
    let clear = plain_cells(view).filter(is_near(2.0 * CLEAR)).eq(safest.iter().copied());
    let best = analysis.best.as_ref()?;
    let marks = analysis.marks.as_ref()?;
    (clear && safest.contains(&best.cell) && marks.fifty_fifty.is_empty()).then_some(safest)
}

/// The cells of 50/50s, if no other cell is as likely a mine as not.
fn of_fifty_fifties(view: &View, analysis: &Analysis) -> Option<Vec<Cell>> {
    let mut cells = analysis.marks.as_ref()?.fifty_fifty.concat();
    cells.sort_unstable();
    cells.dedup();
    let even = |&cell: &Cell| {
        analysis.mine_probability(cell).is_some_and(|mine| (mine - 0.5).abs() < SAME)
    };
    let all = plain_cells(view).filter(even).eq(cells.iter().copied());
    (all && !cells.is_empty()).then_some(cells)
}

/// The cells with the highest win chance, if it is known and that of the safest cells is clearly
/// lower, as where these are dead.
fn most_wins(view: &View, analysis: &Analysis) -> Option<Vec<Cell>> {
    let dead = &analysis.marks.as_ref()?.dead;
    let cells: Vec<Cell> = plain_cells(view).collect();
    let (weighed, exact) = analysis.weigh(view, &cells);
    let wins: Vec<f64> = weighed.iter().filter_map(|one| one.win).collect();
    let most = wins.iter().copied().max_by(f64::total_cmp)?;
    let safest = weighed.iter().map(|one| one.safety).max_by(f64::total_cmp)?;
    let tempting = weighed.iter().filter(|one| one.safety > safest - SAME);
    let fooled = tempting.filter_map(|one| one.win).all(|win| win < most - CLEAR);
    let known = exact && wins.len() == cells.len() && !dead.is_empty();
    let best = weighed.iter().filter(|one| one.win.is_some_and(|win| win > most - SAME));
    (known && fooled).then(|| best.map(|one| one.cell).collect())
}

/// A position and what is asked of it.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its chapter.
    pub chapter: &'static Chapter,
    /// Its seed.
    pub seed: u64,
    /// What is seen. Flags are on mines that need no technique of this chapter.
    pub view: View,
    /// The answer, row by row: all cells asked for, or the guesses that are best.
    pub answer: Vec<Cell>,
    layout: Layout,
}

/// What an answer is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The cell.
    pub cell: Cell,
    /// Whether it is one of those asked for.
    pub right: bool,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
}

/// Why there is no lesson, or no verdict.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LessonError {
    /// No chapter has this name.
    #[error("there is no chapter `{0}`; the chapters are {names}", names = names())]
    UnknownChapter(String),
    /// The search was given up.
    #[error("no exercise of {chapter} was found for seed {seed}: take another seed")]
    NoExercise {
        /// The chapter.
        chapter: &'static str,
        /// The seed.
        seed: u64,
    },
    /// The cell cannot be an answer.
    #[error("{0} is no answer: choose a covered cell without a flag")]
    NoAnswer(String),
}

fn names() -> String {
    CHAPTERS.iter().map(|chapter| chapter.name).collect::<Vec<_>>().join(", ")
}

impl Exercise {
    /// How many cells are asked for; one of several best guesses is enough.
    pub fn asked(&self) -> usize {
        if self.chapter.task() == Task::Guess { 1 } else { self.answer.len() }
    }

    /// What is asked, in words.
    pub fn question(&self) -> String {
        match (self.chapter.task(), self.asked()) {
            (Task::Safe, 1) => "One cell is certainly safe. Which one?".to_owned(),
            (Task::Safe, count) => format!("{count} cells are certainly safe. Which ones?"),
            (Task::Guess, _) => {
                "No cell is certainly safe. Which one is the best guess?".to_owned()
            }
            (Task::FiftyFifty, count) => format!("Which {count} cells are a 50/50?"),
        }
    }

    /// Judges answers.
    ///
    /// # Errors
    /// If one of them is open or has a flag.
    pub fn judge(&self, cells: &[Cell]) -> Result<Vec<Verdict>, LessonError> {
        let is_plain = |&cell: &Cell| self.view.face(cell) == Face::Covered;
        if let Some(&odd) = cells.iter().find(|cell| !is_plain(cell)) {
            return Err(LessonError::NoAnswer(capital(&place(self.view.shape(), odd))));
        }
        if cells.is_empty() {
            return Ok(Vec::new());
        }
        let analysis = MARKED.analyze(&self.view).expect("positions of games have layouts");
        Ok(cells.iter().map(|&cell| self.verdict(cell, &analysis)).collect())
    }

    fn verdict(&self, cell: Cell, analysis: &Analysis) -> Verdict {
        let right = self.answer.contains(&cell);
        let shape = self.view.shape();
        let here = capital(&place(shape, cell));
        let share = percent(analysis.mine_probability(cell).unwrap_or_default());
        let pairs = analysis.marks.iter().flat_map(|marks| &marks.fifty_fifty);
        let reasons = match (self.chapter.task(), right) {
            (Task::Safe, _) if analysis.safe.contains(&cell) || analysis.mines.contains(&cell) => {
                let proof = explain_from(&self.view, &prove_all(&self.view), cell);
                of_safe(shape, cell, proof.map(|proof| proof.sentence(&self.view)))
            }
            (Task::Safe, _) => vec![format!(
                "{here} is not certain: it is a mine in {share} of all possible layouts."
            )],
            (Task::FiftyFifty, true) => pairs
                .filter(|pair| pair.contains(&cell))
                .map(|&pair| of_fifty_fifty(shape, pair))
                .collect(),
            (Task::FiftyFifty, false) => {
                vec![format!("{here} is a mine in {share} of all possible layouts.")]
            }
            (Task::Guess, _) => self.of_guess(cell, right, analysis),
        };
        Verdict { cell, right, reasons }
    }

    /// What a guess is worth beside the best one.
    fn of_guess(&self, cell: Cell, right: bool, analysis: &Analysis) -> Vec<String> {
        let Some(best) = &analysis.best else { return Vec::new() };
        if best.cell == cell {
            return best.reasons.clone();
        }
        let shape = self.view.shape();
        let (weighed, exact) = analysis.weigh(&self.view, &[best.cell, cell]);
        let [best, other] = &weighed[..] else { return Vec::new() };
        let safety = format!("{} is {} safe.", place(shape, cell), percent(other.safety));
        let mut compared = of_other(shape, best, other, exact);
        if !right {
            compared.replace_range(..1, &compared[..1].to_lowercase());
            compared.insert_str(0, "Compared with the best guess: ");
        }
        vec![capital(&safety), compared]
    }

    /// The hint for someone who has found some of the cells; none if nothing is left to find.
    pub fn hint(&self, found: &[Cell]) -> Option<Hint> {
        let is_left = |cell: &&Cell| !found.contains(cell);
        match self.chapter.task() {
            Task::Safe => {
                let steps = prove_all(&self.view);
                let mut proved = safe_cells(&steps);
                let next = proved.find(|cell| is_left(&cell))?;
                Some(Hint::safe(&self.view, &steps, next))
            }
            Task::Guess if self.answer.iter().any(|cell| found.contains(cell)) => None,
            Task::Guess => Hint::of(&self.view, Engine::BUDGET).ok().flatten(),
            Task::FiftyFifty => {
                let &next = self.answer.iter().find(is_left)?;
                let marks = MARKED.analyze(&self.view).ok()?.marks?;
                let pair = marks.fifty_fifty.into_iter().find(|pair| pair.contains(&next))?;
                Some(Hint { cell: next, ..Hint::fifty_fifty(&self.view, pair) })
            }
        }
    }

    /// Whether these cells answer the question.
    pub fn is_solved(&self, cells: &[Cell]) -> bool {
        let found = self.answer.iter().filter(|cell| cells.contains(cell)).count();
        found >= self.asked()
    }

    /// What is seen once all safe cells are open.
    pub fn opened(&self) -> View {
        let rules = self.view.rules().clone();
        let mut board = Board::laid(rules, self.layout.clone(), 0).expect("it was laid before");
        let opened = self.view.opened().iter().chain(&self.answer);
        opened.for_each(|&cell| {
            board.act(Action::Open(cell));
        });
        let mines = self.view.covered().filter(|&cell| self.view.face(cell) == Face::Flagged);
        flagged(board.view(), &mines.collect::<Vec<_>>())
    }
}
