//! A person's game.

use deminer::Session;
use deminer::requests::{GameState, RequestError};
use deminer::session::face_code;
use deminer_formats::wire::{WirePosition, WireRecord, layout_rows};
use deminer_game::{Action, Cell, Words};
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::{json as to_json, thrown};

/// A game in progress. Cells are numbered row by row.
#[wasm_bindgen]
pub struct Game(Session);

impl From<Session> for Game {
    fn from(session: Session) -> Self {
        Self(session)
    }
}

#[wasm_bindgen]
impl Game {
    /// The width of the board.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> usize {
        self.0.rules().shape().width()
    }

    /// The height of the board.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> usize {
        self.0.rules().shape().height()
    }

    /// `fresh`, `live`, `won` or `lost`.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> String {
        GameState::from(self.0.state()).word().to_owned()
    }

    /// Mines without a flag; negative with more flags than mines.
    #[wasm_bindgen(getter, js_name = minesLeft)]
    pub fn mines_left(&self) -> i32 {
        self.0.mines_left() as i32
    }

    /// How many flags there are.
    #[wasm_bindgen(getter)]
    pub fn flags(&self) -> usize {
        self.0.view().flag_count()
    }

    /// How many safe cells are open.
    #[wasm_bindgen(getter)]
    pub fn opened(&self) -> usize {
        self.0.view().opened().len()
    }

    /// How many moves there are.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> usize {
        self.0.moves()
    }

    /// What each cell looks like, as a code; after the end also the mines.
    pub fn faces(&self) -> Vec<u8> {
        self.0.face_codes()
    }

    /// What each cell looks like to the player: never more than was opened.
    pub fn seen(&self) -> Vec<u8> {
        self.0.view().faces().iter().map(|&face| face_code(face)).collect()
    }

    /// Whether the action would change anything.
    ///
    /// # Errors
    /// If there is no such action.
    pub fn legal(&self, action: &str, cell: f64) -> Result<bool, String> {
        let action = self.action(action, cell)?;
        Ok(action.is_some_and(|action| self.0.legal(action).is_ok()))
    }

    /// Makes a move at this time in milliseconds on the clock; the cells that look different
    /// after it, nothing where it changes nothing.
    ///
    /// # Errors
    /// If there is no such action.
    pub fn act(&mut self, action: &str, cell: f64, at: f64) -> Result<Option<Vec<u32>>, String> {
        let Some(action) = self.action(action, cell)? else { return Ok(None) };
        let before = self.faces();
        let at = if at.is_finite() { at } else { 0.0 };
        if self.0.act(action, at).is_err() {
            return Ok(None);
        }
        let cells = (0..).zip(before.iter().zip(self.faces()));
        Ok(Some(
            cells.filter(|(_, (before, now))| **before != *now).map(|(cell, _)| cell).collect(),
        ))
    }

    /// Undoes the last move, also one that lost the game; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Begins again on the same mines, without help.
    pub fn restart(&mut self) {
        self.0.restart();
    }

    /// Numbers on which a chord is possible.
    pub fn chordable(&self) -> Vec<u32> {
        let cells = self.0.rules().shape().cells();
        let chords = cells.filter(|&cell| self.0.legal(Action::Chord(cell)).is_ok());
        chords.map(|cell| cell.index() as u32).collect()
    }

    /// A hint was taken, up to this step.
    #[wasm_bindgen(js_name = tookHint)]
    pub fn took_hint(&mut self, level: u8) {
        self.0.took_hint(level.clamp(1, deminer_game::Help::HINT_LEVELS));
    }

    /// The odds were shown.
    #[wasm_bindgen(js_name = sawOdds)]
    pub fn saw_odds(&mut self) {
        self.0.saw_odds();
    }

    /// The position as requests have it.
    pub fn position(&self) -> String {
        to_json(&WirePosition::of(self.0.view()))
    }

    /// Where the mines lie, row by row; none before they are dealt.
    pub fn layout(&self) -> Option<Vec<String>> {
        self.0.layout().map(layout_rows)
    }

    /// The help that was taken, in numbers.
    pub fn help(&self) -> String {
        let help = self.0.help();
        json!({ "undone": help.undone.len(), "hints": help.hints.len(), "odds": help.odds })
            .to_string()
    }

    /// The record of the game so far.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn record(&self, player: &str) -> Result<String, String> {
        let record = WireRecord::of(&self.0.record(player));
        record.map(|record| to_json(&record)).map_err(|error| thrown(RequestError::invalid(error)))
    }
}

impl Game {
    /// The action on a cell; none if the board has no such cell.
    fn action(&self, action: &str, cell: f64) -> Result<Option<Action>, String> {
        let shape = self.0.rules().shape();
        let on_board = cell.fract() == 0.0 && (0.0..shape.size() as f64).contains(&cell);
        let found = || shape.nth(cell as usize).filter(|_| on_board);
        let with = |make: fn(Cell) -> Action| Ok(found().map(make));
        match action {
            "open" => with(Action::Open),
            "flag" => with(Action::Flag),
            "unflag" => with(Action::Unflag),
            "chord" => with(Action::Chord),
            _ => {
                let detail =
                    format!("`{action}` is not an action (use open, flag, unflag or chord)");
                Err(thrown(RequestError::invalid(detail).at("action")))
            }
        }
    }
}
