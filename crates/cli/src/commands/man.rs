//! `deminer man`: manual pages.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::failure::Done;
use crate::output::Output;

/// Print the manual page, or write the manual pages of all commands to a folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer man | man -l -
  deminer man --out ~/.local/share/man/man1
  deminer man --markdown > commands.md")]
pub struct Args {
    /// Write deminer.1, deminer-play.1 and so on to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one Markdown page about all commands.
    #[arg(long, conflicts_with = "out")]
    markdown: bool,
}

impl Args {
    pub fn run(self, output: &Output, mut command: clap::Command) -> Done {
        if self.markdown {
            command.build();
            return output.print(format_args!("{}", page(&command)));
        }
        let Some(folder) = self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return output.bytes(&page);
        };
        std::fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(command, &folder))
            .with_context(|| format!("cannot write to {}", folder.display()))?;
        output.note(format_args!("wrote manual pages to {}", folder.display()));
        Ok(())
    }
}

/// All commands on one page.
fn page(command: &clap::Command) -> String {
    let mut page = format!("# Command line\n\n{}\n", about(command));
    page += "\nOptions of all commands:\n\n";
    let global = |argument: &&clap::Arg| argument.is_global_set();
    page += &table(command.get_arguments().filter(global));
    let shown: Vec<&str> = (command.get_arguments().filter(global))
        .map(|argument| argument.get_id().as_str())
        .chain(["help", "version"])
        .collect();
    if let Some(after) = command.get_after_help() {
        write!(page, "\n{}\n", plain(&after.to_string())).expect("text");
    }
    for command in command.get_subcommands() {
        section(command, &shown, &mut page);
    }
    page
}

/// A command and the commands below it, without the arguments that are shown already.
fn section(command: &clap::Command, shown: &[&str], page: &mut String) {
    if command.get_name() == "help" {
        return;
    }
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    write!(page, "\n## {name}\n\n{}\n\n```text\n{usage}\n```\n", about(command)).expect("text");
    let is_new = |argument: &&clap::Arg| !shown.contains(&argument.get_id().as_str());
    let own = table(command.get_arguments().filter(is_new));
    if !own.is_empty() {
        write!(page, "\n{own}").expect("text");
    }
    if let Some(after) = command.get_after_help() {
        write!(page, "\n```text\n{after}\n```\n").expect("text");
    }
    for command in command.get_subcommands() {
        section(command, shown, page);
    }
}

fn about(command: &clap::Command) -> String {
    let about = command.get_long_about().or(command.get_about());
    plain(&about.map(ToString::to_string).unwrap_or_default())
}

/// Arguments as a table; nothing if there are none.
fn table<'a>(arguments: impl Iterator<Item = &'a clap::Arg>) -> String {
    let mut table = String::new();
    for argument in arguments.filter(|argument| !argument.is_hide_set()) {
        let help = argument.get_long_help().or(argument.get_help());
        let mut help = help.map(ToString::to_string).unwrap_or_default().replace('\n', " ");
        let values: Vec<String> =
            (argument.get_possible_values().iter().filter(|value| !value.is_hide_set()))
                .map(|value| format!("`{}`", value.get_name()))
                .collect();
        if argument.get_action().takes_values() {
            if !values.is_empty() {
                write!(help, ". One of {}", values.join(", ")).expect("text");
            }
            let defaults = argument.get_default_values();
            if let Some(default) =
                defaults.first().filter(|_| !argument.is_hide_default_value_set())
            {
                write!(help, ". Default: `{}`", default.display()).expect("text");
            }
        }
        if let Some(variable) = argument.get_env() {
            write!(help, ". Environment: `{}`", variable.display()).expect("text");
        }
        let help = plain(&help).replace("..", ".").replace('|', "\\|");
        // Without the brackets and dots that clap puts around it.
        let name = argument.to_string().replace('|', "\\|");
        writeln!(table, "| `{name}` | {help} |").expect("text");
    }
    match table.is_empty() {
        true => table,
        false => format!("| argument | meaning |\n|---|---|\n{table}"),
    }
}

/// Help as Markdown: what would be HTML or emphasis is itself, but for code.
fn plain(help: &str) -> String {
    let mut code = false;
    let mut text = String::new();
    for letter in help.chars() {
        code ^= letter == '`';
        if !code && matches!(letter, '<' | '*' | '_' | '#') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_page_has_every_command_and_every_option() {
        let mut command = crate::Cli::command();
        command.build();
        let page = super::page(&command);
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            assert!(page.contains(&format!("\n## deminer {}\n", command.get_name())), "{page}");
            let own = command.get_arguments().filter(|argument| !argument.is_hide_set());
            let own = own.filter_map(clap::Arg::get_long);
            for argument in own.filter(|name| !["help", "version"].contains(name)) {
                assert!(page.contains(&format!("`--{argument}")), "{argument}");
            }
        }
    }
}
