//! Checks licenses, duplicates and sources of the dependencies with cargo-deny, by `deny.toml`.
//!
//! cargo-deny takes minutes to build, so it is used where it is installed. The public workflow
//! runs it on every change, and there it also asks the database of advisories.

use anyhow::Result;

use crate::cargo;
use crate::page::output;

/// The workspaces of the repository, and how to take a duplicate or an exception of `deny.toml`
/// that they do not have.
const WORKSPACES: [(&str, &str); 2] = [("Cargo.toml", "--deny"), ("fuzz/Cargo.toml", "--allow")];

/// Checks everything that needs no network.
pub fn check() -> Result<()> {
    let Some(version) = output("cargo", &["deny", "--version"]) else {
        println!(
            "skipped: cargo-deny is not installed, so no license and no duplicate was looked at; \
             `cargo install --locked cargo-deny` installs it"
        );
        return Ok(());
    };
    println!("{version}");
    for (manifest, unused) in WORKSPACES {
        let place = ["deny", "--locked", "--config", "deny.toml", "--manifest-path", manifest];
        let unused = [unused, "unmatched-skip", "--allow", "license-exception-not-encountered"];
        cargo(&[&place[..], &["check"], &unused, &["bans", "licenses", "sources"]].concat(), &[])?;
    }
    Ok(())
}
