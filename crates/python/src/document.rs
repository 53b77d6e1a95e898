//! Documents as Python values: what is an object in JSON is a `dict` with the same keys.

use std::fmt::Display;

use pyo3::BoundObject;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
};

use crate::errors::wrong;

/// A document as a Python value: objects are dicts, lists are lists, cells are tuples.
pub fn to_python<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    document.serialize(Writer { py }).map_err(|Failure(error)| error)
}

/// An exception, as serde wants its errors.
#[derive(Debug)]
struct Failure(PyErr);

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failure {}

impl ser::Error for Failure {
    fn custom<T: Display>(message: T) -> Self {
        Self(wrong(message))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

type Written<'py> = Result<Bound<'py, PyAny>, Failure>;

#[derive(Clone, Copy)]
struct Writer<'py> {
    py: Python<'py>,
}

impl<'py> Writer<'py> {
    /// A scalar.
    fn value<T>(self, value: T) -> Written<'py>
    where
        T: IntoPyObject<'py>,
        PyErr: From<T::Error>,
    {
        let value = value.into_pyobject(self.py).map_err(PyErr::from)?;
        Ok(value.into_any().into_bound())
    }
}

/// Values that become a list, or a tuple.
struct Items<'py> {
    writer: Writer<'py>,
    items: Vec<Bound<'py, PyAny>>,
    /// The key under which a variant has them.
    variant: Option<&'static str>,
    is_tuple: bool,
}

impl<'py> Items<'py> {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.items.push(value.serialize(self.writer)?);
        Ok(())
    }

    fn finish(self) -> Written<'py> {
        let py = self.writer.py;
        let items = match self.is_tuple {
            true => PyTuple::new(py, self.items)?.into_any(),
            false => PyList::new(py, self.items)?.into_any(),
        };
        named(py, self.variant, items)
    }
}

/// Values by name.
struct Fields<'py> {
    writer: Writer<'py>,
    dict: Bound<'py, PyDict>,
    variant: Option<&'static str>,
    key: Option<Bound<'py, PyAny>>,
}

impl<'py> Fields<'py> {
    fn new(writer: Writer<'py>, variant: Option<&'static str>) -> Self {
        Self { writer, dict: PyDict::new(writer.py), variant, key: None }
    }

    fn set<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Failure> {
        let value = value.serialize(self.writer)?;
        Ok(self.dict.set_item(PyString::intern(self.writer.py, key), value)?)
    }

    fn finish(self) -> Written<'py> {
        named(self.writer.py, self.variant, self.dict.into_any())
    }
}

/// The content of a variant, under its name.
fn named<'py>(
    py: Python<'py>,
    variant: Option<&'static str>,
    content: Bound<'py, PyAny>,
) -> Written<'py> {
    let Some(variant) = variant else { return Ok(content) };
    let dict = PyDict::new(py);
    dict.set_item(variant, content)?;
    Ok(dict.into_any())
}

macro_rules! scalars {
    ($($method:ident: $type:ty),+ $(,)?) => {
        $(fn $method(self, value: $type) -> Written<'py> {
            self.value(value)
        })+
    };
}

impl<'py> ser::Serializer for Writer<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failure;
    type SerializeSeq = Items<'py>;
    type SerializeTuple = Items<'py>;
    type SerializeTupleStruct = Items<'py>;
    type SerializeTupleVariant = Items<'py>;
    type SerializeMap = Fields<'py>;
    type SerializeStruct = Fields<'py>;
    type SerializeStructVariant = Fields<'py>;

    scalars!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_str: &str,
        serialize_bytes: &[u8],
    );

    fn serialize_bool(self, value: bool) -> Written<'py> {
        Ok(pyo3::types::PyBool::new(self.py, value).to_owned().into_any())
    }

    fn serialize_none(self) -> Written<'py> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written<'py> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written<'py> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written<'py> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Written<'py> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &str, value: &T) -> Written<'py> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written<'py> {
        named(self.py, Some(variant), value.serialize(self)?)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items<'py>, Failure> {
        let items = Vec::with_capacity(length.unwrap_or(0));
        Ok(Items { writer: self, items, variant: None, is_tuple: false })
    }

    fn serialize_tuple(self, length: usize) -> Result<Items<'py>, Failure> {
        Ok(Items { is_tuple: true, ..self.serialize_seq(Some(length))? })
    }

    fn serialize_tuple_struct(self, _: &str, length: usize) -> Result<Items<'py>, Failure> {
        self.serialize_tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items<'py>, Failure> {
        Ok(Items { variant: Some(variant), ..self.serialize_tuple(length)? })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'py>, Failure> {
        Ok(Fields::new(self, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'py>, Failure> {
        Ok(Fields::new(self, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Fields<'py>, Failure> {
        Ok(Fields::new(self, Some(variant)))
    }
}

macro_rules! items {
    ($($trait:ident $method:ident),+ $(,)?) => {
        $(impl<'py> $trait for Items<'py> {
            type Ok = Bound<'py, PyAny>;
            type Error = Failure;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
                self.push(value)
            }

            fn end(self) -> Written<'py> {
                self.finish()
            }
        })+
    };
}
items!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
);

macro_rules! fields {
    ($($trait:ident),+) => {
        $(impl<'py> $trait for Fields<'py> {
            type Ok = Bound<'py, PyAny>;
            type Error = Failure;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Failure> {
                self.set(key, value)
            }

            fn end(self) -> Written<'py> {
                self.finish()
            }
        })+
    };
}
fields!(SerializeStruct, SerializeStructVariant);

impl<'py> SerializeMap for Fields<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        self.key = Some(key.serialize(self.writer)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let key = self.key.take().expect("serde writes a key before its value");
        Ok(self.dict.set_item(key, value.serialize(self.writer)?)?)
    }

    fn end(self) -> Written<'py> {
        self.finish()
    }
}
