//! What holds for every format: round trips, detection, and damaged files.

use deminer_game::{
    Action, Cell, ClueRule, Decision, Face, FirstClick, Form, GameSeed, Help, Layout, Match, Move,
    Outcome, Premise, Proof, Record, Rng, Rules, Shape, Start, View, Why,
};
use proptest::prelude::*;

use crate::{
    Document, DocumentKind, Event, FORMATS, Format, Input, MAX_FILE, Replay, avf, by_extension,
    check_size, detect, evf, find, mvf, read, rmv,
};

/// The message of a file that cannot be read.
pub(crate) fn fault(format: &Format, bytes: &[u8]) -> String {
    (format.read)(bytes).unwrap_err().to_string()
}

/// Checks files that cannot be read: each line is an input, from which `file` makes the bytes, `=>`
/// and the message.
pub(crate) fn check_faults(format: &Format, file: impl Fn(&str) -> Vec<u8>, table: &str) {
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (input, message) = line.split_once("=> ").expect("an input and its message");
        let bytes = file(&input.trim_end().replace("\\n", "\n"));
        assert_eq!(fault(format, &bytes), message, "{input}");
    }
}

/// The bytes of a text.
pub(crate) fn text_file(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// A file changed in some places: `cut LENGTH`, `set BYTE VALUE`, `add ZEROS`.
pub(crate) fn damaged(file: &[u8], changes: &str) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for change in changes.split(", ") {
        let words: Vec<&str> = change.split(' ').collect();
        let number: usize = words[1].parse().unwrap();
        match words[0] {
            "cut" => bytes.truncate(number),
            "set" => bytes[number] = words[2].parse().unwrap(),
            "add" => bytes.resize(bytes.len() + number, 0),
            other => panic!("{other} is no change"),
        }
    }
    bytes
}

/// A name with the byte 255 between these letters, as it is read.
pub(crate) fn foreign(before: &str, after: &str) -> String {
    let letter = if cfg!(feature = "encodings") { 'ÿ' } else { '\u{fffd}' };
    format!("{before}{letter}{after}")
}

/// Reads a file and compares its board with a picture.
pub(crate) fn check_read(format: &Format, bytes: &[u8], picture: &str) -> Document {
    assert!((format.detect)(bytes), "{bytes:?}");
    let document = (format.read)(bytes).unwrap();
    let seen = match &document {
        Document::Layout(layout) => layout.to_string(),
        other => other.position().unwrap().to_string(),
    };
    let drawn: String = picture.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(seen, drawn);
    document
}

/// The same, and what is written reads back as the same document.
pub(crate) fn check(format: &Format, bytes: &[u8], picture: &str) -> Document {
    let document = check_read(format, bytes, picture);
    let written = format.write(&document).unwrap();
    assert_eq!((format.read)(&written).as_ref(), Ok(&document));
    document
}

/// The times, inputs and places of a replay's events, as in `90 lr 56 8`.
pub(crate) fn event_list(replay: &Replay) -> String {
    let event = |Event { time, input, x, y }: &Event| format!("{time} {input} {x} {y}");
    replay.events.iter().map(event).collect::<Vec<_>>().join(", ")
}

/// Writes a document, finds the format by the bytes alone, and reads the same back.
fn check_round_trip(name: &str, document: &Document) {
    let format = find(name).unwrap();
    let bytes = format.write(document).unwrap();
    assert_eq!((format.read)(&bytes).as_ref(), Ok(document), "{name}");
    let found = detect(&bytes, None).map(|found| found.name);
    assert_eq!(found, Some(name), "{:?}", String::from_utf8_lossy(&bytes));
}

/// Reads every beginning of a file, and the file with one byte changed in several ways.
fn check_damage(format: &Format, bytes: &[u8]) {
    for end in 0..bytes.len() {
        survive(format, &bytes[..end]);
    }
    let mut damaged = bytes.to_vec();
    for at in 0..bytes.len() {
        for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
            damaged[at] = bytes[at] ^ change;
            survive(format, &damaged);
        }
        damaged[at] = bytes[at];
    }
}

/// Whatever is read may be turned into anything and written anywhere, or not, without a panic.
fn survive(format: &Format, bytes: &[u8]) {
    let _ = detect(bytes, None);
    if let Ok(document) = (format.read)(bytes) {
        for kind in DocumentKind::ALL {
            let _ = document.turned_into(kind);
        }
        let _ = format.write(&document);
    }
}

fn layout(width: usize, height: usize, bits: &[bool]) -> Layout {
    let shape = Shape::new(Form::Rect, width, height).unwrap();
    let mines: Vec<Cell> = shape.cells().filter(|cell| bits[cell.index()]).collect();
    Layout::new(shape, mines).unwrap()
}

prop_compose! {
    fn layouts(most: usize)(width in 1..most, height in 1..most)(
        bits in prop::collection::vec(any::<bool>(), width * height),
        width in Just(width),
        height in Just(height),
    ) -> Layout {
        layout(width, height, &bits)
    }
}

prop_compose! {
    /// Positions with any numbers and flags, right or wrong; mines only where `mines` allows.
    fn positions(symbols: &'static str)(width in 1usize..12, height in 1usize..9)(
        cells in prop::collection::vec(prop::sample::select(symbols.chars().collect::<Vec<_>>()), width * height),
        width in Just(width),
        mines in 0..=width * height,
    ) -> View {
        position(mines, width, &cells)
    }
}

fn position(mines: usize, width: usize, cells: &[char]) -> View {
    let rows: Vec<String> = cells.chunks(width).map(|row| row.iter().collect()).collect();
    format!("mines {mines}\n{}", rows.join("\n")).parse().unwrap()
}

fn events(inputs: Vec<Input>, low: i32) -> impl Strategy<Value = Vec<Event>> {
    let event = (i64::from(low).signum()..9_000, prop::sample::select(inputs), low..400, low..400);
    prop::collection::vec(event, 0..40).prop_map(|events| {
        events.into_iter().map(|(time, input, x, y)| Event { time, input, x, y }).collect()
    })
}

/// The events that every replay format has.
const PLAIN: &[Input] = Input::ALL.split_at(8).0;

/// The events of RawVF: flags set before become right clicks there.
fn textual() -> Vec<Input> {
    Input::ALL.into_iter().filter(|&input| input != Input::PreFlag).collect()
}

prop_compose! {
    fn replays(inputs: Vec<Input>, low: i32)(
        layout in layouts(20),
        events in events(inputs, low),
        cell_size in 20u16..=255,
        player in "[a-zA-Zé]{0,8}",
        time in 0u64..1_000_000,
        won in any::<bool>(),
    ) -> Replay {
        Replay {
            events,
            cell_size,
            player,
            program: "some program 1.0".to_owned(),
            time: Some(time),
            claimed: won.then_some(Outcome::Won),
            ..Replay::new(layout)
        }
    }
}

/// A game of random openings, flags and reasons under any rules.
fn record(rules: Rules, seed: GameSeed, length: usize) -> Record {
    let mut rng = Rng::new(seed.seed ^ 5);
    let mut game = Match::new(rules.clone(), FirstClick::Random, seed);
    struct Chance;
    impl deminer_game::Agent for Chance {
        fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
            let covered: Vec<Cell> = view.covered().collect();
            let cell = *rng.pick(&covered).expect("a live game has covered cells");
            let mut premises = vec![Premise::Clue(cell), Premise::MineTotal];
            premises.extend([Premise::Safe(cell), Premise::Mine(cell)]);
            match rng.below(6) {
                0 => Decision::new(Action::Flag(cell), Why::rule("whim", premises)),
                1 => Decision::new(Action::Unflag(cell), Why::Nothing),
                2 => Decision::new(Action::Chord(cell), Why::Blind),
                3 => Decision::proved(cell, Proof::new("hope", premises)),
                _ => Decision::risk(cell, rng.unit()),
            }
        }
    }
    let mut moves = Vec::new();
    while moves.len() < length {
        let Some(turn) = game.turn(&mut Chance) else { break };
        // Now and then longer than any replay can tell.
        let shift = if rng.below(20) == 0 { 0 } else { 40 };
        let micros = (rng.below(3) > 0).then(|| rng.bits() >> shift);
        moves.push(Move { micros, ..Move::of(&turn) });
    }
    if game.outcome().is_none() {
        moves.push(Move::new(Action::Decline, None));
    }
    Record {
        player: "chance".to_owned(),
        rules,
        seed: Some(seed),
        layout: game.board().layout().cloned(),
        moves,
        outcome: game.outcome().unwrap_or(Outcome::Undecided),
        help: Help::default(),
    }
}

prop_compose! {
    fn records()(
        form in prop::sample::select(&Form::ALL[..]),
        width in 1usize..9,
        height in 1usize..9,
        share in 0.0..1.0f64,
        start in prop::sample::select(&Start::ALL[..]),
        cascade in any::<bool>(),
        clues in prop::sample::select(vec![ClueRule::Exact, ClueRule::Blind(0.3), ClueRule::Optimistic, ClueRule::CautiousDegree]),
        seed in any::<u64>(),
        game in any::<u64>(),
        length in 0usize..30,
    ) -> Record {
        let shape = Shape::new(form, width, height).unwrap();
        let mines = ((shape.size() - 1) as f64 * share) as usize;
        let rules = Rules::new(shape, mines).unwrap().with_start(start).unwrap();
        record(rules.with_cascade(cascade).with_clues(clues), GameSeed { seed, game }, length)
    }
}

proptest! {
    #[test]
    fn layouts_come_back_from_every_board_format(layout in layouts(20)) {
        let document = Document::Layout(layout);
        for name in ["text", "mbf", "mbf-hex", "link", "tatham"] {
            check_round_trip(name, &document);
        }
    }

    #[test]
    fn positions_come_back_as_text(view in positions("##F?*.012345678")) {
        // Nothing but mines is the same picture as a layout.
        prop_assume!(view.faces().iter().any(|&face| face != Face::Mine));
        check_round_trip("text", &Document::Position(view));
    }

    #[test]
    fn positions_come_back_from_mine_files(view in positions("####FFF*012345678")) {
        check_round_trip("mine", &Document::Position(view));
    }

    #[test]
    fn positions_come_back_from_analysis_links(view in positions("####FFF0123456788")) {
        check_round_trip("analysis", &Document::Position(view));
    }

    #[test]
    fn known_mines_come_back_from_analysis_links(layout in layouts(12), seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let symbol = |cell: Cell| match (layout.is_mine(cell), rng.below(3)) {
            (true, 0) => '*',
            (true, 1) => 'F',
            (true, _) | (false, 0) => '#',
            (false, _) => char::from(b'0' + layout.count(cell)),
        };
        let cells: Vec<char> = layout.shape().cells().map(symbol).collect();
        let view = position(layout.total(), layout.shape().width(), &cells);
        check_round_trip("analysis", &Document::Position(view));
    }

    #[test]
    fn replays_come_back_as_rawvf(replay in replays(textual(), -50), marks in any::<bool>(), left_chords in any::<bool>()) {
        check_round_trip("rawvf", &Document::Replay(Replay { marks, left_chords, ..replay }));
    }

    #[test]
    fn replays_come_back_as_evf(replay in replays(PLAIN.to_vec(), 0)) {
        // Places outside the board are kept only as outside.
        let inside = |event: &Event| replay.cell_under(event).is_some();
        let events = replay.events.iter().copied().filter(inside).collect();
        check_round_trip("evf", &Document::Replay(Replay { events, ..replay }));
    }

    #[test]
    fn special_replays_play_the_same_as_evf(replay in replays(textual(), -50), marks in any::<bool>(), left_chords in any::<bool>()) {
        let document = Document::Replay(Replay { marks, left_chords, ..replay });
        let again = read(&find("evf").unwrap().write(&document).unwrap(), None).unwrap();
        prop_assert_eq!(again.position().unwrap(), document.position().unwrap());
    }

    #[test]
    fn records_come_back_as_json(record in records()) {
        check_round_trip("record", &Document::Record(record));
    }

    #[test]
    fn plain_records_play_the_same_as_replays(record in records()) {
        let before = record.replay(|_, _, _| {}).unwrap();
        let rules = &record.rules;
        let plain = rules.shape().form() == Form::Rect && rules.cascade() && rules.clues() == ClueRule::Exact;
        let times = record.moves.iter().map(|step| step.micros.unwrap_or(0));
        let is_short = times.fold(0, u64::saturating_add) / 1000 <= Replay::LONGEST;
        let document = Document::Record(record.clone());
        for name in ["rawvf", "evf"] {
            let written = find(name).unwrap().write(&document);
            prop_assert_eq!(written.is_ok(), plain && is_short && before.layout().is_some());
            if let Ok(bytes) = written {
                let after = read(&bytes, None).unwrap();
                let view = after.position().unwrap();
                prop_assert_eq!(view.faces(), before.view().faces());
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in FORMATS {
            survive(format, &bytes);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "([?&]|b=|m=|analysis=|[a-zA-Z0-9]{1,9}|[#HF.*x:,(){}\" -]{0,5}|\n|Board:|Events:|Width: 3|\\PC){0,40}") {
        for format in FORMATS {
            survive(format, text.as_bytes());
        }
    }
}

/// One small file of each format.
fn fixtures() -> Vec<(&'static Format, Vec<u8>)> {
    let layout = Document::Layout("*..*.\n.....\n..*..".parse().unwrap());
    let position = Document::Position("mines 3\n* 1 . #\n1 2 F #\n# # 1 #".parse().unwrap());
    let rules = Rules::of("5x4x3".parse().unwrap()).unwrap();
    let record = Document::Record(record(rules, GameSeed { seed: 3, game: 1 }, 12));
    let fixture = |format: &'static Format| {
        let document = match format.holds {
            [DocumentKind::Layout] => &layout,
            [DocumentKind::Position, ..] => &position,
            _ => &record,
        };
        (format, format.write(document).unwrap())
    };
    let read_only = [
        ("rmv", [1, 2].map(rmv::tests::game).to_vec()),
        ("avf", vec![avf::tests::game()]),
        ("evf", vec![evf::tests::version_4()]),
        ("mvf", mvf::tests::games()),
    ];
    let written = FORMATS.iter().filter(|format| format.is_written()).map(fixture);
    let games = |(name, games): (_, Vec<Vec<u8>>)| {
        games.into_iter().map(move |game| (find(name).unwrap(), game))
    };
    written.chain(read_only.into_iter().flat_map(games)).collect()
}

proptest! {
    /// Several bytes of a file changed, taken out or put in.
    #[test]
    fn mutated_files_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..8),
    ) {
        for (format, bytes) in fixtures() {
            let mut mutated = bytes;
            for (at, byte, kind) in &changes {
                let at = at.index(mutated.len());
                match kind {
                    0 => mutated[at] = *byte,
                    1 if mutated.len() > 1 => drop(mutated.remove(at)),
                    _ => mutated.insert(at, *byte),
                }
            }
            survive(format, &mutated);
        }
    }
}

/// Every number in a header at its largest: memory stays in proportion to the file.
#[test]
fn headers_that_claim_too_much_are_refused() {
    for (format, bytes) in fixtures().into_iter().filter(|(format, _)| format.binary) {
        for start in 0..bytes.len().saturating_sub(4) {
            let mut greedy = bytes.clone();
            greedy[start..start + 4].fill(255);
            if let Ok(Document::Replay(replay)) = (format.read)(&greedy) {
                assert!(replay.events.len() <= greedy.len());
            }
        }
    }
}

#[test]
fn replays_come_back_from_rawvf_with_the_same_moves() {
    for (format, bytes) in fixtures() {
        let document = (format.read)(&bytes).unwrap();
        let Ok(record) = document.record() else { continue };
        let written = find("rawvf").unwrap().write(&document).unwrap();
        let again = read(&written, None).unwrap().record().unwrap();
        if format.name == "record" {
            let actions = |record: &Record| -> Vec<Action> {
                let actions = record.moves.iter().map(|step| step.action);
                actions.filter(|&action| action != Action::Decline).collect()
            };
            assert_eq!(actions(&again), actions(&record));
        } else {
            assert_eq!(again.moves, record.moves, "{}", format.name);
        }
    }
}

#[test]
fn a_flag_set_twice_before_the_game_stays_in_rawvf() {
    let flag = |x| Event { time: 0, input: Input::PreFlag, x, y: 5 };
    let replay = Replay {
        events: vec![flag(5), flag(5), flag(500)],
        marks: true,
        ..read(&mvf::tests::games()[0], None).unwrap().replay().unwrap()
    };
    let document = Document::Replay(replay);
    let again = read(&find("rawvf").unwrap().write(&document).unwrap(), None).unwrap();
    assert_eq!(again.record().unwrap().moves, document.record().unwrap().moves);
}

#[test]
fn the_limit_is_part_of_its_error() {
    assert_eq!(check_size(MAX_FILE), Ok(()));
    let refused = |bytes| check_size(bytes).unwrap_err().to_string();
    assert_eq!(refused(5_400_000), "This file has 5.2 MB; deminer reads files up to 4 MB.");
    assert_eq!(refused(MAX_FILE + 1), "This file has 4.1 MB; deminer reads files up to 4 MB.");
}

#[test]
fn damaged_files_never_panic() {
    for (format, bytes) in fixtures() {
        check_damage(format, &bytes);
    }
}

#[test]
fn every_format_is_known_by_its_content() {
    for (format, bytes) in fixtures() {
        assert_eq!(detect(&bytes, None).unwrap().name, format.name);
        assert_eq!(detect(&bytes, Some("x.unknown")).unwrap().name, format.name);
        (format.read)(&bytes).unwrap();
    }
    assert!(detect(b"\x99\x98", None).is_none());
    assert_eq!(detect(b"\x99\x98", Some("game.EVF")).unwrap().name, "evf");
    assert_eq!(detect(b"{}", Some("x.json")).unwrap().name, "record");
    let error = read(b"\x99\x98", None).unwrap_err().to_string();
    let unknown = "This file is not in a format deminer reads. It reads: record, rmv,";
    assert!(error.starts_with(unknown), "{error}");
}

#[test]
fn names_and_extensions_are_unique_and_found() {
    for format in FORMATS {
        assert_eq!(find(format.name).unwrap().name, format.name);
        for extension in format.extensions {
            assert_eq!(by_extension(&format!("some/file.{extension}")).unwrap().name, format.name);
        }
    }
    assert_eq!(
        find("mfb").unwrap_err().to_string(),
        "`mfb` is not a format (use record, rmv, mvf, mbf, rawvf, analysis, link, tatham, mbf-hex, mine, text, avf, evf)"
    );
}

#[test]
fn documents_are_turned_into_what_a_format_holds() {
    let write = |name: &str, document: &Document| find(name).unwrap().write(document);
    let replay = read(&rmv::tests::game(2), None).unwrap();
    assert_eq!(write("mbf", &replay).unwrap(), [4, 2, 0, 1, 0, 0]);
    assert_eq!(write("text", &replay).unwrap(), b"mines 1\n* . . .\n. . . .\n");
    assert_eq!(write("mine", &replay).unwrap(), b"4x2x1\nF100\n1100\n");
    assert!(write("record", &replay).is_ok());

    let open = Document::Position("mines 1\n# 1 .\n1 1 .".parse().unwrap());
    assert_eq!(write("link", &open).unwrap(), b"?b=32&m=g0\n");
    let refused = |name, document: &Document, message: &str| {
        assert_eq!(
            write(name, document).unwrap_err().to_string(),
            format!("{name} files {message}")
        );
    };
    let never = "hold a layout, and this position cannot be turned into one";
    let misfit = Document::Position("mines 1\n# 2 .\n1 1 .".parse().unwrap());
    let clue = "the clue in row 0, column 1 does not fit the mines shown";
    refused("link", &misfit, &format!("{never}: {clue}"));
    let hidden = Document::Position("mines 1\n# 1 #\n# 1 #".parse().unwrap());
    refused("mbf", &hidden, &format!("{never}: the position does not show where every mine is"));
    let layout = Document::Layout("*.".parse().unwrap());
    refused("evf", &layout, "hold a replay, and this layout cannot be turned into one");
    assert_eq!(layout.position().unwrap().to_string(), "mines 1\n# #\n");
}
