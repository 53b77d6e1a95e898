//! JSON as values; an error names the field, line and column.
//!
//! A text is read as a tree of [`Node`]s first, and values are read from the tree. So serde_json's
//! reader is compiled for one type only, and each type of value needs little code of its own.

use std::fmt::{self, Display, Write};

use serde::de::value::StrDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected,
    IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

/// What is wrong with a JSON text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// Whether the text is JSON, and one of its values is wrong.
    pub is_value: bool,
    /// The field, such as `rules.board`; none for the text as a whole.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// Reads JSON.
///
/// # Errors
/// If it is not JSON, or a value is not valid.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    let node: Node = serde_json::from_slice(bytes).map_err(|error| located(&error, None))?;
    T::deserialize(&node).map_err(|wrong| wrong.found_in(bytes))
}

/// The error with its line and column, which serde_json adds to its words.
fn located(error: &serde_json::Error, wrong: Option<Wrong>) -> JsonError {
    let words = || error.to_string().split(" at line ").next().unwrap_or_default().to_owned();
    JsonError {
        is_value: wrong.is_some(),
        field: wrong.as_ref().and_then(Wrong::field),
        message: wrong.map_or_else(words, |wrong| wrong.0.message),
        line: error.line(),
        column: error.column(),
    }
}

/// A JSON value. Fields keep their order, and those given twice are kept, to be refused later.
enum Node {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Fields(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyNode;
        impl<'de> Visitor<'de> for AnyNode {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Bool(value))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
                Ok(Node::Whole(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
                Ok(Node::Negative(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
                Ok(Node::Float(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
                let mut nodes = Vec::new();
                while let Some(node) = list.next_element()? {
                    nodes.push(node);
                }
                Ok(Node::List(nodes))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Node::Fields(fields))
            }
        }
        deserializer.deserialize_any(AnyNode)
    }
}

/// A value is wrong: where and what. The path begins with the innermost step.
#[derive(Debug)]
struct Wrong(Box<WrongValue>);

#[derive(Debug)]
struct WrongValue {
    path: Vec<Step>,
    message: String,
}

#[derive(PartialEq, Eq, Debug)]
enum Step {
    Index(usize),
    Field(String),
    /// A field that should not be there.
    Unknown(String),
}

impl Wrong {
    fn new(message: impl Display, path: Vec<Step>) -> Self {
        Self(Box::new(WrongValue { path, message: message.to_string() }))
    }

    fn in_field(mut self, name: &str) -> Self {
        self.0.path.push(Step::Field(name.to_owned()));
        self
    }

    fn in_element(mut self, index: usize) -> Self {
        self.0.path.push(Step::Index(index));
        self
    }

    /// The path as text, such as `rows[1]`; none for the text as a whole.
    fn field(&self) -> Option<String> {
        let mut text = String::new();
        for step in self.0.path.iter().rev() {
            let dot = if text.is_empty() { "" } else { "." };
            let written = match step {
                Step::Index(index) => write!(text, "[{index}]"),
                Step::Field(name) | Step::Unknown(name) => write!(text, "{dot}{name}"),
            };
            written.expect("a String takes any text");
        }
        (!text.is_empty()).then_some(text)
    }

    /// The error with line and column, which serde_json counts when it reads the text up to there.
    fn found_in(mut self, bytes: &[u8]) -> JsonError {
        self.0.path.reverse();
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let error = Find(&self.0.path).deserialize(&mut reader).expect_err("it never succeeds");
        self.0.path.reverse();
        located(&error, Some(self))
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Wrong {}

/// The words are those of serde_json.
impl Error for Wrong {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message, Vec::new())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(serde_json::Error::invalid_type(found, expected))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(serde_json::Error::invalid_value(found, expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let message = serde_json::Error::unknown_field(field, expected);
        Self::new(message, vec![Step::Unknown(field.to_owned())])
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(serde_json::Error::missing_field(field)).in_field(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(serde_json::Error::duplicate_field(field)).in_field(field)
    }
}

/// Reads a text up to a value, the end of a path, and fails there.
struct Find<'a>(&'a [Step]);

impl<'de> DeserializeSeed<'de> for Find<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Find<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if let Some((Step::Index(index), rest)) = self.0.split_first() {
            for _ in 0..*index {
                list.next_element::<IgnoredAny>()?;
            }
            list.next_element_seed(Find(rest))?;
        }
        Err(A::Error::custom(""))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.0.split_first() {
                Some((Step::Field(field), rest)) if *field == key => {
                    map.next_value_seed(Find(rest))?;
                }
                Some((Step::Unknown(field), _)) if *field == key => break,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Err(A::Error::custom(""))
    }
}

impl Node {
    fn wrong_type(&self, expected: &dyn Expected) -> Wrong {
        let found = match self {
            Node::Null => Unexpected::Unit,
            Node::Bool(value) => Unexpected::Bool(*value),
            Node::Whole(number) => Unexpected::Unsigned(*number),
            Node::Negative(number) => Unexpected::Signed(*number),
            Node::Float(number) => Unexpected::Float(*number),
            Node::Text(text) => Unexpected::Str(text),
            Node::List(_) => Unexpected::Seq,
            Node::Fields(_) => Unexpected::Map,
        };
        Wrong::invalid_type(found, expected)
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            match self {
                Node::Whole(number) => visitor.visit_u64(*number),
                Node::Negative(number) => visitor.visit_i64(*number),
                Node::Float(number) => visitor.visit_f64(*number),
                _ => Err(self.wrong_type(&visitor)),
            }
        }
    )*};
}

/// Each kind of value is read by the visitor's method for it alone, which keeps the rest of the
/// visitor out of the program.
impl<'de> Deserializer<'de> for &Node {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Whole(_) | Node::Negative(_) | Node::Float(_) => self.deserialize_f64(visitor),
            Node::Text(text) => visitor.visit_str(text),
            Node::List(_) => self.deserialize_seq(visitor),
            Node::Fields(_) => self.deserialize_map(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Text(text) => visitor.visit_str(text),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Node::List(nodes) = self else { return Err(self.wrong_type(&visitor)) };
        let mut list = List { all: nodes, read: 0 };
        let value = visitor.visit_seq(&mut list)?;
        list.end()?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Node::Fields(fields) = self else { return Err(self.wrong_type(&visitor)) };
        visitor.visit_map(Fields { left: fields.iter(), value: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let variant = match self {
            Node::Text(name) => Variant { name, value: &Node::Null },
            Node::Fields(fields) => match &fields[..] {
                [(name, value)] => Variant { name, value },
                _ => return Err(self.wrong_type(&visitor)),
            },
            _ => return Err(self.wrong_type(&visitor)),
        };
        visitor.visit_enum(variant)
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct identifier ignored_any
    }
}

struct List<'a> {
    all: &'a [Node],
    read: usize,
}

impl List<'_> {
    fn end(&self) -> Result<(), Wrong> {
        match self.all.len() {
            count if count == self.read => Ok(()),
            count => Err(Wrong::invalid_length(count, &format!("{} elements", self.read).as_str())),
        }
    }
}

impl<'de> SeqAccess<'de> for &mut List<'_> {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        let Some(node) = self.all.get(self.read) else { return Ok(None) };
        self.read += 1;
        match seed.deserialize(node) {
            Ok(value) => Ok(Some(value)),
            Err(wrong) => Err(wrong.in_element(self.read - 1)),
        }
    }
}

struct Fields<'a> {
    left: std::slice::Iter<'a, (String, Node)>,
    value: Option<&'a (String, Node)>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        self.value = self.left.next();
        let Some((name, _)) = self.value else { return Ok(None) };
        let name: StrDeserializer<'_, Wrong> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let (name, node) = self.value.expect("a field has a value");
        seed.deserialize(node).map_err(|wrong| wrong.in_field(name))
    }
}

/// A variant by its name alone, or the single field of an object.
struct Variant<'a> {
    name: &'a str,
    value: &'a Node,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Wrong> {
        let name: StrDeserializer<'_, Wrong> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        <()>::deserialize(self.value).map_err(|wrong| wrong.in_field(self.name))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(self.value).map_err(|wrong| wrong.in_field(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.value.deserialize_seq(visitor).map_err(|wrong| wrong.in_field(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.value.deserialize_map(visitor).map_err(|wrong| wrong.in_field(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{WireMove, WireRules, WireWhy};

    /// The place and the beginning of the message of what is wrong.
    fn check<T: DeserializeOwned + fmt::Debug>(json: &str, place: &str, message: &str) {
        let error = read_json::<T>(json.as_bytes()).unwrap_err();
        let JsonError { field, line, column, .. } = &error;
        assert_eq!(format!("{}:{line}:{column}", field.as_deref().unwrap_or("-")), place, "{json}");
        assert!(error.message.starts_with(message), "{}", error.message);
    }

    #[test]
    fn errors_name_field_line_and_column() {
        check::<WireRules>("{\n\"board\":3}", "board:2:9", "invalid type: integer `3`, expected a");
        check::<WireRules>("{\"size\": 3}", "size:1:7", "unknown field `size`, expected one of");
        check::<WireRules>("{}", "board:1:2", "missing field `board`");
        check::<WireRules>(
            r#"{"board":"expert","board":"expert"}"#,
            "board:1:17",
            "duplicate field `board`",
        );
        check::<WireRules>("[]", "-:1:2", "invalid type: sequence, expected struct WireRules");
        check::<Vec<Vec<u8>>>("[[1],[2,300]]", "[1][1]:1:11", "invalid value: integer `300`");
        check::<Vec<u8>>("[1,]", "-:1:4", "trailing comma");
        check::<Vec<u8>>("[1", "-:1:2", "EOF while parsing a list");
        check::<Vec<u8>>("[1] 2", "-:1:5", "trailing characters");
        check::<WireMove>(
            r#"{"by":"agent","action":"flag","cell":[1,2,3]}"#,
            "cell:1:38",
            "invalid length 3, expected 2 elements",
        );
    }

    #[test]
    fn a_reason_has_its_own_fields_only() {
        check::<WireWhy>(r#"{"kind":"risk"}"#, "risk:1:15", "missing field `risk`");
        check::<WireWhy>(
            r#"{"kind":"risk","risk":0.5,"rule":"pair"}"#,
            "rule:1:32",
            "unknown field `rule`, expected `risk`",
        );
        check::<WireWhy>(
            r#"{"kind":"proved","rule":"pair","premises":[{"clue":[0,"x"]}]}"#,
            "premises[0].clue[1]:1:57",
            "invalid type: string \"x\", expected usize",
        );
        check::<WireWhy>(r#"{"kind":"luck"}"#, "kind:1:14", "unknown variant `luck`, expected one");
    }
}
