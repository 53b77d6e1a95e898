//! Positions to begin with. `shows` is what each of them promises; a test holds the engine's answer against it.

export interface Example {
  name: string;
  text: string;
  shows: 'safe' | 'guess' | 'fifty' | 'contradiction';
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'One clue after another',
    shows: 'safe',
    text: `mines 10
# # # # # # # # #
# 2 1 1 2 # # # #
# 1 . . 1 2 # # #
# 2 1 1 . 1 # # #
# # # 1 1 2 # # #
# # # # # # # # #`,
  },
  {
    name: 'The mine total decides',
    shows: 'safe',
    text: `mines 3
# # # #
# 1 2 #
# # # #`,
  },
  {
    name: 'One clue in the middle: a guess',
    shows: 'guess',
    text: `mines 8
# # # # # # #
# # # # # # #
# # # 3 # # #
# # # # # # #
# # # # # # #`,
  },
  {
    name: 'A 50/50 in the corner',
    shows: 'fifty',
    text: `mines 3
. 1 2 2
. 1 # #
. 1 3 #
. . 1 #`,
  },
  {
    name: 'Expert: a guess in mid-game',
    shows: 'guess',
    text: `mines 99
. 1 2 # 2 # 1 2 # 3 # 1 . . . . . . 2 # # # # # # # # # # #
. 1 # 2 2 1 2 3 # 3 2 3 2 1 . . . 1 3 # 5 # # # # # # # # #
2 4 3 2 . . 1 # 3 2 3 # # 2 2 2 1 2 # 4 # 3 3 # # # # # # #
# # # 1 . . 1 1 2 # 3 # 3 2 # # 1 2 # 4 2 2 1 # # # # # # #
# # 3 1 . . . 1 2 3 3 3 2 2 2 2 1 1 1 2 # 1 1 # # # # # # #
# # 2 1 . . . 1 # 2 # 2 # 1 . . . . 1 2 2 2 2 # # # # # # #
1 2 # 1 . . 1 2 2 3 2 4 2 2 . 1 1 2 2 # 1 1 # # # # # # # #
. 1 1 1 1 1 3 # 2 1 # 2 # 1 . 1 # 3 # 3 1 1 2 # # # # # # #
. . . 1 3 # 5 # 4 2 1 3 3 4 2 2 1 3 # 2 . . 1 # # # # # # #
. . . 1 # # 4 # # 1 . 1 # # # 2 . 1 1 1 1 1 2 # # # # # # #
. 1 1 2 2 2 2 2 2 1 . 1 3 # # 2 . . 1 1 2 # 3 # # # # # # #
. 1 # 2 2 2 1 . . . 1 1 2 3 3 2 . . 1 # 3 3 # # # # # # # #
1 2 1 2 # # 2 1 1 . 1 # 1 1 # 2 2 1 3 3 5 # # # # # # # # #
# 3 1 1 2 3 3 # 1 . 1 1 2 2 3 # 2 # 2 # # # # # # # # # # #
# # 1 . . 1 # 2 1 . . . 1 # 3 2 3 2 3 4 # # # # # # # # # #
2 2 1 . . 1 1 1 . . . . 1 1 2 # 1 1 # 2 # # # # # # # # # #`,
  },
  {
    name: 'Contradictory clues',
    shows: 'contradiction',
    text: `mines 3
# # # #
# 1 8 #
# # # #`,
  },
  {
    name: 'Hexagons',
    shows: 'safe',
    text: `mines 5
shape hex
# # # # #
# 1 2 # #
# # . 1 #
# # # # #`,
  },
];
