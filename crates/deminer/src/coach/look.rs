//! Reviews one move in the position in which it was made.

use deminer_agents::search::{Judge, Judgment, SUREST, Settings};
use deminer_game::{Action, Cell, Effect, Face, Retraced, Rng, Start, View};
use deminer_inference::odds::Engine;

use super::words::{Opened, percent};
use super::{Reviewed, Verdict};
use crate::reasons;

/// Estimates of chances that differ by less are taken for equal.
const ALIKE: f64 = 0.005;

/// How many other guesses a guess is compared with.
const RIVALS: usize = 2;

/// What the moves of a game are judged with.
pub(super) struct Coach {
    judge: Judge,
    engine: Engine,
}

impl Default for Coach {
    fn default() -> Self {
        Self { judge: Judge::new(Settings::default()), engine: Engine::default() }
    }
}

impl Coach {
    /// Judges a position. A win is certain only where it is proved.
    pub(super) fn judge(&mut self, view: &View, asked: &[Cell]) -> Option<Judgment> {
        let mut judged = self.judge.judge(view, asked, &mut Rng::new(0)).ok()?;
        judged.win = judged.win.map(|win| tempered(win, judged.solved));
        Some(judged)
    }

    /// Looks at a move.
    pub(super) fn look(&mut self, made: &Retraced) -> Reviewed {
        let view = made.before;
        let exploded = matches!(made.effect, Effect::Exploded(_));
        let reviewed = Reviewed {
            number: made.at + 1,
            action: made.step.action,
            win_after: exploded.then_some(0.0),
            exploded,
            ..Reviewed::default()
        };
        match (made.step.action, made.effect) {
            (_, Effect::Nothing(idle)) => {
                Reviewed { sentence: format!("It changed nothing, since {idle}."), ..reviewed }
            }
            (Action::Flag(cell), _) => self.look_at_flag(reviewed, cell, view),
            (Action::Open(cell), _) => self.look_at_opening(reviewed, &[cell], view),
            (Action::Chord(clue), _) => {
                let near = view.shape().neighbors(clue).iter().copied();
                let opened: Vec<Cell> =
                    near.filter(|&cell| view.face(cell) == Face::Covered).collect();
                self.look_at_opening(reviewed, &opened, view)
            }
            (Action::Unflag(_), _) => {
                Reviewed { sentence: "A flag was removed.".into(), ..reviewed }
            }
            (Action::Decline, _) => Reviewed { sentence: "No move.".into(), ..reviewed },
        }
    }

    fn look_at_flag(&mut self, reviewed: Reviewed, cell: Cell, view: &View) -> Reviewed {
        let judged = self.judge(view, &[]);
        let risk = judged.as_ref().and_then(|judged| judged.estimates.mine(cell));
        let safe = judged.as_ref().is_some_and(|judged| judged.safe.contains(&cell));
        let (verdict, sentence) = match risk {
            _ if safe => (Verdict::Inaccuracy, "A wrong flag: this cell is safe.".into()),
            Some(1.0) => (Verdict::None, "A flag on a certain mine.".into()),
            Some(risk) => {
                let risk = percent(risk);
                (Verdict::None, format!("A flag: this cell had a {risk} chance of being a mine."))
            }
            None => (Verdict::None, "A flag.".into()),
        };
        Reviewed { verdict, sentence, ..reviewed }
    }

    fn look_at_opening(&mut self, reviewed: Reviewed, opened: &[Cell], view: &View) -> Reviewed {
        if view.is_fresh() {
            return first_click(reviewed, view);
        }
        let Some(judged) = self.judge(view, opened) else {
            let sentence = "The position is too large to be judged.".into();
            return Reviewed { sentence, ..reviewed };
        };
        let mine = |cell: Cell| judged.estimates.mine(cell).unwrap_or(0.0);
        let least = view.openable().map(mine).fold(1.0, f64::min);
        let safest = if judged.safe.is_empty() { least } else { 0.0 };
        let certain = opened.iter().all(|cell| judged.safe.contains(cell));
        let risk = match opened {
            _ if certain => 0.0,
            &[cell] => mine(cell),
            _ => self.risk_together(opened, reviewed.action, view).unwrap_or_else(|| {
                1.0 - opened.iter().map(|&cell| 1.0 - mine(cell)).product::<f64>()
            }),
        };
        let win = win_of(&judged, opened, certain, risk, safest);
        let cost = match (judged.win, win) {
            _ if certain => 0.0,
            _ if risk == 1.0 => 1.0,
            (Some(best), Some(win)) if best > 0.0 => (1.0 - win / best).clamp(0.0, 1.0),
            _ => 1.0 - (1.0 - risk) / (1.0 - safest),
        };
        // Where nothing helps, a guess may as well be made before what is safe.
        let harmless = judged.exact && cost == 0.0;
        let unneeded = !certain && risk < 1.0 && !judged.safe.is_empty() && !harmless;
        let verdict = match Verdict::of_guess(cost) {
            _ if certain => Verdict::Proved,
            verdict if unneeded => verdict.max(Verdict::Inaccuracy),
            verdict => verdict,
        };
        let best = match (verdict, judged.moves.first()) {
            (Verdict::Proved | Verdict::Best, _) => opened.first().copied(),
            (_, Some(best)) => Some(best.cell),
            (_, None) => None,
        };
        let reasons = match opened {
            &[cell] if judged.safe.is_empty() && risk < 1.0 => self.reasons(view, cell),
            _ => Vec::new(),
        };
        let exploded = reviewed.exploded;
        let chord = matches!(reviewed.action, Action::Chord(_));
        let words =
            Opened { judged: &judged, verdict, risk, safest, win, cost, best, chord, exploded };
        Reviewed {
            sentence: words.sentence(view.shape()),
            reasons,
            risk: Some(risk),
            safest: Some(safest),
            best,
            win_before: judged.win,
            win,
            cost: Some(cost),
            unneeded,
            verdict,
            ..reviewed
        }
    }

    /// Why the best guess was the best one, a sentence each.
    fn reasons(&mut self, view: &View, opened: Cell) -> Vec<String> {
        let compared = self.judge.compare(view, &[opened], RIVALS, &mut Rng::new(0));
        let Ok((judged, weighed)) = compared else { return Vec::new() };
        // That no cell is certainly safe is said of the move itself.
        reasons::of_guess(view.shape(), &weighed, judged.exact).into_iter().skip(1).collect()
    }

    /// How likely some of several cells is a mine, where a chord opens them. Under an exact clue
    /// they are all safe just if all flags around it are mines, which is counted flag by flag.
    fn risk_together(&mut self, opened: &[Cell], action: Action, view: &View) -> Option<f64> {
        let Action::Chord(clue) = action else { return None };
        let exact = usize::from(view.face(clue).clue()?.exact()?);
        let shape = view.shape();
        let near = shape.neighbors(clue);
        let known = near.iter().filter(|&&cell| view.face(cell) == Face::Mine).count();
        let flags: Vec<Cell> =
            near.iter().copied().filter(|&cell| view.face(cell) == Face::Flagged).collect();
        if flags.len() + known != exact {
            return None;
        }
        let mut faces = view.faces().to_vec();
        let mut all = 1.0;
        for flag in flags {
            let supposed = View::from_faces(view.rules().clone(), faces.clone()).ok()?;
            let odds = self.engine.sampled_odds(&supposed, &mut Rng::new(0)).ok()?;
            all *= odds.mine(flag)?;
            if all == 0.0 {
                break;
            }
            faces[flag.index()] = Face::Mine;
        }
        Some(1.0 - all).filter(|_| !opened.is_empty())
    }
}

/// Calls a win certain only where it is.
fn tempered(win: f64, solved: bool) -> f64 {
    win.min(if solved { 1.0 } else { SUREST })
}

/// The win chance of opening these cells, where wins are known.
fn win_of(
    judged: &Judgment,
    opened: &[Cell],
    certain: bool,
    risk: f64,
    safest: f64,
) -> Option<f64> {
    let best = judged.win?;
    let win = match opened {
        _ if certain => best,
        &[cell] => judged.of(cell)?.win?,
        // What several cells together would show is not known: they survive less often.
        _ => best * (1.0 - risk) / (1.0 - safest),
    };
    // No move wins more often than it survives, whatever estimates say.
    let win = win.min(1.0 - risk);
    let alike = if judged.exact { 1e-9 } else { ALIKE };
    Some(if best - win < alike { best } else { win })
}

fn first_click(reviewed: Reviewed, view: &View) -> Reviewed {
    let rules = view.rules();
    let risk = match rules.start() {
        Start::Unsafe => rules.mines() as f64 / rules.shape().size() as f64,
        Start::Safe | Start::Open => 0.0,
    };
    let mut sentence = match risk {
        0.0 => "The first click, which is always safe.".to_owned(),
        risk => format!("The first click: a {} chance of a mine.", percent(risk)),
    };
    if reviewed.exploded {
        sentence += " It was a mine: bad luck.";
    }
    Reviewed { risk: Some(risk), safest: Some(risk), verdict: Verdict::Start, sentence, ..reviewed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::{Board, GameSeed, Rules};

    #[test]
    fn only_wins_that_were_seen_are_certain() {
        assert_eq!((tempered(1.0, true), tempered(1.0, false)), (1.0, SUREST));
        assert_eq!((tempered(0.5, true), tempered(0.5, false)), (0.5, 0.5));
    }

    #[test]
    fn estimates_are_never_certain() {
        let rules = Rules::of("9x9x10".parse().unwrap()).unwrap();
        let rules = rules.with_start(Start::Open).unwrap();
        let mut coach = Coach::default();
        let mut estimated = 0;
        for game in 0..100 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 1, game });
            board.act(Action::Open(rules.shape().cell(4, 4).unwrap()));
            let Some(judged) = coach.judge(board.view(), &[]) else { continue };
            let win = judged.win.unwrap_or(0.0);
            assert!(judged.solved || win <= SUREST, "game {game}: {win}");
            estimated += usize::from(!judged.solved && win > 0.9);
        }
        assert!(estimated > 0, "some games are nearly won, by estimate");
    }
}
