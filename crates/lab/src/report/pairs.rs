//! One line for every two agents, compared on the same boards.

use super::{ReportFormat, field};
use crate::paper::quoted;
use crate::totals::PairTotals;

pub const ENTRY: ReportFormat = ReportFormat {
    name: "pairs",
    file: "pairs.csv",
    about: "one line for every two agents, compared on the same boards, as CSV",
    write: |report| {
        let lines = report.seal.totals.paired.iter().map(|pair| line(pair) + "\n");
        "first,second,difference,low,high,only_first,only_second,p_value\n".to_owned()
            + &lines.collect::<String>()
    },
};

fn line(pair: &PairTotals) -> String {
    [
        quoted(&pair.first),
        quoted(&pair.second),
        pair.difference.to_string(),
        pair.low.to_string(),
        pair.high.to_string(),
        field(pair.only_first),
        field(pair.only_second),
        field(pair.p_value),
    ]
    .join(",")
}
