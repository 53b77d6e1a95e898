//! The plots of the findings, drawn from the results.

use deminer_draw::{Axis, Bars, Chart, ChartPoint, Series, Source, Theme};

use crate::results::{Line, Results};

/// The name and the SVG of each plot.
pub fn all(results: &Results) -> Vec<(&'static str, String)> {
    vec![
        ("findings-networks", networks(results)),
        ("findings-flaws", flaws(results)),
        ("findings-teachers", teachers(results)),
        ("findings-rules", rules(results)),
        ("findings-chains", chains(results)),
        ("findings-victory", victory(results)),
        ("findings-costs", costs(results)),
        ("findings-leaderboard", leaderboard(results)),
    ]
}

fn line<'a>(results: &'a Results, place: [&str; 4]) -> &'a Line {
    results.line(place).unwrap_or_else(|fault| panic!("{fault}"))
}

fn bars(title: &str, series: &[&str], rows: Vec<(String, Vec<f64>)>) -> String {
    let series = series.iter().map(|name| (*name).to_owned()).collect();
    Bars { title: title.to_owned(), series, rows, theme: Theme::Light }.scene().svg()
}

/// Networks on whole boards, as published and repaired.
fn networks(results: &Results) -> String {
    let mut rows = Vec::new();
    for (table, board) in [("s000-t7", "10x10x10"), ("s000-t9", "20x20x20")] {
        for agent in ["mlp-full", "enn-full", "cnn-full"] {
            let won = |agent: &str| 100.0 * line(results, [table, board, agent, "won"]).ours;
            let pair = vec![won(&format!("{agent}:orig")), won(agent)];
            rows.push((format!("{agent}, {board}"), pair));
        }
    }
    bars("Games won in percent by networks on the whole board", &["as published", "repaired"], rows)
}

/// What one repair after another brings.
fn flaws(results: &Results) -> String {
    let steps = results.lines("s000-flaws", "won").into_iter();
    let rows = steps
        .filter_map(|line| {
            let step = line.place[1].strip_prefix("mlp-5x5, ")?;
            Some((step.to_owned(), vec![100.0 * line.ours]))
        })
        .collect();
    bars("Games won in percent, with one repair more in each row", &["mlp-5x5 on 7x7x5"], rows)
}

/// Teachers and what their pupils win.
fn teachers(results: &Results) -> String {
    let pupils = results.lines("s003-gap", "won").into_iter();
    let rows = pupils
        .filter_map(|pupil| {
            let teacher = pupil.place[2].strip_prefix("msla:teacher=")?;
            let name = if teacher == "exact" { "lowest-risk" } else { teacher };
            let place = ["s003-gap", &pupil.place[1], name, "won"];
            let won = [line(results, place), pupil].map(|line| 100.0 * line.ours);
            Some((format!("{teacher}, {}", pupil.place[1]), won.to_vec()))
        })
        .collect();
    bars("Games won in percent by a teacher and its pupil", &["teacher", "pupil"], rows)
}

/// The cost of the four ways to learn rules.
fn rules(results: &Results) -> String {
    let settings = [
        ("ida", "iterative deepening"),
        ("ida+m", "with macros"),
        ("al+ida+m", "with active learning"),
        ("al+gs+m", "and greedy search"),
    ];
    let row = |(setting, words): (&str, &str)| {
        let line = line(results, ["s002-t2", setting, "mio", "clauses a search"]);
        (words.to_owned(), vec![line.paper.expect("the paper has a number"), line.ours])
    };
    let rows = settings.map(row).to_vec();
    bars("Clauses tried in a search for a rule", &["the paper", "ours, mean of ten"], rows)
}

/// The density in a setting such as `20 %`.
fn density(line: &Line) -> Option<f64> {
    let number: f64 = line.place[1].strip_suffix(" %")?.parse().ok()?;
    Some(number / 100.0)
}

/// The points of lines over their density.
fn over_density(lines: &[&Line]) -> Vec<ChartPoint> {
    let point = |line: &&Line| {
        Some(ChartPoint { across: density(line)?, up: line.ours, interval: Some(line.interval) })
    };
    let mut points: Vec<ChartPoint> = lines.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.across.total_cmp(&b.across));
    points
}

fn series(name: &str, source: Source, points: Vec<ChartPoint>) -> Series {
    Series { name: name.to_owned(), source, points }
}

fn chains(results: &Results) -> String {
    let of = |measure: &str| {
        series(measure, Source::Ours, over_density(&results.lines("s001-chains", measure)))
    };
    let chart = Chart {
        title: "Chains of influence on 64x64".to_owned(),
        across: Axis::Percent("mines".to_owned()),
        up: Axis::Number("conclusions or cells".to_owned()),
        series: vec![of("longest chain"), of("reach")],
    };
    chart.svg()
}

/// The paper's victories and ours.
fn victory(results: &Results) -> String {
    let near = results.lines("s001-e1", "near victory");
    let paper =
        |line: &&Line| Some(ChartPoint { across: density(line)?, up: line.paper?, interval: None });
    let strict = results.lines("s001-e1", "strict victory");
    let of = |agent: &str| -> Vec<&Line> {
        strict.iter().copied().filter(|line| line.place[2] == agent).collect()
    };
    let chart = Chart {
        title: "Boards of 64x64 completed, by density".to_owned(),
        across: Axis::Percent("mines".to_owned()),
        up: Axis::Percent("boards".to_owned()),
        series: vec![
            series("99 % done", Source::Ours, over_density(&near)),
            series("the paper's victories", Source::Paper, near.iter().filter_map(paper).collect()),
            series("completed", Source::Ours, over_density(&of("cs520"))),
            series("completed, improved", Source::Ours, over_density(&of("cs520x"))),
        ],
    };
    chart.svg()
}

/// What strength costs: agents with and without evolution.
fn costs(results: &Results) -> String {
    let run = "intermediate safe";
    let of = |agent: &str| {
        let won = line(results, ["arena", run, agent, "won"]);
        let time = results
            .time(["arena", &format!("{run} {agent}"), agent])
            .unwrap_or_else(|fault| panic!("{fault}"));
        let point = ChartPoint { across: time.log10(), up: won.ours, interval: Some(won.interval) };
        series(agent, Source::Ours, vec![point])
    };
    let agents = ["ga", "ga+", "lowest-risk", "best", "mcmc", "pedersen", "single-point"];
    let chart = Chart {
        title: "Intermediate boards: strength and cost".to_owned(),
        across: Axis::Number("CPU milliseconds a game, as a power of ten".to_owned()),
        up: Axis::Percent("games won".to_owned()),
        series: agents.map(of).to_vec(),
    };
    chart.svg()
}

fn leaderboard(results: &Results) -> String {
    let boards = ["beginner safe", "intermediate safe", "expert safe"];
    let mut agents = results.lines("arena", "won");
    agents.retain(|line| line.place[1] == boards[2]);
    let rows = agents.iter().map(|expert| {
        let agent = &expert.place[2];
        let won = |board| 100.0 * line(results, ["arena", board, agent, "won"]).ours;
        (agent.clone(), boards.map(won).to_vec())
    });
    let rows = rows.collect();
    let series = boards.iter().map(|board| board.replace(" safe", "")).collect();
    let title = "Games won in percent, safe start in the corner".to_owned();
    Bars { title, series, rows, theme: Theme::Light }.sorted().scene().svg()
}
