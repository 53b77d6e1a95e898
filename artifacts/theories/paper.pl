safe(T,B) :- zoneOfInterest(T, B, Z), setHasXMines(TILEK, B, Z, S), inSet(T, S), minesInSet(S, 0).
