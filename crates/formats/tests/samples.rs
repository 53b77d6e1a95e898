//! Records that earlier versions wrote are read, and written again byte for byte.

use deminer_formats::find;
use deminer_game::{GameSeed, Outcome};

#[test]
fn old_records_read_and_write_as_they_were() {
    let format = find("record").unwrap();
    let read = |text: &str| {
        let document = (format.read)(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(format.write(&document).unwrap()).unwrap(), text);
        document.record().unwrap()
    };
    let won = read(include_str!("samples/won.json"));
    assert_eq!((won.moves.len(), won.outcome), (12, Outcome::Won));
    let hex = read(include_str!("samples/hex.json"));
    assert_eq!((hex.moves.len(), hex.outcome), (2, Outcome::Lost));
    assert_eq!(hex.seed, Some(GameSeed { seed: u64::MAX, game: 0 }));
    let rules = (hex.rules.shape().form().name(), hex.rules.cascade(), hex.rules.clues());
    assert_eq!(rules, ("hex", false, "blind:0.1".parse().unwrap()));
}
