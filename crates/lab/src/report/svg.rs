//! A chart of the win rates with their intervals.

use deminer_draw::{Axis, Chart, ChartPoint, Series, Source};

use super::{Report, ReportFormat};
use crate::totals::AgentTotals;

pub const ENTRY: ReportFormat = ReportFormat {
    name: "svg",
    file: "rates.svg",
    about: "a chart of the win rates with their intervals",
    write: |report| chart(report).svg(),
};

/// One point for each agent. Names stand in the legend only: as labels of the axis they overlap.
fn chart(report: &Report) -> Chart {
    let agents = &report.seal.totals.agents;
    let series = |(place, agent): (usize, &AgentTotals)| Series {
        name: agent.agent.clone(),
        source: Source::Ours,
        points: vec![ChartPoint {
            across: place as f64,
            up: agent.rate,
            interval: Some((agent.low, agent.high)),
        }],
    };
    Chart {
        title: report.title(),
        across: Axis::Names(vec![String::new(); agents.len()]),
        up: Axis::Percent("games won, 95 % intervals".into()),
        series: agents.iter().enumerate().map(series).collect(),
    }
}
