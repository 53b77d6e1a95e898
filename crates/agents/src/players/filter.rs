//! Matches 5x5 windows against an ordered list of templates, and opens the cell with the least
//! score.
//!
//! The filter-based method that K. Lubarski, B. Samujło and K. Wszeborowski review in "Neural
//! Networks in solving Minesweeper": filters are applied in a fixed order, and each gives the
//! center of its window a score. Ours were mined from windows with exact odds by
//! `cargo xtask filter`. A [`Template`] names up to three clues and some of the cells that they
//! see; mines found are taken off the clues first. The filters at the head of the list make the
//! center certain, a mine or safe:
//!
//! ```text
//! _ A _ _ _      A lacks one mine and sees all that the 2 sees but the center, so that the 2
//! _ 2 _ _ _      must have its second mine there
//! x x # _ _
//! _ _ _ _ _
//! _ _ _ _ _
//! ```
//!
//! The others score it with the mean probability of a mine in the windows that they were first to
//! match. Where nothing is safe the least score is opened, ties at random; a cell that no filter
//! matches, as all those off the fringe, counts as the share of mines among unknown cells.

mod filters;
mod reading;
mod template;

use std::sync::LazyLock;

use deminer_game::{
    Agent, BuildError, Decision, Entry, Form, Kind, Rng, Rules, Shape, Supports, View, Why,
};
use deminer_inference::deduce::Fact;

pub use filters::{Filter, Filters, ParseFiltersError};
pub use reading::{Found, Reading};
pub use template::{OpenClue, ParseTemplateError, Scene, Template};

use crate::parts::least_risk::LeastRisk;
use crate::parts::moves;

/// The agent.
pub const ENTRY: Entry = Entry {
    name: "filter",
    about: "an ordered list of 5x5 templates, each with a score, mined from exact odds",
    kind: Kind::Logic,
    paper: Some(crate::players::gauss_csp::PAPER),
    supports: Supports { forms: &[Form::Rect, Form::Torus], ..Supports::NUMBERS },
    build: |_| match &*FILTERS {
        Ok(filters) => {
            Ok(Box::new(FilterPlayer { filters, reading: Reading::new(&Shape::default()) }))
        }
        Err(error) => Err(BuildError(format!("the list of filters: {error}").into())),
    },
    ..Entry::PLAIN
};

/// The filters of the agent in their order.
pub fn shipped() -> Result<&'static Filters, &'static ParseFiltersError> {
    FILTERS.as_ref()
}

/// The list as `cargo xtask filter` wrote it.
static FILTERS: LazyLock<Result<Filters, ParseFiltersError>> =
    LazyLock::new(|| include_str!("filter/templates.txt").parse());

struct FilterPlayer {
    filters: &'static Filters,
    reading: Reading,
}

impl Agent for FilterPlayer {
    fn begin(&mut self, rules: &Rules) {
        self.reading = Reading::new(rules.shape());
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.reading.update(view, self.filters);
        match self.reading.safe(view) {
            Some(found) => open(view, found),
            None => self.guess(view, rng),
        }
    }
}

/// Opens a cell that a filter found safe. A flag on it is wrong and goes first.
fn open(view: &View, found: &Found) -> Decision {
    let name = format!("filter {}", found.rank + 1).into();
    let why = Why::Rule { name, premises: found.premises.clone() };
    Decision::new(moves::open(view, found.cell), why)
}

impl FilterPlayer {
    /// Opens one of the cells with the least score.
    fn guess(&self, view: &View, rng: &mut Rng) -> Decision {
        let reading = &self.reading;
        let unknown = view.covered().filter(|&cell| reading.known(cell).is_none()).count();
        let mines = view.covered().filter(|&cell| reading.known(cell) == Some(Fact::Mine)).count();
        let left = view.rules().mines().saturating_sub(mines);
        let density = left as f64 / unknown.max(1) as f64;
        let mut weighing = LeastRisk::new(view);
        for cell in view.openable() {
            match (reading.known(cell), reading.rank(cell)) {
                (Some(Fact::Mine), _) => weighing.rule_out(cell),
                (None, Some(rank)) => weighing.weigh(cell, self.filters.list()[rank].score),
                (None, None) => weighing.weigh(cell, density.min(1.0)),
                (Some(Fact::Safe), _) => {}
            }
        }
        weighing.open_any(rng)
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, GameSeed, Premise};

    use super::*;
    use crate::parts::pictures::decide;

    fn filters() -> &'static Filters {
        FILTERS.as_ref().expect("a list of filters")
    }

    #[test]
    fn certain_filters_are_proved_and_come_first() {
        let certain = |filter: &Filter| match filter.score {
            0.0 => Some(Fact::Safe),
            1.0 => Some(Fact::Mine),
            _ => None,
        };
        for filter in filters().list().iter().filter(|filter| certain(filter).is_some()) {
            assert_eq!(filter.template.verdict(), certain(filter), "{}", filter.template);
        }
        assert!(filters().list().is_sorted_by_key(|filter| certain(filter).is_none()));
    }

    #[test]
    fn the_list_is_written_as_it_is_read() {
        let text = include_str!("filter/templates.txt");
        let filters: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
        let written = self::filters().to_string();
        assert_eq!(written.lines().collect::<Vec<_>>(), filters);
    }

    #[test]
    fn wrong_lists_are_told_apart() {
        for (text, message) in [
            ("; only a remark\n0.5 12", "line 2: a filter is a score"),
            ("1.5 12 _____/_1___/__#__/_____/_____", "from 0 to 1"),
            ("0.5 few _____/_1___/__#__/_____/_____", "a whole number"),
            ("0.5 12 _____/_1___/__1__/_____/_____", "is not a template"),
        ] {
            let error = text.parse::<Filters>().unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn safe_cells_are_opened_and_the_filter_named() {
        let decided = decide(&ENTRY, &[], "mines 2\n# # # # #\n1 1 ? # #");
        decided.does("# # o # #\n1 1 ? # #");
        let Why::Rule { name, premises } = &decided.decision.why else { panic!("a rule") };
        let rank: usize = name.strip_prefix("filter ").unwrap().parse().unwrap();
        assert_eq!(filters().list()[rank - 1].template.verdict(), Some(Fact::Safe));
        assert!(matches!(premises[..], [Premise::Clue(_), Premise::Clue(_)]));
    }

    #[test]
    fn mines_found_are_taken_off_the_clues_and_a_wrong_flag_goes_first() {
        decide(&ENTRY, &[], "mines 2\n# ? # # #\n1 1 ? # #").does("# ? o # #\n1 1 ? # #");
        decide(&ENTRY, &[], "mines 2\n# # F # #\n1 1 ? # #").does("# # u # #\n1 1 ? # #");
    }

    #[test]
    fn windows_wrap_on_a_torus() {
        // The mine in the corner is all that the clue below it lacks across the border.
        decide(
            &ENTRY,
            &[],
            "mines 1
             shape torus
             # ? ? ? # #
             1 1 ? ? ? ?
             ? ? ? ? ? ?
             ? ? ? ? ? ?
             ? ? ? ? ? ?",
        )
        .does(
            "# ? ? ? # o
             1 1 ? ? ? ?
             ? ? ? ? ? ?
             ? ? ? ? ? ?
             ? ? ? ? ? ?",
        );
    }

    #[test]
    fn off_the_fringe_the_density_counts() {
        let decided = decide(&ENTRY, &[], "mines 2\n# # # # # #\n? 3 # # # #\n# # # # # #");
        let estimates = decided.decision.estimates.as_ref().unwrap();
        assert_eq!(estimates.mine(decided.view.shape().nth(5).unwrap()), Some(2.0 / 16.0));
    }

    /// Following a game finds what one look does, whatever the order of openings.
    #[test]
    fn only_what_changed_is_looked_at_again() {
        for form in [Form::Rect, Form::Torus] {
            let rules = Rules::new(Shape::new(form, 11, 8).unwrap(), 14).unwrap();
            for game in 0..40 {
                let mut board = Board::dealt(rules.clone(), GameSeed { seed: 3, game });
                let mut followed = Reading::new(rules.shape());
                for cell in rules.shape().cells() {
                    if !board.layout().is_some_and(|layout| layout.is_mine(cell)) {
                        board.act(Action::Open(cell));
                    }
                    followed.update(board.view(), filters());
                }
                let view = board.view();
                let mut fresh = Reading::new(rules.shape());
                fresh.update(view, filters());
                for cell in view.shape().cells() {
                    assert_eq!(followed.known(cell), fresh.known(cell), "{game} {cell:?}\n{view}");
                    let unknown = fresh.known(cell).is_none();
                    assert!(!unknown || followed.rank(cell) == fresh.rank(cell), "{game}\n{view}");
                }
            }
        }
    }
}
