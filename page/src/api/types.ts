//! The shapes of the HTTP API, `/api/v1`: what `docs/openapi.json` says of them, by names that read
//! well here. Where the description says `string` or `object`, the words and shapes are told here.

import type { GameRecord, Why } from '../game/record.ts';
import type { Rules } from '../game/rules.ts';
import type { components } from './described.ts';

type Schemas = components['schemas'];
/** A shape with some of its fields known better. */
type Known<Shape, Fields> = Omit<Shape, keyof Fields> & Fields;

export type Problem = Schemas['Problem'];
export type Version = Schemas['Version'];
export type PositionBody = Pick<Schemas['AnalyzeRequest'], 'rows' | 'mines' | 'shape' | 'clues' | 'start' | 'cascade'>;

export type Alternative = Schemas['AlternativeDocument'];
export type Proof = Known<Schemas['ProofDocument'], { fact: 'safe' | 'mine' }>;
export type Best = Known<Schemas['BestDocument'], { action?: 'open' | 'unflag' | null }>;
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

export type Converted = Known<Schemas['Held'], { kind: 'position' | 'layout' | 'replay' | 'record'; record?: GameRecord | null }>;

export type Verdict = 'start' | 'none' | 'proved' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';
export type ReviewMove = Known<Schemas['ReviewedDocument'], { verdict: Verdict }>;
export type Review = Known<Schemas['ReviewDocument'], { moves: ReviewMove[] }>;

export type Estimate = Schemas['Measured'];
export type TableLine = Schemas['Line'];
export type TableRun = Schemas['RunSummary'];
export type Provenance = Schemas['Provenance'];
export type Table = Schemas['PaperReport'];
export type TableSummary = Schemas['TableSummary'];

export type Tally = Schemas['AgentTotals'];
export type TournamentSpec = Schemas['SpecShape'];
export type OptionValue = string | number | boolean;
/** How a training stood once. */
export type CurvePoint = Schemas['Point'];
export type Learner = Schemas['Learner'];
/** What a run is started with. */
export type Order = Schemas['Order'];
export type Run = Schemas['RunDocument'];
export type RunList = Schemas['Runs'];

export type TreeNode = Schemas['NodeDocument'];
export type ArtifactSummary = Schemas['ArtifactSummary'];
export type Branch = Schemas['BranchDocument'];
export type Genome = Schemas['GenomeDocument'];
export type Rule = Known<Schemas['RuleDocument'], { target: 'safe' | 'mine' }>;
export type Theory = { rules: Rule[] };
export type Artifact = Known<Schemas['ArtifactDocument'], { theory?: Theory | null }>;

export type KeptRecord = Schemas['RecordSummary'];
