% deminer theory 1
% paper: L. Peña Castillo, S. Wrobel, Learning Minesweeper with Multirelational Learning, 2003, Table 3
%% RULE S-1 %%
safe(TILEUK, BOARD) :- zoneOfInterest(TILEUK, BOARD, ZONE), setHasXMines(TILEK, BOARD, ZONE, SET),
  inSet(TILEUK, SET), minesInSet(SET, 0).
%% RULE S-2 %%
safe(TILEUK, BOARD) :- zoneOfInterest(TILEUK, BOARD, ZONE),
  setHasXMines(TILEK0, BOARD, ZONE, SET0), setHasXMines(TILEK1, BOARD, ZONE, SET1),
  diffSetHasXMines(SET1, SET0, SET3), inSet(TILEUK, SET3), minesInSet(SET3, 0).
%% RULE S-3 %%
safe(TILEUK, BOARD) :- zoneOfInterest(TILEUK, BOARD, ZONE),
  setHasXMines(TILEK0, BOARD, ZONE, SET0), setHasXMines(TILEK1, BOARD, ZONE, SET1),
  setHasXMines(TILEK2, BOARD, ZONE, SET2), diffSetHasXMines(SET1, SET0, SET3),
  diffSetHasXMines(SET2, SET3, SET4), inSet(TILEUK, SET4), minesInSet(SET4, 0).
%% RULE M-1 %%
mine(TILEUK, BOARD) :- zoneOfInterest(TILEUK, BOARD, ZONE), setHasXMines(TILEK, BOARD, ZONE, SET),
  inSet(TILEUK, SET), minesInSet(SET, INT), lengthSet(SET, INT).
