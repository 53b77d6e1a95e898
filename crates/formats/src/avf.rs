//! `.avf`: replays of Arbiter.
//!
//! The format is not published; this is what is known of it.
//!
//! ```text
//! version                 one byte, 52 for 0.52; then four bytes unknown
//! level                   3, 4, 5: 8x8/10, 16x16/40, 30x16/99; 6: one byte each for width
//!                         and height less one, and mines in two bytes, high byte first
//! mines                   a row and a column for each, from 1
//! …[…|…|B2T2.50]          times, 3BV, seconds plus one; the byte two before `[` is 17 where
//!                         question marks are on
//! events                  eight bytes each, after some unknown ones
//! …cs=…                   more, then lines with the skin, the player, the program
//! ```
//!
//! The bytes of an event are kind, x / 256, seconds + 1, x, hundredths, y / 256,
//! (seconds + 1) / 256, y. The first one is found by its kind and its second and third byte, at
//! most 1 and 1; seconds of 0 end the list. Kinds are 1 move, 3 5 left, 9 17 right, 33 65 middle
//! pressed and released, 11 left pressed with shift; 21, 145 and 193 are releases while another
//! button is down.

use deminer_game::Layout;

use crate::bytes::{Bytes, name, without_copyright};
use crate::mines::{read_mines, rectangle};
use crate::{Document, DocumentKind, Event, Fault, Format, Input, Place, ReadError, Replay};

pub(crate) const ENTRY: Format = Format {
    name: "avf",
    about: "replays of Arbiter (read only)",
    extensions: &["avf"],
    holds: &[DocumentKind::Replay],
    binary: true,
    detect: |bytes| bytes.contains(&b'[') && read_board(&mut Bytes::new(bytes)).is_ok(),
    read,
    encode: None,
};

fn read(all: &[u8]) -> Result<Document, ReadError> {
    let mut bytes = Bytes::new(all);
    let layout = read_board(&mut bytes)?;
    let (marks, time) = read_summary(&mut bytes)?;
    let events = read_events(&mut bytes)?;
    let (player, program) = read_names(bytes.rest());
    let replay = Replay::new(layout);
    Ok(Document::Replay(Replay { events, player, program, marks, time, ..replay }))
}

fn read_board(bytes: &mut Bytes) -> Result<Layout, ReadError> {
    bytes.byte("the version")?;
    bytes.take(4, "four unknown bytes")?;
    let level_at = Place::Byte(bytes.at());
    let (width, height, total) = match bytes.byte("the level")? {
        3 => (8, 8, 10),
        4 => (16, 16, 40),
        5 => (30, 16, 99),
        6 => {
            let width = usize::from(bytes.byte("the width")?) + 1;
            let height = usize::from(bytes.byte("the height")?) + 1;
            (width, height, bytes.size("the number of mines")?)
        }
        level => return Err(Fault::value("the level", level, "3 to 6").at(level_at)),
    };
    let mut list = bytes.section(2 * total, "the list of mines")?;
    read_mines(&mut list, total, rectangle(width, height, level_at)?, 1, true)
}

/// Whether question marks are on, and the time of the game.
fn read_summary(bytes: &mut Bytes) -> Result<(bool, Option<u64>), ReadError> {
    let bracket = |bracket| move |rest: &[u8]| rest.iter().position(|&byte| byte == bracket);
    let start = find(bytes, "the summary in brackets", bracket(b'['))?;
    let before = bytes.take(start, "the bytes before the summary")?;
    let marks = before.len() >= 2 && before[before.len() - 2] == 17;
    let end = find(bytes, "the `]` behind the summary", bracket(b']'))?;
    let summary = String::from_utf8_lossy(bytes.take(end + 1, "the summary")?).into_owned();
    Ok((marks, time(&summary)))
}

/// The digits behind the last `T`, less one second, in milliseconds.
fn time(summary: &str) -> Option<u64> {
    let (_, seconds) = summary.trim_end_matches(']').rsplit_once('T')?;
    let (whole, hundredths) = seconds.split_once(['.', ',']).unwrap_or((seconds, "0"));
    let hundredths: u64 = format!("{hundredths:0<2}").parse().ok()?;
    let seconds = whole.parse::<u64>().ok()?.checked_sub(1)?;
    seconds.checked_mul(1000)?.checked_add(hundredths.checked_mul(10)?)
}

fn read_events(bytes: &mut Bytes) -> Result<Vec<Event>, ReadError> {
    let begins = |three: &[u8]| input(three[0]).is_some() && three[1] <= 1 && three[2] == 1;
    let first = |rest: &[u8]| rest.windows(3).position(begins);
    let skip = find(bytes, "the first event", first)?;
    bytes.take(skip, "the bytes before the first event")?;
    let mut events = Vec::new();
    loop {
        let at = Place::Byte(bytes.at());
        let event = bytes.take(8, "an event or the end of the events")?;
        let pair = |high: usize, low: usize| i32::from(event[high]) * 256 + i32::from(event[low]);
        let seconds = pair(6, 2) - 1;
        if seconds < 0 {
            return Ok(events);
        }
        let input = input(event[0]).ok_or_else(|| {
            let right = "one of 1 3 5 9 11 17 21 33 65 145 193";
            Fault::value("the kind of an event", event[0], right).at(at)
        })?;
        let time = i64::from(seconds) * 1000 + i64::from(event[4]) * 10;
        events.push(Event { time, input, x: pair(1, 3), y: pair(5, 7) });
    }
}

fn input(kind: u8) -> Option<Input> {
    Some(match kind {
        1 => Input::Move,
        3 => Input::LeftPress,
        5 | 21 => Input::LeftRelease,
        9 => Input::RightPress,
        17 | 145 => Input::RightRelease,
        33 => Input::MiddlePress,
        65 | 193 => Input::MiddleRelease,
        11 => Input::ShiftPress,
        _ => return None,
    })
}

/// How far it is to something that must follow.
fn find(
    bytes: &Bytes,
    what: &'static str,
    search: impl Fn(&[u8]) -> Option<usize>,
) -> Result<usize, ReadError> {
    search(bytes.rest()).ok_or_else(|| Fault::missing(what).at(Place::Byte(bytes.at())))
}

/// Player and program: behind `cs=` come lines such as `Skin: …`, then the player's name, then
/// the program with its version. Both are empty if the file does not say.
fn read_names(rest: &[u8]) -> (String, String) {
    let Some(at) = rest.windows(3).position(|three| three == b"cs=") else {
        return Default::default();
    };
    // Fixed bytes lie between the mark and the lines.
    let lines = rest.get(at + 3 + 17..).unwrap_or_default();
    let mut lines = lines
        .split(|&byte| byte == b'\r')
        .map(|line| name(line).trim_matches(|symbol: char| symbol.is_control()).to_owned());
    let player = lines.find(|line| !line.contains(':')).unwrap_or_default();
    let program = lines.next().unwrap_or_default();
    (player.trim().to_owned(), without_copyright(&program))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::tests::{check_faults, check_read, damaged};
    use deminer_game::Outcome;

    fn mouse(kind: u8, seconds: u16, hundredths: u8, x: u16, y: u16) -> [u8; 8] {
        let ([x1, x0], [y1, y0], [s1, s0]) =
            (x.to_be_bytes(), y.to_be_bytes(), (seconds + 1).to_be_bytes());
        [kind, x1, s0, x0, hundredths, y1, s1, y0]
    }

    /// A won game on `*...` over `....`, question marks off.
    pub(crate) fn game() -> Vec<u8> {
        let mut bytes = vec![52, 9, 9, 9, 9, 6, 3, 1, 0, 1, 1, 1];
        bytes.extend(b"\xff\x7f\x08[W4H2M1|12.03.2026|12.03.2026|B2T2.50]\xfe\x00");
        bytes.extend([mouse(1, 0, 0, 56, 8), mouse(3, 0, 10, 56, 8)].concat());
        bytes.extend([mouse(5, 0, 20, 56, 8), mouse(3, 1, 0, 8, 24)].concat());
        bytes.extend([mouse(21, 300, 50, 8, 24), [0; 8]].concat());
        bytes.extend(b"xxcs=12345678901234567RealTime: 1.5\rSkin: a\rme\rMinesweeper Arbiter 0.52.3. Copyright\r");
        bytes
    }

    #[test]
    fn a_custom_game_is_read() {
        let replay = check_read(&ENTRY, &game(), "mines 1\n# 1 . .\n1 1 . .").replay().unwrap();
        assert_eq!(replay.to_record().outcome, Outcome::Won);
        assert_eq!((replay.time, replay.player.as_str()), (Some(1500), "me"));
        assert_eq!(replay.program, "Minesweeper Arbiter 0.52.3");
        assert_eq!(replay.events.last().unwrap().time, 300_500);
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            |changes| damaged(&game(), changes),
            "set 5 9 => byte 5: the level is `9`, but should be 3 to 6
             cut 11 => byte 10: the file ends too early: the list of mines needs 2 bytes, but only 1 is left
             cut 13 => byte 12: the summary in brackets is missing
             set 10 0 => byte 10: a mine's row is `0`, but should be at least 1",
        );
    }
}
