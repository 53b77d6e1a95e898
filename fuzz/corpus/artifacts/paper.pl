% deminer theory 1
% setting: al+gs+m
% seed: 1
% labels: content
% safe: 4 rules from 233 + 177 examples in 40 rounds; 202 searches, 710 clauses each, 2 % at the limit
% mine: 2 rules from 217 + 193 examples in 40 rounds; 206 searches, 1053 clauses each, 7 % at the limit
% command: deminer train mio --setting al+gs+m --seed 1 --out artifacts/theories/paper.pl

%% RULE S-1 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    inSet(TILEUK, SET0),
    minesInSet(SET0, 0).

%% RULE S-2 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    diffSetHasXMines(SET0, SET1, SET2),
    inSet(TILEUK, SET2),
    minesInSet(SET2, 0).

%% RULE S-3 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    diffSetHasXMines(SET1, SET2, SET3),
    diffSetHasXMines(SET0, SET3, SET4),
    inSet(TILEUK, SET4),
    minesInSet(SET4, 0).

%% RULE S-4 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    diffSetHasXMines(SET0, SET1, SET3),
    diffSetHasXMines(SET3, SET2, SET4),
    inSet(TILEUK, SET4),
    minesInSet(SET4, 0).

%% RULE M-1 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    diffSetHasXMines(SET0, SET1, SET3),
    diffSetHasXMines(SET3, SET2, SET4),
    minesInSet(SET4, INT0),
    inSet(TILEUK, SET4),
    lengthSet(SET4, INT0).

%% RULE M-2 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    diffSetHasXMines(SET1, SET2, SET3),
    diffSetHasXMines(SET0, SET3, SET4),
    minesInSet(SET4, INT0),
    inSet(TILEUK, SET4),
    lengthSet(SET4, INT0).
