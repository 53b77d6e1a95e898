//! Pictures of boards and games: one scene, several outputs.
//!
//! A [`BoardPicture`] gathers what is to be shown of a view. Its [`Scene`] becomes an SVG, a PNG
//! or a frame of an [`Animation`]; its [`text`](BoardPicture::text) goes to a terminal. A
//! [`Film`] collects the turns of a match, with the sentences of [`describe`] below them.

mod bars;
mod board;
mod drawing;
mod film;
mod genome;
mod gif;
mod grid;
mod lettering;
mod odds;
mod paper;
mod plot;
mod png;
mod review;
mod scene;
mod svg;
mod symbols;
mod terminal;
mod theme;
mod tree;
mod words;

pub use bars::Bars;
pub use board::{BoardPicture, Look};
pub use film::{Film, Pace};
pub use genome::{DrawnTree, GenomePicture};
pub use gif::Animation;
pub use lettering::{Anchor, Lettering};
pub use odds::odds_text;
pub use paper::{PaperReport, markdown_table};
pub use plot::{Axis, Chart, Point as ChartPoint, Series, Source};
pub use review::ReviewPicture;
pub use scene::{Color, Mark, Outline, Paint, Point, Scene, Step};
pub use theme::{Heat, Theme};
pub use tree::TreePicture;
pub use words::{describe, describe_alternatives, describe_decision, describe_outcome};
