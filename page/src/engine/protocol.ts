//! What the page and its workers say to each other.

import type { Action, State } from '../game/board.ts';
import type { HelpCounts, HintLevel } from '../game/help.ts';
import type { Analysis, AnalyzeBody, Converted, DealtBoard, Decision, FilmDocument, GameStart, Hint, HintBody, Measures, PlayBody, PlayEnd, Review, TournamentBody, TournamentSlice, Walk } from '../api/types.ts';
import type { GameRecord } from '../game/record.ts';
import type { Rules } from '../game/rules.ts';
import type { Place } from '../game/shape.ts';

/** What a turn did to a game. */
export interface Turn {
  /** Whether anything changed on the board. */
  changed: boolean;
  board: { faces: Uint8Array; state: State; moves: number; chords: number[]; layout: string[] | null };
  helped: HelpCounts;
  /** The game so far, as JSON. */
  record: string;
}

/** What is done to a game. */
export type GameAct =
  | { do: 'look' }
  | { do: 'act'; action: Action; cell: number; at: number }
  | { do: 'undo' }
  | { do: 'hint'; level: HintLevel }
  | { do: 'odds' };

/** A file that an agent plays with. */
export type ArtifactFile = [path: string, bytes: Uint8Array];

/** All calls with their question, their answer, and what they report on the way. */
export interface Calls {
  analyze: { ask: AnalyzeBody; answer: Analysis };
  hint: { ask: HintBody; answer: Hint };
  deal: { ask: { rules: Rules; seed?: string; no_guess?: boolean; difficulty?: string; first?: Place }; answer: DealtBoard };
  review: { ask: { record: GameRecord }; answer: Review };
  measure: { ask: { record: GameRecord }; answer: Measures };
  film: { ask: { record: GameRecord }; answer: FilmDocument };
  read: { ask: { bytes: Uint8Array; name?: string }; answer: Converted };
  write: { ask: { text: string; to: string }; answer: Uint8Array };
  walk: { ask: { tree: ArtifactFile; rows: string[] }; answer: Walk };
  solution: { ask: { rules: Rules; layout: readonly string[] }; answer: Uint8Array };
  begin: { ask: { game: number; start: GameStart }; answer: null };
  turn: { ask: { game: number; act: GameAct }; answer: Turn };
  end: { ask: { game: number }; answer: null };
  play: { ask: { body: PlayBody; artifacts: ArtifactFile[] }; answer: PlayEnd; report: Decision[] };
  tournament: { ask: { body: TournamentBody; artifacts: ArtifactFile[] }; answer: TournamentSlice; report: TournamentSlice };
}

export type CallName = keyof Calls;
export type Ask<Name extends CallName> = Calls[Name]['ask'];
export type Answer<Name extends CallName> = Calls[Name]['answer'];
export type Report<Name extends CallName> = Calls[Name] extends { report: infer Kind } ? Kind : never;

export interface Question<Name extends CallName = CallName> {
  name: Name;
  ask: Ask<Name>;
}

/** What is wrong, as the engine says it. */
export interface EngineFault {
  kind: string;
  detail: string;
  at?: string | null;
  /** The engine failed by a bug of its own: this worker answers no more. */
  broken?: boolean;
}

/** The page sends the compiled engine first, then one question after another. */
export type ToWorker = { module: WebAssembly.Module } | { question: Question };
export type FromWorker = { answer: unknown } | { report: unknown } | { fault: EngineFault };
