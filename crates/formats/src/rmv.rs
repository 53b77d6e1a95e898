//! `.rmv`: replays of Viennasweeper, versions 1 and 2.
//!
//! ```text
//! *rmv, version           two bytes, as all numbers the high byte first
//! program, its version    version 2 only, one byte each
//! size of the file        four bytes
//! sizes of the sections   two bytes each, events four: [1: result], program, player, board,
//!                         flags set before, properties, [2: extensions], events, checksum
//! the sections            one after another
//! ```
//!
//! The player section is a list of texts, each with its length before it, the name first. The
//! board section is a time, columns, rows, mines in two bytes and a column and row for each.
//! Properties are bytes: question marks, no flags used, mode, level, and in version 2 the 3BV
//! in two bytes and the pixels of a cell.
//!
//! Events 1 to 7 tell the mouse: time in three bytes, buttons, x and y in two bytes each; in
//! version 1 places count from the window, 12 and 56 pixels before the board. Event 28 moves a
//! little: a byte of time, four bits right, four bits down. Events 9-14 and 18-27 tell what
//! became of cells and are passed over. Events 15 to 17 end the game with its time: lost, won,
//! left. One more event 0 with the time in four bytes follows the end; the size of the section
//! says how far to read.

use deminer_game::{Layout, Outcome};

use crate::bytes::{Bytes, name, without_copyright};
use crate::mines::{read_mines, rectangle};
use crate::{Document, DocumentKind, Event, Fault, Format, Input, Place, ReadError, Replay};

pub(crate) const ENTRY: Format = Format {
    name: "rmv",
    about: "replays of Viennasweeper (read only)",
    extensions: &["rmv"],
    holds: &[DocumentKind::Replay],
    binary: true,
    detect: |bytes| bytes.starts_with(SIGNATURE),
    read,
    encode: None,
};

const SIGNATURE: &[u8; 4] = b"*rmv";

fn read(all: &[u8]) -> Result<Document, ReadError> {
    let mut bytes = Bytes::new(all);
    if bytes.take(4, "the signature")? != SIGNATURE {
        let found = String::from_utf8_lossy(&all[..4]).into_owned();
        return Err(Fault::value("the signature", found, "*rmv").at(Place::Byte(0)));
    }
    let version = bytes.size("the version")?;
    if !(1..=2).contains(&version) {
        return Err(Fault::value("the version", version, "1 or 2").at(Place::Byte(4)));
    }
    let first = version == 1;
    if !first {
        bytes.take(2, "the program")?;
    }
    bytes.number(4, "the size of the file")?;
    let result = if first { bytes.size("the size of the result")? } else { 0 };
    let program = bytes.size("the size of the program")?;
    let player = bytes.size("the size of the player")?;
    let board = bytes.size("the size of the board")?;
    let preflags = bytes.size("the size of the flags")?;
    let properties = bytes.size("the size of the properties")?;
    let extensions = if first { 0 } else { bytes.size("the size of the extensions")? };
    let events = bytes.number(4, "the size of the events")? as usize;
    bytes.size("the size of the checksum")?;

    bytes.take(result, "the result")?;
    let program = String::from_utf8_lossy(bytes.take(program, "the program")?);
    let player = read_player(bytes.section(player, "the player")?)?;
    let layout = read_board(bytes.section(board, "the board")?)?;
    let preflags = bytes.section(preflags, "the flags set before")?;
    let properties_at = Place::Byte(bytes.at() + 6);
    let properties = bytes.take(properties, "the properties")?;
    bytes.take(extensions, "the extensions")?;
    let cell_size = match properties.get(6) {
        Some(0) if !first => {
            return Err(Fault::value("the size of a cell", 0, "at least 1 pixel").at(properties_at));
        }
        Some(&side) if !first => u16::from(side),
        _ => Replay::CELL_SIZE,
    };
    let mut replay = Replay {
        cell_size,
        player,
        program: without_copyright(&program),
        marks: properties.first() == Some(&1),
        ..Replay::new(layout)
    };
    read_preflags(preflags, &mut replay)?;
    read_events(bytes.section(events, "the events")?, first, &mut replay)?;
    Ok(Document::Replay(replay))
}

/// The player's name, the first of the texts.
fn read_player(mut bytes: Bytes) -> Result<String, ReadError> {
    if bytes.left() == 0 || bytes.size("the number of texts about the player")? == 0 {
        return Ok(String::new());
    }
    let length = usize::from(bytes.byte("the length of the player's name")?);
    Ok(name(bytes.take(length, "the player's name")?))
}

fn read_board(mut bytes: Bytes) -> Result<Layout, ReadError> {
    bytes.number(4, "the time of the board")?;
    let size_at = Place::Byte(bytes.at());
    let width = usize::from(bytes.byte("the number of columns")?);
    let height = usize::from(bytes.byte("the number of rows")?);
    let total = bytes.size("the number of mines")?;
    read_mines(&mut bytes, total, rectangle(width, height, size_at)?, 0, false)
}

fn read_preflags(mut bytes: Bytes, replay: &mut Replay) -> Result<(), ReadError> {
    if bytes.left() == 0 {
        return Ok(());
    }
    let side = i32::from(replay.cell_size);
    for _ in 0..bytes.size("the number of flags")? {
        let column = i32::from(bytes.byte("a flag's column")?);
        let row = i32::from(bytes.byte("a flag's row")?);
        let (x, y) = (column * side + side / 2, row * side + side / 2);
        replay.events.push(Event { time: 0, input: Input::PreFlag, x, y });
    }
    Ok(())
}

fn read_events(mut bytes: Bytes, first: bool, replay: &mut Replay) -> Result<(), ReadError> {
    let mut last = Event { time: 0, input: Input::Move, x: 0, y: 0 };
    while bytes.left() > 0 {
        let at = Place::Byte(bytes.at());
        let code = bytes.byte("the kind of an event")?;
        match code {
            0 => {
                bytes.take(4, "a time")?;
            }
            1..=7 => {
                let time = i64::from(bytes.number(3, "the time of an event")?);
                bytes.byte("the buttons of an event")?;
                let x = bytes.number(2, "the place of an event")?;
                let y = bytes.number(2, "the place of an event")?;
                let (x, y) = if first {
                    (x as i32 - 12, y as i32 - 56)
                } else {
                    (i32::from(x as u16 as i16), i32::from(y as u16 as i16))
                };
                last = Event { time, input: Input::ALL[usize::from(code) - 1], x, y };
                replay.events.push(last);
            }
            28 if !first => {
                let time = last.time + i64::from(bytes.byte("the time of a move")?);
                let step = bytes.byte("the place of a move")? as i8;
                let (right, down) = (i32::from(step >> 4), i32::from(step << 4 >> 4));
                let (x, y) = (last.x.saturating_add(right), last.y.saturating_add(down));
                last = Event { time, input: Input::Move, x, y };
                replay.events.push(last);
            }
            9..=14 | 18..=27 => {
                bytes.take(2, "the cell of an event")?;
            }
            15..=17 => {
                replay.time = Some(u64::from(bytes.number(3, "the time of the end")?));
                replay.claimed = match code {
                    15 => Some(Outcome::Lost),
                    16 => Some(Outcome::Won),
                    _ => None,
                };
            }
            _ => {
                let right = if first { "0-7 or 9-27" } else { "0-7 or 9-28" };
                return Err(Fault::value("the kind of an event", code, right).at(at));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::tests::{check_faults, check_read, damaged, text_file};

    fn mouse(code: u8, time: u8, x: u16, y: u16) -> Vec<u8> {
        let mut bytes = vec![code, 0, 0, time, 1];
        bytes.extend(x.to_be_bytes());
        bytes.extend(y.to_be_bytes());
        bytes
    }

    /// A won game on `*...` over `....`: a flag, the right side, the last cell.
    pub(crate) fn game(version: u16) -> Vec<u8> {
        let first = version == 1;
        let (left, top) = if first { (12, 56) } else { (0, 0) };
        let mut player = vec![0, 2, 2];
        player.extend(b"m\xff\x03you");
        let board = vec![0, 0, 0, 9, 4, 2, 0, 1, 0, 0];
        let preflags = vec![0, 1, 0, 0];
        let properties = if first { vec![0, 0, 0, 3] } else { vec![0, 0, 0, 3, 2, 0, 16] };
        let mut events = mouse(3, 0, left + 56, top + 8);
        events.extend([18, 3, 0]);
        events.extend(mouse(1, 30, left + 20, top + 20));
        if !first {
            // Four left, four down: into the first column.
            events.extend([28, 5, 0xc4, 28, 5, 0x84]);
        }
        events.extend(mouse(2, 60, left + 8, top + 24));
        events.extend(mouse(3, 90, left + 8, top + 24));
        events.extend([16, 0, 0, 90]);
        events.extend([0, 0, 0, 0, 90]);
        let mut sections =
            vec![text_file("Vienna 3.0. Copyright (C) 2008"), player, board, preflags, properties];
        if first {
            sections.insert(0, text_file("\nLEVEL:3#\n"));
        } else {
            sections.push(vec![0, 0]);
        }
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend(version.to_be_bytes());
        if !first {
            bytes.extend([1, 5]);
        }
        bytes.extend([0, 0, 0, 0]);
        for section in &sections {
            bytes.extend((section.len() as u16).to_be_bytes());
        }
        bytes.extend((events.len() as u32).to_be_bytes());
        bytes.extend([0, 2]);
        bytes.extend(sections.concat());
        bytes.extend(events);
        bytes.extend([7, 7]);
        bytes
    }

    #[test]
    fn both_versions_are_read() {
        [1, 2].into_iter().for_each(check);
    }

    fn check(version: u16) {
        let document = check_read(&ENTRY, &game(version), "mines 1\nF 1 . .\n1 1 . .");
        let replay = document.replay().unwrap();
        assert_eq!(
            (replay.program.as_str(), replay.player.as_str()),
            ("Vienna 3.0", crate::tests::foreign("m", "").as_str())
        );
        assert_eq!((replay.time, replay.claimed), (Some(90), Some(Outcome::Won)));
        assert_eq!(replay.to_record().outcome, Outcome::Won);
        if version == 2 {
            let moves = replay.events.iter().filter(|event| event.input == Input::Move);
            let places: Vec<_> = moves.map(|event| (event.time, event.x, event.y)).collect();
            assert_eq!(places, [(30, 20, 20), (35, 16, 24), (40, 8, 28)]);
        }
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            |changes| damaged(&game(1), changes),
            "set 3 119 => byte 0: the signature is `*rmw`, but should be *rmv
             set 5 3 => byte 4: the version is `3`, but should be 1 or 2
             cut 84 => byte 77: the file ends too early: the board needs 10 bytes, but only 7 are left
             set 134 99 => byte 134: the kind of an event is `99`, but should be 0-7 or 9-27",
        );
        check_faults(
            &ENTRY,
            |changes| damaged(&game(2), changes),
            "set 137 99 => byte 137: the kind of an event is `99`, but should be 0-7 or 9-28",
        );
    }

    #[test]
    fn rmv_is_not_written() {
        let error = ENTRY.write(&read(&game(1)).unwrap()).unwrap_err().to_string();
        assert_eq!(error, "deminer reads rmv files but does not write them");
    }
}
