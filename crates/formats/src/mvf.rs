//! `.mvf`: replays of Minesweeper Clone 0.97, 2006 and 2007, and of older releases.
//!
//! The format is not published; this is what is known of it. Numbers have the high byte first.
//!
//! ```text
//! 11 4D …                 a header; byte 27 is the last digit of the release's year:
//!                         5 is 0.97 (data from byte 74), 6 and 7 are 2006 and 2007 (version
//!                         text with its length from byte 53, data from byte 71)
//! 00 00 …                 a variant of 0.97, data from byte 7
//! month, day, year        one byte, one byte, two bytes
//! hour, minute, second    one byte each
//! level, mode             one byte each
//! time                    0.97: two bytes of seconds, one of hundredths; else milliseconds in
//!                         three bytes
//! counts                  0.97 only, two bytes each: 3BV, solved 3BV, left, double, right clicks
//! question marks          one byte, 0 for off
//! board                   width, height, mines in two bytes, a column and a row for each, from 1
//! player                  a length and a name
//! key                     two bytes
//! events                  their number in three bytes, then five bytes each, or six from 2006 on
//! ```
//!
//! The bits of an event are shuffled by the key, see [`Shuffle`]. In order they are the right,
//! middle and left button (1 = down), then, the low bit first: in 0.97 y and x in 9 bits,
//! hundredths in 7, seconds in 10; from 2006 on y + 32 and x + 32 in 11 bits, milliseconds in 22.
//! Files before 0.97 have another layout, see [`read_early`].

use deminer_game::{Layout, Outcome};

use crate::bytes::{Bytes, name};
use crate::mines::{read_mines, rectangle};
use crate::{Document, DocumentKind, Event, Fault, Format, Input, Place, ReadError, Replay};

pub(crate) const ENTRY: Format = Format {
    name: "mvf",
    about: "replays of Minesweeper Clone (read only)",
    extensions: &["mvf"],
    holds: &[DocumentKind::Replay],
    binary: true,
    detect: |bytes| release(bytes).is_some(),
    read,
    encode: None,
};

const HEADER: &[u8; 2] = b"\x11M";
/// Where the year of the release ends.
const YEAR_AT: usize = 27;
const PROGRAM: &str = "Minesweeper Clone";

/// The layouts of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Release {
    /// Before 0.97: no header.
    Early,
    /// 0.97, its data from this byte on.
    Clone097(usize),
    /// 2006 and 2007.
    Clone2006,
}

/// The layout that the bytes look like.
fn release(bytes: &[u8]) -> Option<Release> {
    if bytes.starts_with(HEADER) {
        return match bytes.get(YEAR_AT)? {
            // 8: a changed 0.97 of 2008.
            b'5' | b'8' => Some(Release::Clone097(74)),
            b'6' | b'7' => Some(Release::Clone2006),
            _ => None,
        };
    }
    if bytes.starts_with(&[0, 0]) {
        return has_date(bytes.get(7..14)?).then_some(Release::Clone097(7));
    }
    let levels = [(8, 8), (16, 16), (30, 16)];
    let level = levels.contains(&(*bytes.first()?, *bytes.get(1)?));
    let mut early = Bytes::new(bytes);
    (level && read_board(&mut early, 0).is_ok() && early.left() > EARLY_END)
        .then_some(Release::Early)
}

/// Whether these are month, day, year, hour, minute and second. The day may be 0.
fn has_date(bytes: &[u8]) -> bool {
    let year = usize::from(bytes[2]) << 8 | usize::from(bytes[3]);
    (1..=12).contains(&bytes[0])
        && bytes[1] <= 31
        && (2000..2100).contains(&year)
        && bytes[4] < 24
        && bytes[5] < 60
        && bytes[6] < 60
}

fn read(all: &[u8]) -> Result<Document, ReadError> {
    let mut bytes = Bytes::new(all);
    match release(all) {
        Some(Release::Early) => read_early(bytes),
        Some(Release::Clone097(start)) => {
            bytes.take(start, "the header")?;
            read_game(bytes, format!("{PROGRAM} 0.97"), Release::Clone097(start))
        }
        Some(Release::Clone2006) => {
            bytes.take(53, "the header")?;
            let mut version = bytes.section(71 - 53, "the version")?;
            let length = usize::from(version.byte("the length of the version")?);
            let version = version.take(length, "the version")?;
            let program = format!("{PROGRAM} {}", String::from_utf8_lossy(version));
            read_game(bytes, program, Release::Clone2006)
        }
        None => {
            let (at, right) = match all.starts_with(HEADER) {
                true => (YEAR_AT, "5, 6, 7 or 8, the last digit of a year from 2005 to 2008"),
                false => {
                    (0, "11 4D, or 00 00 and a date, or the size of a board (8x8, 16x16, 30x16)")
                }
            };
            let found = all.get(at).map_or("missing".to_owned(), |byte| format!("{byte:02x}"));
            Err(Fault::value("the header of a Minesweeper Clone replay", found, right)
                .at(Place::Byte(at)))
        }
    }
}

/// Reads a file of 0.97 or later behind its header.
fn read_game(mut bytes: Bytes, program: String, release: Release) -> Result<Document, ReadError> {
    let is_097 = release != Release::Clone2006;
    bytes.take(7, "the date")?;
    bytes.take(2, "the level and the mode")?;
    let (time, claimed) = if is_097 {
        let seconds = u64::from(bytes.number(2, "the time")?);
        let hundredths = u64::from(bytes.byte("the time")?);
        let all = bytes.number(2, "the 3BV")?;
        let solved = bytes.number(2, "the solved 3BV")?;
        bytes.take(6, "the numbers of clicks")?;
        let outcome = if solved == all { Outcome::Won } else { Outcome::Lost };
        (seconds * 1000 + hundredths * 10, Some(outcome))
    } else {
        (u64::from(bytes.number(3, "the time")?), None)
    };
    let marks = bytes.byte("the switch of question marks")? != 0;
    let layout = read_board(&mut bytes, 1)?;
    let length = usize::from(bytes.byte("the length of the player's name")?);
    let player = name(bytes.take(length, "the player's name")?);
    let key = bytes.size("the key of the events")?;
    let count = bytes.number(3, "the number of events")? as usize;
    let size = if is_097 { 5 } else { 6 };
    let shuffle = Shuffle::new(key, size);
    let list = bytes.take(count * size, "the list of events")?;
    let states = list.chunks_exact(size);
    let states = states.map(|event| State::of_bits(shuffle.restore(event), is_097));
    let (events, player, time) = (changes(states), player.trim().to_owned(), Some(time));
    let replay = Replay::new(layout);
    Ok(Document::Replay(Replay { events, player, program, marks, time, claimed, ..replay }))
}

/// Width, height, the number of mines, and a column and a row for each, counted from `first`.
fn read_board(bytes: &mut Bytes, first: usize) -> Result<Layout, ReadError> {
    let size_at = Place::Byte(bytes.at());
    let width = usize::from(bytes.byte("the width")?);
    let height = usize::from(bytes.byte("the height")?);
    let total = bytes.size("the number of mines")?;
    let mut list = bytes.section(2 * total, "the list of mines")?;
    read_mines(&mut list, total, rectangle(width, height, size_at)?, first, false)
}

/// How the bits of events are shuffled.
///
/// The key gives 40 or 48 decimal digits, one for each bit of an event. The places of the digit 0,
/// in order, hold the first bits, those of the digit 1 the next, and so on up to 9.
struct Shuffle {
    places: Vec<usize>,
}

impl Shuffle {
    fn new(key: usize, bytes: usize) -> Self {
        let key = key as f64;
        let (a, b) = (key.sqrt(), (key + 1000.0).sqrt());
        let (c, d) = ((a + 1000.0).sqrt(), (b + 1000.0).sqrt());
        let waves = [
            (c + 1000.0).cos(),
            b.sqrt().sin(),
            c.cos(),
            (a.sqrt() + 1000.0).sin(),
            d.cos(),
            d.sin(),
        ];
        let digits: Vec<u8> = waves[..bytes]
            .iter()
            .flat_map(|wave| format!("{:08.0}", wave.abs() * 1e8).into_bytes().into_iter().take(8))
            .collect();
        let mut places: Vec<usize> = (0..digits.len()).collect();
        places.sort_by_key(|&place| digits[place]);
        Self { places }
    }

    /// The bits of an event in order, the first one lowest.
    fn restore(&self, event: &[u8]) -> u64 {
        let bit = |place: usize| u64::from(event[place / 8] >> (place % 8) & 1);
        self.places.iter().rev().fold(0, |bits, &place| bits << 1 | bit(place))
    }
}

/// What an event stores: the buttons that are down, and where the mouse is.
#[derive(Clone, Copy)]
struct State {
    time: i64,
    /// Left, right, middle.
    buttons: [bool; 3],
    x: i32,
    y: i32,
}

impl State {
    /// The state that the bits of an event store, in 0.97 or later.
    fn of_bits(bits: u64, is_097: bool) -> Self {
        let number = |first: u32, count: u32| (bits >> first & ((1 << count) - 1)) as i64;
        let buttons = [bits & 4 != 0, bits & 1 != 0, bits & 2 != 0];
        let (time, x, y) = match is_097 {
            true => (number(28, 10) * 1000 + number(21, 7) * 10, number(12, 9), number(3, 9)),
            false => (number(25, 22), number(14, 11) - 32, number(3, 11) - 32),
        };
        Self { time, buttons, x: x as i32, y: y as i32 }
    }
}

/// Presses, releases and moves are the changes between states. The buttons of the first state are
/// presses; the mouse moves to it only if there are none.
fn changes(states: impl Iterator<Item = State>) -> Vec<Event> {
    const PRESSES: [Input; 3] = [Input::LeftPress, Input::RightPress, Input::MiddlePress];
    const RELEASES: [Input; 3] = [Input::LeftRelease, Input::RightRelease, Input::MiddleRelease];
    let mut events = Vec::new();
    let mut down = [false; 3];
    let mut last = None;
    for State { time, buttons, x, y } in states {
        let mut add = |input| events.push(Event { time, input, x, y });
        let moved = last.map_or(buttons == down, |last| last != (x, y));
        if moved {
            add(Input::Move);
        }
        let changed =
            |is_down: bool| (0..3).filter(move |&at| buttons[at] == is_down && down[at] != is_down);
        changed(true).for_each(|at| add(PRESSES[at]));
        changed(false).for_each(|at| add(RELEASES[at]));
        (down, last) = (buttons, Some((x, y)));
    }
    events
}

/// The time and a checksum of ten digits: the shortest end of a file before 0.97.
const EARLY_END: usize = 13;

/// Reads a file from before 0.97.
///
/// ```text
/// board               width, height, mines in two bytes, a column and a row for each, from 0
/// question marks      one byte, 0 for off; then one byte unknown
/// events              eight bytes each: seconds, hundredths, buttons (1 left, 2 middle, 4 right),
///                     x and y in two bytes each, one byte unknown
/// time                two bytes of seconds, one of hundredths
/// player              100 bytes, from 0.76 on
/// checksum            ten digits; from 0.8 on 20 bytes between zeros
/// ```
fn read_early(mut bytes: Bytes) -> Result<Document, ReadError> {
    let layout = read_board(&mut bytes, 0)?;
    let marks = bytes.byte("the switch of question marks")? != 0;
    bytes.byte("an unknown byte")?;
    let rest = bytes.rest();
    let digit_at =
        |back: usize| rest.len().checked_sub(back).is_some_and(|at| rest[at].is_ascii_digit());
    let (end, named) = if !digit_at(1) && !digit_at(22) {
        (3 + 100 + 22, true)
    } else if rest.len() >= 113 && rest[..rest.len() - 10].ends_with(b"   ") {
        (3 + 100 + 10, true)
    } else {
        (EARLY_END, false)
    };
    let all = rest.len().saturating_sub(end);
    let list = bytes.take(all, "the list of events")?;
    let time =
        i64::from(bytes.number(2, "the time")?) * 1000 + i64::from(bytes.byte("the time")?) * 10;
    let player = if named { bytes.take(100, "the player's name")? } else { &[] };
    let state = |event: &[u8]| State {
        time: i64::from(event[0]) * 1000 + i64::from(event[1]) * 10,
        buttons: [event[2] & 1 != 0, event[2] & 4 != 0, event[2] & 2 != 0],
        x: i32::from(event[3]) << 8 | i32::from(event[4]),
        y: i32::from(event[5]) << 8 | i32::from(event[6]),
    };
    // Bytes behind the last event may look like another one: times only grow, up to the end's.
    let mut latest = 0;
    let mut states: Vec<State> = list
        .chunks_exact(8)
        .map(state)
        .take_while(|state| {
            let fits = (latest..=time).contains(&state.time);
            latest = state.time;
            fits
        })
        .collect();
    // The last release is not stored.
    states.extend(states.last().map(|&state| State { buttons: [false; 3], ..state }));
    Ok(Document::Replay(Replay {
        events: changes(states.into_iter()),
        player: name(player).trim_matches(['\0', ' ']).to_owned(),
        program: PROGRAM.to_owned(),
        marks,
        time: u64::try_from(time).ok(),
        ..Replay::new(layout)
    }))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::tests::{check_faults, check_read, damaged, event_list, fault};

    /// The inverse of [`Shuffle::restore`].
    fn shuffled(shuffle: &Shuffle, bits: u64) -> Vec<u8> {
        let mut event = vec![0; shuffle.places.len() / 8];
        for (number, &place) in shuffle.places.iter().enumerate() {
            event[place / 8] |= ((bits >> number & 1) as u8) << (place % 8);
        }
        event
    }

    /// Left, right and middle button, milliseconds, x, y.
    type Clicks<'a> = &'a [([u64; 3], u64, u64, u64)];

    /// The right side, a flag, the last cell on `*...` over `....`.
    const GAME: Clicks = &[
        ([1, 0, 0], 0, 56, 8),
        ([0, 0, 0], 10, 56, 8),
        ([0, 0, 0], 500, 8, 9),
        ([0, 1, 0], 700, 8, 8),
        ([0, 0, 0], 710, 8, 8),
        ([1, 0, 0], 900, 8, 24),
        ([0, 0, 0], 1500, 9, 24),
    ];

    /// A game of 0.97 (5 bytes an event) or 2006 (6 bytes), behind its header.
    fn body(key: u16, size: usize, clicks: Clicks) -> Vec<u8> {
        let mut bytes = vec![5, 22, 0x07, 0xdd, 15, 12, 19, 4, 1];
        if size == 5 {
            bytes.extend([0, 1, 50, 0, 2, 0, 2, 0, 2, 0, 0, 0, 1]);
        } else {
            bytes.extend([0, 0x05, 0xdc]);
        }
        bytes.extend([0, 4, 2, 0, 1, 1, 1]);
        bytes.extend(b"\x04m\xffe ");
        bytes.extend(key.to_be_bytes());
        bytes.extend(&(clicks.len() as u32).to_be_bytes()[1..]);
        let shuffle = Shuffle::new(usize::from(key), size);
        for &([left, right, middle], millis, x, y) in clicks {
            let buttons = right | middle << 1 | left << 2;
            let bits = match size {
                5 => y << 3 | x << 12 | (millis % 1000 / 10) << 21 | (millis / 1000) << 28,
                _ => (y + 32) << 3 | (x + 32) << 14 | millis << 25,
            };
            bytes.extend(shuffled(&shuffle, bits | buttons));
        }
        bytes
    }

    fn header(year: u8, length: usize) -> Vec<u8> {
        let mut bytes = b"\x11Minesweeper Clone\x092004-200_\x18Rodrigo Silveira Camargo".to_vec();
        bytes[YEAR_AT] = year;
        bytes.extend(b"\x0e2007 release 1");
        bytes.resize(length, 7);
        bytes
    }

    /// A won game of 0.97, of its variant, of 2007, and from before 0.97.
    pub(crate) fn games() -> Vec<Vec<u8>> {
        vec![
            [header(b'5', 74), body(11, 5, GAME)].concat(),
            [vec![0; 7], body(65_535, 5, GAME)].concat(),
            [header(b'7', 71), body(40_000, 6, GAME)].concat(),
            early_game(&[b"me".to_vec(), vec![b' '; 98], b"0123456789".to_vec()].concat()),
        ]
    }

    /// A won game on an 8x8 board with one mine in its corner: one click.
    fn early_game(end: &[u8]) -> Vec<u8> {
        let mut bytes = vec![8, 8, 0, 1, 0, 0, 0, 9];
        bytes.extend([0, 0, 1, 0, 100, 0, 100, 0, 0, 10, 1, 0, 101, 0, 100, 0]);
        bytes.extend([0, 0, 20]);
        bytes.extend(end);
        bytes
    }

    fn check(bytes: &[u8], program: &str) {
        let document = check_read(&ENTRY, bytes, "mines 1\nF 1 . .\n1 1 . .");
        let replay = document.replay().unwrap();
        assert_eq!(
            (replay.program.as_str(), replay.player.as_str()),
            (program, crate::tests::foreign("m", "e").as_str())
        );
        assert_eq!(replay.time, Some(1500));
        assert_eq!(
            event_list(&replay),
            "0 lc 56 8, 10 lr 56 8, 500 mv 8 9, 700 mv 8 8, 700 rc 8 8, 710 rr 8 8, \
             900 mv 8 24, 900 lc 8 24, 1500 mv 9 24, 1500 lr 9 24"
        );
    }

    #[test]
    fn three_layouts_are_read() {
        let games = games();
        check(&games[0], "Minesweeper Clone 0.97");
        check(&games[1], "Minesweeper Clone 0.97");
        check(&games[2], "Minesweeper Clone 2007 release 1");
    }

    #[test]
    fn early_files_are_read_with_and_without_a_name() {
        let named = [b"me".to_vec(), vec![b' '; 98]].concat();
        let digits = b"0123456789".to_vec();
        let sealed = [&named[..], &[0], &[7; 20], &[0]].concat();
        for (end, player) in
            [(sealed, "me"), ([named, digits.clone()].concat(), "me"), (digits, "")]
        {
            let bytes = early_game(&end);
            assert!((ENTRY.detect)(&bytes));
            let replay = read(&bytes).unwrap().replay().unwrap();
            assert_eq!((replay.player.as_str(), replay.time), (player, Some(200)));
            assert_eq!(replay.to_record().outcome, Outcome::Won);
            assert_eq!(replay.to_record().moves.len(), 1);
        }
    }

    #[test]
    fn every_key_gives_a_shuffle() {
        for key in (0..=65_535).step_by(7) {
            for size in [5, 6] {
                let shuffle = Shuffle::new(key, size);
                let mut places = shuffle.places.clone();
                places.sort_unstable();
                assert_eq!(places, (0..8 * size).collect::<Vec<_>>());
                let bits = 0x1234_5678_9abc & ((1 << (8 * size)) - 1);
                assert_eq!(shuffle.restore(&shuffled(&shuffle, bits)), bits);
            }
        }
    }

    #[test]
    fn faults_name_their_byte() {
        let games = games();
        check_faults(
            &ENTRY,
            |changes| damaged(&games[0], changes),
            "set 27 49 => byte 27: the header of a Minesweeper Clone replay is `31`, but should be 5, 6, 7 or 8, the last digit of a year from 2005 to 2008
             cut 147 => byte 113: the file ends too early: the list of events needs 35 bytes, but only 34 are left
             set 97 0 => byte 97: a board 0 wide and 2 high has no cells (both sides must be at least 1)",
        );
        let mut many = games[2].clone();
        let count_at = many.len() - 7 * 6 - 3;
        many[count_at..count_at + 3].copy_from_slice(&[255; 3]);
        assert!(fault(&ENTRY, &many).contains("the list of events needs 100663290 bytes"));
    }
}
