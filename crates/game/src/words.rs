//! Enums whose values are written as words in flags, files and messages.

use thiserror::Error;

/// An enum whose values go by words. [`words!`](crate::words!) implements it.
pub trait Words: Copy + 'static {
    /// What a value is called, with its article, as in ``"`ring` is not a shape"``.
    const WHAT: &'static str;
    /// Every value.
    const VALUES: &'static [Self];

    /// The word for a value.
    fn word(self) -> &'static str;

    /// The value of a word.
    fn from_word(text: &str) -> Result<Self, UnknownWord> {
        let found = Self::VALUES.iter().copied().find(|value| value.word() == text);
        found.ok_or_else(|| UnknownWord::of::<Self>(text))
    }
}

/// A word that names no value, and the words that do.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct UnknownWord(String);

impl UnknownWord {
    fn of<T: Words>(word: &str) -> Self {
        let words: Vec<&str> = T::VALUES.iter().map(|value| value.word()).collect();
        let words = match words.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
            words => words.concat(),
        };
        Self(format!("`{word}` is not {} (use {words})", T::WHAT))
    }
}

/// Gives the values of an enum their words: `ALL`, `name`, [`Words`], `Display` and `FromStr`.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// pub enum Coin {
///     Heads,
///     Tails,
/// }
/// deminer_game::words!(Coin, "a side": Heads = "heads", Tails = "tails");
///
/// assert_eq!("tails".parse(), Ok(Coin::Tails));
/// let error = "edge".parse::<Coin>().unwrap_err();
/// assert_eq!(error.to_string(), "`edge` is not a side (use heads or tails)");
/// ```
#[macro_export]
macro_rules! words {
    ($type:ident, $what:literal: $($variant:ident = $word:literal),+ $(,)?) => {
        impl $type {
            /// Every value.
            pub const ALL: [$type; [$($word),+].len()] = [$($type::$variant),+];

            /// The word for it in flags, files and messages.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)+
                }
            }
        }

        impl $crate::Words for $type {
            const WHAT: &'static str = $what;
            const VALUES: &'static [Self] = &$type::ALL;

            fn word(self) -> &'static str {
                self.name()
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <$type as $crate::Words>::from_word(text)
            }
        }
    };
}
