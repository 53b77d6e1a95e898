//! Brute force: slow, obviously right, the truth for tests.
