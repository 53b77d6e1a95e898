//! Lubarski, Samujło and Wszeborowski, figures 2 to 7: a position as equations and what follows,
//! filters, a convolution and the sliding window, drawn from the solver, the filters and the
//! network themselves.

use deminer::equations::Equations;
use deminer_agents::players::filter::{self, Filter, Reading};
use deminer_draw::{BoardPicture, Look, Panel, Sheet, Theme, Tile, TilesPicture};
use deminer_game::{
    Action, ArtifactKind, Board, Cell, Estimates, Face, GameSeed, Start, View, Window,
};
use deminer_inference::deduce::Fact;
use deminer_neural::artifact;

use super::{Findings, LUBARSKI, Plan, Study, Table, Target, Work, rules};

pub const TABLE: Table = Table {
    id: "s000-figures",
    title: "Equations, filters and windows, drawn",
    place: "figures 2 to 7",
    about: "The paper's drawings, made from what they describe. Figures 2 to 4 are the paper's \
            fragment of a board: the solver of `gauss-csp` names its unknowns, writes an equation \
            for each number and decides what has one value in all solutions, as `deminer analyze \
            --equations` does for any position. Figure 5 applies the list of `filter` to a board, \
            figure 6 one trained filter of `cnn-5x5` to a window, figure 7 slides the window of \
            `cnn-5x5` over a board.",
    plan,
    ..Table::of(&LUBARSKI)
};

/// The paper's fragment: five covered cells beside five numbers.
const FRAGMENT: &str = "mines 3\n# 1\n# 2\n# 2\n# 2\n# 1";
const NETWORK: &str = "cnn-5x5";
const WEIGHTS: &str = "cnn-5x5-7x7x5";
const THEME: Theme = Theme::Light;

const PICTURES: [&str; 4] =
    ["figures-2-to-4", "figure-5-filters", "figure-6-convolution", "figure-7-window"];

fn plan(plan: &mut Plan) {
    let figures = plan.study(Study::new("figures", 1, |work| Some(draw(work))));
    let labels = ["figures 2 to 4", "gauss-csp", "unknowns decided"];
    let decided = Target::Within { paper: 1.0, tolerance: 0.0 };
    plan.found(figures, labels, |found| found.mean("decided"), decided).in_numbers();
    let labels = ["figure 5", "filter", "cells that a filter scores"];
    plan.found(figures, labels, |found| found.mean("scored"), Target::None).in_numbers();
    let labels = ["figure 7", NETWORK, "cells judged by the sliding window"];
    plan.found(figures, labels, |found| found.mean("judged"), Target::None).in_numbers();
    plan.note_on(move |played| {
        let text = played.found(figures).text("equations")?;
        Ok(format!(
            "The same in words, as `deminer analyze --equations` prints it:\n\n```text\n{text}```"
        ))
    });
    plan.pictures(figures, &PICTURES);
}

fn draw(work: &Work<'_>) -> Findings {
    let mut findings = Findings::default();
    let sheets = [
        draw_equations(&mut findings),
        draw_filters(work, &mut findings),
        draw_convolution(work),
        draw_window(work, &mut findings),
    ];
    for (name, sheet) in PICTURES.into_iter().zip(sheets) {
        findings.texts.insert(name.into(), sheet.scene().svg());
    }
    findings
}

/// Figures 2 to 4.
fn draw_equations(findings: &mut Findings) -> Sheet {
    let view: View = FRAGMENT.parse().expect("a position");
    let system = Equations::of(&view);
    findings.push("decided", system.facts().count() as f64);
    findings.texts.insert("equations".into(), system.text(&view));
    let value = |fact| if fact == Fact::Mine { 1.0 } else { 0.0 };
    let facts: Vec<(Cell, Fact)> = system.facts().collect();
    let certain = facts.iter().map(|&(cell, fact)| (cell, value(fact)));
    let estimates = Estimates::of(view.shape().size(), certain);
    let look = Look { tile: Some(44.0), ..Look::default() };
    let picture = || BoardPicture::new(&view).look(look);
    let open = |cell: &Cell| facts.iter().all(|(decided, _)| decided != cell);
    let panels = vec![
        Panel::new("figure 2: a fragment of a game", picture().scene()),
        Panel::new("figure 3: its unknowns", picture().names(system.names()).scene())
            .lines(system.equations()),
        Panel::new(
            "figure 4: what follows",
            picture()
                .names(system.names().filter(|(cell, _)| open(cell)))
                .estimates(&estimates)
                .scene(),
        )
        .lines(system.decided().chain(system.rest().map(|row| format!("open: {row}")))),
    ];
    let title = "A position as linear equations, solved by gauss-csp";
    Sheet { arrows: true, ..Sheet::row(title, THEME, panels) }
}

/// The board of a game whose first click opened the cell in its middle.
fn opened(board: &str, seed: u64, game: u64) -> Board {
    let rules = rules(board, Start::Open);
    let (row, column) = (rules.shape().height() / 2, rules.shape().width() / 2);
    let middle = rules.shape().cell(row, column).expect("every board has a middle");
    let mut board = Board::dealt(rules, GameSeed { seed, game });
    board.act(Action::Open(middle));
    board
}

/// What the filters say of a position: the rank of the first that matches, for cells that are not
/// certain, and of the one that found a safe cell.
struct Scored {
    board: Board,
    reading: Reading,
    ranks: Vec<(usize, Cell)>,
}

/// Figure 5: three of the filters that match on a board, and the scores of its cells.
fn draw_filters(work: &Work<'_>, findings: &mut Findings) -> Sheet {
    let filters = filter::shipped().unwrap_or_else(|error| panic!("the list of filters: {error}"));
    let score = |game| {
        let board = opened("8x8x10", work.seed, game);
        let mut reading = Reading::new(board.view().shape());
        reading.update(board.view(), filters);
        let safe = reading.safe(board.view()).map(|found| (found.rank, found.cell));
        let ranked = board.view().openable();
        let ranked = ranked.filter_map(|cell| Some((reading.rank(cell)?, cell)));
        let mut ranks: Vec<(usize, Cell)> = safe.into_iter().chain(ranked).collect();
        ranks.sort_by_key(|&(rank, _)| rank);
        ranks.dedup_by_key(|(rank, _)| *rank);
        Scored { board, reading, ranks }
    };
    // A board with a certain filter and two others shows the order of the list.
    let enough = |scored: &Scored| scored.ranks.len() >= 3 && scored.reading_has_mine();
    let scored = (0..500).map(score).find(enough).expect("among 500 boards");
    let view = scored.board.view();
    let list = filters.list();
    let score_of = |cell: Cell| match (scored.reading.known(cell), scored.reading.rank(cell)) {
        (Some(Fact::Mine), _) => Some(1.0),
        (Some(Fact::Safe), _) => Some(0.0),
        (None, rank) => rank.map(|rank| list[rank].score),
    };
    let scores: Vec<(Cell, f64)> =
        view.openable().filter_map(|cell| Some((cell, score_of(cell)?))).collect();
    findings.push("scored", scores.len() as f64);
    let estimates = Estimates::of(view.shape().size(), scores.iter().copied());
    let look = Look { percentages: true, ..Look::default() };
    let mut panels: Vec<Panel> = scored
        .ranks
        .iter()
        .take(3)
        .map(|&(rank, cell)| filter_panel(view, rank, &list[rank], cell))
        .collect();
    let board = BoardPicture::new(view).look(look).estimates(&estimates).scene();
    panels.push(Panel::new("figure 5: every cell by the first filter that matches", board).lines(
        [
            format!("{} filters are tried in their order;", list.len()),
            "tick: safe, cross: a mine, else percent".to_owned(),
        ],
    ));
    Sheet::row("Filters: templates of a window with a score for its middle cell", THEME, panels)
}

impl Scored {
    fn reading_has_mine(&self) -> bool {
        let view = self.board.view();
        view.covered().any(|cell| self.reading.known(cell).is_some())
    }
}

/// A filter with its score.
fn filter_panel(view: &View, rank: usize, filter: &Filter, cell: Cell) -> Panel {
    let text = filter.template.to_string();
    let tile = |symbol: char| match symbol {
        'x' => Tile::covered("", THEME),
        '#' => Tile::covered("?", THEME).circled(),
        '_' => Tile::plain(""),
        clue => Tile::plain(clue),
    };
    let rows = text.split('/').map(|row| row.chars().map(tile).collect()).collect();
    let (row, column) = view.shape().position(cell);
    let title = format!("filter {}", rank + 1);
    let scene = TilesPicture { rows, side: 30.0, title: text.clone(), theme: THEME }.scene();
    Panel::new(title, scene).lines([
        format!("score {:.2}", filter.score),
        format!("matches row {row}, column {column}"),
        "number: mines that lack".to_owned(),
    ])
}

/// Covered cells of a window as ones.
fn plane(view: &View, cell: Cell) -> [[f64; Window::SIDE]; Window::SIDE] {
    let window = Window::around(view, cell).expect("a board of squares");
    let covered = |pane: Option<Face>| match pane {
        Some(Face::Covered | Face::Flagged) => 1.0,
        _ => 0.0,
    };
    std::array::from_fn(|row| {
        std::array::from_fn(|column| covered(window.panes[row * Window::SIDE + column]))
    })
}

/// Figure 6: one filter of the first layer on the plane of covered cells.
fn draw_convolution(work: &Work<'_>) -> Sheet {
    const SIDE: usize = Window::SIDE;
    const AREA: usize = SIDE * SIDE;
    let file = work.roster.artifacts().get(&ArtifactKind::NETWORK.path(WEIGHTS));
    let file = file.unwrap_or_else(|| panic!("{WEIGHTS} is shipped"));
    let (_, net, weights) = artifact::read(file).unwrap_or_else(|error| panic!("{error}"));
    let channels = net.encoding.channels();
    let covered = net.encoding.channel(deminer_neural::encode::COVERED).expect("one-hot codes");
    let kernel = |filter: usize| {
        let start = (filter * channels + covered) * AREA;
        &weights.0[0][start..start + AREA]
    };
    let filters = weights.0[0].len() / (channels * AREA);
    let strength = |filter: usize| kernel(filter).iter().map(|weight| weight.abs()).sum::<f32>();
    let strongest = (0..filters).max_by(|&a, &b| strength(a).total_cmp(&strength(b)));
    let filter = strongest.expect("a layer has filters");
    let kernel = kernel(filter);
    let board = opened("7x7x5", work.seed, 0);
    let view = board.view();
    let fringe = fringe(view);
    let ones = plane(view, fringe[fringe.len() / 2]);
    let at = |row: usize, column: usize| {
        let terms = (0..AREA).filter_map(|place| {
            let (down, right) = (place / SIDE, place % SIDE);
            let row = (row + down).checked_sub(SIDE / 2)?;
            let column = (column + right).checked_sub(SIDE / 2)?;
            Some(f64::from(kernel[place]) * ones.get(row)?.get(column)?)
        });
        terms.sum::<f64>()
    };
    let sums: [[f64; SIDE]; SIDE] =
        std::array::from_fn(|row| std::array::from_fn(|column| at(row, column)));
    let weights: Vec<f64> = kernel.iter().map(|&weight| f64::from(weight)).collect();
    let most = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let grid = |values: &[f64], title: &str| {
        let most = most(values);
        let row = |row: &[f64]| row.iter().map(|&value| Tile::signed(value, most)).collect();
        let rows = values.chunks(SIDE).map(row).collect();
        TilesPicture { rows, side: 36.0, title: title.into(), theme: THEME }.scene()
    };
    let cell = |value: &f64| match *value {
        0.0 => Tile::plain("0"),
        _ => Tile::covered("1", THEME),
    };
    let rows = ones.iter().map(|row| row.iter().map(cell).collect()).collect();
    let input = TilesPicture { rows, side: 36.0, title: "covered cells".into(), theme: THEME };
    let middle = sums[SIDE / 2][SIDE / 2];
    let panels = vec![
        Panel::new("covered cells of a window", input.scene())
            .lines(["one of the planes that the network is given".to_owned()]),
        Panel::new(format!("filter {} of {filters}", filter + 1), grid(&weights, "weights"))
            .lines(["its weights for this plane".to_owned()]),
        Panel::new("what comes out", grid(&sums.concat(), "sums")).lines([
            "each cell: the weights over it, added up".to_owned(),
            format!("middle: {middle:.2}"),
        ]),
    ];
    let title = format!("Figure 6: a filter of the first layer of {WEIGHTS}");
    Sheet { arrows: true, ..Sheet::row(title, THEME, panels) }
}

/// The covered cells that open cells touch.
fn fringe(view: &View) -> Vec<Cell> {
    let open = |&near: &Cell| view.face(near).clue().is_some();
    view.openable().filter(|&cell| view.shape().neighbors(cell).iter().any(open)).collect()
}

/// Figure 7: the window at two places of a board, its codes, and the risk of every middle cell.
fn draw_window(work: &Work<'_>, findings: &mut Findings) -> Sheet {
    let board = opened("10x10x10", work.seed, 0);
    let view = board.view();
    let fringe = fringe(view);
    let (one, other) = (fringe[0], fringe[fringe.len() / 2]);
    let network = work.roster.agent(NETWORK).unwrap_or_else(|error| panic!("{error}"));
    let mut player = network.with_estimates().build().unwrap_or_else(|error| panic!("{error}"));
    player.begin(view.rules());
    let mut rng = GameSeed { seed: work.seed, game: 0 }.rng(deminer_game::Purpose::Lab);
    let estimates = player.decide(view, &mut rng).estimates.expect("networks have estimates");
    let judged: Vec<Cell> =
        fringe.iter().copied().filter(|&cell| estimates.mine(cell).is_some()).collect();
    findings.push("judged", judged.len() as f64);
    let of_fringe = judged.iter().map(|&cell| (cell, estimates.mine(cell).unwrap_or(0.0)));
    let shown = Estimates::of(view.shape().size(), of_fringe);
    let reach = Window::SIDE / 2;
    let around = |middle: Cell| {
        let (row, column) = view.shape().position(middle);
        view.shape().cells().filter(move |&cell| {
            let (other_row, other_column) = view.shape().position(cell);
            row.abs_diff(other_row) <= reach && column.abs_diff(other_column) <= reach
        })
    };
    let look = Look { percentages: true, ..Look::default() };
    let slid = BoardPicture::new(view)
        .look(look)
        .outline(around(one))
        .outline(around(other))
        .circled([one, other]);
    let risk = estimates.mine(other).unwrap_or(0.0);
    let window = Window::around(view, other).expect("a board of squares");
    let tile = |(place, pane): (usize, &Option<Face>)| {
        let tile = match pane {
            None => Tile::plain("_"),
            Some(Face::Open { shown, .. }) => Tile::plain(match shown {
                deminer_game::Shown::Number(number) => number.to_string(),
                deminer_game::Shown::Blank => "?".to_owned(),
            }),
            Some(_) => Tile::covered("?", THEME),
        };
        if place == Window::AREA / 2 { tile.circled() } else { tile }
    };
    let tiles: Vec<Tile> = window.panes.iter().enumerate().map(tile).collect();
    let rows = tiles.chunks(Window::SIDE).map(<[Tile]>::to_vec).collect();
    let codes = TilesPicture { rows, side: 36.0, title: "a window".into(), theme: THEME };
    let panels = vec![
        Panel::new("the window slides over the board", slid.scene())
            .lines([format!("one place for each of {} cells beside open ones", fringe.len())]),
        Panel::new("what the network sees", codes.scene()).lines([
            "_ outside, ? covered, else the number".to_owned(),
            format!("risk of the middle cell: {:.1} %", 100.0 * risk),
        ]),
        Panel::new(
            "the risk of every middle cell",
            BoardPicture::new(view).look(look).estimates(&shown).circled([other]).scene(),
        )
        .lines(["in percent; cells beyond the fringe have no window".to_owned()]),
    ];
    let title = format!("Figure 7: the sliding window of {NETWORK}");
    Sheet { arrows: true, ..Sheet::row(title, THEME, panels) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::study::testing::work_on;

    #[test]
    fn the_fragment_is_solved_as_the_paper_shows_it() {
        let mut findings = Findings::default();
        let sheet = draw_equations(&mut findings);
        assert_eq!(findings.numbers["decided"], [1.0]);
        let scene = sheet.scene();
        let count = |text: &str| scene.labels().iter().filter(|label| *label == text).count();
        for equation in [
            "x1 + x2 = 1",
            "x1 + x2 + x3 = 2",
            "x2 + x3 + x4 = 2",
            "x3 + x4 + x5 = 2",
            "x4 + x5 = 1",
        ] {
            assert_eq!(count(equation), 1, "{equation}");
        }
        assert_eq!(count("x3 = 1: a mine"), 1);
        // Every unknown is named twice, the decided one once.
        let named = [1, 2, 3, 4, 5].map(|number| count(&format!("x{number}")));
        assert_eq!(named, [2, 2, 1, 2, 2]);
    }

    #[test]
    fn filters_and_windows_are_drawn_from_what_plays() {
        work_on(1, |work| {
            let mut findings = Findings::default();
            let filters = draw_filters(work, &mut findings);
            assert_eq!(filters.panels.len(), 4);
            let list = filter::shipped().unwrap().list();
            for panel in &filters.panels[..3] {
                let rank: usize = panel.title["filter ".len()..].parse().unwrap();
                assert_eq!(panel.lines[0], format!("score {:.2}", list[rank - 1].score));
            }
            let window = draw_window(work, &mut findings);
            let labels = window.panels[1].scene.labels().len();
            assert_eq!(labels, Window::AREA, "every cell of the window is written");
            assert!(findings.numbers["judged"][0] > 5.0);
            let percent = &window.panels[1].lines[1];
            assert!(percent.starts_with("risk of the middle cell: "), "{percent}");

            let convolution = draw_convolution(work);
            let sums = convolution.panels[2].scene.labels();
            let middle = sums[Window::AREA / 2].parse::<f64>().unwrap();
            assert_eq!(convolution.panels[2].lines[1], format!("middle: {middle:.2}"));
            // The sum in the middle is made of the weights over covered cells.
            let numbers = |panel: usize| {
                let labels = convolution.panels[panel].scene.labels().iter();
                labels.map(|label| label.parse::<f64>().unwrap()).collect::<Vec<_>>()
            };
            let product = numbers(0).iter().zip(numbers(1)).map(|(one, by)| one * by).sum::<f64>();
            assert!((product - middle).abs() < 0.2, "{product} {middle}");
        });
    }
}
