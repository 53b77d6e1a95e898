//! `sla-small`, `sla-large-a`, `sla-large-b` and `msla`: a dense network says of each cell on
//! the perimeter how likely it is safe, from the 5x5 window around it; flags it puts itself are
//! part of what it sees.
//!
//! A turn of the paper's algorithm: judge every cell of the perimeter and flag those almost
//! surely mined; judge them again, flags seen; open the safest. The authors' own program cut the
//! windows before it flagged, so its second round repeated the first, and it ended when the
//! safest cell carried a flag or the perimeter was empty. Repaired, flags count at once, the
//! safest cell is looked for among those without a flag, and a cell off the perimeter is weighed
//! by the density of mines that is left.

use std::collections::VecDeque;
use std::sync::Arc;

use deminer_game::{
    Action, Agent, BuildError, Cell, Decision, Entry, Estimates, Face, Kind, OptionEntry, Options,
    Rng, Rules, Values, View, Why,
};

use super::judge::{self, Judge};
use super::{KAIST, ORIG, WINDOWS};
use crate::encode::{Codes, Frame};
use crate::forward::Forward;
use crate::nets::Variant;
use crate::shelf::{self, Model};
use crate::train::EXACT;

/// Hidden layers 300-256-128.
pub const SMALL: Entry = Entry {
    name: "sla-small",
    about: "dense network on 5x5 windows that learned from its own games",
    kind: Kind::Network,
    paper: Some(KAIST),
    options: &[ORIG],
    supports: WINDOWS,
    build: |options| build("sla-small", options, None),
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
            values: Values::OneOf(&["msla-teacher", EXACT, "pedersen"]),
            about: "who taught it",
        },
    ],
    build: |options| build("msla", options, Some(options.word("teacher", EXACT))),
    ..SMALL
};

fn build(
    net: &'static str,
    options: &Options,
    teacher: Option<&str>,
) -> Result<Box<dyn Agent>, BuildError> {
    let variant = if options.flag("orig") { Variant::Orig } else { Variant::Repaired };
    let models = shelf::models(net, variant, teacher)?;
    let judges = models.iter().map(|model| Judge::new(model.forward())).collect();
    Ok(Box::new(Sla { models, ..Sla::with(judges, variant) }))
}

/// Below this a cell is flagged.
const FLAG_BELOW: f32 = 0.1;

/// The player.
pub struct Sla {
    models: Vec<Arc<Model>>,
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
    /// A player with this network, which is given what it is given in play.
    pub fn new(forward: Forward, variant: Variant) -> Self {
        Self::with(vec![Judge::new(forward)], variant)
    }

    fn with(judges: Vec<Judge>, variant: Variant) -> Self {
        Self {
            models: Vec::new(),
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

    /// Covered cells that touch an open number, not zero, or a flag.
    fn perimeter(&self, view: &View) -> Vec<Cell> {
        // Without cascade an open zero still has covered neighbors; the original never saw one.
        let least = u8::from(self.variant == Variant::Orig);
        let touches = |&cell: &Cell| {
            let near = view.shape().neighbors(cell);
            judge::touches_number(view, cell, least)
                || near.iter().any(|&near| view.face(near) == Face::Flagged)
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
        let open = |cell: Cell| view.face(cell) == Face::Covered;
        let mut best: Option<(Cell, f32)> = None;
        for &(cell, _, safe) in &self.judged {
            let allowed = self.variant == Variant::Orig || open(cell);
            if allowed && best.is_none_or(|(_, most)| safe > most) {
                best = Some((cell, safe));
            }
        }
        let best = best.map(|(cell, safe)| (cell, f64::from(1.0 - safe)));
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
        self.playing = shelf::nearest(&self.models, rules.size());
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
