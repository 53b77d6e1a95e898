//! Park, Liou, Bray, Pyon and Francesconi: what they say of small fields.

use std::num::NonZero;

use deminer_game::{GameSeed, Purpose};
use deminer_learn::evolve::gp::{Breeding, Field};
use deminer_learn::evolve::{Evolution, Replacement, Scheme, Settings, in_order};

use super::s004_t2::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};

pub const TABLE: Table = Table {
    id: "s004-small",
    title: "Trees of checks on small fields",
    paper: Some(PAPER),
    about: "The paper says that on fields smaller than 5x5 the first population often holds a \
            tree without fault, and that on small fields one is found within 50 iterations. 60 \
            fields of each size with 10 % mines, at least one, trees of depth 3 to 15, closest \
            replacement. Asked: most fields smaller than 5x5 solved at once, most up to 5x5 \
            within 50 iterations.",
    trials: Vec::new,
    studies: || SIDES.map(|side| Study::new(format!("{side}x{side}"), 60, solve)).into(),
    read,
    digest: None,
};

const SIDES: [usize; 6] = [3, 4, 5, 6, 7, 8];
/// Within how many iterations a field is to be solved.
const SOON: u64 = 50;

fn solve(work: &Work<'_>) -> Option<Findings> {
    let side = SIDES.into_iter().find(|side| work.name == format!("{side}x{side}"));
    let side = side.expect("a study of this table");
    let one = NonZero::<usize>::MIN;
    let solved = in_order(work.threads, work.amount as usize, |number| {
        let seed = GameSeed { seed: work.seed, game: number as u64 };
        let field = Field::deal(side, side, (side * side / 10).max(1), &mut seed.rng(Purpose::Lab));
        let settings = Settings {
            scheme: Scheme::Steady(Replacement::Closest),
            population: 40,
            distinct: true,
            seed: seed.derive(Purpose::Agent),
        };
        let mut evolution = Evolution::new(Breeding::paper(field, 15), settings, one);
        while evolution.iteration() < SOON && !evolution.perfect() {
            evolution.step(one);
        }
        (evolution.iteration() == 0, evolution.perfect())
    });
    let mut found = Findings::default();
    for (at_once, soon) in solved {
        found.push("at once", f64::from(u8::from(at_once)));
        found.push("within 50", f64::from(u8::from(soon)));
    }
    (!work.is_stopped()).then_some(found)
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for side in SIDES {
        let name = format!("{side}x{side}");
        let found = played.findings(&name);
        let most = |asked: bool| match asked {
            true => Target::Outdo { other: 0.5 },
            false => Target::None,
        };
        lines.push(Line::new(
            &name,
            "gp",
            "solved at once",
            most(side < 5),
            found.share("at once"),
        ));
        let soon = found.share("within 50");
        lines.push(Line::new(&name, "gp", "solved within 50", most(side <= 5), soon));
    }
    Reading::of("Trees of checks on small fields", lines)
}
