//! `deminer play`: one agent plays one board.

use std::num::NonZero;
use std::path::PathBuf;

use deminer::chains::Chains;
use deminer::equations::Equations;
use deminer::play::Recorder;
use deminer::roster::Roster;
use deminer::words::{describe, describe_alternatives, describe_outcome};
use deminer_draw::{BoardPicture, Film, Heat, Look, Pace, Scene, Theme};
use deminer_formats::Document;
use deminer_game::{Board, GameSeed, Match, Record, Why};
use deminer_lab::tournament::{any_seed, thread_micros};

use crate::failure::{Done, Failure};
use crate::output::{Output, plural};
use crate::rule_args::{RuleArgs, seed, word};
use crate::tournament::read_agent;

/// Let an agent play one board; show or save the game.
///
/// The same seed gives the same game. Game i of `bench --seed S` is `play --seed S --game i`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer play --seed 7 --step
  deminer play --agent single-point:flag --board expert --seed 3 --gif game.gif
  deminer play --agent lowest-risk --board expert --seed 3 --after 40 --percentages --svg risk.svg
  deminer play --agent cs520 --board 16x16x30 --cascade off --at agent --chains --gif chains.gif
  deminer play --agent ga --seed 2 --after 5 --fringe --heat red --percentages --svg ga.svg
  deminer play --agent cs520 --board 32x32x102 --clues blind:0.1 --full --gif both.gif
  deminer play --shape hex --seed 1 --svg end.svg --record game.json")]
pub struct Args {
    /// The agent, as `name[:option,…]`.
    #[arg(long, value_name = "AGENT", default_value = "single-point")]
    agent: String,

    /// The seed; default: random.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The number of the game in the run of this seed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    game: u64,

    /// Show the board after every move, with the reason for it.
    #[arg(long)]
    step: bool,

    /// With --step, list the other moves that the agent considered, and the equations behind a
    /// cell that linear elimination proves.
    #[arg(long, requires = "step")]
    why: bool,

    /// Draw the game as an animated GIF.
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,

    /// Draw the last position as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw the last position as a PNG.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Draw --svg and --png after this many moves instead of at the end, with what the agent
    /// knew: the rule it used, the clues behind it, and its estimates.
    #[arg(long, value_name = "N")]
    after: Option<NonZero<usize>>,

    /// Draw pictures on a dark background.
    #[arg(long)]
    dark: bool,

    /// The colors of estimates, from safe to mine; the papers use green-purple.
    #[arg(long, value_name = "COLORS", default_value = "blue-orange",
          value_parser = word::<Heat>())]
    heat: Heat,

    /// Also write the estimates on the cells, in percent.
    #[arg(long)]
    percentages: bool,

    /// Outline the fringe: the covered cells beside open ones.
    #[arg(long)]
    fringe: bool,

    /// Draw the whole board beside what the agent sees, with 16-pixel tiles and a number beside
    /// every 16th row and column. A dot marks a clue that the agent does not see as it is.
    #[arg(long)]
    full: bool,

    /// Draw chains of influence as arrows: which conclusions each one follows from. The last
    /// picture shows the longest chain.
    #[arg(long)]
    chains: bool,

    /// Save the game as a record that replays exactly.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Print the record as one JSON document.
    #[arg(long, conflicts_with = "step")]
    json: bool,

    #[command(flatten)]
    rules: RuleArgs,
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let (rules, at) = self.rules.resolve()?;
        let agent = read_agent(roster, &self.agent)?;
        agent.admit(&rules).map_err(Failure::usage)?;
        agent.build().map_err(Failure::input)?;
        let seed = GameSeed { seed: self.seed.unwrap_or_else(any_seed), game: self.game };
        if !self.json {
            output.print(format_args!("{agent} plays {rules}, {}\n", name(seed)))?;
        }

        let game = Match::new(rules, at, seed);
        let theme = Theme::of(self.dark);
        let (tile, ruler) = if self.full { (Some(16.0), Some(16)) } else { (None, None) };
        let (heat, percentages, fringe) = (Some(self.heat), self.percentages, self.fringe);
        let look = Look { theme, heat, percentages, fringe, tile, ruler };
        let mut film = self.gif.is_some().then(|| {
            let film = Film::new(look, Pace::default());
            let film = if self.full { film.with_full_board() } else { film };
            match self.chains {
                true => film.with_chains(game.board().view().shape()),
                false => film,
            }
        });
        let mut chains = Chains::new(game.board().view().shape());
        if let Some(film) = &mut film {
            film.start(game.board().view());
        }
        let mut steps = Ok(());
        let mut number = 0;
        let mut before = game.board().view().clone();
        let mut moment = None;
        let record = Recorder::timed(thread_micros).record(&agent, game, |turn, board| {
            number += 1;
            if let Some(film) = &mut film {
                film.turn(turn, board);
            }
            let (decision, effect) = (&turn.decision, turn.effect);
            chains.see(decision.action, &decision.why, effect, board.view());
            if self.after.is_some_and(|after| after.get() == number) {
                let caption = format!("move {number}: {}", describe(turn, board.view().shape()));
                let chain = decision.action.cell().filter(|_| self.chains);
                let chain = chain.map_or(Vec::new(), |cell| chains.chain_to(cell));
                let picture = BoardPicture::new(board.view()).turn(turn).chain(&chain).look(look);
                moment = Some(self.scene(picture.caption(caption), board));
            }
            if self.step && steps.is_ok() {
                let sentence = describe(turn, board.view().shape());
                let picture = BoardPicture::new(board.view()).turn(turn).text();
                let others = match self.why {
                    true => describe_alternatives(decision, board.view().shape()),
                    false => String::new(),
                };
                let equations = match self.why && is_elimination(&decision.why) {
                    true => Equations::of(&before).text(&before),
                    false => String::new(),
                };
                steps = output.print(format_args!(
                    "\nmove {number}: {sentence}\n{others}{equations}{picture}"
                ));
            }
            if self.why {
                before = board.view().clone();
            }
        })?;
        steps?;
        let board = record.replay(|_, _, _| {})?;

        if self.json {
            output.bytes(&document(&record)?)?;
        } else {
            output.print(end(&record, &board))?;
        }
        if let (Some(path), Some(film)) = (&self.gif, film) {
            output.file(path, &film.finish(&board, record.outcome))?;
        }
        if let (Some(after), None) = (self.after, &moment) {
            output.note(format_args!("the game has no move {after}: the pictures show its end"));
        }
        let chain = if self.chains { chains.longest_chain() } else { Vec::new() };
        let end = BoardPicture::of(&board).chain(&chain).look(look);
        let scene = moment.unwrap_or_else(|| self.scene(end, &board));
        if let Some(path) = &self.svg {
            output.svg(path, &scene)?;
        }
        if let Some(path) = &self.png {
            output.file(path, &scene.png(2.0))?;
        }
        if let Some(path) = &self.record {
            output.file(path, &document(&record)?)?;
        }
        Ok(())
    }
}

impl Args {
    /// The picture, with the whole board beside it where that is asked for.
    fn scene(&self, picture: BoardPicture<'_>, board: &Board) -> Scene {
        match self.full {
            true => picture.beside(&BoardPicture::full(board)),
            false => picture.scene(),
        }
    }
}

fn name(seed: GameSeed) -> String {
    match seed.game {
        0 => format!("seed {}", seed.seed),
        game => format!("seed {}, game {game}", seed.seed),
    }
}

/// Whether the reason is a proof by linear elimination.
fn is_elimination(why: &Why) -> bool {
    matches!(why, Why::Proved(proof) if proof.rule == "linear elimination")
}

fn document(record: &Record) -> Result<Vec<u8>, Failure> {
    Ok(deminer_formats::find("record")?.write(&Document::Record(record.clone()))?)
}

/// The last position with outcome, moves and guesses.
fn end(record: &Record, board: &Board) -> String {
    let guesses = record.moves.iter().filter(|step| step.why.is_guess()).count();
    let opened = board.view().opened().len();
    let three_bv =
        board.layout().map_or(String::new(), |layout| format!(", 3BV {}", layout.three_bv()));
    format!(
        "\n{}{}\n{}, {}, {opened} of {} safe cells open{three_bv}\n",
        BoardPicture::of(board).text(),
        describe_outcome(record.outcome),
        plural(record.moves.len(), "move", "moves"),
        plural(guesses, "guess", "guesses"),
        record.rules.safe_cells(),
    )
}
