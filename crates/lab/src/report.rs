//! Pictures and tables.
