//! RawVF: replays as text, which the RawVF tools make from the replays of many programs.
//!
//! ```text
//! RawVF_Version: Rev6.2     `Key: value`, in any order; unknown keys are skipped
//! Width: 4
//! Height: 2
//! Board:                    rows of `*` for mines and `0` for the rest
//! *000
//! 0000
//! Events:                   some programs leave this line out
//! 0.000 start               seconds, a state of the game
//! 0.000 lc 2 1 (24 8)       seconds, mouse event, [column row], (pixels right, down)
//! 0.095 lr 2 1 (24 8)
//! number1 2 1               what a cell shows now
//! ```
//!
//! Mouse events are `mv` move, `lc lr` left, `rc rr` right and `mc mr` middle pressed and
//! released, `sc` left pressed with shift, `mt` question marks toggled. Programs count columns and
//! rows from 1 or from 0, so only the pixels are read: divided by `SquareSize` (16) they give the
//! cell. `SuperClick: On` means that a left click on a number chords. What cells show follows from
//! the mouse and is skipped; of the states, `won`, `lost` and `boom` are kept as the outcome that
//! the file claims. A player's name may be in any encoding.

use std::fmt::Write as _;

use deminer_game::{CellSet, Layout, Outcome};

use crate::bytes::{lossy_text, without_mark};
use crate::mines::{check_total, layout, rectangle};
use crate::{
    Document, DocumentKind, Event, Fault, Format, Input, Place, ReadError, Replay, WriteError,
};

pub(crate) const ENTRY: Format = Format {
    name: "rawvf",
    about: "RawVF, replays as text",
    extensions: &["rawvf"],
    holds: &[DocumentKind::Replay],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

/// Scrolling, as one version of the format proposes it; nothing follows from it.
const SCROLLS: [&str; 2] = ["sx", "sy"];

fn detect(bytes: &[u8]) -> bool {
    let has = |key: &[u8]| {
        without_mark(bytes).split(|&byte| byte == b'\n').any(|line| {
            let line = line.trim_ascii_start();
            let name = line.get(..key.len()).unwrap_or_default();
            name.eq_ignore_ascii_case(key) && line[key.len()..].trim_ascii_start().starts_with(b":")
        })
    };
    has(b"rawvf_version") || has(b"board") && has(b"width")
}

/// A key in small letters and its value.
fn pair(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = key.starts_with(char::is_alphabetic);
    is_key.then(|| (key.trim().to_ascii_lowercase(), value.trim()))
}

struct Header {
    width: Option<usize>,
    height: Option<usize>,
    mines: Option<usize>,
    /// All that is known so far but the board.
    replay: Replay,
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let text = lossy_text(bytes);
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let replay = Replay::new(Layout::default());
    let mut header = Header { width: None, height: None, mines: None, replay };
    let mut board = None;
    while let Some((number, line)) = lines.next() {
        match pair(line) {
            Some((key, _)) if key == "board" => board = Some(header.board(&mut lines, number)?),
            Some((key, _)) if key == "events" => {
                for (number, line) in lines.by_ref() {
                    header.event(line, number)?;
                }
            }
            Some((key, value)) => header.take(&key, value, number)?,
            None if board.is_some() => header.event(line, number)?,
            None => {
                let fault = Fault::value("this line", shortened(line), "`Key: value` or `Board:`");
                return Err(fault.at(Place::Line(number)));
            }
        }
    }
    let layout = board.ok_or_else(|| Fault::missing("the section `Board:`").at(Place::File))?;
    check_total(&layout, header.mines.unwrap_or(layout.total()), Place::File)?;
    Ok(Document::Replay(Replay { layout, ..header.replay }))
}

impl Header {
    fn take(&mut self, key: &str, value: &str, line: usize) -> Result<(), ReadError> {
        let wrong = |right| Fault::value(format!("`{key}`"), value, right).at(Place::Line(line));
        let size = || value.parse::<usize>().map_err(|_| wrong("a number"));
        let replay = &mut self.replay;
        match key {
            "width" => self.width = Some(size()?),
            "height" => self.height = Some(size()?),
            "mines" => self.mines = Some(size()?),
            "squaresize" => {
                let side = value.parse().ok().filter(|&side| side > 0);
                replay.cell_size =
                    side.ok_or_else(|| wrong("a number of pixels from 1 to 65535"))?;
            }
            "player" => replay.player = value.to_owned(),
            "program" => replay.program = value.to_owned(),
            "marks" | "questionmarks" => replay.marks = value.eq_ignore_ascii_case("on"),
            "superclick" => replay.left_chords = value.eq_ignore_ascii_case("on"),
            "time" => {
                let time = millis(value).and_then(|time| u64::try_from(time).ok());
                replay.time = Some(time.ok_or_else(|| wrong("seconds, such as 12.345"))?);
            }
            "status" => {
                replay.claimed = match value.to_ascii_lowercase().as_str() {
                    "won" | "win" => Some(Outcome::Won),
                    "lost" | "loss" => Some(Outcome::Lost),
                    _ => None,
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn board<'a>(
        &self,
        lines: &mut impl Iterator<Item = (usize, &'a str)>,
        line: usize,
    ) -> Result<Layout, ReadError> {
        let missing = |what| move || Fault::missing(what).at(Place::Line(line));
        let width = self.width.ok_or_else(missing("`Width:` before the board"))?;
        let height = self.height.ok_or_else(missing("`Height:` before the board"))?;
        let shape = rectangle(width, height, Place::Line(line))?;
        let mut mines = Vec::new();
        for row in 0..height {
            let (line, content) = lines
                .next()
                .ok_or_else(|| Fault::cell_count(width * height, row * width).at(Place::File))?;
            let found = content.chars().count();
            if found != width {
                let right = format!("{width} cells");
                return Err(Fault::value("the row's length", found, right).at(Place::Line(line)));
            }
            for (column, symbol) in content.chars().enumerate() {
                let place = Place::LineColumn(line, column + 1);
                match symbol {
                    '*' => mines.extend(shape.cell(row, column)),
                    '0' | '.' => {}
                    _ => {
                        let fault = Fault::value("this cell", symbol, "* for a mine or 0");
                        return Err(fault.at(place));
                    }
                }
            }
        }
        Ok(layout(shape, mines))
    }

    /// Takes the mouse event of a line, or what a line says about the state of the game.
    fn event(&mut self, line: &str, number: usize) -> Result<(), ReadError> {
        if line.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) {
            self.state(line.split_whitespace().next().unwrap_or_default());
            return Ok(());
        }
        let wrong = || {
            let right = "SECONDS EVENT COLUMN ROW (X Y), such as `0.095 lr 2 1 (24 8)`, \
                         with one of mv lc lr rc rr mc mr sc mt";
            Fault::value("this event", shortened(line), right).at(Place::Line(number))
        };
        let mut words = line.split_whitespace();
        let time = words.next().and_then(millis).ok_or_else(wrong)?;
        let name = words.next().ok_or_else(wrong)?;
        let pixels = || {
            let (_, rest) = line.split_once('(')?;
            let (inside, _) = rest.split_once(')')?;
            let mut numbers = inside.split_whitespace().map(str::parse::<i32>);
            Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
        };
        let known = name.parse().ok().filter(|&input| input != Input::PreFlag);
        let Some(input) = known else {
            let is_mouse = name.len() <= 2 || line.contains('(');
            if is_mouse && !SCROLLS.contains(&name) {
                return Err(wrong());
            }
            self.state(name);
            return Ok(());
        };
        let (x, y) = match (pixels(), input) {
            (Some(place), _) => place,
            (None, Input::ToggleMarks) => (0, 0),
            (None, _) => return Err(wrong()),
        };
        self.replay.events.push(Event { time, input, x, y });
        Ok(())
    }

    /// Takes the outcome from a word about the state of the game, unless the header has said it.
    fn state(&mut self, word: &str) {
        let outcome = match word.to_ascii_lowercase().as_str() {
            "won" => Some(Outcome::Won),
            "lost" | "boom" => Some(Outcome::Lost),
            _ => None,
        };
        self.replay.claimed = self.replay.claimed.or(outcome);
    }
}

/// The beginning of a line, for messages.
fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

/// Seconds with decimals, as milliseconds; smaller parts are cut off.
fn millis(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (seconds, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || seconds.len() > 9 || !number(seconds) || !number(decimals) {
        return None;
    }
    let whole: i64 = seconds.parse().ok()?;
    let parts: i64 = format!("{decimals:0<3}")[..3].parse().ok()?;
    Some(sign * (whole * 1000 + parts))
}

fn seconds(millis: i64) -> String {
    let sign = if millis < 0 { "-" } else { "" };
    let millis = millis.unsigned_abs();
    format!("{sign}{}.{:03}", millis / 1000, millis % 1000)
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let replay = document.replay()?;
    let shape = replay.layout.shape();
    WriteError::unless_rect("rawvf", shape)?;
    let level = match (shape.width(), shape.height(), replay.layout.total()) {
        (8, 8, 10) | (9, 9, 10) => "Beginner",
        (16, 16, 40) => "Intermediate",
        (30, 16, 99) => "Expert",
        _ => "Custom",
    };
    let switch = |on: bool| if on { "On" } else { "Off" };
    let mut lines = vec![
        "RawVF_Version: Rev6.2".to_owned(),
        format!("Program: {}", one_line(&replay.program)),
        format!("Player: {}", one_line(&replay.player)),
        format!("Level: {level}"),
        format!("Width: {}", shape.width()),
        format!("Height: {}", shape.height()),
        format!("Mines: {}", replay.layout.total()),
        format!("Marks: {}", switch(replay.marks)),
        format!("SuperClick: {}", switch(replay.left_chords)),
        format!("SquareSize: {}", replay.cell_size),
    ];
    let millis = replay.time.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
    lines.extend(millis.map(|millis| format!("Time: {}", seconds(millis))));
    lines.extend(replay.claimed.map(|outcome| format!("Status: {outcome}")));
    lines.extend(["Mode: Classic".to_owned(), "Board:".to_owned()]);
    lines.extend((0..shape.height()).map(|row| {
        let mine = |column| shape.cell(row, column).is_some_and(|cell| replay.layout.is_mine(cell));
        (0..shape.width()).map(|column| if mine(column) { '*' } else { '0' }).collect()
    }));
    lines.push("Events:".to_owned());
    let mut text = lines.join("\n") + "\n";
    let mut flagged = CellSet::new(shape.size());
    for event in &replay.events {
        let cell = replay.cell_under(event);
        // A flag set twice stays; a second right click would take it away.
        if event.input == Input::PreFlag && cell.is_none_or(|cell| !flagged.insert(cell)) {
            continue;
        }
        write_event(&mut text, event, replay.cell_size);
    }
    Ok(text.into_bytes())
}

fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn write_event(text: &mut String, event: &Event, cell_size: u16) {
    let Event { time, input, x, y } = *event;
    let place = |pixels: i32| pixels.div_euclid(i32::from(cell_size.max(1))) + 1;
    let mut line = |name: &str| {
        let (column, row) = (place(x), place(y));
        writeln!(text, "{} {name} {column} {row} ({x} {y})", seconds(time))
            .expect("a string takes all text");
    };
    match input {
        // A flag set before recording began is a right click here.
        Input::PreFlag => ["rc", "rr"].map(&mut line).into_iter().collect(),
        _ => line(input.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check, check_faults, fault};

    const GAME: &str = "RawVF_Version: Rev6.2
        Program: Example
        Width: 4
        Height: 2
        Mines: 1
        Marks: Off
        Time: 1.5
        Status: won
        Board:
        *000
        0000
        Events:
        -0.010 mv 1 1 (3 9)
        start
        0.000 lc 4 1 (56 8)
        0.125 lr 4 1 (56 8) (l)
        number1 2 1
        0.2 lc 1 2 (0 31)
        1.50 lr 0 1 (0 31)
        won
        ";

    const WON: &str = "mines 1\n# 1 . .\n1 1 . .";

    #[test]
    fn a_game_plays_out() {
        let replay = check(&ENTRY, GAME.as_bytes(), WON).replay().unwrap();
        let times: Vec<i64> = replay.events.iter().map(|event| event.time).collect();
        assert_eq!(times, [-10, 0, 125, 200, 1500]);
        assert_eq!((replay.time, replay.claimed), (Some(1500), Some(Outcome::Won)));
    }

    #[test]
    fn the_line_before_the_events_may_be_missing() {
        let text = GAME.replace("Events:", "").replace("start", "0.000 start\n0.0 sx 3 (1 1)");
        let text = text.replace("Status: won", "RAW_3BV/s: 1.0").replace("1.50 lr", "1.5009 lr");
        let replay = check(&ENTRY, text.as_bytes(), WON).replay().unwrap();
        assert_eq!(replay.events, read(GAME.as_bytes()).unwrap().replay().unwrap().events);
        assert_eq!(replay.claimed, Some(Outcome::Won));
    }

    #[test]
    fn a_name_may_be_in_any_encoding() {
        let (head, tail) = GAME.split_at(GAME.find("Width").unwrap());
        let bytes =
            [head.as_bytes(), b"Player: \xcb\xab\nVersion: \xff\n", tail.as_bytes()].concat();
        assert!(detect(&bytes));
        let replay = read(&bytes).unwrap().replay().unwrap();
        assert_eq!((replay.player.as_str(), replay.events.len()), ("\u{2eb}", 5));
    }

    #[test]
    fn faults_name_their_line() {
        let broken = |change: &str| {
            let (from, to) = change.split_once(" ->").unwrap();
            GAME.replace(from, to.trim_start()).into_bytes()
        };
        check_faults(
            &ENTRY,
            broken,
            "*000 -> *0x0 => line 10, column 3: this cell is `x`, but should be * for a mine or 0
             *000 -> *00 => line 10: the row's length is `3`, but should be 4 cells
             Width: 4 -> Width: four => line 3: `width` is `four`, but should be a number
             Width: 4 -> => line 9: `Width:` before the board is missing
             Mines: 1 -> Mines: 2 => the file says 2 mines, but its board has 1
             0.125 lr 4 1 -> 0.125 lx 4 1 => line 16: this event is `0.125 lx 4 1 (56 8) (l)`, but should be SECONDS EVENT COLUMN ROW (X Y), such as `0.095 lr 2 1 (24 8)`, with one of mv lc lr rc rr mc mr sc mt
             Board: -> => line 10: this line is `*000`, but should be `Key: value` or `Board:`",
        );
        assert_eq!(fault(&ENTRY, b"Width: 4\n"), "the section `Board:` is missing");
    }
}
