//! What was learned and is shipped: where it comes from, its text, and drawings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deminer_game::{Size, View, Window};
use deminer_lab::documents::{GenomeDocument, TheoryDocument, TreeDocument, WalkDocument};
use deminer_lab::report::{Bars, DrawnTree, GenomePicture, Theme, TreePicture};
use deminer_learn::evolve;
use deminer_learn::header;
use deminer_learn::ilp::{self, Theory};
use deminer_learn::trees::{Artifact, Column};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::{Asked, Input, Named};
use crate::page::kind;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
        .routes(routes!(walk))
        .routes(routes!(part))
}

#[derive(RustEmbed)]
#[folder = "../../artifacts/"]
#[include = "*/*"]
struct Shipped;

/// What is shipped.
#[derive(Serialize, ToSchema)]
struct Artifacts {
    artifacts: Vec<ArtifactSummary>,
}

/// A shipped file.
#[derive(Serialize, ToSchema)]
struct ArtifactSummary {
    /// Its name.
    name: String,
    /// The folder it is in: `trees`, `networks`, `theories`, `genomes`, `q-tables`.
    kind: String,
    /// Its length.
    bytes: usize,
    /// Where it comes from: the fields at its beginning, among them the command that made it.
    header: BTreeMap<String, String>,
    /// What can be drawn of it.
    drawings: Vec<String>,
    /// The agent that plays with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// The board it was made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

/// A shipped file in full.
#[derive(Serialize, ToSchema)]
struct ArtifactDocument {
    #[serde(flatten)]
    about: ArtifactSummary,
    /// A decision tree: every node.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeDocument>,
    /// An evolved genome: every node.
    #[serde(skip_serializing_if = "Option::is_none")]
    genome: Option<GenomeDocument>,
    /// A theory: every rule, in words and on a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    theory: Option<TheoryDocument>,
}

/// How something is drawn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manner {
    #[serde(default = "three")]
    depth: usize,
    #[serde(default)]
    dark: bool,
}

fn three() -> usize {
    3
}

const TREE: &str = "tree.svg";
const IMPORTANCES: &str = "importances.svg";
const CURVE: &str = "curve.svg";
const GENOME: &str = "genome.svg";
const TEXT: &str = "text";

/// Lists shipped artifacts with their provenance.
#[utoipa::path(
    get, path = "/api/v1/artifacts", operation_id = "list_artifacts",
    responses((status = 200, body = Artifacts))
)]
async fn list() -> Json<Artifacts> {
    let mut artifacts: Vec<ArtifactSummary> =
        Shipped::iter().filter_map(|path| find(&path).map(|(about, _)| about)).collect();
    artifacts.sort_by(|one, other| (&one.kind, &one.name).cmp(&(&other.kind, &other.name)));
    Json(Artifacts { artifacts })
}

/// One artifact; of a decision tree or a genome every node, of a theory every rule.
#[utoipa::path(
    get, path = "/api/v1/artifacts/{name}", operation_id = "get_artifact",
    params(("name" = String, Path)),
    responses(
        (status = 200, body = ArtifactDocument),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn get(
    State(app): State<App>,
    Named(name): Named<String>,
) -> Result<Json<ArtifactDocument>, Problem> {
    let (about, bytes) = named(&name)?;
    // A theory is shown on boards that have to be found first.
    let lane = if about.kind == THEORIES { app.slow() } else { app.quick() };
    let read = lane.run(move |_| {
        let tree = tree(&bytes).map(|tree| TreeDocument::of(&tree));
        let genome = genome(&bytes).and_then(|genome| GenomeDocument::of(&genome).ok());
        let theory = (about.kind == THEORIES).then(|| theory(&about.name, &bytes)).flatten();
        ArtifactDocument { about, tree, genome, theory }
    });
    read.await.map(Json)
}

/// A theory on boards, found once.
fn theory(name: &str, bytes: &[u8]) -> Option<TheoryDocument> {
    static FOUND: Mutex<BTreeMap<String, TheoryDocument>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(theory) = found.get(name) {
        return Some(theory.clone());
    }
    let read = Theory::read(str::from_utf8(bytes).ok()?).ok()?;
    let theory = TheoryDocument::of(&read, NonZero::<usize>::MIN);
    found.insert(name.to_owned(), theory.clone());
    Some(theory)
}

/// The window around a cell that a tree judges.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WindowShape {
    /// Five rows of five cells; the tree judges the middle. `#` covered, `.` or `0` to `8` open,
    /// `-` outside the board.
    #[schema(min_items = 5, max_items = 5)]
    rows: Vec<String>,
}

impl WindowShape {
    fn window(&self) -> Result<Window, Problem> {
        let text = self.rows.concat();
        let known = |symbol: char| "#F.012345678?-".contains(symbol);
        let sized = self.rows.iter().all(|row| row.chars().count() == Window::SIDE);
        if self.rows.len() != Window::SIDE || !sized || !text.chars().all(known) {
            let detail = "a window has five rows of five cells (use # . 0-8 and - for outside)";
            return Err(Problem::unfit(detail).at("rows"));
        }
        let inside = self.rows.join("\n").replace('-', "#");
        let view: View = format!("mines 1\n{inside}").parse().map_err(Problem::unfit)?;
        let middle = view.shape().nth(Window::AREA / 2).expect("25 cells");
        let mut window = Window::around(&view, middle).expect("a board of squares");
        for (pane, symbol) in window.panes.iter_mut().zip(text.chars()) {
            if symbol == '-' {
                *pane = None;
            }
        }
        Ok(window)
    }
}

/// Walks a decision tree with a window: the questions, their answers, and what the leaf says.
#[utoipa::path(
    post, path = "/api/v1/artifacts/{name}/walk", operation_id = "walk_tree",
    params(("name" = String, Path)), request_body = WindowShape,
    responses(
        (status = 200, body = WalkDocument),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn walk(
    State(app): State<App>,
    Named(name): Named<String>,
    Input(window): Input<WindowShape>,
) -> Result<Json<WalkDocument>, Problem> {
    let window = window.window()?;
    let (_, bytes) = named(&name)?;
    let walked = app.quick().run(move |_| {
        let tree = read_once(&name, &bytes)?;
        Some(WalkDocument::of(&tree, &window))
    });
    let walked = walked.await?;
    walked.map(Json).ok_or_else(|| Problem::not_found("this artifact is not a decision tree"))
}

/// A shipped tree. Large ones take a while to read, and windows are painted quickly.
fn read_once(name: &str, bytes: &[u8]) -> Option<Arc<Artifact>> {
    static READ: Mutex<BTreeMap<String, Arc<Artifact>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tree) = read.get(name) {
        return Some(Arc::clone(tree));
    }
    let tree = Arc::new(tree(bytes)?);
    read.insert(name.to_owned(), Arc::clone(&tree));
    Some(tree)
}

/// The artifact's own `text`, or a drawing of it: `tree.svg`, `importances.svg`, `genome.svg`,
/// `curve.svg`.
#[utoipa::path(
    get, path = "/api/v1/artifacts/{name}/{part}", operation_id = "get_artifact_part",
    params(
        ("name" = String, Path),
        ("part" = String, Path),
        ("depth" = Option<usize>, Query, minimum = 1, maximum = 6, description = "how many questions deep a tree is drawn; 3 unless given"),
        ("dark" = Option<bool>, Query, description = "whether the ground is dark"),
    ),
    responses(
        (status = 200, description = "text or a drawing", body = String, content_type = "image/svg+xml"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn part(
    State(app): State<App>,
    Named((name, part)): Named<(String, String)>,
    Asked(manner): Asked<Manner>,
) -> Result<Response, Problem> {
    let (_, bytes) = named(&name)?;
    if part == TEXT {
        let text = String::from_utf8(bytes.into_owned())
            .map_err(|_| Problem::not_found(format!("`{name}` is not text")))?;
        return Ok(([(CONTENT_TYPE, kind("x.txt"))], text).into_response());
    }
    if part == CURVE {
        let curve = path_of(&name).and_then(|path| beside(&path));
        let curve = curve.ok_or_else(|| no_drawing(&name, &part))?;
        return Ok(([(CONTENT_TYPE, kind(CURVE))], curve.into_owned()).into_response());
    }
    if !(1..=6).contains(&manner.depth) {
        return Err(Problem::unfit("a tree is drawn 1 to 6 questions deep").at("depth"));
    }
    let drawing: fn(&[u8], &Manner) -> Option<String> = match part.as_str() {
        TREE => |bytes, manner| tree(bytes).map(|tree| draw_tree(&tree, manner)),
        IMPORTANCES => |bytes, manner| tree(bytes).map(|tree| draw_importances(&tree, manner)),
        GENOME => |bytes, manner| draw_genome(&genome(bytes)?, manner),
        _ => return Err(no_drawing(&name, &part)),
    };
    let drawn = app.quick().run(move |_| drawing(&bytes, &manner)).await?;
    let svg = drawn.ok_or_else(|| no_drawing(&name, &part))?;
    Ok(([(CONTENT_TYPE, kind(TREE))], svg).into_response())
}

fn no_drawing(name: &str, part: &str) -> Problem {
    Problem::not_found(format!("there is no drawing {part} of `{name}`"))
}

impl Manner {
    fn theme(&self) -> Theme {
        if self.dark { Theme::Dark } else { Theme::Light }
    }
}

fn draw_tree(artifact: &Artifact, manner: &Manner) -> String {
    let (tree, title) = (&artifact.tree, artifact.origin.title());
    TreePicture { tree, depth: manner.depth, title, theme: manner.theme() }.scene().svg()
}

fn draw_importances(artifact: &Artifact, manner: &Manner) -> String {
    let tree = &artifact.tree;
    let columns = tree.features().columns().iter().zip(tree.importances());
    let row = |(column, importance): (&Column, f64)| {
        (format!("{} ({})", column.words, column.name), vec![importance])
    };
    let bars = Bars {
        title: "what matters to the tree".into(),
        series: vec![artifact.origin.title()],
        rows: columns.map(row).collect(),
        theme: manner.theme(),
    };
    bars.sorted().scene().svg()
}

fn draw_genome(artifact: &evolve::Artifact, manner: &Manner) -> Option<String> {
    let trees = DrawnTree::all(artifact).ok()?;
    let title = format!("{}: {}", artifact.kind, artifact.about);
    Some(GenomePicture { trees, title, theme: manner.theme() }.scene().svg())
}

/// The shipped file of this name. Names come from the list, so none leads anywhere else.
fn named(name: &str) -> Result<(ArtifactSummary, Cow<'static, [u8]>), Problem> {
    let found = path_of(name).and_then(|path| find(&path));
    found.ok_or_else(|| Problem::not_found(format!("there is no artifact `{name}`")))
}

fn path_of(name: &str) -> Option<Cow<'static, str>> {
    Shipped::iter().find(|path| path.rsplit('/').next() == Some(name))
}

fn find(path: &str) -> Option<(ArtifactSummary, Cow<'static, [u8]>)> {
    let (kind, name) = path.rsplit_once('/')?;
    // A drawing beside an artifact is part of it, and what is only described does not play.
    if name.ends_with(".svg") || name.ends_with(".json") || !KINDS.contains(&kind) {
        return None;
    }
    let bytes = Shipped::get(path)?.data;
    let mut drawings = Vec::new();
    match kind {
        TREES => drawings.extend([TREE.to_owned(), IMPORTANCES.to_owned()]),
        GENOMES => drawings.push(GENOME.to_owned()),
        _ => {}
    }
    drawings.extend(beside(path).map(|_| CURVE.to_owned()));
    let header = header(kind, &bytes);
    let about = ArtifactSummary {
        name: name.to_owned(),
        kind: kind.to_owned(),
        bytes: bytes.len(),
        drawings,
        agent: player(kind, name, &header),
        board: header.get("board").cloned(),
        header,
    };
    Some((about, bytes))
}

const TREES: &str = "trees";
const GENOMES: &str = "genomes";
const THEORIES: &str = "theories";
const NETWORKS: &str = "networks";
const TABLES: &str = "q-tables";
/// The folders that are shown: what was learned and plays.
const KINDS: [&str; 5] = [TREES, GENOMES, THEORIES, NETWORKS, TABLES];

/// The agent that plays with an artifact.
fn player(kind: &str, name: &str, header: &BTreeMap<String, String>) -> Option<String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let field = |name: &str| header.get(name).map(String::as_str);
    match kind {
        TREES => Some(format!("tree:{stem}")),
        TABLES => Some(format!("q-table:{stem}")),
        GENOMES => Some(format!("{}:{stem}", field("kind")?)),
        // The rules that the paper prints are an agent of their own.
        THEORIES if ilp::SHIPPED.iter().all(|(shipped, _)| *shipped != stem) => {
            Some("mio-rules".to_owned())
        }
        THEORIES => Some(format!("mio:{stem}")),
        _ => {
            let net = field("net")?;
            let orig = (field("variant") == Some("orig")).then(|| "orig".to_owned());
            let teacher = (net == "msla").then(|| field("teacher")).flatten();
            let teacher = teacher.map(|teacher| format!("teacher={teacher}"));
            let options: Vec<String> = orig.into_iter().chain(teacher).collect();
            Some(match options.is_empty() {
                true => net.to_owned(),
                false => format!("{net}:{}", options.join(",")),
            })
        }
    }
}

/// The learning curve that lies beside an artifact.
fn beside(path: &str) -> Option<Cow<'static, [u8]>> {
    let (stem, _) = path.rsplit_once('.')?;
    Shipped::get(&format!("{stem}.svg")).map(|file| file.data)
}

fn tree(bytes: &[u8]) -> Option<Artifact> {
    Artifact::read(bytes).ok()
}

fn genome(bytes: &[u8]) -> Option<evolve::Artifact> {
    evolve::Artifact::read(str::from_utf8(bytes).ok()?).ok()
}

/// What an artifact says of itself.
fn header(kind: &str, bytes: &[u8]) -> BTreeMap<String, String> {
    if kind == NETWORKS {
        return metadata(bytes).unwrap_or_default();
    }
    let fields = header::fields(str::from_utf8(bytes).unwrap_or_default());
    fields.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// The board that an artifact with this extension was made for, where it tells.
pub fn board(extension: &str, bytes: &[u8]) -> Option<String> {
    let kind = if extension == "safetensors" { NETWORKS } else { TREES };
    let header = header(kind, bytes);
    // Trees and genomes begin their rules or their description with the board.
    let fields = ["board", "rules", "about"].iter().filter_map(|name| header.get(*name));
    let mut boards = fields.filter_map(|text| text.split(',').next()?.trim().parse::<Size>().ok());
    boards.next().map(|size| size.to_string())
}

/// The metadata of a file of weights (safetensors): its length in eight bytes, then JSON. Read
/// here, because a program without networks tells as well which are shipped.
fn metadata(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let text = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: serde_json::Value = serde_json::from_slice(text).ok()?;
    serde_json::from_value(header.get("__metadata__")?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_artifact_says_what_made_it() {
        let mut names = Vec::new();
        for path in Shipped::iter() {
            let Some((about, _)) = find(&path) else { continue };
            let told = ["command", "paper"].iter().any(|key| about.header.contains_key(*key));
            assert!(told, "{path} does not say where it comes from");
            assert!(!names.contains(&about.name), "two artifacts are called {}", about.name);
            names.push(about.name);
        }
        assert!(!names.is_empty());
    }

    #[test]
    fn every_artifact_has_an_agent_that_plays_it() {
        for path in Shipped::iter() {
            let Some((about, _)) = find(&path) else { continue };
            if cfg!(not(feature = "neural")) && about.kind == NETWORKS {
                continue;
            }
            let agent = about.agent.unwrap_or_else(|| panic!("{path} has no agent"));
            if let Err(problem) = crate::shapes::agent(&agent, "agent") {
                panic!("{path}, played by {agent}: {problem:?}");
            }
        }
    }
}
