//! Rules, positions and agents as requests have them, and the limits that hold for all.

use std::path::Path;

use deminer_game::{At, Cell, ClueRule, Form, Rules, Shape, Size, Start, Values, View};
use deminer_lab::roster::Spec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::jobs::Jobs;
use crate::problem::Problem;

/// The longest side of a board.
pub const LONGEST_SIDE: usize = 100;

/// The rules of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesShape {
    /// Width, height and mines, or the name of a level.
    #[schema(example = "30x16x99", max_length = 32)]
    pub board: String,
    /// How the cells lie together: `rect`, `torus` or `hex`.
    #[serde(default = "rect")]
    #[schema(pattern = "^(rect|torus|hex)$", default = "rect")]
    pub shape: String,
    /// What the first opened cell is promised: `unsafe`, `safe` or `open`.
    #[serde(default = "safe")]
    #[schema(pattern = "^(unsafe|safe|open)$", default = "safe")]
    pub start: String,
    /// Whether a zero opens its neighbors: `on` or `off`.
    #[serde(default = "on")]
    #[schema(pattern = "^(on|off)$", default = "on")]
    pub cascade: String,
    /// What clues show: `exact`, `blind:R`, `optimistic`, `cautious` or `cautious:degree`.
    #[serde(default = "exact")]
    #[schema(max_length = 32, default = "exact")]
    pub clues: String,
}

fn rect() -> String {
    Form::default().name().to_owned()
}

fn safe() -> String {
    Start::default().name().to_owned()
}

fn on() -> String {
    "on".to_owned()
}

fn exact() -> String {
    ClueRule::default().to_string()
}

impl RulesShape {
    /// Rules as requests have them.
    pub fn of(rules: &Rules) -> Self {
        Self {
            board: rules.size().to_string(),
            shape: rules.shape().form().name().to_owned(),
            start: rules.start().name().to_owned(),
            cascade: if rules.cascade() { "on" } else { "off" }.to_owned(),
            clues: rules.clues().to_string(),
        }
    }

    /// The rules, if there is such a game on a board that is not too large.
    pub fn rules(&self) -> Result<Rules, Problem> {
        let wrong = |field: &str| {
            let at = format!("rules.{field}");
            move |error: &dyn std::fmt::Display| Problem::unfit(error).at(at)
        };
        let size: Size = self.board.parse().map_err(|error| wrong("board")(&error))?;
        fits(size.width, size.height).map_err(|problem| problem.at("rules.board"))?;
        let form: Form = self.shape.parse().map_err(|error| wrong("shape")(&error))?;
        let start: Start = self.start.parse().map_err(|error| wrong("start")(&error))?;
        let clues: ClueRule = self.clues.parse().map_err(|error| wrong("clues")(&error))?;
        let cascade = cascade(&self.cascade).map_err(|problem| problem.at("rules.cascade"))?;
        let rules = Rules::on(form, size, start).map_err(|error| wrong("board")(&error))?;
        Ok(rules.with_cascade(cascade).with_clues(clues))
    }
}

fn cascade(word: &str) -> Result<bool, Problem> {
    match word {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(Problem::unfit(format!("`{word}` is not a cascade (use on or off)"))),
    }
}

/// Refuses boards that are too large.
pub fn fits(width: usize, height: usize) -> Result<(), Problem> {
    if width > LONGEST_SIDE || height > LONGEST_SIDE {
        let most = format!("{LONGEST_SIDE}x{LONGEST_SIDE}");
        return Err(Problem::too_large(format!("a board has at most {most} cells here")));
    }
    Ok(())
}

/// A row of a position: `#` covered, `F` flag, `.` or `0` to `8` open, `?` open without a clue,
/// `*` a mine shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, pattern = r"^[#HF.0-8?*]{1,100}$", min_length = 1, max_length = 100)]
pub struct Row(pub String);

/// A cell: row and column, from 0.
pub type CellShape = [usize; 2];

/// A position, for answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PositionShape {
    /// The cells.
    pub rows: Vec<Row>,
    /// Mines on the whole board.
    pub mines: usize,
    /// How the cells lie together.
    pub shape: String,
    /// What clues show.
    pub clues: String,
    /// What the first opened cell was promised.
    pub start: String,
    /// Whether a zero opens its neighbors.
    pub cascade: String,
}

impl PositionShape {
    /// A view.
    pub fn of(view: &View) -> Self {
        let rules = RulesShape::of(view.rules());
        let rows = deminer_lab::documents::rows(view.shape(), |cell| view.face(cell).to_string());
        Self {
            rows: rows.into_iter().map(|row| Row(row.concat())).collect(),
            mines: view.rules().mines(),
            shape: rules.shape,
            clues: rules.clues,
            start: rules.start,
            cascade: rules.cascade,
        }
    }
}

/// What a request tells of a position; all of it but rows and mines may be left out.
pub struct Seen<'a> {
    pub rows: &'a [Row],
    pub mines: usize,
    pub shape: Option<&'a str>,
    pub clues: Option<&'a str>,
    pub start: Option<&'a str>,
    pub cascade: Option<&'a str>,
}

impl Seen<'_> {
    /// The view, or what is wrong with which field, row and column.
    pub fn view(&self) -> Result<View, Problem> {
        let width = self.rows.first().map_or(0, |row| row.0.chars().count());
        if width == 0 {
            return Err(Problem::unfit("there are no cells").at("rows"));
        }
        fits(width, self.rows.len()).map_err(|problem| problem.at("rows"))?;
        for (number, Row(row)) in self.rows.iter().enumerate() {
            let found = row.chars().count();
            if found != width {
                let detail = format!("this row has {found} cells, the first row has {width}");
                return Err(Problem::unfit(detail).at(format!("rows[{number}]")));
            }
            let strange = |symbol: &char| !"#HF.012345678?*".contains(*symbol);
            if let Some((column, symbol)) =
                row.chars().enumerate().find(|(_, symbol)| strange(symbol))
            {
                let detail = format!("`{symbol}` is not a cell (use # F . 0-8 ? or *)");
                return Err(Problem::unfit(detail).at(format!("rows[{number}][{column}]")));
            }
        }
        let word = |word: Option<&str>, usual: fn() -> String| word.map_or_else(usual, Into::into);
        let start: Start = self
            .start
            .map_or(Ok(Start::Unsafe), str::parse)
            .map_err(|error| Problem::unfit(error).at("start"))?;
        let rules = RulesShape {
            board: format!("{width}x{}x{}", self.rows.len(), self.mines),
            shape: word(self.shape, rect),
            start: Start::Unsafe.name().to_owned(),
            cascade: word(self.cascade, on),
            clues: word(self.clues, exact),
        };
        let plain = |problem: Problem| problem.within("rules.", "board", "mines");
        let rules = rules.rules().map_err(plain)?;
        let rows: Vec<&str> = self.rows.iter().map(|row| row.0.as_str()).collect();
        let (form, clues) = (rules.shape().form(), rules.clues());
        let header = format!("mines {}\nshape {form}\nclues {clues}\n", self.mines);
        let view: View = (header + &rows.join("\n")).parse().map_err(Problem::unfit)?;
        let view = View::from_faces(rules, view.faces().to_vec()).map_err(Problem::unfit)?;
        view.with_start(start).map_err(|error| Problem::unfit(error).at("start"))
    }
}

/// Makes a request out of a position and more: all fields side by side, unknown ones refused.
macro_rules! with_position {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$meta:meta])* pub $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, serde::Deserialize, utoipa::ToSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The cells, row by row.
            #[schema(min_items = 1, max_items = 100)]
            pub rows: Vec<$crate::shapes::Row>,
            /// Mines on the whole board.
            #[schema(maximum = 10000)]
            pub mines: usize,
            /// How the cells lie together: `rect`, `torus` or `hex`.
            #[schema(pattern = "^(rect|torus|hex)$")]
            pub shape: Option<String>,
            /// What clues show: `exact`, `blind:R`, `optimistic`, `cautious`, `cautious:degree`.
            #[schema(max_length = 32)]
            pub clues: Option<String>,
            /// What the first opened cell is promised: `unsafe` (nothing), `safe` or `open`. It
            /// matters only where no cell is open and no mine is shown: with `safe` and `open`
            /// the best move is then certainly safe, whatever the odds of the layout are.
            #[schema(pattern = "^(unsafe|safe|open)$", default = "unsafe")]
            pub start: Option<String>,
            /// Whether a zero opens its neighbors.
            #[schema(pattern = "^(on|off)$")]
            pub cascade: Option<String>,
            $($(#[$meta])* pub $field: $type,)*
        }

        impl $name {
            /// The position.
            pub fn view(&self) -> Result<deminer_game::View, $crate::problem::Problem> {
                $crate::shapes::Seen {
                    rows: &self.rows,
                    mines: self.mines,
                    shape: self.shape.as_deref(),
                    clues: self.clues.as_deref(),
                    start: self.start.as_deref(),
                    cascade: self.cascade.as_deref(),
                }
                .view()
            }
        }
    };
}
pub(crate) use with_position;

/// The agent that a request names. Those that could be read from a file of this machine are
/// taken only by their shipped names or as a run of this server: no client may look into files.
pub fn agent(text: &str, field: &str) -> Result<Spec, Problem> {
    if text.len() > 200 {
        return Err(Problem::unfit("an agent is not so long").at(field));
    }
    let spec: Spec = text.parse().map_err(|error| Problem::unfit(error).at(field))?;
    let any = |option: &deminer_game::OptionEntry| matches!(option.values, Values::Rest);
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    if spec.run().is_none() && spec.entry().options.iter().any(any) {
        let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-+,=".contains(symbol);
        let mut parts = rest.split([',', '+', '=']).chain([rest]).filter(|part| !part.is_empty());
        if !rest.chars().all(plain) || parts.any(|part| Path::new(part).exists()) {
            let detail = format!(
                "agent `{}` takes only shipped names and runs of this server (run-000001) here",
                spec.entry().name
            );
            return Err(Problem::unfit(detail).at(field));
        }
    }
    Ok(spec)
}

/// An agent that plays these rules.
pub fn agent_for(jobs: &Jobs, text: &str, rules: &Rules, field: &str) -> Result<Spec, Problem> {
    let spec = jobs.agent(text, field)?;
    spec.admit(rules).map_err(|error| Problem::unfit(error).at(field))?;
    Ok(spec)
}

/// Where the first click goes.
pub fn at(text: &str, shape: &Shape) -> Result<At, Problem> {
    At::parse(text, shape).map_err(|error| Problem::unfit(error).at("at"))
}

/// A cell of the board.
pub fn cell([row, column]: CellShape, shape: &Shape, field: &str) -> Result<Cell, Problem> {
    shape.cell(row, column).ok_or_else(|| {
        let (height, width) = (shape.height(), shape.width());
        let detail = format!(
            "row {row}, column {column} is outside the board ({height} rows of {width}, counted \
             from 0)"
        );
        Problem::unfit(detail).at(field)
    })
}

/// A whole number, or a string of digits where JavaScript cannot count so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ToSchema)]
#[schema(value_type = u64)]
pub struct Count(pub u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a whole number below 2^64, or one as a string")]
        enum Written {
            Number(u64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(Self(number)),
            Written::Text(text) => text.parse().map(Self).map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(rows: &[&str], mines: usize) -> Result<View, Problem> {
        let rows: Vec<Row> = rows.iter().map(|row| Row((*row).to_owned())).collect();
        let seen =
            Seen { rows: &rows, mines, shape: None, clues: None, start: None, cascade: None };
        seen.view()
    }

    #[test]
    fn positions_are_read_and_told_again() {
        let view = seen(&["##1", ".F*"], 2).unwrap();
        assert_eq!(view.to_string(), "mines 2\n# # 1\n. F *\n");
        let told = PositionShape::of(&view);
        assert_eq!(told.rows, [Row("##1".into()), Row(".F*".into())]);
    }

    #[test]
    fn faults_name_row_and_column() {
        let check = |rows: &[&str], mines: usize, at: &str| {
            let problem = serde_json::to_value(seen(rows, mines).unwrap_err()).unwrap();
            assert_eq!(problem["at"], at, "{problem}");
        };
        check(&["##", "#x"], 1, "rows[1][1]");
        check(&["##", "#"], 1, "rows[1]");
        check(&["##", "#\n"], 1, "rows[1][1]");
        check(&[], 1, "rows");
        check(&["##"], 9, "mines");
        check(&["#".repeat(101).as_str()], 9, "rows");
    }

    #[test]
    fn agents_never_read_files() {
        assert!(agent("tree:lowest-risk-depth-8", "agent").is_ok());
        assert!(agent("tree", "agent").is_ok());
        assert!(agent("mio:paper+prob", "agent").is_ok());
        for path in ["tree:/etc/passwd", "tree:../Cargo.toml", "tree:src", "tree:Cargo.toml"] {
            assert!(agent(path, "agent").is_err(), "{path}");
        }
    }
}
