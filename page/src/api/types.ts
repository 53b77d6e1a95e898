//! The shapes of the HTTP API, `/api/v1`: what `docs/openapi.json` says of them, by names that read
//! well here. Where the description says `string` or `object`, the words and shapes are told here.

import type { GameRecord, Why } from '../game/record.ts';
import type { Rules } from '../game/rules.ts';
import type { Place } from '../game/shape.ts';
import type { components } from './described.ts';

type Schemas = components['schemas'];
/** A shape with some of its fields known better. */
type Known<Shape, Fields> = Omit<Shape, keyof Fields> & Fields;

export type Problem = Schemas['Problem'];
export type Version = Schemas['Version'];
/** What is told of a position; all of it but rows and mines may be left out. */
export type PositionBody = Pick<Schemas['AnalyzeRequest'], 'rows' | 'mines' | 'shape' | 'clues' | 'cascade'> & Partial<Pick<Schemas['AnalyzeRequest'], 'start'>>;

export type Alternative = Known<Schemas['AlternativeDocument'], { settles?: [Place, Place][] }>;
export type Proof = Known<Schemas['ProofDocument'], { fact: 'safe' | 'mine' }>;
export type Best = Known<Schemas['BestDocument'], { action?: 'open' | 'unflag' | null; alternatives: Alternative[] }>;
export type Analysis = Known<Schemas['AnalysisDocument'], { best?: Best | null; proofs?: Proof[] | null }>;
export type Hint = Known<Schemas['HintDocument'], { action?: 'open' | 'unflag' | null }>;

export type AgentEntry = Schemas['AgentDocument'];

/** Of a board without guesses it is told how hard it is. */
export type DealtBoard = Known<Schemas['BoardAnswer'], Partial<Schemas['NoGuessDocument']> & { rules: Rules }>;

export type PlayBody = Known<Schemas['PlayRequest'], { rules: Rules }>;
export type Decision = Known<Schemas['DecisionDocument'], {
  by: 'start' | 'agent';
  action: 'open' | 'flag' | 'unflag' | 'chord' | 'decline';
  why: Why;
}>;
export type PlayEnd = Known<Schemas['End'], { outcome: GameRecord['outcome']; record: GameRecord }>;

/** What a mouse did: milliseconds, what (`mv lc lr rc rr mc mr sc pf`), and pixels from the left and top border of the board. */
export type MouseReplay = Known<Schemas['MouseReplay'], { events: [number, string, number, number][] }>;
export type Converted = Known<Schemas['Held'], {
  kind: 'position' | 'layout' | 'replay' | 'record';
  record?: GameRecord | null;
  replay?: MouseReplay | null;
}>;

/** The measures of a finished game that players compare. */
export type Measures = Schemas['MeasuresDocument'];

export type Verdict = 'start' | 'none' | 'proved' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';
export type ReviewMove = Known<Schemas['ReviewedDocument'], { verdict: Verdict }>;
/** A move that was undone; `at` moves were left after it. */
export type UndoneMove = ReviewMove & { at: number };
export type Review = Known<Schemas['ReviewDocument'], { moves: ReviewMove[]; undone: UndoneMove[] }>;

export type Estimate = Schemas['Measured'];
export type TableLine = Schemas['Line'];
export type TableRun = Schemas['RunSummary'];
export type Provenance = Schemas['Provenance'];
export type Table = Schemas['PaperReport'];
export type TableSummary = Schemas['TableSummary'];
/** The arena's table, and the agents without a number in some of its settings. */
export type Leaderboard = Schemas['Leaderboard'];

export type Tally = Schemas['AgentTotals'];
export type TournamentSpec = Schemas['SpecShape'];
export type OptionValue = string | number | boolean;
/** How a training stood once. */
export type CurvePoint = Schemas['Point'];
export type Learner = Schemas['Learner'];
/** What a run is started with. */
export type Order = Schemas['Order'];
/** The agent that a training made, a board it plays, and agents to measure it against. */
export interface TrainedPlayer {
  agent: string;
  board: string;
  rivals: string[];
}
/** How two agents compare on the same games. */
export interface Pair {
  first: string;
  second: string;
  /** Win rate of the second minus that of the first. */
  difference: number;
  low: number;
  high: number;
  only_first: number | null;
  only_second: number | null;
  p_value: number | null;
}
/** What a finished tournament counted. */
export interface RunTotals {
  agents: Tally[];
  paired: Pair[];
}
export type Run = Schemas['RunDocument'] & { player?: TrainedPlayer | null };
export type RunList = Schemas['Runs'];

/** The way of a window through a decision tree. */
export interface Walk {
  path: number[];
  asked: { question: string; yes: boolean; places: Place[] }[];
  risk: number;
  decision: string;
  samples: number;
}
export type TreeNode = Schemas['NodeDocument'];
export type ArtifactSummary = Schemas['ArtifactSummary'];
export type Branch = Schemas['BranchDocument'];
export type Genome = Schemas['GenomeDocument'];
export type Rule = Known<Schemas['RuleDocument'], { target: 'safe' | 'mine' }>;
export type Theory = { rules: Rule[] };
export type Artifact = Known<Schemas['ArtifactDocument'], { theory?: Theory | null }>;

export type KeptRecord = Schemas['RecordSummary'];
