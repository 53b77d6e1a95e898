//! Checks licenses, duplicates and sources of the dependencies with cargo-deny, by `deny.toml`.
//!
//! cargo-deny takes minutes to build, so it is used where it is installed. The public workflow
//! runs it on every change, and there it also asks the database of advisories.

use anyhow::Result;

use crate::cargo;
use crate::page::output;

/// The workspaces of the repository.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

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
    for manifest in MANIFESTS {
        let check = ["check", "--config", "deny.toml", "bans", "licenses", "sources"];
        cargo(&[&["deny", "--locked", "--manifest-path", manifest], &check[..]].concat(), &[])?;
    }
    Ok(())
}
