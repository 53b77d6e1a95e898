//! Pictures of boards, games, trees and charts: one scene, several outputs.
//!
//! A [`BoardPicture`] collects what to show on a view. Its [`Scene`] becomes an SVG, a PNG or a
//! frame of a GIF; its [`text`](BoardPicture::text) goes to a terminal. A [`Film`]
//! collects the turns of a match.
//!
//! ```
//! let view: deminer_game::View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse()?;
//! let svg = deminer_draw::BoardPicture::new(&view).scene().svg();
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bars;
mod board;
mod drawing;
mod field;
mod film;
mod genome;
mod gif;
mod grid;
mod leaves;
mod lettering;
mod odds;
mod plot;
mod png;
mod review;
mod scene;
mod sheet;
mod svg;
mod symbols;
mod terminal;
mod theme;
mod tiles;
mod tree;

pub use bars::Bars;
pub use board::{BoardPicture, Look};
pub use field::FieldPicture;
pub use film::{Film, Pace};
pub use genome::GenomePicture;
pub use leaves::LeavesPicture;
pub use odds::odds_text;
pub use plot::{Axis, Chart, Point as ChartPoint, Series, Source};
pub use png::Pixels;
pub use review::ReviewPicture;
pub use scene::{Color, Outline, Point, Scene};
pub use sheet::{Panel, Sheet};
pub use theme::{Heat, Theme};
pub use tiles::{Tile, TilesPicture};
pub use tree::TreePicture;
