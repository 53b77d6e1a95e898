//! The types of the engine's and the server's documents: what the descriptions say of them, by
//! names that read well here.

import type { State } from '../game/board.ts';
import type { GameRecord } from '../game/record.ts';
import type { Rules } from '../game/rules.ts';
import type { components } from './described.ts';

type Schemas = components['schemas'];
/** A type with some of its fields known better. */
type Known<Shape, Fields> = Omit<Shape, keyof Fields> & Fields;
type Place = Schemas['RowColumn'];

export type Problem = Schemas['Problem'];
export type Version = Schemas['Version'];
/** A position; all of it but rows and mines may be left out. */
export type PositionBody = Pick<Schemas['AnalyzeRequest'], 'rows' | 'mines' | 'shape' | 'clues' | 'cascade' | 'start'>;

/** A 50/50 is a pair of cells. */
export type Alternative = Known<Schemas['AlternativeDocument'], { settles?: [Place, Place][] }>;
export type Proof = Schemas['ProofDocument'];
export type Best = Known<Schemas['BestDocument'], { alternatives: Alternative[] }>;
export type Analysis = Known<Schemas['AnalysisDocument'], { best?: Best | null }>;
export type Hint = Schemas['HintDocument'];

export type Chapter = Schemas['ChapterDocument'];
export type Lesson = Schemas['LessonDocument'];
export type LessonHint = Schemas['LessonHintDocument'];
export type LessonVerdict = Schemas['VerdictDocument'];

export type AgentEntry = Schemas['AgentDocument'];

/** Of a board without guesses the difficulty is known. */
export type DealtBoard = Schemas['BoardAnswer'] & Partial<Schemas['NoGuessDocument']>;

export type PlayBody = Schemas['PlayRequest'];
export type Decision = Schemas['DecisionDocument'];
export type PlayEnd = Known<Schemas['End'], { record: GameRecord }>;

/** What a mouse did: milliseconds, what (`mv lc lr rc rr mc mr sc pf`), and pixels from the left and top border of the board. */
export type MouseReplay = Known<Schemas['MouseReplay'], { events: [number, string, number, number][] }>;
export type Converted = Known<Schemas['Held'], { record?: GameRecord | null; replay?: MouseReplay | null }>;

/** The measures of a finished game that players compare. */
export type Measures = Schemas['MeasuresDocument'];

export type Verdict = Schemas['Verdict'];
export type ReviewMove = Schemas['ReviewedDocument'];
export type Review = Schemas['ReviewDocument'];

export type Estimate = Schemas['Measured'];
export type TableLine = Schemas['Line'];
export type TableRun = Schemas['RunSummary'];
export type Provenance = Schemas['Provenance'];
export type Table = Schemas['PaperReport'];
export type TableSummary = Schemas['TableSummary'];
/** The arena's table, and the agents without a number in some of its settings. */
export type Leaderboard = Schemas['Leaderboard'];

export type Tally = Schemas['AgentTotals'];
export type TournamentSpec = Schemas['RunSpec'];
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
export type Pair = Schemas['PairTotals'];
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
export type Rule = Schemas['RuleDocument'];
export type Theory = Schemas['TheoryDocument'];
export type Artifact = Schemas['ArtifactDocument'];

export type KeptRecord = Schemas['RecordSummary'];

/** A position with what is wanted of it. */
export type AnalyzeBody = PositionBody & { why?: boolean; around?: Place };
export type HintBody = PositionBody & { level: 1 | 2 | 3 | 4 };
/** The board of a game: of a seed, of a layout, or of a record to be continued. */
export interface GameStart {
  rules?: Rules;
  seed?: string;
  game?: number | string;
  layout?: string[];
  record?: GameRecord;
}
/** What each move of a game changed: cell and face, and how it ended. */
export interface FilmDocument {
  changes: [cell: number, face: number][][];
  state: State;
  layout?: string[] | null;
  three_bv?: number | null;
}
export interface TournamentBody {
  agents: string[];
  rules: Rules;
  games: number;
  seed?: number;
  at?: string;
}
/** The totals of the games played so far. */
export interface TournamentSlice {
  played: number;
  games: number;
  complete: boolean;
  agents: Tally[];
  paired: Pair[];
}
