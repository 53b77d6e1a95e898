//! Positions, rules and agents of requests, and the limits that hold for all of them.

use deminer::roster::{Roster, Spec};
use deminer_formats::wire::{PositionRow, WirePosition, WireRules};
use deminer_game::{FirstClick, Rules, Shape, View};

use crate::jobs::Jobs;
use crate::problem::Problem;

/// The longest side of a board.
pub const LONGEST_SIDE: usize = 100;

/// The rules of a request, if the board is not too large.
pub fn rules(wire: &WireRules) -> Result<Rules, Problem> {
    let size = wire.board.0;
    fits(size.width, size.height).map_err(|problem| problem.at("rules.board"))?;
    Ok(wire.rules().map_err(|error| error.within("rules"))?)
}

/// Refuses boards that are too large.
pub fn fits(width: usize, height: usize) -> Result<(), Problem> {
    if width > LONGEST_SIDE || height > LONGEST_SIDE {
        let most = format!("{LONGEST_SIDE}x{LONGEST_SIDE}");
        return Err(Problem::too_large(format!("a board has at most {most} cells here")));
    }
    Ok(())
}

/// The view of a position, if the board is not too large.
pub fn view(position: &WirePosition) -> Result<View, Problem> {
    let width = position.rows.first().map_or(0, |PositionRow(row)| row.chars().count());
    fits(width, position.rows.len()).map_err(|problem| problem.at("rows"))?;
    Ok(position.view()?)
}

/// Makes a request out of a position and more: all fields side by side, unknown ones refused.
macro_rules! with_position {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$meta:meta])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize, utoipa::ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The cells, row by row.
            #[schema(min_items = 1, max_items = 100)]
            pub rows: Vec<deminer_formats::wire::PositionRow>,
            /// Mines on the whole board.
            #[schema(maximum = 10000)]
            pub mines: usize,
            /// How the cells lie together; `rect` unless given.
            pub shape: Option<deminer_formats::wire::FormWord>,
            /// What clues show: `exact`, `blind:R`, `optimistic`, `cautious`, `cautious:degree`.
            #[schema(value_type = Option<String>, max_length = 32)]
            pub clues: Option<deminer_formats::wire::Text<deminer_game::ClueRule>>,
            /// What the first opened cell is promised; `unsafe`, nothing, unless given. It
            /// matters only where no cell is open and no mine is shown: with `safe` and `open`
            /// the best move is then certainly safe, whatever the odds of the layout are.
            pub start: Option<deminer_formats::wire::StartWord>,
            /// Whether a zero opens its neighbors; `on` unless given.
            pub cascade: Option<deminer_formats::wire::Cascade>,
            $($(#[$meta])* pub $field: $type,)*
        }

        impl $name {
            /// The position.
            pub fn view(&self) -> Result<deminer_game::View, $crate::problem::Problem> {
                let unsafe_start = deminer_formats::wire::Word(deminer_game::Start::Unsafe);
                $crate::requests::view(&deminer_formats::wire::WirePosition {
                    rows: self.rows.clone(),
                    mines: self.mines,
                    shape: self.shape.unwrap_or_default(),
                    clues: self.clues.unwrap_or_default(),
                    start: self.start.unwrap_or(unsafe_start),
                    cascade: self.cascade.unwrap_or_default(),
                })
            }
        }
    };
}
pub(crate) use with_position;

/// The agent that a request names. Its artifact is a shipped one or made by a run of this server:
/// no client may read files of this machine.
pub fn agent(roster: &Roster, text: &str, field: &str) -> Result<Spec, Problem> {
    if text.len() > 200 {
        return Err(Problem::unfit("an agent is not so long").at(field));
    }
    let spec = roster.agent(text).map_err(|error| Problem::unfit(error).at(field))?;
    if let Some(name) = spec.artifact_name() {
        let plain = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-';
        if !name.chars().all(plain) {
            let detail = format!(
                "agent `{}` takes only shipped names and runs of this server (run-000001) here",
                spec.entry().name
            );
            return Err(Problem::unfit(detail).at(field));
        }
    }
    Ok(spec)
}

/// An agent that plays these rules.
pub fn agent_for(jobs: &Jobs, text: &str, rules: &Rules, field: &str) -> Result<Spec, Problem> {
    let spec = jobs.agent(text, field)?;
    spec.admit(rules).map_err(|error| Problem::unfit(error).at(field))?;
    Ok(spec)
}

/// Where the first click goes.
pub fn at(text: &str, shape: &Shape) -> Result<FirstClick, Problem> {
    FirstClick::parse(text, shape).map_err(|error| Problem::unfit(error).at("at"))
}

#[cfg(test)]
mod tests {
    use super::*;

    with_position! {
        /// A position and nothing more.
        pub struct Bare {}
    }

    fn seen(rows: &[&str], mines: usize) -> Result<View, Problem> {
        let body = serde_json::json!({ "rows": rows, "mines": mines });
        serde_json::from_value::<Bare>(body).unwrap().view()
    }

    #[test]
    fn positions_are_read_and_written_again() {
        let view = seen(&["##1", ".F*"], 2).unwrap();
        assert_eq!(view.to_string(), "mines 2\n# # 1\n. F *\n");
        let again = WirePosition::of(&view);
        assert_eq!(again.rows, [PositionRow("##1".into()), PositionRow(".F*".into())]);
    }

    #[test]
    fn faults_name_row_and_column() {
        let check = |rows: &[&str], mines: usize, at: &str| {
            let problem = serde_json::to_value(seen(rows, mines).unwrap_err()).unwrap();
            assert_eq!(problem["at"], at, "{problem}");
        };
        check(&["##", "#x"], 1, "rows[1][1]");
        check(&["##", "#"], 1, "rows[1]");
        check(&["##", "#\n"], 1, "rows[1][1]");
        check(&[], 1, "rows");
        check(&["##"], 9, "mines");
        check(&["#".repeat(101).as_str()], 9, "rows");
    }

    #[test]
    fn agents_never_read_files() {
        assert!(agent(&Roster::default(), "tree:lowest-risk-depth-8", "agent").is_ok());
        assert!(agent(&Roster::default(), "tree", "agent").is_ok());
        assert!(agent(&Roster::default(), "mio:paper+prob", "agent").is_ok());
        for path in ["tree:/etc/passwd", "tree:../Cargo.toml", "tree:Cargo.toml"] {
            assert!(agent(&Roster::default(), path, "agent").is_err(), "{path}");
        }
        // The name of a folder here; nothing is shipped under it.
        let folder = agent(&Roster::default(), "tree:src", "agent").unwrap().build();
        assert!(folder.is_err_and(|error| error.to_string().contains("no tree `src`")));
    }
}
