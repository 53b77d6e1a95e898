//! Rates a position after its safe cells are open.
//!
//! A symbol may leave one or two safe cells. They are opened in any case, and what they show decides
//! whether more cells are safe or a guess comes next. So the lookahead opens them in thought, one
//! after another, and averages the promise over what they may show. More than two safe cells promise
//! about the same whatever they show, and would take too long.

use deminer_game::View;
use deminer_inference::deduce::SinglePoint;
use deminer_inference::odds::{Engine, Odds, OddsError};

use super::endgame::has_exact_clues;
use super::lookahead::{BUDGET, outward};
use super::win_estimate::{promise, promise_and_safe};
use crate::parts::risk::ALIKE;

/// How much of the promise is that after the openings; the rest is that before them.
const SHARE: f64 = 0.8;

/// Rates positions, one after another, with the same engines.
#[derive(Default)]
pub struct SafeOpenings {
    levels: Vec<Level>,
}

/// An engine for the positions after an opening. Each opening has its own, so that the odds before
/// it are kept.
struct Level {
    engine: Engine,
    known: SinglePoint,
}

impl Default for Level {
    fn default() -> Self {
        Self { engine: Engine::new(BUDGET), known: SinglePoint::default() }
    }
}

impl SafeOpenings {
    /// The promise of a position with what safe cells show, if there are at most `most`. `odds` are
    /// those of the view, which is the same again after the call.
    pub fn promise(
        &mut self,
        view: &mut View,
        known: &SinglePoint,
        odds: &Odds,
        most: usize,
    ) -> f64 {
        if most == 0 || !odds.is_exact() || !has_exact_clues(view) {
            return promise(view, odds);
        }
        let (before, safe) = promise_and_safe(view, odds);
        if safe.is_none_or(|(_, count)| count > most) {
            return before;
        }
        self.levels.resize_with(most, Level::default);
        let after = settle(&mut self.levels, most, view, known, odds);
        SHARE * after.unwrap_or(before) + (1.0 - SHARE) * before
    }
}

/// The mean promise after safe cells are open, one for each level, where there are at most `most`.
fn settle(
    levels: &mut [Level],
    most: usize,
    view: &mut View,
    known: &SinglePoint,
    odds: &Odds,
) -> Result<f64, OddsError> {
    let (promise, safe) = promise_and_safe(view, odds);
    let safe = safe.filter(|&(_, count)| count <= most);
    let (Some((cell, _)), Some((level, deeper))) = (safe, levels.split_first_mut()) else {
        return Ok(promise);
    };
    let all = odds.log10_layouts().expect("layouts are counted");
    let (mut sum, mut left) = (0.0, 1.0);
    for &(shown, _) in outward(view, odds, cell).iter().rev() {
        if left < ALIKE {
            break;
        }
        view.suppose(cell, shown);
        level.known.clone_from(known);
        level.known.update(view);
        let seen = level.engine.odds_knowing(view, &level.known);
        let part = seen.and_then(|odds| {
            let after = odds.log10_layouts().expect("clues are as certain as before");
            let chance = 10f64.powf(after - all);
            Ok((chance, settle(deeper, most, view, &level.known, odds)?))
        });
        view.take_back();
        match part {
            Ok((chance, promise)) => {
                left -= chance;
                sum += chance * promise;
            }
            // The cell cannot show this.
            Err(OddsError::Contradiction) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use deminer_game::{Cell, Rng, Shown, Start};
    use deminer_inference::odds::Layouts;

    use super::*;
    use crate::parts::pictures::small_board;

    /// The same by opening safe cells in every layout.
    fn by_layouts(view: &View, layouts: &Layouts, most: usize) -> f64 {
        let mut engine = Engine::default();
        let mut sum = 0.0;
        for layout in 0..layouts.len() {
            let mut view = view.clone();
            let mut open = 0;
            sum += loop {
                let (promise, safe) = promise_and_safe(&view, engine.odds(&view).unwrap());
                match safe {
                    Some((cell, count)) if count <= most && open < most => {
                        let is_mine = |near: &&Cell| layouts.has_mine(layout, **near);
                        let number = view.shape().neighbors(cell).iter().filter(is_mine).count();
                        view.suppose(cell, Shown::Number(number as u8));
                        open += 1;
                    }
                    _ => break promise,
                }
            };
        }
        sum / layouts.len() as f64
    }

    #[test]
    fn promises_are_means_over_all_layouts() {
        let mut rng = Rng::new(6);
        let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
        let mut openings = SafeOpenings::default();
        let mut changed = 0;
        for _ in 0..2000 {
            let board = small_board(&mut rng, &["exact"], Start::Unsafe);
            let view = board.view();
            let odds = engine.odds(view).unwrap().clone();
            let Ok(()) = layouts.list(view, &odds, 500) else { continue };
            let known = SinglePoint::of(view);
            let before = promise(view, &odds);
            for most in 0..3 {
                let expected = match most {
                    0 => before,
                    _ => SHARE * by_layouts(view, &layouts, most) + (1.0 - SHARE) * before,
                };
                let found = openings.promise(&mut view.clone(), &known, &odds, most);
                assert!((found - expected).abs() < 1e-6, "{found}, not {expected}\n{view}");
                changed += usize::from((found - before).abs() > 1e-6);
            }
        }
        assert!(changed > 50, "{changed}");
    }
}
