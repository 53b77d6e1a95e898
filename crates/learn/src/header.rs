//! How every learned text begins: a title, then lines `key: value` that tell where it comes from.
//!
//! ```text
//! deminer genome 1            % deminer theory 1
//! kind: gp                    % setting: al+gs+m
//! seed: 1                     % seed: 1
//! ```

use thiserror::Error;

/// A line of a header is missing or wrong. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: expected `{key}: {value}`")]
pub struct HeaderError {
    /// Which line.
    pub line: usize,
    /// What should stand there.
    pub key: &'static str,
    /// What should follow it.
    pub value: &'static str,
}

/// The fields of any learned text, in their order, up to the first line that is none. Behind the
/// sign of a comment they count as well.
pub fn fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().skip(1).map_while(|line| {
        let (key, value) = line.strip_prefix('%').unwrap_or(line).trim_start().split_once(": ")?;
        Some((key, value.trim()))
    })
}

/// The fields of a text whose reader knows which must stand on which line.
pub(crate) struct Header<'a> {
    lines: &'a [&'a str],
    read: usize,
}

impl<'a> Header<'a> {
    /// The lines after the title.
    pub(crate) fn new(lines: &'a [&'a str]) -> Self {
        Self { lines, read: 1 }
    }

    /// The number of the next line, from 1, and its value if this key stands before it.
    pub(crate) fn field(&mut self, key: &str) -> (usize, Option<&'a str>) {
        let line = self.lines.get(self.read);
        self.read += 1;
        (self.read, line.and_then(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim))
    }

    /// Reads the next line.
    pub(crate) fn value<T>(
        &mut self,
        key: &'static str,
        value: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, HeaderError> {
        let (line, told) = self.field(key);
        told.and_then(read).ok_or(HeaderError { line, key, value })
    }

    /// Reads a line of text.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<String, HeaderError> {
        self.value(key, "TEXT", |text| Some(text.to_owned()))
    }

    /// Reads a line with a number.
    pub(crate) fn number(&mut self, key: &'static str) -> Result<u64, HeaderError> {
        self.value(key, "NUMBER", |text| text.parse().ok())
    }

    /// Reads a line with two numbers: how many of how many.
    pub(crate) fn share(&mut self, key: &'static str) -> Result<(u64, u64), HeaderError> {
        self.value(key, "NUMBER/NUMBER", |text| {
            let (some, all) = text.split_once('/')?;
            Some((some.parse().ok()?, all.parse().ok()?))
        })
    }

    /// Reads the line with the check of the whole text: what it says and what it should say, as an
    /// error if they differ.
    pub(crate) fn check(&mut self) -> Result<Result<(), [String; 2]>, HeaderError> {
        let told = self.text("check")?;
        let place = self.read - 1;
        let others = self.lines.iter().enumerate().filter(|(at, _)| *at != place);
        let found = check(others.map(|(_, line)| *line));
        Ok(if found == told { Ok(()) } else { Err([found, told]) })
    }

    /// How many lines were read, the title among them.
    pub(crate) fn lines_read(&self) -> usize {
        self.read
    }
}

/// Breaks of lines and other control characters become blanks.
pub(crate) fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}

/// Puts the check of a text after so many of its lines.
pub(crate) fn seal(text: &str, head: usize) -> String {
    let line = format!("check: {}", check(text.lines()));
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(head, &line);
    lines.join("\n") + "\n"
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
        let mut header = Header::new(&["title", "seed: 7", "score: 1"]);
        assert_eq!(header.field("seed"), (2, Some("7")));
        assert_eq!(header.field("games"), (3, None));
        assert_eq!(header.field("more"), (4, None));
        assert_eq!(header.lines_read(), 4);
    }
}
