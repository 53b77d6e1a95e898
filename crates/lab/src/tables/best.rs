//! The strongest player beside the best that others have published.

use deminer_game::{At, Start};

use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "best",
    title: "The strongest player",
    paper: None,
    about: "`best` beside the highest rates that others have published: Hill's solver on expert \
            boards (41.13 %, first click in the corner, and 54.3 % with an opening at row 3, \
            column 3) and our own runs of it on intermediate ones (78.6 %); Tu, Li, Chen, Zu and \
            Gu (2017) on 8x8 with ten mines (81.77 %) and on beginner boards (91.69 %). The seed \
            is one that nothing was tuned on. As good up to chance is a match.",
    trials: || SETTINGS.iter().map(Setting::trial).collect(),
    studies: super::no_studies,
    read,
    digest: None,
};

/// No experiment on this player has this seed.
const SEED: u64 = 8_110_000;

struct Setting {
    name: &'static str,
    agents: &'static [&'static str],
    board: &'static str,
    start: Start,
    games: u64,
    /// The published rate, and the games it was seen in.
    published: (f64, u64),
}

const SETTINGS: [Setting; 6] = [
    Setting {
        name: "expert",
        agents: &["best", "lowest-risk"],
        board: "expert",
        start: Start::Safe,
        games: 1_000_000,
        published: (0.4113, 10_000_000),
    },
    Setting {
        name: "expert, thinking longer",
        agents: &["best:deep"],
        board: "expert",
        start: Start::Safe,
        games: 300_000,
        published: (0.4113, 10_000_000),
    },
    Setting {
        name: "expert, open at row 3, column 3",
        agents: &["best"],
        board: "expert",
        start: Start::Open,
        games: 400_000,
        published: (0.543, 1_000_000),
    },
    Setting {
        name: "intermediate",
        agents: &["best"],
        board: "intermediate",
        start: Start::Safe,
        games: 1_000_000,
        published: (0.786, 1_000_000),
    },
    Setting {
        name: "beginner",
        agents: &["best"],
        board: "beginner",
        start: Start::Safe,
        games: 1_000_000,
        published: (0.9169, 10_000_000),
    },
    Setting {
        name: "8x8x10",
        agents: &["best"],
        board: "8x8x10",
        start: Start::Safe,
        games: 1_000_000,
        published: (0.8177, 10_000_000),
    },
];

impl Setting {
    fn trial(&self) -> Trial {
        let mut trial = Trial::new(self.name, self.agents, self.board, self.games).measuring(&[]);
        trial.tournament.seed = SEED;
        match self.start {
            Start::Open => {
                let at = trial.tournament.rules.shape().cell(3, 3).expect("a large board");
                trial.start(Start::Open, At::Cell(at))
            }
            start => trial.start(start, At::Corner),
        }
    }
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for Setting { name, agents, published: (paper, games), .. } in SETTINGS {
        for agent in agents {
            let target = match *agent {
                "lowest-risk" => Target::None,
                _ => Target::Reach { paper, games },
            };
            lines.push(Line::new(name, *agent, "won", target, played.games(name, agent).won()));
        }
    }
    Reading::of("The strongest player", lines)
}
