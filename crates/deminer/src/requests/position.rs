//! Positions of requests.

use deminer_formats::wire::{PositionRow, WirePosition};
use deminer_game::View;

use super::{RequestError, check_size};

/// The view of a position, if the board is not too large.
///
/// # Errors
/// If it is too large, or not a position.
pub fn check_view(position: &WirePosition) -> Result<View, RequestError> {
    let width = position.rows.first().map_or(0, |PositionRow(row)| row.chars().count());
    check_size(width, position.rows.len()).map_err(|error| error.at("rows"))?;
    Ok(position.view()?)
}

/// Makes a request out of a position and more: all fields side by side, unknown ones refused.
macro_rules! with_position {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$meta:meta])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The cells, row by row.
            #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 100))]
            pub rows: Vec<deminer_formats::wire::PositionRow>,
            /// Mines on the whole board.
            #[cfg_attr(feature = "schema", schema(maximum = 10000))]
            pub mines: usize,
            /// How the cells lie together; `rect` unless given.
            pub shape: Option<deminer_formats::wire::FormWord>,
            /// What clues show: `exact`, `blind:R`, `optimistic`, `cautious`, `cautious:degree`.
            #[cfg_attr(feature = "schema", schema(value_type = Option<String>, max_length = 32))]
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
            ///
            /// # Errors
            /// If it is too large, or not a position.
            pub fn view(&self) -> Result<deminer_game::View, super::RequestError> {
                let unsafe_start = deminer_formats::wire::Word(deminer_game::Start::Unsafe);
                super::check_view(&deminer_formats::wire::WirePosition {
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
pub(super) use with_position;

#[cfg(test)]
mod tests {
    use super::super::HintRequest;
    use super::*;

    fn seen(rows: &[&str], mines: usize) -> Result<View, RequestError> {
        let body = serde_json::json!({ "rows": rows, "mines": mines, "level": 1 });
        serde_json::from_value::<HintRequest>(body).unwrap().view()
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
            let error = seen(rows, mines).unwrap_err();
            assert_eq!(error.at.as_deref(), Some(at), "{error}");
        };
        check(&["##", "#x"], 1, "rows[1][1]");
        check(&["##", "#"], 1, "rows[1]");
        check(&["##", "#\n"], 1, "rows[1][1]");
        check(&[], 1, "rows");
        check(&["##"], 9, "mines");
        check(&["#".repeat(101).as_str()], 9, "rows");
    }
}
