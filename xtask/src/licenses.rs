//! Checks that our license allows those of all dependencies.

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

/// Fails with a list of the packages whose licenses are not allowed, on any platform.
///
/// `cargo tree` lists only packages that our features turn on; `cargo metadata` lists more.
pub fn check() -> Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let answer = Command::new(program)
        .current_dir(crate::root())
        .args(["tree", "--workspace", "--locked", "--target", "all"])
        .args(["--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--format", "{p}|{l}"])
        .output()
        .context("cannot start cargo")?;
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
        bail!("these licenses are not allowed:\n  {}", refused.join("\n  "));
    }
    println!("{} packages, all under allowed licenses", packages.len());
    Ok(())
}

/// Evaluates a license expression, innermost parentheses first.
fn allowed(expression: &str) -> bool {
    let mut text = expression.replace('/', " OR ");
    while let Some(open) = text.rfind('(') {
        let Some(length) = text[open..].find(')') else { return false };
        let inner = allowed_inside(&text[open + 1..open + length]);
        text.replace_range(open..=open + length, if inner { "MIT" } else { "refused" });
    }
    allowed_inside(&text)
}

/// Evaluates an expression without parentheses: `OR` needs one side, `AND` both.
fn allowed_inside(text: &str) -> bool {
    let both = |side: &str| side.split(" AND ").all(|name| ALLOWED.contains(&name.trim()));
    text.split(" OR ").any(both)
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn license_expressions_are_evaluated() {
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
