//! `sla-small`, `sla-large-a`, `sla-large-b` and `msla`: a dense network says of each cell on
//! the perimeter how likely it is safe, from the 5x5 window around it; flags it puts itself are
//! part of what it sees.
//!
//! A turn of the paper's algorithm: judge every cell of the perimeter and flag those almost
//! surely mined; judge them again, flags seen; open the safest. The authors' own program cut the
//! windows before it flagged, so its second round repeated the first, and it ended when the
//! safest cell carried a flag or the perimeter was empty. Repaired, flags count at once, the
//! safest cell is looked for among those without a flag, and a cell off the perimeter is weighed
//! by the density of mines that is left. While it learns, it tries cells that touch nothing but
//! a flag, as the authors' program does; once it has learned, those are off the perimeter.
//!
//! The weak teacher of `msla` finds many cells equally risky and opens the first of them. So does
//! its pupil: what it judges nearly alike counts as equal.

use std::collections::VecDeque;
use std::sync::Arc;

use deminer_game::{
    Action, Agent, BuildError, Cell, Decision, Entry, Estimates, Face, OptionEntry, Options, Rng,
    Rules, Values, View, Why,
};

use super::judge::{self, Judge};
use super::{KAIST, NETWORK, ORIG, WINDOWS};
use crate::encode::{Codes, Frame};
use crate::models::{self, Model};
use crate::nets::Variant;
use crate::train::EXACT;

/// Hidden layers 300-256-128.
pub const SMALL: Entry = Entry {
    name: "sla-small",
    about: "dense network on 5x5 windows that learned from its own games",
    paper: Some(KAIST),
    options: &[ORIG],
    supports: WINDOWS,
    build: |options| build("sla-small", options, None),
    ..NETWORK
};

/// Hidden layers 300-256-128-64.
pub const LARGE_A: Entry = Entry {
    name: "sla-large-a",
    about: "sla-small with a narrow fourth layer",
    build: |options| build("sla-large-a", options, None),
    ..SMALL
};

/// Hidden layers 300-256-256-128.
pub const LARGE_B: Entry = Entry {
    name: "sla-large-b",
    about: "sla-small with a wide fourth layer",
    build: |options| build("sla-large-b", options, None),
    ..SMALL
};

/// The small network with a teacher.
pub const MSLA: Entry = Entry {
    name: "msla",
    about: "sla-small taught by a solver in its own games",
    options: &[
        ORIG,
        OptionEntry {
            name: "teacher",
            values: Values::OneOf(&["msla-teacher", EXACT, "pedersen", "sampled", "mcmc"]),
            about: "who taught it",
        },
    ],
    build: |options| build("msla", options, Some(options.word("teacher", EXACT))),
    ..SMALL
};

fn build(
    net: &str,
    options: &Options,
    teacher: Option<&str>,
) -> Result<Box<dyn Agent>, BuildError> {
    let models = models::chosen(net, options, teacher)?;
    let judges = models.iter().map(|model| Judge::new(model.forward.clone())).collect();
    let header = &models[0].header;
    let variant = header.variant;
    // The teacher decides how the player breaks ties.
    let has_ties = variant == Variant::Repaired && header.teacher == "msla-teacher";
    let alike = if has_ties { ALIKE } else { 0.0 };
    Ok(Box::new(Sla { models, learns: false, alike, ..Sla::new(judges, variant) }))
}

/// Below this a cell is flagged.
const FLAG_BELOW: f32 = 0.1;

/// Shares of mines among cells around a number differ by more than this, but for one in seven and
/// one in eight.
const ALIKE: f32 = 0.02;

/// The player.
pub struct Sla {
    models: Vec<Arc<Model>>,
    /// Whether its games are for learning.
    learns: bool,
    /// Cells less than this apart count as equally safe.
    alike: f32,
    judges: Vec<Judge>,
    playing: usize,
    variant: Variant,
    frame: Frame,
    /// Flags still to be put or taken away this turn.
    flags: VecDeque<Action>,
    /// Whether this turn's flags have been thought of.
    flagged: bool,
    /// What was judged before opening, cell by cell.
    judged: Vec<(Cell, Codes, f32)>,
    /// The last window remembered of each cell.
    remembered: Vec<Option<Codes>>,
}

impl Sla {
    /// A player with these networks, which are given what they are given in play.
    pub fn new(judges: Vec<Judge>, variant: Variant) -> Self {
        Self {
            models: Vec::new(),
            learns: true,
            alike: 0.0,
            judges,
            playing: 0,
            variant,
            frame: Frame::default(),
            flags: VecDeque::new(),
            flagged: false,
            judged: Vec::new(),
            remembered: Vec::new(),
        }
    }

    /// Whether anything was judged before the last opening.
    pub fn has_judged(&self) -> bool {
        !self.judged.is_empty()
    }

    /// The windows judged before the last opening; only those that changed since they were last
    /// taken, if so asked. The authors' program kept windows of flagged cells twice.
    pub fn take_judged(&mut self, fresh_only: bool) -> Vec<(Cell, Codes)> {
        let mut taken = Vec::with_capacity(self.judged.len());
        for &(cell, codes, safe) in &self.judged {
            if fresh_only {
                let before = &mut self.remembered[cell.index()];
                if *before == Some(codes) {
                    continue;
                }
                *before = Some(codes);
            }
            taken.push((cell, codes));
            if self.variant == Variant::Orig && safe < FLAG_BELOW {
                taken.push((cell, codes));
            }
        }
        self.judged.clear();
        taken
    }

    /// Covered cells that touch an open number, not zero, or perhaps a flag.
    fn perimeter(&self, view: &View) -> Vec<Cell> {
        // Without cascade an open zero still has covered neighbors; the original never saw one.
        let least = u8::from(self.variant == Variant::Orig);
        let by_flags = self.learns || self.variant == Variant::Orig;
        let is_flagged = |&near: &Cell| view.face(near) == Face::Flagged;
        let touches = |&cell: &Cell| {
            judge::touches_number(view, cell, least)
                || by_flags && view.shape().neighbors(cell).iter().any(is_flagged)
        };
        view.covered().filter(touches).collect()
    }

    fn judge(&mut self, view: &View) {
        self.frame.update(view);
        self.judged.clear();
        for cell in self.perimeter(view) {
            let codes = self.frame.window(cell);
            let safe = self.judges[self.playing].ask(&codes);
            self.judged.push((cell, codes, safe));
        }
    }

    /// Flags to put and to take away by what was judged.
    fn plan_flags(&mut self, view: &View) {
        self.flags.extend(self.judged.iter().filter_map(|&(cell, _, safe)| {
            match (safe < FLAG_BELOW, view.face(cell) == Face::Flagged) {
                (true, false) => Some(Action::Flag(cell)),
                (false, true) if safe > FLAG_BELOW => Some(Action::Unflag(cell)),
                _ => None,
            }
        }));
    }

    /// The cell to open by what was judged, first in row-major order among equals.
    fn choose(&self, view: &View) -> Option<(Cell, f64)> {
        let allowed = |cell| self.variant == Variant::Orig || view.face(cell) == Face::Covered;
        let open = || self.judged.iter().filter(|(cell, ..)| allowed(*cell));
        let most = open().map(|&(.., safe)| safe).fold(f32::NEG_INFINITY, f32::max);
        let best = open().find(|(.., safe)| *safe >= most - self.alike);
        let best = best.map(|&(cell, _, safe)| (cell, f64::from(1.0 - safe)));
        if self.variant == Variant::Orig {
            return best;
        }
        let mut inland = vec![true; view.shape().size()];
        self.judged.iter().for_each(|(cell, ..)| inland[cell.index()] = false);
        let sea: Vec<Cell> = view.openable().filter(|cell| inland[cell.index()]).collect();
        let risks = self.judged.iter().map(|(_, _, safe)| f64::from(1.0 - safe));
        let risk = judge::sea_risk(view, risks, sea.len());
        match (best, judge::best_of_sea(view, &sea)) {
            (Some((_, least)), Some(cell)) if risk < least => Some((cell, risk)),
            (None, Some(cell)) => Some((cell, risk)),
            (best, _) => best,
        }
    }

    fn estimates(&self, view: &View) -> Estimates {
        let mut estimates = Estimates::new(view.shape().size());
        for &(cell, _, safe) in &self.judged {
            estimates.believe(cell, f64::from(1.0 - safe));
        }
        estimates
    }
}

impl Agent for Sla {
    fn begin(&mut self, rules: &Rules) {
        self.playing = models::nearest(&self.models, rules.size());
        self.flags.clear();
        self.flagged = false;
        self.judged.clear();
        self.remembered.clear();
        self.remembered.resize(rules.shape().size(), None);
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        if !self.flagged {
            self.judge(view);
            self.plan_flags(view);
            self.flagged = true;
        }
        if let Some(flag) = self.flags.pop_front() {
            let rule = if matches!(flag, Action::Flag(_)) { "flag" } else { "unflag" };
            return Decision::new(flag, Why::rule(rule, Vec::new()));
        }
        self.flagged = false;
        if self.variant == Variant::Repaired {
            self.judge(view);
        }
        if let Some((cell, risk)) = self.choose(view) {
            return Decision::risk(cell, risk).with_estimates(self.estimates(view));
        }
        // Everything covered carries a flag: the one least believed in goes.
        let least = |a: &&(Cell, Codes, f32), b: &&(Cell, Codes, f32)| a.2.total_cmp(&b.2);
        match self.judged.iter().filter(|_| self.variant == Variant::Repaired).max_by(least) {
            Some(&(cell, ..)) => {
                self.flagged = true;
                Decision::new(Action::Unflag(cell), Why::rule("unflag", Vec::new()))
            }
            None => Decision::decline(),
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Window;

    use super::*;

    fn player(alike: f32) -> Sla {
        Sla { learns: false, alike, ..Sla::new(Vec::new(), Variant::Repaired) }
    }

    #[test]
    fn of_cells_nearly_alike_the_first_is_opened() {
        let view: View = "mines 1\n# # #\n1 1 1".parse().unwrap();
        let chosen = |alike| {
            let mut player = player(alike);
            let cells = view.covered().zip([0.49, 0.5, 0.3]);
            player.judged = cells.map(|(cell, safe)| (cell, [0; Window::AREA], safe)).collect();
            player.choose(&view).map(|(cell, _)| cell.index())
        };
        assert_eq!((chosen(ALIKE), chosen(0.0)), (Some(0), Some(1)));
    }

    #[test]
    fn a_flag_makes_a_perimeter_only_while_learning() {
        let view: View = "mines 1\n1 F # #".parse().unwrap();
        let cells = |player: Sla| player.perimeter(&view).iter().map(|cell| cell.index()).collect();
        let (plays, learns): (Vec<usize>, Vec<usize>) =
            (cells(player(0.0)), cells(Sla { learns: true, ..player(0.0) }));
        assert_eq!((plays, learns), (vec![1], vec![1, 2]));
    }
}
