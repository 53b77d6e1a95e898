//! Exact Minesweeper in WebAssembly: odds, proofs, the best move, agents, boards and formats.

export { EngineWorker, type WorkerOptions } from './client.ts';
export { Engine, Game, Player, Tournament, type EngineSource } from './engine.ts';
export { DeminerError, type ErrorKind } from './error.ts';
export type * from './types.ts';
