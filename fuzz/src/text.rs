//! Text notation and file formats.

use deminer_formats::{DocumentKind, FORMATS, detect, find, read};
use deminer_game::{ClueRule, FirstClick, Layout, Size, View};

/// What is read is written as text that reads the same.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(view) = text.parse::<View>() {
        let again: View = view.to_string().parse().expect("written notation is read");
        assert_eq!(again.faces(), view.faces());
        assert_eq!(again.to_string(), view.to_string());
        let _ = FirstClick::parse(text, view.shape());
    }
    if let Ok(layout) = text.parse::<Layout>() {
        let again: Layout = layout.to_string().parse().expect("a written layout is read");
        assert_eq!(again, layout);
    }
    if let Ok(size) = text.parse::<Size>() {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    if let Ok(clues) = text.parse::<ClueRule>() {
        assert_eq!(clues.to_string().parse(), Ok(clues));
    }
}

/// No bytes crash a reader, and what a format writes it reads again.
pub fn formats(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let document = match FORMATS.get(usize::from(choice)) {
        Some(format) => (format.read)(bytes),
        None => read(bytes, None),
    };
    let Ok(document) = document else { return };
    let position = document.position();
    let _ = document.layout();
    let _ = document.replay();
    if let Ok(record) = document.record() {
        let _ = record.replay(|_, _, _| {});
        let _ = deminer_game::GameMeasures::of(&record);
    }
    for format in FORMATS {
        let Ok(written) = format.write(&document) else { continue };
        let read = (format.read)(&written);
        let read = read.unwrap_or_else(|error| panic!("{}: {error}", format.name));
        assert!(detect(&written, None).is_some(), "{}", format.name);
        // Other documents are written as what they are mostly about, a game as its layout.
        if document.kind() == DocumentKind::Position && format.name == "text" {
            let same = |one: &View, other: &View| one.faces() == other.faces();
            assert!(
                position.as_ref().is_ok_and(|one| read.position().is_ok_and(|two| same(one, &two)))
            );
        }
        assert!(find(format.name).is_ok());
    }
}
