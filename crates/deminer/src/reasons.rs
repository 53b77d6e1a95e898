//! Why a move is the best one, in sentences. The judge gives the numbers, every door prints these
//! words.

use deminer_agents::search::Weighed;
use deminer_game::{Cell, Shape, Start, View};

use crate::coach::percent;

/// Differences of less than 0.05 points do not show in words.
const ALIKE: f64 = 0.0005;

/// What happens less often is not worth a sentence.
const RARE: f64 = 0.01;

/// Why the first of several guesses is the best, a sentence each. `exact` says whether win chances
/// are known and not estimated.
pub fn of_guess(shape: &Shape, weighed: &[Weighed], exact: bool) -> Vec<String> {
    let Some((best, others)) = weighed.split_first() else { return Vec::new() };
    let safest = others.iter().rev().max_by(|a, b| a.safety.total_cmp(&b.safety));
    let safer = safest.filter(|other| other.safety > best.safety + ALIKE);
    let mut sentences = vec!["No cell is certainly safe.".to_owned()];
    sentences.push(safety(shape, best, safest));
    sentences.extend(safer.map(|safer| objection(shape, best, safer, exact)));
    sentences.extend(promise(shape, best, others.first()));
    sentences.extend(best.settles.iter().map(|&pair| {
        format!(
            "It settles the {}, which you would have to guess anyway.",
            fifty_fifty(shape, pair)
        )
    }));
    sentences.extend(avoidance(best));
    sentences.extend(win(shape, best, others.first(), exact));
    sentences
}

/// Why a cell is safe that is certainly safe, with a proof if there is one.
pub fn of_safe(shape: &Shape, cell: Cell, proof: Option<String>) -> Vec<String> {
    let plain = || format!("{} is certainly safe", place(shape, cell));
    vec![format!("{}.", capital(&proof.unwrap_or_else(plain)))]
}

/// Why two cells are a 50/50.
pub fn of_fifty_fifty(shape: &Shape, [one, other]: [Cell; 2]) -> String {
    format!(
        "{} or {} is a mine, but not both, and no later clue can show which.",
        capital(&place(shape, one)),
        place(shape, other)
    )
}

/// Why the first click goes where it goes, where the rules promise that it is safe.
pub fn of_first_click(view: &View, cell: Cell) -> Vec<String> {
    let shape = view.shape();
    let mut sentences = vec!["The first click is always safe.".to_owned()];
    let most = shape.cells().map(|cell| shape.degree(cell)).max();
    if view.rules().start() == Start::Safe && Some(shape.degree(cell)) < most {
        sentences.push(
            "A cell with few neighbors is the most likely to show no number and open an area."
                .into(),
        );
    }
    sentences
}

/// The chance to win with best play, known or estimated.
pub fn win_chance(win: f64, exact: bool) -> String {
    let name = if exact { "Win chance" } else { "Estimated win chance" };
    format!("{name} with best play: {}.", percent(win))
}

/// How another opening compares with the best one.
pub fn of_other(shape: &Shape, best: &Weighed, other: &Weighed, exact: bool) -> String {
    if best.safety == 1.0 {
        return match other.safety {
            1.0 => "As safe as the best move.".into(),
            safety => format!(
                "It has a {} chance of being a mine, and other cells are certainly safe.",
                percent(1.0 - safety)
            ),
        };
    }
    let mut parts = vec![match other.safety - best.safety {
        more if more > ALIKE => format!("{} safer", points(more)),
        less if less < -ALIKE => format!("{} less safe", points(-less)),
        _ => "as safe as the best move".to_owned(),
    }];
    if let Some((best, other)) = best.prospect.zip(other.prospect) {
        if differ(best.progress, other.progress) {
            parts.push(format!(
                "a certain move follows {} of the time instead of {}",
                percent(other.progress),
                percent(best.progress)
            ));
        } else if differ(best.next_safety, other.next_safety) {
            parts.push(format!(
                "the safest move after it is {} safe on average instead of {}",
                percent(other.next_safety),
                percent(best.next_safety)
            ));
        }
    }
    let settled =
        other.settles.iter().map(|&pair| format!("settles the {}", fifty_fifty(shape, pair)));
    parts.extend(settled);
    if !best.settles.is_empty() && other.settles.is_empty() {
        parts.push("settles no 50/50".into());
    }
    if let Some((best, other)) = best.win.zip(other.win) {
        let name = if exact { "win chance" } else { "estimated win chance" };
        parts.push(match best - other {
            less if less > ALIKE => format!("{name} {} lower", points(less)),
            _ => format!("the same {name}"),
        });
    }
    format!("{}.", capital(&parts.join("; ")))
}

/// How safe the best guess is, and what the safest other cell is to it.
fn safety(shape: &Shape, best: &Weighed, safest: Option<&Weighed>) -> String {
    let own = format!("{} is {} safe", capital(&place(shape, best.cell)), percent(best.safety));
    match safest {
        Some(other) if best.safety > other.safety + ALIKE => {
            let more = points(best.safety - other.safety);
            format!("{own}: {more} safer than the next, {}.", place(shape, other.cell))
        }
        Some(other) if best.safety >= other.safety - ALIKE => {
            format!("{own}; {} is as safe.", place(shape, other.cell))
        }
        _ => format!("{own}."),
    }
}

/// Why a safer cell is not the best one.
fn objection(shape: &Shape, best: &Weighed, safer: &Weighed, exact: bool) -> String {
    let instead = |other: f64, own: f64| format!("{} against {}", percent(other), percent(own));
    let prospects = best.prospect.zip(safer.prospect);
    let progress = prospects.map(|(best, safer)| (best.progress, safer.progress));
    let next = prospects.map(|(best, safer)| (best.next_safety, safer.next_safety));
    let is_more = |pair: &(f64, f64)| pair.0 > pair.1 + ALIKE;
    let why = if !best.settles.is_empty() && safer.settles.is_empty() {
        "leaves the 50/50 for later".to_owned()
    } else if let Some((own, other)) = progress.filter(is_more) {
        format!("leads to a certain move less often ({})", instead(other, own))
    } else if let Some((own, other)) = next.filter(is_more) {
        format!("the move after it is less safe on average ({})", instead(other, own))
    } else if let Some((own, other)) = best.win.zip(safer.win).filter(is_more) {
        let name = if exact { "win chance" } else { "estimated win chance" };
        format!("its {name} is lower ({})", instead(other, own))
    } else {
        "tells less".to_owned()
    };
    let place = capital(&place(shape, safer.cell));
    format!("{place} is safer ({}), but {why}.", percent(safer.safety))
}

/// What follows the best guess, beside what follows the next best.
fn promise(shape: &Shape, best: &Weighed, next: Option<&Weighed>) -> Vec<String> {
    let Some(own) = best.prospect else { return Vec::new() };
    let rival = next.and_then(|next| Some((next.cell, next.prospect?)));
    let beside = |own: f64, other: Option<(Cell, f64)>| match other {
        Some((cell, other)) if differ(own, other) => {
            format!(" ({}: {})", place(shape, cell), percent(other))
        }
        _ => String::new(),
    };
    let progress = beside(own.progress, rival.map(|(cell, other)| (cell, other.progress)));
    let safety = beside(own.next_safety, rival.map(|(cell, other)| (cell, other.next_safety)));
    if own.progress > 1.0 - ALIKE {
        return vec![format!("If it is safe, a certain move or the win always follows{progress}.")];
    }
    let mut sentences = vec![match own.progress < ALIKE {
        true => format!("If it is safe, the next move is a guess again{progress}."),
        false => format!(
            "If it is safe, a certain move follows {} of the time{progress}.",
            percent(own.progress)
        ),
    }];
    sentences.push(format!(
        "The safest move after it is {} safe on average{safety}.",
        percent(own.next_safety)
    ));
    sentences
}

/// The 50/50 that the best guess may avoid.
fn avoidance(best: &Weighed) -> Option<String> {
    let often = percent(best.avoids);
    (best.avoids >= RARE).then(|| {
        format!("It avoids a 50/50 that would otherwise arise later about {often} of the time.")
    })
}

/// The win chance of the best guess, beside that of the next best.
fn win(shape: &Shape, best: &Weighed, next: Option<&Weighed>, exact: bool) -> Option<String> {
    let own = best.win?;
    let beside = match next.and_then(|next| Some((next.cell, next.win?))) {
        None => String::new(),
        Some((cell, other)) if !differ(own, other) => {
            format!(", the same as for {}", place(shape, cell))
        }
        Some((cell, other)) => format!(", against {} for {}", percent(other), place(shape, cell)),
    };
    let sentence = win_chance(own, exact);
    Some(format!("{}{beside}.", sentence.trim_end_matches('.')))
}

fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() > ALIKE
}

fn points(difference: f64) -> String {
    format!("{:.1} points", 100.0 * difference)
}

fn fifty_fifty(shape: &Shape, [one, other]: [Cell; 2]) -> String {
    format!("50/50 between {} and {}", place(shape, one), place(shape, other))
}

/// A cell in words.
pub fn place(shape: &Shape, cell: Cell) -> String {
    shape.place(cell)
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use deminer_agents::search::Prospect;

    use super::*;
    use crate::analysis::AnalyzeOptions;

    fn why(position: &str) -> Vec<String> {
        let view: View = position.parse().unwrap();
        AnalyzeOptions::default().analyze(&view).unwrap().best.unwrap().reasons
    }

    #[test]
    fn a_fifty_fifty_is_settled() {
        assert_eq!(
            why("mines 1\n# 1 .\n# 1 ."),
            [
                "No cell is certainly safe.",
                "Row 0, column 0 is 50.0 % safe; row 1, column 0 is as safe.",
                "If it is safe, a certain move or the win always follows.",
                "It settles the 50/50 between row 0, column 0 and row 1, column 0, which you would \
                 have to guess anyway.",
                "Win chance with best play: 50.0 %, the same as for row 1, column 0.",
            ]
        );
    }

    #[test]
    fn the_guess_that_leads_further_is_explained() {
        // All are as safe; only the first and the third tell the others apart.
        let reasons = why("mines 1\n# # #\n# 1 ?");
        assert!(reasons[1].starts_with("Row 0, column 0 is 75.0 % safe; row"), "{reasons:?}");
        assert!(reasons[2].starts_with("If it is safe, a certain move"), "{reasons:?}");
        let win = reasons.last().unwrap();
        assert!(win.starts_with("Win chance with best play: 75.0 %"), "{win}");
    }

    #[test]
    fn a_safer_cell_that_is_not_best_is_named() {
        let shape = Shape::new(deminer_game::Form::Rect, 9, 9).unwrap();
        let weigh = |at, safety, win, progress| Weighed {
            cell: shape.nth(at).unwrap(),
            safety,
            win: Some(win),
            prospect: Some(Prospect { progress, next_safety: 0.9 }),
            settles: Vec::new(),
            avoids: 0.0,
        };
        let (best, safer) = (weigh(10, 0.9, 0.381, 0.64), weigh(11, 0.92, 0.354, 0.12));
        let sentences = of_guess(&shape, &[best.clone(), safer.clone()], false);
        assert_eq!(
            sentences,
            [
                "No cell is certainly safe.",
                "Row 1, column 1 is 90.0 % safe.",
                "Row 1, column 2 is safer (92.0 %), but leads to a certain move less often (12.0 % \
                 against 64.0 %).",
                "If it is safe, a certain move follows 64.0 % of the time (row 1, column 2: 12.0 %).",
                "The safest move after it is 90.0 % safe on average.",
                "Estimated win chance with best play: 38.1 %, against 35.4 % for row 1, column 2.",
            ]
        );
        let avoiding = Weighed { avoids: 0.125, ..best.clone() };
        let sentences = of_guess(&shape, &[avoiding, safer.clone()], false);
        let avoided =
            "It avoids a 50/50 that would otherwise arise later about 12.5 % of the time.";
        assert_eq!(sentences[5], avoided);
        assert_eq!(
            of_other(&shape, &best, &safer, false),
            "2.0 points safer; a certain move follows 12.0 % of the time instead of 64.0 %; \
             estimated win chance 2.7 points lower."
        );
    }

    #[test]
    fn certain_moves_need_few_words() {
        assert_eq!(why("mines 1\n# # #\n# 1 1"), ["Row 0, column 0 is certainly safe."]);
        let first = why("mines 2\n# # #\n# # #");
        assert_eq!(first[0], "The first click is always safe.");
    }
}
