//! The contents of a file: a position, layout, replay or record, and conversions between them.

use deminer_game::{Cell, Face, Layout, Record, Rules, View};

use crate::{Replay, WriteError};

/// What a file holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Document {
    /// What a player sees.
    Position(View),
    /// Where the mines lie.
    Layout(Layout),
    /// A game as mouse events.
    Replay(Replay),
    /// A game as actions.
    Record(Record),
}

/// The kinds of documents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DocumentKind {
    /// [`Document::Position`]
    Position,
    /// [`Document::Layout`]
    Layout,
    /// [`Document::Replay`]
    Replay,
    /// [`Document::Record`]
    Record,
}
deminer_game::words!(
    DocumentKind, "a kind of document":
    Position = "position", Layout = "layout", Replay = "replay", Record = "record",
);

impl DocumentKind {
    /// What a document of this kind is turned into when a format does not hold it, what keeps
    /// most first. A layout is not turned into a position: it would lose its mines.
    pub(crate) const fn becomes(self) -> &'static [DocumentKind] {
        use DocumentKind::{Layout, Position, Record, Replay};
        match self {
            Position => &[Position, Layout],
            Layout => &[Layout],
            Replay => &[Replay, Record, Layout, Position],
            Record => &[Record, Replay, Layout, Position],
        }
    }
}

impl Document {
    /// The kind of the document.
    pub fn kind(&self) -> DocumentKind {
        match self {
            Document::Position(_) => DocumentKind::Position,
            Document::Layout(_) => DocumentKind::Layout,
            Document::Replay(_) => DocumentKind::Replay,
            Document::Record(_) => DocumentKind::Record,
        }
    }

    /// The same as a document of another kind.
    pub fn turned_into(&self, kind: DocumentKind) -> Result<Document, WriteError> {
        Ok(match kind {
            DocumentKind::Position => Document::Position(self.position()?),
            DocumentKind::Layout => Document::Layout(self.layout()?),
            DocumentKind::Replay => Document::Replay(self.replay()?),
            DocumentKind::Record => Document::Record(self.record()?),
        })
    }

    /// The position: of a game its last one, of a layout all cells covered.
    pub fn position(&self) -> Result<View, WriteError> {
        match self {
            Document::Position(view) => Ok(view.clone()),
            Document::Layout(layout) => Ok(View::new(rules_of(layout))),
            Document::Replay(replay) => final_position(&replay.to_record()),
            Document::Record(record) => final_position(record),
        }
    }

    /// The layout: of a game the one it ended on, of a position the only one there can be when
    /// it shows every mine or has every safe cell open.
    pub fn layout(&self) -> Result<Layout, WriteError> {
        match self {
            Document::Position(view) => given_away(view),
            Document::Layout(layout) => Ok(layout.clone()),
            Document::Replay(replay) => Ok(replay.layout.clone()),
            Document::Record(record) => final_layout(record),
        }
    }

    /// The game as actions on cells.
    pub fn record(&self) -> Result<Record, WriteError> {
        match self {
            Document::Replay(replay) => Ok(replay.to_record()),
            Document::Record(record) => Ok(record.clone()),
            _ => Err(self.never(DocumentKind::Record)),
        }
    }

    /// The game as mouse events.
    pub fn replay(&self) -> Result<Replay, WriteError> {
        match self {
            Document::Replay(replay) => Ok(replay.clone()),
            Document::Record(record) => Replay::from_record(record),
            _ => Err(self.never(DocumentKind::Replay)),
        }
    }

    fn never(&self, kind: DocumentKind) -> WriteError {
        WriteError(format!("a {} cannot be turned into a {kind}", self.kind()))
    }
}

/// Plain rules for the board of a layout.
pub(crate) fn rules_of(layout: &Layout) -> Rules {
    Rules::new(layout.shape().clone(), layout.total()).expect("a layout has a mine a cell at most")
}

/// The layout that a record ended with. Redrawn layouts fit everything seen before them, so it fits
/// the whole game.
pub(crate) fn final_layout(record: &Record) -> Result<Layout, WriteError> {
    let board = record.replay(|_, _, _| {}).map_err(WriteError::of)?;
    let layout = board.layout().or(record.layout.as_ref()).cloned();
    layout.ok_or_else(|| WriteError::of("no cell was opened in this game, so it has no mines yet"))
}

fn final_position(record: &Record) -> Result<View, WriteError> {
    Ok(record.replay(|_, _, _| {}).map_err(WriteError::of)?.view().clone())
}

fn given_away(view: &View) -> Result<Layout, WriteError> {
    let unopened = |cell: &Cell| !matches!(view.face(*cell), Face::Open { .. });
    let mut mines: Vec<Cell> = view.shown_mines().collect();
    if mines.len() != view.rules().mines() {
        mines = view.shape().cells().filter(unopened).collect();
    }
    if mines.len() != view.rules().mines() {
        return Err(WriteError::of("the position does not show where every mine is"));
    }
    let layout =
        Layout::new(view.shape().clone(), mines).expect("each cell of the shape once at most");
    let misfit = |cell: &&Cell| {
        view.face(**cell).clue().is_some_and(|clue| !clue.admits(layout.count(**cell)))
    };
    match view.opened().iter().find(misfit) {
        Some(&cell) => {
            let place = view.shape().place(cell);
            Err(WriteError(format!("the clue in {place} does not fit the mines shown")))
        }
        None => Ok(layout),
    }
}
