//! Whether the licenses of all dependencies agree with ours.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Licenses that may be linked into a program under MIT or Apache-2.0.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Asks cargo for every package that is built on any platform and fails with the list of those
/// not allowed. The tree is asked for, not the metadata: that lists packages which no feature of
/// ours turns on.
pub fn check() -> Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let answer = Command::new(program)
        .current_dir(crate::root())
        .args(["tree", "--workspace", "--locked", "--target", "all"])
        .args(["--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--format", "{p}|{l}"])
        .output()
        .context("cargo does not start")?;
    if !answer.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&answer.stderr));
    }
    let text = String::from_utf8(answer.stdout)?;
    let packages: BTreeSet<(&str, &str)> =
        text.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once('|')).collect();
    let refused: Vec<String> = (packages.iter())
        .filter(|(_, license)| !allowed(license))
        .map(|(package, license)| format!("{package}: {license}"))
        .collect();
    if !refused.is_empty() {
        bail!("not among the allowed licenses:\n  {}", refused.join("\n  "));
    }
    println!("{} packages, all under allowed licenses", packages.len());
    Ok(())
}

/// Reads a license expression: `OR` needs one side, `AND` both, parentheses group.
fn allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let verdict = either(&words, &mut at);
    verdict && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> bool {
    let mut verdict = both(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        verdict |= both(words, at);
    }
    verdict
}

fn both(words: &[&str], at: &mut usize) -> bool {
    let mut verdict = single(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        verdict &= single(words, at);
    }
    verdict
}

fn single(words: &[&str], at: &mut usize) -> bool {
    if words.get(*at) == Some(&"(") {
        *at += 1;
        let verdict = either(words, at);
        *at += 1;
        return verdict;
    }
    let Some(&name) = words.get(*at) else { return false };
    *at += 1;
    if let [&"WITH", exception] = [words.get(*at).unwrap_or(&""), words.get(*at + 1).unwrap_or(&"")]
    {
        *at += 2;
        return ALLOWED.contains(&format!("{name} WITH {exception}").as_str());
    }
    ALLOWED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn expressions_are_read_as_they_are_meant() {
        for fine in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(allowed(fine), "{fine}");
        }
        for wrong in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "",
            "none stated",
            "MIT GPL-3.0",
            "(GPL-3.0 OR AGPL-3.0) AND MIT",
        ] {
            assert!(!allowed(wrong), "{wrong}");
        }
    }
}
