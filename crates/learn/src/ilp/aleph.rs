//! The same task for Aleph, a Prolog learner: background, modes and examples in one file.
//!
//! Aleph (A. Srinivasan, "The Aleph Manual") runs on SWI-Prolog. Each example is a board of its
//! own: the sets around its cell are facts, and what follows from sets is computed in Prolog by
//! the rules below, with sets as sorted lists of cell numbers.

use std::fmt::Write;

use deminer_game::{Cell, View};

use super::background::Argument;
use super::clause::{Target, Type};
use super::example::Example;
use super::learn::Method;
use super::situation::Surveyor;
use crate::touches_open;

/// What the predicates mean, in Prolog.
const MEANING: &str = "\
zoneOfInterest(E, E, zone(E)).
totalMinesLeft(E, N) :- left(E, N).
allMinesInFringe(E, set(Cells, N)) :- fringe(E, Cells), left(E, N).
setHasXMines(T, E, zone(E), set(Cells, N)) :- clue(E, T, Cells, N).
diffSetHasXMines(set(A, M), set(B, N), set(D, K)) :-
    ord_subtract(A, B, D), ord_subtract(B, A, F), ord_intersection(A, B, C),
    length(D, LD), length(F, LF), length(C, LC),
    Low is max(0, max(M - LD, N - LF)), High is min(min(M, N), LC),
    Low =:= High, K is M - Low.
inSet(E, set(Cells, _)) :- center(E, T), ord_memberchk(T, Cells).
lengthSet(set(Cells, _), N) :- length(Cells, N).
minesInSet(set(_, N), N).
";

/// The task of learning one target from examples.
pub fn task(examples: &[Example], target: Target, method: &Method) -> String {
    let mut text = String::from(
        "% A task for Aleph on SWI-Prolog:\n%   swipl -g \"[aleph], read_all(FILE), induce, \
         write_rules, halt\"\n:- use_module(library(aleph)).\n:- aleph.\n",
    );
    let name = target.name();
    let mut line = |words: std::fmt::Arguments<'_>| {
        writeln!(text, "{words}").expect("strings take everything");
    };
    line(format_args!(":- aleph_set(i, {}).", method.saturation.depth));
    line(format_args!(":- aleph_set(clauselength, {}).", method.bounds.body + 1));
    line(format_args!(":- aleph_set(nodes, {}).", method.bounds.clauses));
    line(format_args!(":- aleph_set(noise, 0)."));
    line(format_args!(":- modeh(1, {name}(+tu, +board))."));
    for predicate in &method.predicates {
        let kind = |kind: Type| kind.name().to_lowercase();
        let mode = |argument: &Argument| match argument {
            Argument::In(of) => format!("+{}", kind(*of)),
            Argument::Out(of) => format!("-{}", kind(*of)),
            Argument::Constant => "#int".to_owned(),
        };
        let modes: Vec<String> = predicate.arguments().iter().map(mode).collect();
        line(format_args!(":- modeb(*, {}({})).", predicate.name, modes.join(", ")));
        let arity = predicate.arguments().len();
        line(format_args!(":- determination({name}/2, {}/{arity}).", predicate.name));
    }
    line(format_args!(":- begin_bg.\n{MEANING}"));
    let mut surveyor = Surveyor::default();
    for (number, example) in examples.iter().enumerate() {
        for fact in facts(number, example, method, &mut surveyor) {
            line(format_args!("{fact}"));
        }
    }
    line(format_args!(":- end_bg."));
    for (heading, positive) in [("pos", true), ("neg", false)] {
        line(format_args!(":- begin_in_{heading}."));
        let own = examples
            .iter()
            .enumerate()
            .filter(|(_, example)| (example.label == Some(target.fact())) == positive);
        for (number, _) in own {
            line(format_args!("{name}(e{number}, e{number})."));
        }
        line(format_args!(":- end_in_{heading}."));
    }
    text
}

/// What is seen around an example's cell.
fn facts(
    number: usize,
    example: &Example,
    method: &Method,
    surveyor: &mut Surveyor,
) -> Vec<String> {
    let view: &View = &example.view;
    let remaining = surveyor.remaining(view);
    let situation = surveyor.survey(view, example.cell, method.reach(), Some(remaining));
    let list = |cells: Vec<Cell>| {
        let mut cells: Vec<usize> = cells.into_iter().map(Cell::index).collect();
        cells.sort_unstable();
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        format!("[{}]", cells.join(","))
    };
    let mut facts = vec![
        format!("center(e{number}, {}).", example.cell.index()),
        format!("left(e{number}, {}).", remaining.mines()),
    ];
    let zone = situation.zone();
    if zone.fringe(&remaining).is_some() {
        let fringe = view.openable().filter(|&cell| touches_open(view, cell)).collect();
        facts.push(format!("fringe(e{number}, {}).", list(fringe)));
    }
    for (clue, set) in zone.clues().iter().zip(zone.sets_near()) {
        let cells = list(zone.cells(*set).collect());
        facts.push(format!("clue(e{number}, {}, {cells}, {}).", clue.index(), set.mines()));
    }
    facts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use deminer_inference::deduce::Fact;

    use super::*;
    use crate::ilp::Setting;

    #[test]
    fn a_task_has_modes_facts_and_examples() {
        let view: Arc<View> = Arc::new("mines 2\n# # #\n1 2 1".parse().unwrap());
        let examples = [(1, Fact::Safe), (0, Fact::Mine)]
            .map(|(column, label)| Example::at(&view, (0, column), label));
        let text = task(&examples, Target::Safe, &Setting::ActiveGreedyMacros.method());
        for expected in [
            ":- modeb(*, minesInSet(+set, #int)).",
            ":- determination(safe/2, diffSetHasXMines/3).",
            "clue(e0, 4, [0,1,2], 2).",
            "fringe(e0, [0,1,2]).",
            "left(e1, 2).",
            ":- begin_in_pos.\nsafe(e0, e0).\n:- end_in_pos.",
            ":- begin_in_neg.\nsafe(e1, e1).\n:- end_in_neg.",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}
