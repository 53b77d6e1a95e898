//! Artifacts: the files of learned agents, handed to them as bytes.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A kind of artifact. Its name is also the option that chooses one: `tree:NAME`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArtifactKind {
    /// The option that chooses one, and the word for it in messages.
    pub name: &'static str,
    /// The folder of its files.
    pub folder: &'static str,
    /// The extension of its files, without the dot.
    pub extension: &'static str,
    /// What may follow its name in a spec.
    pub suffix: &'static str,
}

impl ArtifactKind {
    /// Decision trees.
    pub const TREE: Self = Self::new("tree", "trees", "tree");
    /// Evolved programs.
    pub const GENOME: Self = Self::new("genome", "genomes", "genome");
    /// Tables of values learned by reinforcement.
    pub const Q_TABLE: Self = Self::new("table", "q-tables", "q");
    /// Rules learned by induction; `+prob` behind the name chooses how to guess.
    pub const THEORY: Self = Self { suffix: "+prob", ..Self::new("theory", "theories", "pl") };
    /// Trained neural networks.
    pub const NETWORK: Self = Self::new("network", "networks", "safetensors");

    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::TREE, Self::GENOME, Self::THEORY, Self::NETWORK, Self::Q_TABLE];

    const fn new(name: &'static str, folder: &'static str, extension: &'static str) -> Self {
        Self { name, folder, extension, suffix: "" }
    }

    /// The path of the artifact with this name.
    pub fn path(&self, name: &str) -> String {
        format!("{}/{name}.{}", self.folder, self.extension)
    }
}

/// Files by path, such as `trees/lowest-risk.tree`. Clones are cheap and share what was parsed.
#[derive(Clone, Default)]
pub struct Artifacts(Arc<BTreeMap<String, Arc<File>>>);

type Load = Box<dyn FnOnce() -> Cow<'static, [u8]> + Send>;

struct File {
    /// The first bytes, where they can be had without loading the others.
    head: Option<&'static [u8]>,
    bytes: LazyLock<Cow<'static, [u8]>, Load>,
    /// What the bytes were parsed to, one value for each type.
    parsed: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
}

impl Artifacts {
    /// Adds a file, or replaces the one at this path.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Cow<'static, [u8]>>) {
        let bytes = bytes.into();
        self.insert_lazy(path, || bytes);
    }

    /// Adds a file whose bytes are loaded when they are first needed.
    pub fn insert_lazy(
        &mut self,
        path: impl Into<String>,
        load: impl FnOnce() -> Cow<'static, [u8]> + Send + 'static,
    ) {
        self.insert_with_head(path, None, load);
    }

    /// The same for a file whose first bytes, which say what it is, can be read before.
    pub fn insert_with_head(
        &mut self,
        path: impl Into<String>,
        head: Option<&'static [u8]>,
        load: impl FnOnce() -> Cow<'static, [u8]> + Send + 'static,
    ) {
        let bytes = LazyLock::new(Box::new(load) as Load);
        let file = Arc::new(File { head, bytes, parsed: Mutex::default() });
        Arc::make_mut(&mut self.0).insert(path.into(), file);
    }

    /// The bytes of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(|file| &**file.bytes)
    }

    /// The first bytes of a file, at least its header; the whole file if it has to be loaded.
    pub fn head(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path).map(|file| file.head.unwrap_or_else(|| &file.bytes))
    }

    /// All paths, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The names of all artifacts of a kind, in the order of their paths.
    pub fn names(&self, kind: ArtifactKind) -> impl Iterator<Item = &str> {
        self.paths().filter_map(move |path| {
            let name = path.strip_prefix(kind.folder)?.strip_prefix('/')?;
            name.strip_suffix(kind.extension)?.strip_suffix('.')
        })
    }

    /// Parses a file, once for each type: clones get the same value. None if there is no file at
    /// this path.
    pub fn read<T: Send + Sync + 'static, E>(
        &self,
        path: &str,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Option<Result<Arc<T>, E>> {
        let file = self.0.get(path)?;
        let mut parsed = file.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parsed.iter().find_map(|value| Arc::clone(value).downcast::<T>().ok());
        Some(known.map_or_else(
            || {
                let value = Arc::new(parse(&file.bytes)?);
                parsed.push(Arc::clone(&value) as Arc<dyn Any + Send + Sync>);
                Ok(value)
            },
            Ok,
        ))
    }
}

impl fmt::Debug for Artifacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::num::ParseIntError;

    use super::*;

    fn number(bytes: &[u8]) -> Result<u32, ParseIntError> {
        String::from_utf8_lossy(bytes).parse()
    }

    #[test]
    fn files_are_parsed_once_and_replaced_in_one_clone_only() {
        let mut artifacts = Artifacts::default();
        artifacts.insert(ArtifactKind::TREE.path("oak"), b"7".as_slice());
        artifacts.insert(ArtifactKind::GENOME.path("oak"), b"seven".as_slice());
        let path = "trees/oak.tree";
        let first = artifacts.read(path, number).unwrap().unwrap();
        let again = artifacts.clone().read(path, |_| -> Result<u32, ParseIntError> { panic!() });
        assert!(Arc::ptr_eq(&first, &again.unwrap().unwrap()));
        let text = artifacts.read(path, |bytes| String::from_utf8(bytes.to_vec()));
        assert_eq!(*text.unwrap().unwrap(), "7");
        assert!(artifacts.read("genomes/oak.genome", number).unwrap().is_err());
        assert!(artifacts.read("trees/elm.tree", number).is_none());

        let before = artifacts.clone();
        artifacts.insert(path, b"8".as_slice());
        assert_eq!(*artifacts.read(path, number).unwrap().unwrap(), 8);
        assert_eq!(before.get(path), Some(b"7".as_slice()));
        assert_eq!(artifacts.names(ArtifactKind::TREE).collect::<Vec<_>>(), ["oak"]);
    }
}
