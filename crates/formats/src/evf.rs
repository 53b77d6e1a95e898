//! `.evf`: replays of Metasweeper, read up to version 4, written as version 3.
//!
//! ```text
//! version                 0 to 4
//! flags                   from the high bit: won, official, fair, no flags used; converted
//! settings                from version 3 on
//! rows, columns           one byte each
//! mines                   two bytes, as all numbers the high byte first
//! pixels of a cell        one byte
//! mode, 3BV               two bytes each
//! time                    three bytes, in version 4 four bytes, milliseconds
//! ```
//!
//! Then, up to version 3 (for version 4 see [`v4`]):
//!
//! ```text
//! texts, each ended by 0  program, player, race, player's id, start and end in microseconds,
//!                         country, and from version 2 on the device
//! mines                   one bit for each cell, row by row, the high bit first
//! events                  kind, time in three bytes, x and y in two bytes each
//! end                     0 and a checksum of 32 bytes, or 255 without one
//! ```
//!
//! Kinds of events are 1 move, 2 3 left, 4 5 right, 6 7 middle pressed and released, 8 a flag
//! set before, 9 the second button of a chord, 10 11 12 left, right, middle changed. The
//! settings hold a bit for question marks whose meaning specification and program disagree on;
//! Metasweeper has none, so none are taken to be on. Modes that change how cells open are
//! played by plain rules here.

mod v4;

use deminer_game::Outcome;

use crate::bytes::Bytes;
use crate::mines::{bits, check_total, from_bits, rectangle, to_numbers};
use crate::{
    Document, DocumentKind, Event, Fault, Format, Input, Place, ReadError, Replay, WriteError,
};

pub(crate) const ENTRY: Format = Format {
    name: "evf",
    about: "replays of Metasweeper",
    extensions: &["evf"],
    holds: &[DocumentKind::Replay],
    binary: true,
    detect,
    read,
    encode: Some(encode),
};

const WON: u8 = 0x80;
const NO_FLAGS: u8 = 0x10;

/// The inputs with the codes from 1 on.
const INPUTS: &[Input] = Input::ALL.split_at(8).0;

fn detect(bytes: &[u8]) -> bool {
    Head::read(&mut Bytes::new(bytes)).is_ok_and(|head| {
        head.rows > 0
            && head.columns > 0
            && head.cell_size > 0
            && head.mines <= head.rows * head.columns
    })
}

/// The numbers at the front.
struct Head {
    version: u8,
    flags: u8,
    rows: usize,
    columns: usize,
    mines: usize,
    cell_size: u8,
    time: u64,
}

impl Head {
    fn read(bytes: &mut Bytes) -> Result<Self, ReadError> {
        let version = bytes.byte("the version")?;
        if version > 4 {
            return Err(Fault::value("the version", version, "0 to 4").at(Place::Byte(0)));
        }
        let flags = bytes.byte("the flags")?;
        if version >= 3 {
            bytes.byte("the settings")?;
        }
        let rows = usize::from(bytes.byte("the number of rows")?);
        let columns = usize::from(bytes.byte("the number of columns")?);
        let mines = bytes.size("the number of mines")?;
        let cell_size = bytes.byte("the size of a cell")?;
        bytes.take(4, "the mode and the 3BV")?;
        let time = u64::from(bytes.number(if version < 4 { 3 } else { 4 }, "the time")?);
        Ok(Self { version, flags, rows, columns, mines, cell_size, time })
    }
}

fn read(all: &[u8]) -> Result<Document, ReadError> {
    let mut bytes = Bytes::new(all);
    let head = Head::read(&mut bytes)?;
    // Some files of version 2 say that they have version 0.
    let with_device = || Head { version: 2, ..head };
    read_game(bytes.clone(), &head).or_else(|error| match head.version {
        0 | 1 => read_game(bytes, &with_device()).map_err(|_| error),
        _ => Err(error),
    })
}

fn read_game(mut bytes: Bytes, head: &Head) -> Result<Document, ReadError> {
    let size_at = Place::Byte(if head.version >= 3 { 3 } else { 2 });
    if head.cell_size == 0 {
        return Err(Fault::value("the size of a cell", 0, "at least 1 pixel").at(size_at));
    }
    let (program, player) = match head.version {
        0..=3 => names(&mut bytes, head)?,
        _ => v4::names(&mut bytes, head)?,
    };
    let shape = rectangle(head.columns, head.rows, size_at)?;
    let mines_at = Place::Byte(bytes.at());
    let mines = bytes.take(shape.size().div_ceil(8), "the mines")?;
    let layout = from_bits(shape, mines.iter().flat_map(|&byte| bits(byte, 8)));
    check_total(&layout, head.mines, mines_at)?;
    let (events, claimed) = match head.version {
        0..=3 => (events(&mut bytes)?, None),
        _ => v4::events(&mut bytes)?,
    };
    Ok(Document::Replay(Replay {
        events,
        cell_size: u16::from(head.cell_size),
        player,
        program,
        time: Some(head.time),
        claimed: (head.flags & WON != 0).then_some(Outcome::Won).or(claimed),
        ..Replay::new(layout)
    }))
}

/// The program and the player, up to version 3.
fn names(bytes: &mut Bytes, head: &Head) -> Result<(String, String), ReadError> {
    let program = bytes.text("the program")?;
    let player = bytes.text("the player")?;
    for what in ["the race", "the player's id", "the start", "the end", "the country"] {
        bytes.text(what)?;
    }
    if head.version >= 2 {
        bytes.text("the device")?;
    }
    Ok((program, player))
}

/// What the mouse did, up to version 3.
fn events(bytes: &mut Bytes) -> Result<Vec<Event>, ReadError> {
    let mut events = Vec::new();
    let mut down = [false; 3];
    loop {
        let at = Place::Byte(bytes.at());
        let code = bytes.byte("the next event or the end")?;
        if let 0 | 255 = code {
            bytes.take(if code == 0 { 32 } else { 0 }, "the checksum")?;
            break;
        }
        let time = i64::from(bytes.number(3, "the time of an event")?);
        let x = bytes.number(2, "the place of an event")? as i32;
        let y = bytes.number(2, "the place of an event")? as i32;
        let input = input(code, &mut down).ok_or_else(|| {
            Fault::value("the kind of an event", code, "1 to 12, or 0 or 255 for the end").at(at)
        })?;
        events.push(Event { time, input, x, y });
    }
    bytes.end()?;
    Ok(events)
}

/// What an event does, given which of left, right and middle are down.
fn input(code: u8, down: &mut [bool; 3]) -> Option<Input> {
    let code = match code {
        // The button that is still up goes down.
        9 if down[0] => 4,
        9 => 2,
        10..=12 => {
            let button = code - 10;
            2 + 2 * button + u8::from(down[usize::from(button)])
        }
        _ => code,
    };
    if let 2..=7 = code {
        down[usize::from(code / 2 - 1)] = code % 2 == 0;
    }
    INPUTS.get(usize::from(code).checked_sub(1)?).copied()
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut replay = document.replay()?;
    let special = |event: &Event| matches!(event.input, Input::ShiftPress | Input::ToggleMarks);
    let large = replay.cell_size > u16::from(u8::MAX);
    if large || replay.marks || replay.left_chords || replay.events.iter().any(special) {
        replay = plain_clicks(&replay)?;
    }
    let shape = replay.layout.shape();
    WriteError::unless_small("evf", shape, 255)?;
    let won = replay.claimed == Some(Outcome::Won);
    let flagged = |event: &Event| matches!(event.input, Input::RightPress | Input::PreFlag);
    let no_flags = !replay.events.iter().any(flagged);
    let flags = (u8::from(won) * WON) | (u8::from(no_flags) * NO_FLAGS);
    let mut bytes = vec![3, flags, 0, shape.height() as u8, shape.width() as u8];
    bytes.extend((replay.layout.total() as u16).to_be_bytes());
    bytes.extend([replay.cell_size as u8, 0, 0]);
    bytes.extend((replay.layout.three_bv() as u16).to_be_bytes());
    write_time(&mut bytes, replay.time.unwrap_or(0))?;
    for text in [replay.program.as_str(), &replay.player, "", "", "", "", "", ""] {
        bytes.extend(text.bytes().filter(|&byte| byte != 0));
        bytes.push(0);
    }
    bytes.extend(to_numbers(&replay.layout, 8));
    write_events(&mut bytes, &replay)?;
    bytes.push(255);
    Ok(bytes)
}

/// The same game by plain clicks, without settings that the format does not hold.
fn plain_clicks(replay: &Replay) -> Result<Replay, WriteError> {
    let plain = Replay::from_record(&replay.to_record())?;
    let &Replay { time, claimed, .. } = replay;
    Ok(Replay { program: replay.program.clone(), time, claimed, ..plain })
}

/// Times begin with 0 at the earliest event; what lies outside the board goes to its far corner.
fn write_events(bytes: &mut Vec<u8>, replay: &Replay) -> Result<(), WriteError> {
    let earliest = replay.events.iter().map(|event| event.time).min().unwrap_or(0).min(0);
    let cell = usize::from(replay.cell_size);
    let far = |cells: usize| u16::try_from(cells * cell).unwrap_or(u16::MAX);
    let (right, bottom) = (far(replay.layout.shape().width()), far(replay.layout.shape().height()));
    for event in &replay.events {
        let code = (1..).zip(INPUTS).find(|(_, input)| **input == event.input);
        bytes.push(code.expect("other events were played out as plain clicks").0);
        write_time(bytes, event.time.saturating_sub(earliest).unsigned_abs())?;
        let place = |pixels: i32, far: u16| {
            u16::try_from(pixels).ok().filter(|&pixels| pixels < far).unwrap_or(far)
        };
        bytes.extend(place(event.x, right).to_be_bytes());
        bytes.extend(place(event.y, bottom).to_be_bytes());
    }
    Ok(())
}

fn write_time(bytes: &mut Vec<u8>, millis: u64) -> Result<(), WriteError> {
    let most = 0xff_ffff;
    WriteError::unless_fits("evf", "a time in milliseconds of", millis as usize, most)?;
    bytes.extend(&(millis as u32).to_be_bytes()[1..]);
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::tests::{check_faults, damaged};

    pub(crate) use super::v4::tests::game as version_4;

    /// A won game of version 0, 1, 2 or 3 on `*...` over `....`.
    fn game(version: u8) -> Vec<u8> {
        let mut bytes = vec![version, 0xa0];
        if version == 3 {
            bytes.push(0x20);
        }
        bytes.extend([2, 4, 0, 1, 16, 0, 0, 0, 2, 0, 0x05, 0xdc]);
        bytes.extend(b"prog\0me\0race\0id\0t1\0t2\0XX\0");
        if version >= 2 {
            bytes.extend(b"device\0");
        }
        bytes.push(0b1000_0000);
        for [code, time, x, y] in
            [[2, 0, 56, 8], [3, 90, 56, 8], [10, 100, 8, 24], [10, 150, 8, 24], [1, 151, 9, 24]]
        {
            bytes.extend([code, 0, 0, time, 0, x, 0, y]);
        }
        bytes.push(255);
        bytes
    }

    fn check(bytes: &[u8]) {
        let document = crate::tests::check(&ENTRY, bytes, "mines 1\n# 1 . .\n1 1 . .");
        let replay = document.replay().unwrap();
        assert_eq!((replay.program.as_str(), replay.player.as_str()), ("prog", "me"));
        assert_eq!((replay.time, replay.claimed), (Some(1500), Some(Outcome::Won)));
        assert_eq!(replay.to_record().outcome, Outcome::Won);
    }

    #[test]
    fn four_versions_are_read() {
        for version in 0..=3 {
            check(&game(version));
        }
        let mut mislabeled = game(2);
        mislabeled[0] = 0;
        check(&mislabeled);
        let mut sealed = game(3);
        sealed.pop();
        sealed.extend([0; 33]);
        check(&sealed);
    }

    #[test]
    fn a_chord_press_is_the_button_that_is_up() {
        let mut down = [false; 3];
        let codes = [4, 9, 3, 9, 11, 5, 12, 12];
        let inputs = codes.map(|code| input(code, &mut down).unwrap().name());
        assert_eq!(inputs, ["rc", "lc", "lr", "lc", "rr", "rr", "mc", "mr"]);
        assert_eq!(input(13, &mut down), None);
    }

    #[test]
    fn settings_without_a_place_are_played_out() {
        let click = |input, x, y| Event { time: 5, input, x, y };
        let clicks = |x, y| [click(Input::LeftPress, x, y), click(Input::LeftRelease, x, y)];
        let mut replay = read(&game(3)).unwrap().replay().unwrap();
        replay.left_chords = true;
        replay.events =
            [clicks(20, 20), [click(Input::RightPress, 1, 1); 2], clicks(20, 20)].concat();
        replay.events.remove(3);
        let document = Document::Replay(replay);
        let again = read(&encode(&document).unwrap()).unwrap();
        assert_eq!(again.position().unwrap(), document.position().unwrap());
        assert_eq!(again.record().unwrap().moves, document.record().unwrap().moves);
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            |changes| damaged(&game(3), changes),
            "set 0 5 => byte 0: the version is `5`, but should be 0 to 4
             set 6 2 => byte 47: the file says 2 mines, but its board has 1
             set 88 77 => byte 89: the file ends too early: the time of an event needs 3 bytes, but only 0 are left
             set 88 77, add 8 => byte 88: the kind of an event is `77`, but should be 1 to 12, or 0 or 255 for the end
             add 8 => byte 89: the file should end here, but 8 bytes follow",
        );
    }
}
