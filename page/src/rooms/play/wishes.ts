//! What a board should be like beyond its rules; the engine finds one.

export const DIFFICULTIES = ['easy', 'medium', 'hard', 'extreme'] as const;

export interface Wishes {
  noGuess: boolean;
  difficulty: '' | (typeof DIFFICULTIES)[number];
}
