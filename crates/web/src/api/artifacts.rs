//! The shipped artifacts: origin, text and drawings.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deminer::documents::{GenomeDocument, TheoryDocument, TreeDocument, WalkDocument};
use deminer::requests::WindowRequest;
use deminer_draw::{Bars, GenomePicture, Scene, Theme, TreePicture};
use deminer_game::{ArtifactKind, Artifacts, Size};
use deminer_learn::evolve;
use deminer_learn::header;
use deminer_learn::header::ReadArtifactError;
use deminer_learn::ilp::Theory;
use deminer_learn::trees::Artifact as TreeArtifact;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::{Asked, Input, Named};
use crate::page::kind;
use crate::problem::{Missing, Problem};
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
        .routes(routes!(walk))
        .routes(routes!(part))
}

/// What is shipped.
#[derive(Serialize, ToSchema)]
#[schema(as = Artifacts)]
pub struct ArtifactsDocument {
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
pub struct ArtifactDocument {
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
pub struct Manner {
    #[serde(default = "three")]
    depth: usize,
    #[serde(default)]
    dark: bool,
}

fn three() -> usize {
    3
}

impl Default for Manner {
    fn default() -> Self {
        Self { depth: three(), dark: false }
    }
}

const TREE: &str = "tree.svg";
const IMPORTANCES: &str = "importances.svg";
const CURVE: &str = "curve.svg";
const GENOME: &str = "genome.svg";
const TEXT: &str = "text";

/// Lists shipped artifacts with their provenance.
#[utoipa::path(
    get, path = "/api/v1/artifacts", operation_id = "list_artifacts",
    responses((status = 200, body = ArtifactsDocument))
)]
async fn list(app: App) -> Json<ArtifactsDocument> {
    Json(ArtifactsDocument::of(app.shown()))
}

impl ArtifactsDocument {
    /// All artifacts but their curves.
    pub fn of(artifacts: &Artifacts) -> Self {
        let found = artifacts.paths().filter_map(|path| summary(artifacts, path));
        Self { artifacts: found.collect() }
    }

    /// The name of each artifact with its drawings.
    pub fn drawings(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.artifacts.iter().map(|about| (about.name.as_str(), about.drawings.as_slice()))
    }
}

/// Adds the rules that a paper prints, which an agent of their own plays.
pub fn with_published(mut artifacts: Artifacts) -> Artifacts {
    artifacts.insert(PUBLISHED, Theory::PUBLISHED.as_bytes());
    artifacts
}

const PUBLISHED: &str = "theories/published.pl";

/// One artifact; of a decision tree or a genome every node, of a theory every rule.
#[utoipa::path(
    get, path = "/api/v1/artifacts/{name}", operation_id = "get_artifact",
    params(("name" = String, Path)),
    responses((status = 200, body = ArtifactDocument), Missing)
)]
async fn get(app: App, Named(name): Named<String>) -> Result<Json<ArtifactDocument>, Problem> {
    let shipped = app.shown().clone();
    // A theory is shown on boards that have to be found first.
    let lane = match path_of(&shipped, &name)?.starts_with(THEORIES) {
        true => app.slow(),
        false => app.quick(),
    };
    lane.run(move |_| ArtifactDocument::find(&shipped, &name)).await?.map(Json)
}

impl ArtifactDocument {
    /// The artifact with this name.
    pub fn find(artifacts: &Artifacts, name: &str) -> Result<Self, Problem> {
        let path = path_of(artifacts, name)?;
        let about = summary(artifacts, &path).ok_or_else(|| unknown(name))?;
        let tree = tree(artifacts, &path).map(|tree| TreeDocument::of(&tree));
        let genome = genome(artifacts, &path).and_then(|genome| GenomeDocument::of(&genome).ok());
        let theory = theory(artifacts, &path).map(|theory| TheoryDocument::clone(&theory));
        Ok(Self { about, tree, genome, theory })
    }
}

/// A tree. Parsed once: large ones take a while, and windows are painted quickly.
fn tree(artifacts: &Artifacts, path: &str) -> Option<Arc<TreeArtifact>> {
    path.starts_with(TREES).then(|| artifacts.read(path, TreeArtifact::read)?.ok()).flatten()
}

fn genome(artifacts: &Artifacts, path: &str) -> Option<Arc<evolve::Artifact>> {
    let read = |bytes: &[u8]| evolve::Artifact::read(&String::from_utf8_lossy(bytes));
    path.starts_with(GENOMES).then(|| artifacts.read(path, read)?.ok()).flatten()
}

/// A theory on boards, which are found once.
fn theory(artifacts: &Artifacts, path: &str) -> Option<Arc<TheoryDocument>> {
    let read = |bytes: &[u8]| {
        let theory = Theory::read(&String::from_utf8_lossy(bytes))?;
        Ok::<_, ReadArtifactError>(TheoryDocument::of(&theory, NonZero::<usize>::MIN))
    };
    path.starts_with(THEORIES).then(|| artifacts.read(path, read)?.ok()).flatten()
}

/// Walks a decision tree with a window: the questions, their answers, and what the leaf says.
#[utoipa::path(
    post, path = "/api/v1/artifacts/{name}/walk", operation_id = "walk_tree",
    params(("name" = String, Path)), request_body = WindowRequest,
    responses((status = 200, body = WalkDocument), Problem)
)]
async fn walk(
    app: App,
    Named(name): Named<String>,
    Input(window): Input<WindowRequest>,
) -> Result<Json<WalkDocument>, Problem> {
    let window = window.window()?;
    let shipped = app.shown().clone();
    let path = path_of(&shipped, &name)?;
    let walked =
        app.quick().run(move |_| Some(WalkDocument::of(&*tree(&shipped, &path)?, &window)));
    let walked = walked.await?;
    walked.map(Json).ok_or_else(|| Problem::not_found("this artifact is not a decision tree"))
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
        Problem,
    )
)]
async fn part(
    app: App,
    Named((name, part)): Named<(String, String)>,
    Asked(manner): Asked<Manner>,
) -> Result<Response, Problem> {
    let shipped = app.shown().clone();
    let path = path_of(&shipped, &name)?;
    if part == TEXT {
        let bytes = shipped.get(&path).unwrap_or_default().to_vec();
        let text = String::from_utf8(bytes)
            .map_err(|_| Problem::not_found(format!("`{name}` is not text")))?;
        return Ok(([(CONTENT_TYPE, kind("x.txt"))], text).into_response());
    }
    let drawn = app.quick().run(move |_| drawing(&shipped, &name, &part, &manner)).await??;
    Ok(([(CONTENT_TYPE, kind(TREE))], drawn).into_response())
}

/// A drawing of an artifact, as SVG.
pub fn drawing(
    artifacts: &Artifacts,
    name: &str,
    part: &str,
    manner: &Manner,
) -> Result<Vec<u8>, Problem> {
    if !(1..=6).contains(&manner.depth) {
        return Err(Problem::unfit("a tree is drawn 1 to 6 questions deep").at("depth"));
    }
    let path = path_of(artifacts, name)?;
    let (tree, theme) = (|| tree(artifacts, &path), Theme::of(manner.dark));
    let svg = |scene: &Scene| scene.svg().into_bytes();
    let drawn = match part {
        CURVE => curve(artifacts, &path).map(<[u8]>::to_vec),
        TREE => tree().map(|tree| svg(&TreePicture::of(&tree, manner.depth, theme).scene())),
        IMPORTANCES => tree().map(|tree| svg(&Bars::importances(&[&*tree], theme).scene())),
        GENOME => genome(artifacts, &path)
            .and_then(|genome| Some(svg(&GenomePicture::of(&genome, theme).ok()?.scene()))),
        _ => None,
    };
    drawn.ok_or_else(|| no_drawing(name, part))
}

fn no_drawing(name: &str, part: &str) -> Problem {
    Problem::not_found(format!("there is no drawing {part} of `{name}`"))
}

/// The path of the artifact with this file name. Names come from the list, so none leads anywhere
/// else.
fn path_of(artifacts: &Artifacts, name: &str) -> Result<String, Problem> {
    let is_named = |path: &&str| path.rsplit('/').next() == Some(name) && is_listed(path);
    let found = artifacts.paths().find(is_named);
    found.map(str::to_owned).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Problem {
    Problem::not_found(format!("there is no artifact `{name}`"))
}

/// Curves are part of the artifact beside them, and networks that are only described do not play.
fn is_listed(path: &str) -> bool {
    !path.ends_with(".svg") && !path.ends_with(".json")
}

fn summary(artifacts: &Artifacts, path: &str) -> Option<ArtifactSummary> {
    let (kind, name) = path.rsplit_once('/').filter(|_| is_listed(path))?;
    let bytes = artifacts.get(path)?;
    let mut drawings: Vec<&str> = match kind {
        TREES => vec![TREE, IMPORTANCES],
        GENOMES => vec![GENOME],
        _ => Vec::new(),
    };
    drawings.extend(curve(artifacts, path).map(|_| CURVE));
    let header = header(kind, bytes);
    Some(ArtifactSummary {
        name: name.to_owned(),
        kind: kind.to_owned(),
        bytes: bytes.len(),
        drawings: drawings.into_iter().map(str::to_owned).collect(),
        agent: player(kind, path, &header),
        board: header.get("board").cloned(),
        header,
    })
}

/// The agent that plays with an artifact, and the board it was made for.
pub fn player_of(artifacts: &Artifacts, path: &str) -> (Option<String>, Option<String>) {
    summary(artifacts, path).map_or((None, None), |about| (about.agent, about.board))
}

const TREES: &str = ArtifactKind::TREE.folder;
const GENOMES: &str = ArtifactKind::GENOME.folder;
const THEORIES: &str = ArtifactKind::THEORY.folder;
const NETWORKS: &str = ArtifactKind::NETWORK.folder;
const TABLES: &str = ArtifactKind::Q_TABLE.folder;

/// The agent that plays with an artifact.
fn player(kind: &str, path: &str, header: &BTreeMap<String, String>) -> Option<String> {
    let stem = Path::new(path).file_stem()?.to_str()?;
    let field = |name: &str| header.get(name).map(String::as_str);
    match kind {
        TREES => Some(format!("tree:{stem}")),
        TABLES => Some(format!("q-table:{stem}")),
        GENOMES => Some(format!("{}:{stem}", field("kind")?)),
        // The rules that the paper prints are an agent of their own.
        THEORIES if path == PUBLISHED => Some("mio-rules".to_owned()),
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

/// The learning curve beside an artifact.
fn curve<'a>(artifacts: &'a Artifacts, path: &str) -> Option<&'a [u8]> {
    let (stem, _) = path.rsplit_once('.')?;
    artifacts.get(&format!("{stem}.svg"))
}

/// What an artifact says of itself.
fn header(kind: &str, bytes: &[u8]) -> BTreeMap<String, String> {
    if kind == NETWORKS {
        return metadata(bytes).unwrap_or_default();
    }
    let fields = header::fields(str::from_utf8(bytes).unwrap_or_default());
    fields.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// The board that an artifact with this extension was made for, if it names one.
pub fn board(extension: &str, bytes: &[u8]) -> Option<String> {
    let kind = if extension == "safetensors" { NETWORKS } else { TREES };
    let header = header(kind, bytes);
    // Trees and genomes begin their rules or their description with the board.
    let fields = ["board", "rules", "about"].iter().filter_map(|name| header.get(*name));
    let mut boards = fields.filter_map(|text| text.split(',').next()?.trim().parse::<Size>().ok());
    boards.next().map(|size| size.to_string())
}

/// The metadata of a file of weights (safetensors): its length in eight bytes, then JSON. Read
/// here, because a program without networks also lists those that are shipped.
fn metadata(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let text = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: serde_json::Value = serde_json::from_slice(text).ok()?;
    serde_json::from_value(header.get("__metadata__")?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use deminer::roster::Roster;

    use super::*;

    fn summaries() -> Vec<ArtifactSummary> {
        let shipped = deminer_artifacts::shipped();
        shipped.paths().filter_map(|path| summary(&shipped, path)).collect()
    }

    #[test]
    fn names_are_unique_and_every_artifact_says_what_made_it() {
        let mut names = Vec::new();
        for about in summaries() {
            let name = about.name;
            assert!(about.header.contains_key("command"), "{name} does not say what made it");
            assert!(!names.contains(&name), "two artifacts are called {name}");
            names.push(name);
        }
        assert!(names.len() > 40, "{names:?}");
    }

    #[test]
    fn every_artifact_has_an_agent_that_plays_it() {
        let roster = Roster::new(deminer_artifacts::shipped());
        for about in summaries() {
            let agent = about.agent.unwrap_or_else(|| panic!("{} has no agent", about.name));
            if let Err(problem) = deminer::requests::AgentSource::agent(&roster, &agent, "agent") {
                panic!("{}, played by {agent}: {problem:?}", about.name);
            }
        }
    }
}
