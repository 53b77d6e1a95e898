//! The path of a window through a decision tree.

use deminer_game::{ArtifactKind, View, Window};
use deminer_learn::trees::Artifact;
use serde::Deserialize;

use super::{Context, Request, RequestError};
use crate::documents::WalkDocument;

/// The window around a cell that a tree judges.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WindowShape))]
#[serde(deny_unknown_fields)]
pub struct WindowRequest {
    /// Five rows of five cells; the tree judges the middle. `#` covered, `.` or `0` to `8` open,
    /// `-` outside the board.
    #[cfg_attr(feature = "schema", schema(min_items = 5, max_items = 5))]
    pub rows: Vec<String>,
}

/// A tree among the artifacts, and a window.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WalkRequest {
    /// The name of the tree, such as `lowest-risk`.
    pub tree: String,
    /// The rows of the window.
    pub rows: Vec<String>,
}

impl WindowRequest {
    /// The window.
    ///
    /// # Errors
    /// If the rows are no window.
    pub fn window(&self) -> Result<Window, RequestError> {
        let text = self.rows.concat();
        let known = |symbol: char| "#F.012345678?-".contains(symbol);
        let sized = self.rows.iter().all(|row| row.chars().count() == Window::SIDE);
        if self.rows.len() != Window::SIDE || !sized || !text.chars().all(known) {
            let detail = "a window has five rows of five cells (use # . 0-8 and - for outside)";
            return Err(RequestError::invalid(detail).at("rows"));
        }
        let inside = self.rows.join("\n").replace('-', "#");
        let view: View = format!("mines 1\n{inside}").parse().map_err(RequestError::invalid)?;
        let middle = view.shape().nth(Window::AREA / 2).expect("25 cells");
        let mut window = Window::around(&view, middle).expect("a board of squares");
        for (pane, symbol) in window.panes.iter_mut().zip(text.chars()) {
            if symbol == '-' {
                *pane = None;
            }
        }
        Ok(window)
    }
}

impl Request for WalkRequest {
    const NAME: &'static str = "walk";
    type Answer = WalkDocument;

    fn work(self, context: &Context) -> Result<WalkDocument, RequestError> {
        let window = WindowRequest { rows: self.rows }.window()?;
        let wrong = |detail: String| RequestError::invalid(detail).at("tree");
        let path = ArtifactKind::TREE.path(&self.tree);
        let found = context.agents.roster().artifacts().read(&path, Artifact::read);
        let tree = found.ok_or_else(|| wrong(format!("there is no tree `{}`", self.tree)))?;
        let tree = tree.map_err(|error| wrong(error.to_string()))?;
        Ok(WalkDocument::of(&tree, &window))
    }
}
