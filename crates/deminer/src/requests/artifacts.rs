//! Which artifacts an agent plays with, so that a door loads no others.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use deminer_game::{ArtifactKind, Artifacts};
use serde::{Deserialize, Serialize};

use super::{AgentSource, Context, Request, RequestError};
use crate::roster::Roster;

/// An agent, and the artifacts there are.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ArtifactsRequest {
    /// The agent, as `name[:option,…]`.
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub agent: String,
    /// The paths of all artifacts that can be loaded, such as `trees/lowest-risk.tree`.
    pub paths: Vec<String>,
}

/// The artifacts that an agent plays with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ArtifactPaths {
    /// Their paths, sorted.
    pub paths: Vec<String>,
}

impl Request for ArtifactsRequest {
    const NAME: &'static str = "artifacts";
    type Answer = ArtifactPaths;

    /// Builds the agent with empty artifacts and notes which of them it reads.
    fn work(self, _: &Context) -> Result<ArtifactPaths, RequestError> {
        let read = Arc::new(Mutex::new(Vec::new()));
        let mut artifacts = Artifacts::default();
        for path in &self.paths {
            let (note, name) = (Arc::clone(&read), path.clone());
            artifacts.insert_lazy(path, move || {
                note.lock().expect("noting does not panic").push(name);
                Cow::Borrowed(&[])
            });
        }
        let spec = AgentSource::agent(&Roster::new(artifacts), &self.agent, "agent")?;
        // It cannot be built of nothing; what it read is the answer.
        let _ = spec.build();
        let mut paths = read.lock().expect("noting does not panic").clone();
        if let (Some(kind), None) = (spec.entry().artifact, spec.artifact_name()) {
            let own = match kind {
                // All networks are looked at for those of this agent, which begin with its name.
                ArtifactKind::NETWORK => format!("{}/{}", kind.folder, spec.entry().name),
                // Of its tables it plays the one of the board.
                ArtifactKind::Q_TABLE => {
                    paths.clone_from(&self.paths);
                    format!("{}/", kind.folder)
                }
                _ => String::new(),
            };
            paths.retain(|path| path.starts_with(&own));
        }
        paths.sort();
        paths.dedup();
        Ok(ArtifactPaths { paths })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::entries;

    fn needed(agent: &str) -> Vec<String> {
        let shipped = deminer_artifacts::shipped();
        let paths = shipped.paths().map(str::to_owned).collect();
        let request = ArtifactsRequest { agent: agent.into(), paths };
        request.answer(&super::super::testing::context(&Roster::default())).unwrap().paths
    }

    #[test]
    fn an_agent_with_its_own_artifacts_plays_as_with_all() {
        let shipped = deminer_artifacts::shipped();
        for entry in entries() {
            let mut own = Artifacts::default();
            for path in needed(entry.name) {
                own.insert(path.clone(), shipped.get(&path).unwrap().to_vec());
            }
            let full = Roster::new(shipped.clone()).agent(entry.name).unwrap();
            let lean = Roster::new(own).agent(entry.name).unwrap();
            for board in ["4x4x3", "5x5x5", "8x8x10", "10x10x10", "20x20x20", "expert"] {
                let rules = deminer_game::Rules::of(board.parse().unwrap()).unwrap();
                let name = format!("{} {board}", entry.name);
                assert_eq!(lean.can_play(&rules), full.can_play(&rules), "{name}");
            }
        }
        assert!(needed("best").is_empty());
        assert_eq!(needed("tree:lowest-risk"), ["trees/lowest-risk.tree"]);
        assert!(needed("cnn-5x5").len() >= 3);
    }
}
