//! Single values: words, texts, cells and counts.

use std::fmt::{self, Display};
use std::str::FromStr;

use deminer_game::{Cell, Form, MovedBy, Outcome, Shape, Start, Words};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FieldError;

/// A value of an enum, written as its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Word<T>(
    /// The value.
    pub T,
);

/// The shape of a board as a word.
pub type FormWord = Word<Form>;
/// A start rule as a word.
pub type StartWord = Word<Start>;
/// The maker of a move as a word.
pub type MovedByWord = Word<MovedBy>;
/// The end of a game as a word.
pub type OutcomeWord = Word<Outcome>;

impl<T: Words> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::from_word(&String::deserialize(deserializer)?).map(Word).map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl<T: Words> utoipa::PartialSchema for Word<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, Type};
        let words = T::VALUES.iter().map(|value| value.word());
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into()
    }
}

#[cfg(feature = "schema")]
impl<T: Words> utoipa::ToSchema for Word<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<T>().rsplit("::").next().unwrap_or_default().into()
    }
}

/// A value with a text form of its own, such as a board's size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text<T>(
    /// The value.
    pub T,
);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Text).map_err(D::Error::custom)
    }
}

/// Whether a zero opens its neighbors: `on` or `off`; read from `true` and `false` too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Cascade {
    /// It does.
    #[default]
    On,
    /// It does not.
    Off,
}
deminer_game::words!(Cascade, "a cascade": On = "on", Off = "off");

impl From<bool> for Cascade {
    fn from(on: bool) -> Self {
        if on { Cascade::On } else { Cascade::Off }
    }
}

impl From<Cascade> for bool {
    fn from(cascade: Cascade) -> Self {
        cascade == Cascade::On
    }
}

impl<'de> Deserialize<'de> for Cascade {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OnOrOff;
        impl Visitor<'_> for OnOrOff {
            type Value = Cascade;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("on or off")
            }

            fn visit_bool<E: Error>(self, on: bool) -> Result<Cascade, E> {
                Ok(on.into())
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Cascade, E> {
                word.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(OnOrOff)
    }
}

/// A cell: row and column, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RowColumn(
    /// The row.
    pub usize,
    /// The column.
    pub usize,
);

impl RowColumn {
    /// A cell of a board.
    pub fn of(cell: Cell, shape: &Shape) -> Self {
        let (row, column) = shape.position(cell);
        Self(row, column)
    }

    /// The cell, if the board has it; a fault is one of the field.
    pub fn cell(self, shape: &Shape, field: &str) -> Result<Cell, FieldError> {
        shape.cell_at(self.0, self.1).map_err(|error| FieldError::new(field, error))
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for RowColumn {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let pair = ArrayBuilder::new()
            .description(Some("A cell: row and column, from 0."))
            .items(number)
            .min_items(Some(2))
            .max_items(Some(2));
        Schema::Array(pair.build()).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for RowColumn {}

/// A whole number. Above 2⁵³, which JavaScript cannot count, it is a string of digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count(
    /// The number.
    pub u64,
);

impl Count {
    /// The greatest number up to which JavaScript counts by ones.
    const JAVASCRIPT: u64 = 1 << 53;
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            number @ ..=Self::JAVASCRIPT => serializer.serialize_u64(number),
            number => serializer.collect_str(&number),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrDigits;
        impl Visitor<'_> for NumberOrDigits {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number below 2^64")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Count, E> {
                Ok(Count(number))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Count, E> {
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let number = text.parse().ok().filter(|_| digits).map(Count);
                let wrong = || E::custom(format!("`{text}` is not a whole number below 2^64"));
                number.ok_or_else(wrong)
            }
        }
        deserializer.deserialize_any(NumberOrDigits)
    }
}

#[cfg(feature = "schema")]
const COUNT: &str = "A whole number; a string of digits above 2^53, which JavaScript cannot count.";

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Count {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
        let kinds = SchemaType::from_iter([Type::Integer, Type::String]);
        ObjectBuilder::new().schema_type(kinds).description(Some(COUNT)).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Count {}
