//! Why a cell is proved: the clues that entail it, the simplest rule that finds it, a sentence.
