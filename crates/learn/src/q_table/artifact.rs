//! A table as a text file: where it comes from, its rows, and a check against damage.
//!
//! ```text
//! deminer q-table 1
//! board: 4x4x3
//! rules: 4x4x3, start safe
//! games: 1000000
//! seed: 1
//! won: 8312/10000
//! command: deminer train q-table --board 4x4x3 --out 4x4x3.q
//! rows: 1
//! check: 91c0f1ab2437d5e6
//! ##1.##1.##1.##1. 12 80 -3 5 5 91 80 12
//! ```
//!
//! A row is a view in its standard position, row after row of the board, and what opening each of
//! its covered cells is worth, in hundredths.

use std::fmt::Write;

use deminer_game::Size;

use super::table::{COVERED, Key, MOST_CELLS, Row, Table};
use crate::header::{self, Header, Kind, ReadArtifactError, seal, share};

/// A table with its origin.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// Where it comes from.
    pub origin: Origin,
    /// The table.
    pub table: Table,
}

/// Where a table comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The rules of the games.
    pub rules: String,
    /// How many games were played.
    pub games: u64,
    /// Their seed.
    pub seed: u64,
    /// Games on other boards at the end: those won, and all.
    pub won: (u64, u64),
    /// The command that made it.
    pub command: String,
}

const TABLE: Kind = Kind { what: "table", title: "deminer q-table" };

impl Artifact {
    /// The table as text.
    pub fn write(&self) -> String {
        let Origin { rules, games, seed, won, command } = &self.origin;
        let mut text = header::write(
            TABLE,
            [
                ("board", &self.table.size()),
                ("rules", rules),
                ("games", games),
                ("seed", seed),
                ("won", &share(*won)),
                ("command", command),
                ("rows", &self.table.len()),
            ],
        );
        let head = text.lines().count();
        let mut rows: Vec<(&Key, &Row)> = self.table.rows.iter().collect();
        rows.sort_by_key(|(key, _)| **key);
        for (&key, row) in rows {
            let view = (0..row.values.len()).map(|at| symbol(key >> (4 * at) & 15));
            text.extend(view);
            for value in row.values.iter().filter(|value| !value.is_nan()) {
                write!(text, " {:.0}", 100.0 * value).expect("strings take everything");
            }
            text.push('\n');
        }
        seal(&text, head)
    }

    /// Reads a table.
    pub fn read(text: &str) -> Result<Self, ReadArtifactError> {
        let header = &mut Header::open(TABLE, text.as_bytes())?;
        let size = header.value("board", "WIDTHxHEIGHTxMINES, 32 cells at most", |text| {
            let fits = |size: &Size| size.width * size.height <= MOST_CELLS;
            text.parse().ok().filter(fits)
        })?;
        let rules = header.text("rules")?;
        let games = header.number("games")?;
        let seed = header.number("seed")?;
        let won = header.share("won")?;
        let command = header.text("command")?;
        let rows = header.number("rows")?;
        header.check()?;
        let mut table = Table::new(size);
        for (number, line) in header.rest() {
            let row = read_row(line, size.width * size.height);
            let (key, row) = row.map_err(|fault| ReadArtifactError::Line(number, fault))?;
            table.rows.insert(key, row);
        }
        if table.len() as u64 != rows {
            let fault = format!("the table has {} rows, its header says {rows}", table.len());
            return Err(ReadArtifactError::Line(text.lines().count(), fault));
        }
        Ok(Self { origin: Origin { rules, games, seed, won, command }, table })
    }
}

fn symbol(code: Key) -> char {
    match code {
        COVERED => '#',
        0 => '.',
        number => char::from_digit(number as u32, 10).expect("a clue has one digit"),
    }
}

fn read_row(line: &str, cells: usize) -> Result<(Key, Row), String> {
    let mut words = line.split_whitespace();
    let view = words.next().unwrap_or_default();
    let mut key = 0;
    let code = |symbol| (0..=COVERED).find(|&code| self::symbol(code) == symbol);
    for symbol in view.chars().rev() {
        let code = code(symbol).ok_or_else(|| format!("`{symbol}` is no cell: #, . or 1 to 8"))?;
        key = key << 4 | code;
    }
    if view.chars().count() != cells {
        return Err(format!("`{view}` is no view of {cells} cells"));
    }
    let mut row = Row::fresh(key, cells);
    for value in row.values.iter_mut().filter(|value| !value.is_nan()) {
        let word = words.next().ok_or("a covered cell has no value")?;
        let hundredths: i32 = word.parse().map_err(|_| format!("`{word}` is no whole number"))?;
        *value = hundredths as f32 / 100.0;
    }
    match words.next() {
        None => Ok((key, row)),
        Some(word) => Err(format!("`{word}` belongs to no covered cell")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Artifact {
        let mut table = Table::new("2x2x1".parse().unwrap());
        for (key, values) in [(0x1999, [0.5, 0.25, -0.75]), (0x9991, [1.0, 0.0, 2.5])] {
            let mut wanted = values.into_iter();
            let row = table.row(key);
            for value in row.values.iter_mut().filter(|value| !value.is_nan()) {
                *value = wanted.next().unwrap();
            }
        }
        let origin = Origin { rules: "2x2x1".into(), won: (3, 4), ..Origin::default() };
        Artifact { origin, table }
    }

    #[test]
    fn tables_come_back_as_they_were() {
        let text = example().write();
        assert!(text.ends_with("\n###1 50 25 -75\n1### 100 0 250\n"), "{text}");
        let back = Artifact::read(&text).unwrap();
        assert_eq!(back.origin, example().origin);
        assert_eq!(back.write(), text);
    }

    #[test]
    fn what_is_damaged_or_foreign_is_refused() {
        let text = example().write();
        let error = |text: &str| Artifact::read(text).unwrap_err().to_string();
        assert_eq!(error("GIF89a"), "this is no table: it does not begin with `deminer q-table`");
        assert!(error(&text.replace(" 250", " 251")).starts_with("the table is damaged"));
        assert!(error(&text.replace("2x2x1\nr", "9x9x1\nr")).starts_with("line 2: expected"));
        let check = |text: &str| error(&header::sealed(text));
        assert_eq!(check(&text.replace(" 250", " x")), "line 11: `x` is no whole number");
        assert_eq!(check(&text.replace(" 250", "")), "line 11: a covered cell has no value");
        assert_eq!(check(&text.replace(" 250", " 1 2")), "line 11: `2` belongs to no covered cell");
        assert_eq!(check(&text.replace("1###", "1##")), "line 11: `1##` is no view of 4 cells");
        assert_eq!(check(&text.replace("1###", "1#*#")), "line 11: `*` is no cell: #, . or 1 to 8");
        let short = text.replace("1### 100 0 250\n", "");
        assert_eq!(check(&short), "line 10: the table has 1 rows, its header says 2");
    }
}
