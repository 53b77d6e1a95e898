//! The form of every learned text: a title, then lines `key: value` with its origin.
//!
//! ```text
//! deminer genome 1            % deminer theory 1
//! kind: gp                    % setting: al+gs+m
//! seed: 1                     % seed: 1
//! ```

use thiserror::Error;

/// A learned text that cannot be read: what is wrong, what would be right, and where. Lines and
/// columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadArtifactError {
    /// The text as a whole is wrong.
    #[error("{0}")]
    Whole(String),
    /// A line is wrong.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// A place on a line is wrong.
    #[error("line {0}, column {1}: {2}")]
    Place(usize, usize, String),
}

/// A kind of learned text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The word for it in messages.
    pub(crate) what: &'static str,
    /// The first words of the text, without the version.
    pub(crate) title: &'static str,
}

/// The version of all learned texts.
const VERSION: u32 = 1;

/// The fields of any learned text, in their order, up to the first line that is none. They may
/// be comments.
pub fn fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().skip(1).map_while(|line| {
        let (key, value) = line.strip_prefix('%').unwrap_or(line).trim_start().split_once(": ")?;
        Some((key, value.trim()))
    })
}

/// A text whose reader knows which field stands on which line.
pub(crate) struct Header<'a> {
    kind: Kind,
    lines: Vec<&'a str>,
    read: usize,
}

impl<'a> Header<'a> {
    /// Reads the title.
    pub(crate) fn open(kind: Kind, bytes: &'a [u8]) -> Result<Self, ReadArtifactError> {
        let Kind { what, title } = kind;
        let wrong = |fault: String| Err(ReadArtifactError::Whole(fault));
        if !bytes.starts_with(title.as_bytes()) {
            return wrong(format!("this is no {what}: it does not begin with `{title}`"));
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return wrong(format!("this is no {what}: it is not text"));
        };
        let lines: Vec<&str> = text.lines().collect();
        match lines[0][title.len()..].trim() {
            found if found == VERSION.to_string() => Ok(Self { kind, lines, read: 1 }),
            found => wrong(format!(
                "the {what} has version `{found}`, this program reads version {VERSION}"
            )),
        }
    }

    /// Reads the next line, which must have this key.
    pub(crate) fn value<T>(
        &mut self,
        key: &'static str,
        value: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ReadArtifactError> {
        let found = self.lines.get(self.read).and_then(|line| line.strip_prefix(key));
        let found = found.and_then(|rest| rest.strip_prefix(':')).map(str::trim);
        self.read += 1;
        let fault = || ReadArtifactError::Line(self.read, format!("expected `{key}: {value}`"));
        found.and_then(read).ok_or_else(fault)
    }

    /// Reads a line of text.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<String, ReadArtifactError> {
        self.value(key, "TEXT", |text| Some(text.to_owned()))
    }

    /// Reads a line with a number.
    pub(crate) fn number(&mut self, key: &'static str) -> Result<u64, ReadArtifactError> {
        self.value(key, "NUMBER", |text| text.parse().ok())
    }

    /// Reads a line with two numbers: how many of how many.
    pub(crate) fn share(&mut self, key: &'static str) -> Result<(u64, u64), ReadArtifactError> {
        self.value(key, "NUMBER/NUMBER", |text| {
            let (some, all) = text.split_once('/')?;
            Some((some.parse().ok()?, all.parse().ok()?))
        })
    }

    /// Reads the line with the check of the whole text, and checks it.
    pub(crate) fn check(&mut self) -> Result<(), ReadArtifactError> {
        let told = self.text("check")?;
        let place = self.read - 1;
        let others = self.lines.iter().enumerate().filter(|(at, _)| *at != place);
        let found = check(others.map(|(_, line)| *line));
        match found == told {
            true => Ok(()),
            false => Err(ReadArtifactError::Whole(format!(
                "the {} is damaged: its content has the check {found}, its header says {told}",
                self.kind.what
            ))),
        }
    }

    /// The lines that were not read yet, with their numbers.
    pub(crate) fn rest(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'_, 'a> {
        (self.read + 1..).zip(self.lines[self.read..].iter().copied())
    }
}

/// Writes the title and the fields. Line breaks and other control characters become blanks.
pub(crate) fn write<const N: usize>(kind: Kind, fields: [(&str, &dyn ToString); N]) -> String {
    let one_line = |text: String| -> String {
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    let mut text = format!("{} {VERSION}\n", kind.title);
    for (key, value) in fields {
        text += &format!("{key}: {}\n", one_line(value.to_string()).trim());
    }
    text
}

/// Two numbers as one field: how many of how many.
pub(crate) fn share((some, all): (u64, u64)) -> String {
    format!("{some}/{all}")
}

/// Puts the check of a text after its first `head` lines.
pub(crate) fn seal(text: &str, head: usize) -> String {
    let line = format!("check: {}", check(text.lines()));
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(head, &line);
    lines.join("\n") + "\n"
}

/// The text with the check that its content has, wherever the header keeps it: for tests of what
/// is refused beyond damage.
#[cfg(test)]
pub(crate) fn sealed(text: &str) -> String {
    let head = text.lines().position(|line| line.starts_with("check:"));
    let others: Vec<&str> = text.lines().filter(|line| !line.starts_with("check:")).collect();
    seal(&others.join("\n"), head.unwrap_or(others.len()).min(others.len()))
}

/// Fowler, Noll and Vo's hash (FNV-1a) of the lines, whatever ends them.
fn check<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let bytes = lines.flat_map(|line| line.bytes().chain([b'\n']));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_end_with_the_first_line_that_is_none() {
        let genome = "deminer genome 1\nkind: gp\noptions: \ncommand: train: it\nmain:\n  (a: b)";
        let found: Vec<_> = fields(genome).collect();
        assert_eq!(found, [("kind", "gp"), ("options", ""), ("command", "train: it")]);
        let theory = "% deminer theory 1\n% seed: 1\n\n%% RULE S-1: %%\n";
        assert_eq!(fields(theory).collect::<Vec<_>>(), [("seed", "1")]);
        assert_eq!(fields("").count(), 0);
    }

    #[test]
    fn lines_are_read_in_order_and_counted_from_1() {
        let kind = Kind { what: "thing", title: "deminer thing" };
        let text = write(kind, [("seed", &7), ("score", &"a\nb")]);
        let mut header = Header::open(kind, text.as_bytes()).unwrap();
        assert_eq!(header.number("seed"), Ok(7));
        let error = header.number("games").unwrap_err().to_string();
        assert_eq!(error, "line 3: expected `games: NUMBER`");
        assert_eq!(header.rest().next(), None);
        let mut header = Header::open(kind, text.as_bytes()).unwrap();
        assert_eq!((header.number("seed"), header.text("score")), (Ok(7), Ok("a b".into())));
    }
}
