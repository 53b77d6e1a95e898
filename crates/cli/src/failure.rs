//! How a command fails: a message for a person and an exit code for a script.

use std::process::ExitCode;
use std::{fmt, io};

/// The meaning of an exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The answer is no, or a failure without a code of its own.
    No = 1,
    /// Flags or arguments that are wrong or do not go together.
    Usage = 2,
    /// A file or text that cannot be read.
    Input = 3,
    /// A limit was reached.
    Limit = 4,
    /// Stopped by Ctrl-C.
    Interrupted = 130,
}

/// A command's failure.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    cause: anyhow::Error,
}

impl Failure {
    /// Wrong usage.
    pub fn usage(cause: impl Into<anyhow::Error>) -> Self {
        Self { kind: Kind::Usage, cause: cause.into() }
    }

    /// Wrong usage, in words.
    pub fn wrong(message: impl Into<String>) -> Self {
        Self::usage(anyhow::Error::msg(message.into()))
    }

    /// Unreadable input.
    pub fn input(cause: impl Into<anyhow::Error>) -> Self {
        Self { kind: Kind::Input, cause: cause.into() }
    }

    /// The answer is no.
    pub fn no(message: String) -> Self {
        Self { kind: Kind::No, cause: anyhow::Error::msg(message) }
    }

    /// A limit was reached; the results so far were printed.
    pub fn limit(message: String) -> Self {
        Self { kind: Kind::Limit, cause: anyhow::Error::msg(message) }
    }

    /// Stopped by Ctrl-C; the results so far were printed.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self { kind: Kind::Interrupted, cause: anyhow::Error::msg(message.into()) }
    }

    /// Prints the message and returns the exit code. A closed pipe is no error, as for `head`.
    pub fn report(self) -> ExitCode {
        let broken_pipe = self.cause.chain().any(|cause| {
            let io = cause.downcast_ref::<io::Error>();
            io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        });
        if broken_pipe {
            return ExitCode::SUCCESS;
        }
        anstream::eprintln!("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m {self}");
        ExitCode::from(self.kind as u8)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.cause)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(cause: E) -> Self {
        Self { kind: Kind::No, cause: cause.into() }
    }
}

/// The result of a command.
pub type Done = Result<(), Failure>;
