//! How every learned text begins: a title, then lines `key: value` that tell where it comes from.
//!
//! ```text
//! deminer genome 1            % deminer theory 1
//! kind: gp                    % setting: al+gs+m
//! seed: 1                     % seed: 1
//! ```

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

    /// How many lines were read, the title among them.
    pub(crate) fn lines_read(&self) -> usize {
        self.read
    }
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
