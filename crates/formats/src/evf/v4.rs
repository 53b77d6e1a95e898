//! Version 4 of `.evf`, behind the numbers at its front.
//!
//! ```text
//! country                 two letters
//! start, end              eight bytes each, microseconds since 1970
//! texts, each ended by 0  program; of converted files also the converter and its guess of the
//!                         names' encoding; player, race, player's id
//! device                  its length in two bytes, then the device
//! mines                   one bit for each cell, as in version 3
//! metrics                 their number in two bytes, then their names, each ended by 0
//! events                  up to a byte 0
//! checksum                its length in two bytes, then the checksum
//! ```
//!
//! An event is its kind, the milliseconds since the event before in one byte, and more by kind:
//!
//! ```text
//! 1-12                    the mouse as in version 3; how far it went right and down since the
//!                         mouse event before, in pixels, two bytes each with a sign
//! 81-83, 92-94, 99        the game is played again, won, lost (two sets of codes); an error
//! 100-121                 what a cell shows now: two steps to that cell
//! 200, 201                a metric: its index in two bytes, then eight bytes or a text
//! 255                     a pause: here the milliseconds have two bytes
//! ```
//!
//! The specification leaves open whether the steps to a cell have one byte or two; the reader
//! takes what leads to the end of the file.

use deminer_game::Outcome;

use super::{Head, input};
use crate::bytes::Bytes;
use crate::{Event, Fault, Place, ReadError};

/// Set in the flags of files converted from another format.
const CONVERTED: u8 = 0x08;

/// The program and the player.
pub fn names(bytes: &mut Bytes, head: &Head) -> Result<(String, String), ReadError> {
    bytes.take(2, "the country")?;
    bytes.take(16, "the start and the end")?;
    let program = bytes.text("the program")?;
    if head.flags & CONVERTED != 0 {
        bytes.text("the converter")?;
        bytes.text("the encoding of the names")?;
    }
    let player = bytes.text("the player")?;
    bytes.text("the race")?;
    bytes.text("the player's id")?;
    let device = bytes.size("the length of the device")?;
    bytes.take(device, "the device")?;
    Ok((program, player))
}

/// What the mouse did, and how the game ended where an event says so.
pub fn events(bytes: &mut Bytes) -> Result<(Vec<Event>, Option<Outcome>), ReadError> {
    for _ in 0..bytes.size("the number of metrics")? {
        bytes.text("the name of a metric")?;
    }
    list(bytes.clone(), 2).or_else(|error| list(bytes.clone(), 1).map_err(|_| error))
}

/// The events and the checksum, if a step to a cell has this many bytes.
fn list(mut bytes: Bytes, step: usize) -> Result<(Vec<Event>, Option<Outcome>), ReadError> {
    let mut events = Vec::new();
    let mut claimed = None;
    let mut down = [false; 3];
    let (mut time, mut x, mut y) = (0_i64, 0_i32, 0_i32);
    loop {
        let at = Place::Byte(bytes.at());
        let code = bytes.byte("the next event or the end")?;
        if code == 0 {
            break;
        }
        let millis = if code == 255 { 2 } else { 1 };
        time += i64::from(bytes.number(millis, "the time of an event")?);
        match code {
            1..=12 => {
                x = x.saturating_add(signed(&mut bytes)?);
                y = y.saturating_add(signed(&mut bytes)?);
                let input = input(code, &mut down).expect("all mouse events are known");
                events.push(Event { time, input, x, y });
            }
            82 | 93 => claimed = Some(Outcome::Won),
            83 | 94 => claimed = Some(Outcome::Lost),
            81 | 92 | 99 | 255 => {}
            100..=121 => {
                bytes.take(2 * step, "the cell of an event")?;
            }
            200 => {
                bytes.take(2 + 8, "a metric")?;
            }
            201 => {
                bytes.take(2, "a metric")?;
                bytes.text("a metric")?;
            }
            _ => {
                let right = "0 for the end, 1-12, 81-83, 92-94, 99-121, 200, 201 or 255";
                return Err(Fault::value("the kind of an event", code, right).at(at));
            }
        }
    }
    let length = bytes.size("the length of the checksum")?;
    bytes.take(length, "the checksum")?;
    bytes.end()?;
    Ok((events, claimed))
}

/// A number of two bytes with a sign.
fn signed(bytes: &mut Bytes) -> Result<i32, ReadError> {
    Ok(i32::from(bytes.number(2, "the place of an event")? as u16 as i16))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::ENTRY;
    use crate::tests::{check_faults, check_read, damaged, event_list};
    use deminer_game::Outcome;

    fn mouse(code: u8, millis: u8, right: i16, down: i16) -> Vec<u8> {
        let (right, down) = (right.to_be_bytes(), down.to_be_bytes());
        vec![code, millis, right[0], right[1], down[0], down[1]]
    }

    /// A won game on `*...` over `....`, with these bytes between its clicks.
    fn game_with(flags: u8, between: &[u8]) -> Vec<u8> {
        let mut bytes = vec![4, flags, 0, 2, 4, 0, 1, 16, 0, 0, 0, 2, 0, 0, 0x05, 0xdc];
        bytes.extend(b"XX");
        bytes.extend([0; 16]);
        bytes.extend(b"prog\0");
        if flags & super::CONVERTED != 0 {
            bytes.extend(b"converter\0gbk\0");
        }
        bytes.extend(b"m\xffe\0race\0id\0\0\x03dev");
        bytes.push(0b1000_0000);
        bytes.extend(b"\0\x02first\0second\0");
        bytes.extend(mouse(2, 0, 56, 8));
        bytes.extend(mouse(3, 90, 0, 0));
        bytes.extend(between);
        bytes.extend([255, 0x02, 0x58]);
        bytes.extend(mouse(10, 100, -48, 16));
        bytes.extend(mouse(10, 50, 0, 0));
        bytes.extend([82, 3]);
        bytes.extend(mouse(1, 1, -9, 2));
        bytes.extend(b"\0\0\x03sum");
        bytes
    }

    /// A won game with every kind of event.
    pub(crate) fn game() -> Vec<u8> {
        let cells = [100, 1, 0, 3, 0, 0, 101, 0, 0xff, 0xff, 0, 1];
        let metrics = [&[200, 0, 0x27, 0x10, 0, 0, 0, 0, 0, 0, 0, 0][..], b"\xc9\x00\x27\x11x\0"];
        game_with(0x88, &[&cells[..], &metrics.concat()].concat())
    }

    fn check(bytes: &[u8], later: i64) {
        let document = check_read(&ENTRY, bytes, "mines 1\n# 1 . .\n1 1 . .");
        let replay = document.replay().unwrap();
        assert_eq!(
            (replay.program.as_str(), replay.player.as_str()),
            ("prog", crate::tests::foreign("m", "e").as_str())
        );
        assert_eq!((replay.time, replay.claimed), (Some(1500), Some(Outcome::Won)));
        let [press, release, last] = [790, 840, 844].map(|time| time + later);
        let clicks = format!("{press} lc 8 24, {release} lr 8 24, {last} mv -1 26");
        assert_eq!(event_list(&replay), format!("0 lc 56 8, 90 lr 56 8, {clicks}"));
    }

    #[test]
    fn all_kinds_of_events_are_read() {
        check(&game_with(0xf0, &[]), 0);
        check(&game(), 1);
        // Steps to cells may have one byte.
        check(&game_with(0x80, &[100, 5, 3, 1, 111, 0, 255, 1]), 5);
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            |changes| damaged(&game(), changes),
            "set 98 77 => byte 98: the kind of an event is `77`, but should be 0 for the end, 1-12, 81-83, 92-94, 99-121, 200, 201 or 255
             cut 156 => byte 154: the file ends too early: the checksum needs 3 bytes, but only 2 are left",
        );
    }
}
