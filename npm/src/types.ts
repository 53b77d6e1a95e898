//! The types of requests and answers, by names that read well. All are made of `schema.json`.

import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : never;

/** The name of a request with one answer. */
export type RequestName = keyof paths extends `/${infer Name}` ? Name : never;
/** What a request takes. */
export type RequestOf<Name extends RequestName> = Json<NonNullable<paths[`/${Name}`]['post']['requestBody']>>;
/** What answers it. */
export type AnswerOf<Name extends RequestName> = Json<paths[`/${Name}`]['post']['responses'][200]>;

export type Place = Schemas['RowColumn'];
export type Rules = Schemas['Rules'];
export type Position = Schemas['Position'];
export type GameRecord = Schemas['Record'];
export type Move = Schemas['Move'];
export type Analysis = Schemas['AnalysisDocument'];
export type Hint = Schemas['HintDocument'];
export type Review = Schemas['ReviewDocument'];
export type Measures = Schemas['MeasuresDocument'];
export type Agent = Schemas['AgentDocument'];
export type Decision = Schemas['DecisionDocument'];
export type FileContents = Schemas['Held'];
export type Film = Schemas['FilmDocument'];
/** A board; of one without guesses the difficulty is known. */
export type DealtBoard = Schemas['BoardAnswer'] & Partial<Schemas['NoGuessDocument']>;

export type GameRequest = Schemas['GameRequest'];
export type PlayRequest = Schemas['PlayRequest'];
export type PlayEvent = Schemas['PlayEvent'];
export type TournamentRequest = Schemas['TournamentRequest'];
export type Totals = Schemas['SliceDocument'];

/** What a player may do with a cell. */
export type Action = 'open' | 'flag' | 'unflag' | 'chord';
/** How far a game has come. */
export type GameState = 'fresh' | 'live' | 'won' | 'lost';
/** How much help was taken. */
export interface HelpCounts {
  undone: number;
  hints: number;
  odds: boolean;
}

/** The bytes of an artifact, under its path such as `trees/lowest-risk.tree`. */
export interface Artifact {
  path: string;
  bytes: Uint8Array;
}
