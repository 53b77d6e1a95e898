//! The laboratory as its users see it. One program, so that it is linked once.

mod contract;
mod networks;
mod results;
mod samples;
mod training;
