//! Turns a board picture into a scene, layer by layer.

use deminer_game::{Cell, CellSet, Form, Premise, Shown, View};

use super::board::{BoardPicture, Look, Sight};
use super::grid::Grid;
use super::lettering::{Anchor, Lettering};
use super::scene::{Color, Outline, Point, Scene};
use super::symbols;
use super::theme::Colors;

/// Space around everything.
const PADDING: f32 = 12.0;
/// The smallest tiles with ticks and crosses.
const SYMBOLS: f32 = 10.0;
/// The smallest tiles with percentages.
const PERCENTS: f32 = 18.0;
/// Space between rulers and board.
const RULER_GAP: f32 = 9.0;
/// Space between board and caption.
const CAPTION_GAP: f32 = 9.0;
/// From one line of a caption to the next.
const CAPTION_STEP: f32 = 18.0;
/// The smallest width of a picture with a caption.
const CAPTION_WIDTH: f32 = 260.0;
/// Height of capitals in captions.
const CAPTION_SIZE: f32 = 9.0;

/// The center of a tile, its cell and how it looks.
type Tile = (Point, Cell, Sight);

impl BoardPicture<'_> {
    /// The picture, ready to become an SVG, a PNG or a frame of a GIF.
    pub fn scene(&self) -> Scene {
        let colors = self.look.theme.colors();
        let mut grid = Grid::with(self.view.shape(), self.look.tile, self.look.ruler);
        let ruler = self.ruler_pen(&grid);
        let (left, top) = self.ruler_room(&grid, &ruler);

        let overhang = grid.overhang();
        let board_width = left + grid.width() + 2.0 * overhang;
        let text_width = if self.captions.is_empty() { 0.0 } else { CAPTION_WIDTH };
        let width = board_width.max(text_width) + 2.0 * PADDING;
        let lines = self.caption_rows(width - 2.0 * PADDING - left);
        let board_bottom = PADDING + top + grid.height() + 2.0 * overhang;
        let text_height =
            if lines.is_empty() { 0.0 } else { CAPTION_GAP + lines.len() as f32 * CAPTION_STEP };

        let mut scene =
            Scene::new(width, board_bottom + text_height + PADDING, colors.page, self.title());
        let indent = ((width - board_width) / 2.0).floor();
        grid.corner = Point::new(indent + left + overhang, PADDING + top + overhang);
        self.draw_board(&mut scene, &grid, colors);
        draw_rulers(&mut scene, &grid, &ruler, self.view);
        for (index, line) in lines.iter().enumerate() {
            let down = CAPTION_GAP + (index as f32 + 0.5) * CAPTION_STEP;
            let at = Point::new(PADDING + left, board_bottom + down);
            caption_pen(colors).draw(&mut scene, line, at, Anchor::Left);
        }
        scene
    }

    fn title(&self) -> String {
        let (view, rules) = (self.view, self.view.rules());
        let mut title = format!(
            "Minesweeper {rules}: {} of {} safe cells open, {} flags",
            view.opened().len(),
            rules.safe_cells(),
            view.flag_count()
        );
        title.extend(self.captions.iter().map(|caption| format!(". {caption}")));
        title
    }

    fn caption_rows(&self, width: f32) -> Vec<String> {
        let pen = caption_pen(self.look.theme.colors());
        let mut lines: Vec<String> =
            self.captions.iter().flat_map(|caption| pen.wrap(caption, width)).collect();
        if self.caption_lines > 0 {
            let cut = lines.len() > self.caption_lines;
            lines.resize(self.caption_lines, String::new());
            if let Some(last) = lines.last_mut().filter(|_| cut) {
                while !last.is_empty() && pen.width(&format!("{last} ...")) > width {
                    last.pop();
                }
                last.push_str(" ...");
            }
        }
        lines
    }

    fn ruler_pen(&self, grid: &Grid<'_>) -> Lettering {
        let size = (grid.cell * 0.26).clamp(6.5, 8.0);
        Lettering { size, weight: 0.13, color: self.look.theme.colors().faint }
    }

    /// Space that the rulers take at the left and at the top.
    fn ruler_room(&self, grid: &Grid<'_>, pen: &Lettering) -> (f32, f32) {
        let widest = grid
            .ruled(self.view.shape().height())
            .map(|row| pen.width(&row.to_string()))
            .fold(0.0, f32::max);
        ((widest + RULER_GAP).ceil(), (pen.size + RULER_GAP).ceil())
    }

    /// Layer by layer, so that neighboring marks share their colors.
    fn draw_board(&self, scene: &mut Scene, grid: &Grid<'_>, colors: &Colors) {
        let places: Vec<Tile> =
            grid.places().into_iter().map(|(cell, at)| (at, cell, self.sight(cell))).collect();
        self.draw_ground(scene, grid, &places, colors);
        self.draw_covered(scene, grid, &places, colors);
        draw_digits(scene, grid, &places, colors);
        for &(at, _, sight) in &places {
            match sight {
                Sight::Flag => symbols::flag(scene, at, grid.cell, colors),
                Sight::WrongFlag => symbols::wrong_flag(scene, at, grid.cell, colors),
                Sight::Mine | Sight::Blast => symbols::mine(scene, at, grid.cell, colors),
                Sight::Covered | Sight::Open(_) => {}
            }
        }
        if grid.overhang() > 0.0 {
            fade_overhang(scene, grid, colors.page);
        }
        self.draw_names(scene, grid, colors);
        draw_border(scene, grid, &self.fringe(), colors.fringe, colors.halo);
        for cells in &self.outlines {
            draw_border(scene, grid, cells, colors.accent, colors.halo);
        }
        self.draw_chain(scene, grid, colors);
        self.draw_reasons(scene, grid, colors);
        for &cell in &self.circled {
            draw_ring(scene, grid, cell, colors);
        }
    }

    /// Texts on tiles, and the dots of clues that the player sees otherwise.
    fn draw_names(&self, scene: &mut Scene, grid: &Grid<'_>, colors: &Colors) {
        for (cell, name) in &self.names {
            let believed = self.belief(*cell).map(|(mine, heat)| heat.color(mine));
            let face = believed.unwrap_or(colors.covered[1]);
            let ink = Color::hex(if face.brightness() > 0.5 { 0x16_1d29 } else { 0xff_ffff });
            let pen = Lettering { size: 0.34 * grid.cell, weight: 0.15, color: ink };
            let size = pen.size * (0.84 * grid.cell / pen.width(name).max(1.0)).min(1.0);
            Lettering { size, ..pen }.draw(scene, name, grid.middle(*cell), Anchor::Center);
        }
        for cell in self.altered() {
            let corner = grid.middle(cell).moved(0.32 * grid.cell, -0.32 * grid.cell);
            scene.fill(Outline::circle(corner, (0.11 * grid.cell).max(1.5)), colors.accent);
        }
    }

    /// The flat parts: lines between tiles, and open tiles.
    fn draw_ground(&self, scene: &mut Scene, grid: &Grid<'_>, places: &[Tile], colors: &Colors) {
        if self.view.shape().form() == Form::Hex {
            for &(at, ..) in places {
                scene.fill(grid.tile(at, -grid.margin()), colors.line);
            }
        } else {
            let rim = if grid.overhang() > 0.0 { grid.cell } else { 3.0 };
            let panel = Outline::Rect {
                corner: grid.corner.moved(-rim, -rim),
                width: grid.width() + 2.0 * rim - 2.0 * grid.margin(),
                height: grid.height() + 2.0 * rim - 2.0 * grid.margin(),
                radius: 5.0,
            };
            scene.fill(panel, colors.line);
        }
        let shape = self.view.shape();
        let on_board = |cell: &Cell| shape.contains(*cell);
        let fresh = CellSet::of(shape.size(), self.fresh.iter().copied().filter(on_board));
        for (color, wanted) in [(colors.open, false), (colors.fresh, true)] {
            for &(at, cell, sight) in places {
                if matches!(sight, Sight::Open(_)) && fresh.contains(cell) == wanted {
                    scene.fill(self.flat_tile(grid, at), color);
                }
            }
        }
        for &(at, _, sight) in places {
            if sight == Sight::Blast {
                scene.fill(self.flat_tile(grid, at), colors.blast);
            }
        }
    }

    fn flat_tile(&self, grid: &Grid<'_>, at: Point) -> Outline {
        if self.view.shape().form() == Form::Hex {
            grid.tile(at, grid.margin())
        } else {
            Outline::square(at, grid.cell - 2.0 * grid.margin(), 0.0)
        }
    }

    /// The raised parts: covered tiles, plain or colored by estimate.
    fn draw_covered(&self, scene: &mut Scene, grid: &Grid<'_>, places: &[Tile], colors: &Colors) {
        let wrong = places.iter().filter(|(_, _, sight)| *sight == Sight::WrongFlag);
        let wrong: Vec<Point> = wrong.map(|&(at, ..)| at).collect();
        raise_tiles(scene, grid, &wrong, colors.covered.map(|color| color.mix(colors.blast, 0.5)));
        let covered = |sight: Sight| matches!(sight, Sight::Covered | Sight::Flag | Sight::Mine);
        let tiles = places.iter().filter(|(_, _, sight)| covered(*sight));
        let (believed, plain): (Vec<_>, Vec<_>) = tiles
            .map(|&(at, cell, sight)| (at, sight, self.belief(cell)))
            .partition(|(.., belief)| belief.is_some());
        let plain: Vec<Point> = plain.into_iter().map(|(at, ..)| at).collect();
        raise_tiles(scene, grid, &plain, colors.covered);
        for (at, sight, belief) in believed {
            let (mine, heat) = belief.expect("only tiles with estimates were taken");
            let face = colors.covered[1].mix(heat.color(mine), heat.opacity());
            let (white, black) = (Color::hex(0xff_ffff), Color::hex(0));
            raise_tiles(scene, grid, &[at], [face.mix(white, 0.3), face, face.mix(black, 0.2)]);
            if sight == Sight::Covered {
                self.draw_belief(scene, grid, at, mine, face);
            }
        }
    }

    /// A tick on a safe cell, a cross on a mine, else the percentage if the look shows it.
    fn draw_belief(&self, scene: &mut Scene, grid: &Grid<'_>, at: Point, mine: f64, face: Color) {
        let ink = Color::hex(if face.brightness() > 0.5 { 0x16_1d29 } else { 0xff_ffff });
        if grid.cell < SYMBOLS {
            return;
        }
        if mine <= 0.0 {
            symbols::tick(scene, at, 0.8 * grid.cell, ink);
        } else if mine >= 1.0 {
            symbols::cross(scene, at, 0.8 * grid.cell, ink);
        } else if self.look.percentages && grid.cell >= PERCENTS {
            let text = match (mine * 100.0).round() as u32 {
                0 => "<1".to_owned(),
                100.. => ">99".to_owned(),
                percent => percent.to_string(),
            };
            let pen = Lettering { size: 0.31 * grid.cell, weight: 0.13, color: ink };
            pen.draw(scene, &text, at, Anchor::Center);
        }
    }

    /// Arrows along the chain of influence.
    fn draw_chain(&self, scene: &mut Scene, grid: &Grid<'_>, colors: &Colors) {
        let pen = (grid.cell / 12.0).max(1.0);
        let cells = self.chain.iter().filter(|cell| self.view.shape().contains(**cell));
        let middles: Vec<Point> = cells.map(|&cell| grid.middle(cell)).collect();
        for (halo, color) in [(2.0, colors.halo), (1.0, colors.accent)] {
            for step in middles.windows(2) {
                symbols::arrow(scene, step[0], step[1], grid.cell, halo * pen, color);
            }
        }
    }

    /// The cell of the action and the premises of its reason.
    fn draw_reasons(&self, scene: &mut Scene, grid: &Grid<'_>, colors: &Colors) {
        let shape = self.view.shape();
        let pen = (grid.cell / 14.0).max(1.0);
        for premise in self.premises {
            let on_board = |cell: &Cell| shape.contains(*cell);
            let Some(cell) = premise.cell().filter(on_board) else { continue };
            let at = grid.middle(cell);
            scene.stroke(grid.tile(at, pen), colors.halo, 2.2 * pen);
            scene.stroke(grid.tile(at, pen), colors.accent, pen);
            let bare = self.sight(cell) == Sight::Covered && self.belief(cell).is_none();
            let symbol = match premise {
                Premise::Mine(_) if bare => symbols::cross,
                Premise::Safe(_) if bare => symbols::tick,
                _ => continue,
            };
            symbol(scene, at, 0.8 * grid.cell, colors.accent);
        }
        if let Some(cell) = self.action.filter(|&cell| shape.contains(cell)) {
            draw_ring(scene, grid, cell, colors);
        }
    }
}

fn draw_ring(scene: &mut Scene, grid: &Grid<'_>, cell: Cell, colors: &Colors) {
    let pen = (grid.cell / 14.0).max(1.0);
    let ring = Outline::circle(grid.middle(cell), 0.43 * grid.cell);
    scene.stroke(ring.clone(), colors.halo, 2.6 * pen);
    scene.stroke(ring, colors.accent, 1.4 * pen);
}

/// The border of a set of cells, or around each of them where tiles are hexagons.
fn draw_border(scene: &mut Scene, grid: &Grid<'_>, cells: &[Cell], color: Color, halo: Color) {
    let pen = (grid.cell / 12.0).max(1.5);
    let sides: Vec<Outline> = grid.border(cells);
    for (color, width) in [(halo, 2.0 * pen), (color, pen)] {
        for side in &sides {
            scene.stroke(side.clone(), color, width);
        }
    }
}

fn caption_pen(colors: &Colors) -> Lettering {
    Lettering { size: CAPTION_SIZE, weight: 0.125, color: colors.ink }
}

/// About how many lines a caption with this many letters takes below a board.
pub(super) fn caption_lines(view: &View, look: Look, letters: usize) -> usize {
    let width = Grid::with(view.shape(), look.tile, look.ruler).width().max(CAPTION_WIDTH);
    let pen = caption_pen(look.theme.colors());
    (pen.width(&"e".repeat(letters)) / width).ceil() as usize
}

/// Covered tiles with a lit edge above and a shaded edge below.
fn raise_tiles(scene: &mut Scene, grid: &Grid<'_>, places: &[Point], colors: [Color; 3]) {
    let [light, face, shade] = colors;
    let edge = (grid.cell / 14.0).floor();
    let layers = [(0.0, 0.0, shade), (-edge / 2.0, edge / 2.0, light), (0.0, edge, face)];
    // Small tiles are flat.
    let visible = if edge < 1.0 { &layers[2..] } else { &layers[..] };
    for &(down, inset, color) in visible {
        for at in places {
            scene.fill(grid.tile(at.moved(0.0, down), grid.margin() + inset), color);
        }
    }
}

fn draw_digits(scene: &mut Scene, grid: &Grid<'_>, places: &[Tile], colors: &Colors) {
    let pen = |color| Lettering { size: 0.52 * grid.cell, weight: 0.165, color };
    for (number, &color) in (1..).zip(&colors.digits) {
        for &(at, _, sight) in places {
            if sight == Sight::Open(Shown::Number(number)) {
                pen(color).draw(scene, &number.to_string(), at, Anchor::Center);
            }
        }
    }
    for &(at, _, sight) in places {
        if sight == Sight::Open(Shown::Blank) {
            pen(colors.blank).draw(scene, "?", at, Anchor::Center);
        }
    }
}

/// Fades the cells that a torus repeats beyond its edge, and cuts them off at half a tile.
fn fade_overhang(scene: &mut Scene, grid: &Grid<'_>, page: Color) {
    let mut frame = |from: f32, to: f32, color: Color| {
        let (width, height) = (grid.width() + 2.0 * to, grid.height() + 2.0 * to);
        let deep = to - from;
        let mut strip = |right: f32, down: f32, width: f32, height: f32| {
            let corner = grid.corner.moved(right - to, down - to);
            scene.fill(Outline::Rect { corner, width, height, radius: 0.0 }, color);
        };
        strip(0.0, 0.0, width, deep);
        strip(0.0, height - deep, width, deep);
        strip(0.0, deep, deep, height - 2.0 * deep);
        strip(width - deep, deep, deep, height - 2.0 * deep);
    };
    frame(0.0, grid.overhang(), page.fade(0.62));
    frame(grid.overhang(), grid.cell + 1.0, page);
}

fn draw_rulers(scene: &mut Scene, grid: &Grid<'_>, pen: &Lettering, view: &View) {
    let edge = grid.overhang() + RULER_GAP - 2.0;
    for column in grid.ruled(view.shape().width()) {
        let at =
            Point::new(grid.center(0, column as isize).x, grid.corner.y - edge - pen.size / 2.0);
        pen.draw(scene, &column.to_string(), at, Anchor::Center);
    }
    for row in grid.ruled(view.shape().height()) {
        let at = Point::new(grid.corner.x - edge, grid.center(row as isize, 0).y);
        pen.draw(scene, &row.to_string(), at, Anchor::Right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::paint;
    use crate::scene::{Mark, Paint};
    use deminer_game::Estimates;

    fn scene(text: &str) -> Scene {
        BoardPicture::new(&text.parse().unwrap()).scene()
    }

    #[test]
    fn pictures_have_sensible_sizes() {
        let row = "# ".repeat(9) + "\n";
        let beginner = scene(&format!("mines 10\n{}", row.repeat(9)));
        assert!((290..=330).contains(&beginner.width), "{}", beginner.width);
        let dot = scene("mines 0\n#");
        assert!(dot.width < 100 && dot.height < 100);
        let row = "1#".repeat(127) + "#\n";
        let large = scene(&format!("mines 99\n{}", row.repeat(255)));
        assert!(large.width <= 1600 && large.height <= 1600);
        assert!(large.marks().len() < 3 * 255 * 255);
    }

    #[test]
    fn everything_stays_inside_the_picture() {
        for form in ["rect", "torus", "hex"] {
            let view: View =
                format!("mines 3\nshape {form}\n# F 1 .\n. 2 * #\n? # # #").parse().unwrap();
            let scene = BoardPicture::new(&view).action(view.shape().nth(11).unwrap()).scene();
            let painted = paint(&scene, 1.0);
            let page = Look::default().theme.colors().page;
            let (width, height) = (painted.width(), painted.height());
            let border = (0..width)
                .flat_map(|x| [(x, 0), (x, height - 1)])
                .chain((0..height).flat_map(|y| [(0, y), (width - 1, y)]));
            for (x, y) in border {
                let pixel = painted.pixel(x, y).unwrap();
                assert_eq!((pixel.red(), pixel.green()), (page.red, page.green), "{form} {x} {y}");
            }
        }
    }

    #[test]
    fn reserved_lines_fix_the_size_of_the_picture() {
        let view: View = "mines 1\n# # #".parse().unwrap();
        let two_lines = |caption: &str| BoardPicture {
            caption_lines: 2,
            ..BoardPicture::new(&view).caption(caption)
        };
        let size = |caption: &str| {
            let scene = two_lines(caption).scene();
            (scene.width, scene.height)
        };
        assert_eq!(size("short"), size(&"a long sentence that goes on ".repeat(20)));
        let rows = two_lines(&"word ".repeat(100)).caption_rows(250.0);
        assert!(rows.len() == 2 && rows[1].ends_with(" ..."), "{rows:?}");
        let pen = caption_pen(Look::default().theme.colors());
        assert!(rows.iter().all(|row| pen.width(row) <= 250.0), "{rows:?}");
    }

    #[test]
    fn a_chain_is_drawn_as_arrows_between_its_cells() {
        let view: View = "mines 1\n# # # #".parse().unwrap();
        let cells: Vec<Cell> = view.shape().cells().collect();
        let marks = |chain: &[Cell]| BoardPicture::new(&view).chain(chain).scene().marks().len();
        let bare = marks(&[]);
        assert_eq!(marks(&cells[..1]), bare);
        let arrow = marks(&cells[..2]) - bare;
        assert!(arrow > 0);
        assert_eq!(marks(&cells) - bare, 3 * arrow);
    }

    #[test]
    fn certain_cells_have_a_symbol_and_others_percentages() {
        let view: View = "mines 1\n# # #".parse().unwrap();
        let estimates = Estimates::of(3, view.shape().cells().zip([0.0, 1.0, 0.25]));
        let strokes = |picture: BoardPicture<'_>| {
            let stroke = |mark: &&Mark| matches!(mark.paint, Paint::Stroke(..));
            picture.scene().marks().iter().filter(stroke).count()
        };
        let plain = BoardPicture::new(&view);
        let symbols = plain.clone().estimates(&estimates);
        let numbers = symbols.clone().look(Look { percentages: true, ..Look::default() });
        // A tick is one line, a cross two, a number one.
        let rulers = strokes(plain);
        assert_eq!((strokes(symbols) - rulers, strokes(numbers) - rulers), (3, 4));
    }
}
