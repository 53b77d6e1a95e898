//! Where results come from: the build, the machine, the command and the date.

use std::path::Path;
use std::process::Command;

use chrono::{SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

/// The program and the machine that played games. All but the CPU may change the games; the CPU
/// only changes their times.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Build {
    /// deminer's version.
    pub version: String,
    /// The commit it was built from, `+changes` added where sources differed from it; none when
    /// it was not built in a clone of the repository.
    pub commit: Option<String>,
    /// The compiler's version.
    pub rustc: String,
    /// The CPU's model.
    pub cpu: String,
}

impl Build {
    /// This program on this machine.
    pub fn here() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: Some(env!("DEMINER_COMMIT").to_owned()).filter(|commit| !commit.is_empty()),
            rustc: env!("DEMINER_RUSTC").to_owned(),
            cpu: cpu(),
        }
    }

    /// Version, commit, compiler and platform in one line.
    pub fn line() -> String {
        let commit = match env!("DEMINER_COMMIT") {
            "" => "no commit",
            commit => commit,
        };
        let (version, rustc) = (env!("CARGO_PKG_VERSION"), env!("DEMINER_RUSTC"));
        format!("{version} ({commit}, rustc {rustc}, {})", env!("DEMINER_TARGET"))
    }

    /// Its commit, or its version where there is none.
    pub fn name(&self) -> String {
        self.commit.clone().unwrap_or_else(|| format!("version {}", self.version))
    }
}

/// The mark of a commit whose sources had changes that no commit holds; the build script writes it.
pub(crate) const CHANGES: &str = "+changes";

/// The origin of a result: build, command and date.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Provenance {
    /// Program and machine.
    #[serde(flatten)]
    pub build: Build,
    /// The command as it was typed.
    pub command: String,
    /// When it was, in UTC.
    pub date: String,
}

impl Provenance {
    /// This command, now.
    pub fn here() -> Self {
        let date = Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true);
        Self { build: Build::here(), command: command(std::env::args()), date }
    }

    /// Names and values of what is known, in order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let Build { version, commit, rustc, cpu } = &self.build;
        [
            ("version", Some(version)),
            ("commit", commit.as_ref()),
            ("rustc", Some(rustc)),
            ("cpu", Some(cpu)),
            ("command", Some(&self.command)),
            ("date", Some(&self.date)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?.as_str())))
    }
}

/// The command line as a shell would take it. The program and absolute paths are without their
/// folders, which are those of one machine.
fn command(words: impl Iterator<Item = String>) -> String {
    let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_./:=,+@%".contains(symbol);
    let quote = |word: String| match !word.is_empty() && word.chars().all(plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let portable = |word: String| match word.split_once('=') {
        Some((option, path)) if option.starts_with('-') => format!("{option}={}", last_name(path)),
        _ => last_name(&word).to_owned(),
    };
    let mut words = words;
    let program = words.next().unwrap_or_default();
    let program = program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let words = std::iter::once(program).chain(words.map(portable));
    words.map(quote).collect::<Vec<_>>().join(" ")
}

/// The last name of an absolute path; other words as they are.
fn last_name(word: &str) -> &str {
    let path = Path::new(word);
    let name = path.is_absolute().then(|| path.file_name()).flatten();
    name.and_then(|name| name.to_str()).unwrap_or(word)
}

/// The CPU's model, or its architecture where the model is unknown.
fn cpu() -> String {
    let linux = || {
        let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let (_, model) =
            text.lines().find(|line| line.starts_with("model name"))?.split_once(':')?;
        Some(model.trim().to_owned())
    };
    let mac = || {
        let answer =
            Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
        answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
    };
    let windows = || std::env::var("PROCESSOR_IDENTIFIER").ok();
    linux()
        .or_else(windows)
        .or_else(|| cfg!(target_os = "macos").then(mac).flatten())
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_typed_again() {
        let check = |words: &[&str], text: &str| {
            assert_eq!(command(words.iter().map(|&word| word.to_owned())), text);
        };
        check(&["/usr/bin/deminer", "run", "a.toml", "--out", "b"], "deminer run a.toml --out b");
        let absolute = ["deminer", "--artifacts", "/home/me/nets", "--out=/home/me/mine"];
        check(&absolute, "deminer --artifacts nets --out=mine");
        check(&["deminer", "--agent", "a b", "", "it's"], r"deminer --agent 'a b' '' 'it'\''s'");
    }

    #[test]
    fn a_build_knows_itself() {
        let build = Build::here();
        assert!(build.rustc.starts_with(|digit: char| digit.is_ascii_digit()), "{build:?}");
        assert!(!build.cpu.is_empty());
        let text = serde_json::to_string(&build).unwrap();
        assert_eq!(serde_json::from_str::<Build>(&text).unwrap(), build);
    }
}
