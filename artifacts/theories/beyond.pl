% deminer theory 1
% setting: beyond the paper
% seed: 1
% rounds: 7 of 1000 games
% unneeded guesses a game, round by round: 0.018 0.003 0.006 0.008 0.007 0.006
% searches: 284, 147 clauses each, 0 % at the limit
% command: deminer train mio --beyond --seed 1 --threads 2 --out artifacts/theories/beyond.pl

%% RULE S-1 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE1, SET1),
    setHasXMines(TILEK2, BOARD1, ZONE, SET2),
    diffSetHasXMines(SET0, SET1, SET3),
    clash(SET3, SET2).

%% RULE S-2 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    setHasXMines(TILEK3, BOARD1, ZONE, SET3),
    diffSetHasXMines(SET1, SET2, SET4),
    diffSetHasXMines(SET3, SET4, SET5),
    clash(SET5, SET0).

%% RULE S-3 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE1, SET2),
    setHasXMines(TILEK3, BOARD, ZONE1, SET3),
    setHasXMines(TILEK4, BOARD1, ZONE, SET4),
    diffSetHasXMines(SET3, SET2, SET5),
    diffSetHasXMines(SET4, SET1, SET6),
    diffSetHasXMines(SET0, SET5, SET7),
    clash(SET7, SET6).

%% RULE S-4 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE1, SET1),
    setHasXMines(TILEK2, BOARD, ZONE1, SET2),
    setHasXMines(TILEK3, BOARD, ZONE1, SET3),
    setHasXMines(TILEK4, BOARD1, ZONE, SET4),
    diffSetHasXMines(SET0, SET4, SET5),
    diffSetHasXMines(SET2, SET3, SET6),
    diffSetHasXMines(SET1, SET5, SET7),
    clash(SET7, SET6).

%% RULE S-5 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    setHasXMines(TILEK3, BOARD, ZONE1, SET3),
    setHasXMines(TILEK4, BOARD1, ZONE, SET4),
    diffSetHasXMines(SET1, SET2, SET5),
    diffSetHasXMines(SET4, SET0, SET6),
    diffSetHasXMines(SET5, SET6, SET7),
    clash(SET7, SET3).

%% RULE S-6 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE1, SET2),
    setHasXMines(TILEK3, BOARD, ZONE1, SET3),
    setHasXMines(TILEK4, BOARD, ZONE1, SET4),
    setHasXMines(TILEK5, BOARD1, ZONE, SET5),
    diffSetHasXMines(SET0, SET5, SET6),
    diffSetHasXMines(SET1, SET5, SET7),
    diffSetHasXMines(SET2, SET3, SET8),
    diffSetHasXMines(SET4, SET7, SET9),
    diffSetHasXMines(SET6, SET8, SET10),
    clash(SET10, SET9).

%% RULE S-7 %%
safe(TILEUK, BOARD) :-
    allMinesInFringe(BOARD, SET0),
    outOfSet(TILEUK, SET0).

%% RULE S-8 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    allMinesInFringe(BOARD, SET0),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    setHasXMines(TILEK1, BOARD, ZONE1, SET2),
    setHasXMines(TILEK2, BOARD1, ZONE, SET3),
    diffSetHasXMines(SET0, SET1, SET4),
    diffSetHasXMines(SET4, SET2, SET5),
    clash(SET5, SET3).

%% RULE S-9 %%
safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    markedBoard(TILEUK, BOARD, BOARD1),
    allMinesInFringe(BOARD1, SET0),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    setHasXMines(TILEK1, BOARD, ZONE, SET2),
    setHasXMines(TILEK2, BOARD, ZONE1, SET3),
    diffSetHasXMines(SET0, SET1, SET4),
    diffSetHasXMines(SET4, SET2, SET5),
    clash(SET5, SET3).

%% RULE M-1 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    clearedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE1, SET1),
    setHasXMines(TILEK2, BOARD1, ZONE, SET2),
    diffSetHasXMines(SET0, SET1, SET3),
    clash(SET3, SET2).

%% RULE M-2 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    clearedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE, SET2),
    setHasXMines(TILEK3, BOARD1, ZONE, SET3),
    diffSetHasXMines(SET1, SET2, SET4),
    diffSetHasXMines(SET3, SET4, SET5),
    clash(SET5, SET0).

%% RULE M-3 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    clearedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    setHasXMines(TILEK1, BOARD, ZONE, SET1),
    setHasXMines(TILEK2, BOARD, ZONE1, SET2),
    setHasXMines(TILEK3, BOARD, ZONE1, SET3),
    setHasXMines(TILEK4, BOARD1, ZONE, SET4),
    diffSetHasXMines(SET0, SET2, SET5),
    diffSetHasXMines(SET1, SET3, SET6),
    diffSetHasXMines(SET4, SET5, SET7),
    clash(SET7, SET6).

%% RULE M-4 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    clearedBoard(TILEUK, BOARD, BOARD1),
    allMinesInFringe(BOARD1, SET0),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    clash(SET1, SET0).

%% RULE M-5 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    allMinesInFringe(BOARD, SET0),
    clearedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    setHasXMines(TILEK1, BOARD, ZONE, SET2),
    setHasXMines(TILEK2, BOARD1, ZONE, SET3),
    diffSetHasXMines(SET0, SET3, SET4),
    diffSetHasXMines(SET1, SET2, SET5),
    clash(SET5, SET4).

%% RULE M-6 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    allMinesInFringe(BOARD, SET0),
    widerZone(TILEUK, BOARD, ZONE1),
    clearedBoard(TILEUK, BOARD, BOARD1),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    setHasXMines(TILEK1, BOARD, ZONE1, SET2),
    setHasXMines(TILEK2, BOARD1, ZONE, SET3),
    diffSetHasXMines(SET0, SET1, SET4),
    diffSetHasXMines(SET4, SET2, SET5),
    clash(SET5, SET3).

%% RULE M-7 %%
mine(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    widerZone(TILEUK, BOARD, ZONE1),
    clearedBoard(TILEUK, BOARD, BOARD1),
    allMinesInFringe(BOARD1, SET0),
    setHasXMines(TILEK0, BOARD, ZONE, SET1),
    setHasXMines(TILEK1, BOARD, ZONE, SET2),
    setHasXMines(TILEK2, BOARD, ZONE1, SET3),
    diffSetHasXMines(SET0, SET1, SET4),
    diffSetHasXMines(SET4, SET2, SET5),
    clash(SET5, SET3).
