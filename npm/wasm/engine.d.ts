/* tslint:disable */
/* eslint-disable */

/**
 * Answers requests; keeps the artifacts that learned agents play with.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds an artifact under its path, such as `trees/lowest-risk.tree`.
     *
     * # Errors
     * If the path names no kind of artifact.
     */
    addArtifact(path: string, bytes: Uint8Array | number[]): void;
    /**
     * Answers the request of this name.
     *
     * # Errors
     * If the request has no answer.
     */
    answer(name: string, json: string): string;
    /**
     * Begins or continues a person's game.
     *
     * # Errors
     * If the request is not valid.
     */
    game(json: string): Game;
    /**
     * An engine without artifacts.
     */
    constructor();
    /**
     * Begins a game of an agent.
     *
     * # Errors
     * If the request is not valid.
     */
    play(json: string): Player;
    /**
     * Begins a tournament.
     *
     * # Errors
     * If the request is not valid.
     */
    tournament(json: string): Tournament;
}

/**
 * A game in progress. Cells are numbered row by row.
 */
export class Game {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Makes a move at this time in milliseconds on the clock; the cells that look different
     * after it, nothing where it changes nothing.
     *
     * # Errors
     * If there is no such action.
     */
    act(action: string, cell: number, at: number): Uint32Array | undefined;
    /**
     * Numbers on which a chord is possible.
     */
    chordable(): Uint32Array;
    /**
     * What each cell looks like, as a code; after the end also the mines.
     */
    faces(): Uint8Array;
    /**
     * The help that was taken, in numbers.
     */
    help(): string;
    /**
     * Where the mines lie, row by row; none before they are dealt.
     */
    layout(): string[] | undefined;
    /**
     * Whether the action would change anything.
     *
     * # Errors
     * If there is no such action.
     */
    legal(action: string, cell: number): boolean;
    /**
     * The position as requests have it.
     */
    position(): string;
    /**
     * The record of the game so far.
     *
     * # Errors
     * If it cannot be written.
     */
    record(player: string): string;
    /**
     * Begins again on the same mines, without help.
     */
    restart(): void;
    /**
     * The odds were shown.
     */
    sawOdds(): void;
    /**
     * What each cell looks like to the player: never more than was opened.
     */
    seen(): Uint8Array;
    /**
     * A hint was taken, up to this step.
     */
    tookHint(level: number): void;
    /**
     * Undoes the last move, also one that lost the game; false if there is none.
     */
    undo(): boolean;
    /**
     * How many flags there are.
     */
    readonly flags: number;
    /**
     * The height of the board.
     */
    readonly height: number;
    /**
     * Mines without a flag; negative with more flags than mines.
     */
    readonly minesLeft: number;
    /**
     * How many moves there are.
     */
    readonly moves: number;
    /**
     * How many safe cells are open.
     */
    readonly opened: number;
    /**
     * `fresh`, `live`, `won` or `lost`.
     */
    readonly state: string;
    /**
     * The width of the board.
     */
    readonly width: number;
}

/**
 * A game of an agent, event by event.
 */
export class Player {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Up to this many next events, as a list; an empty one after the end.
     *
     * # Errors
     * If the record cannot be written.
     */
    next(most: number): string;
}

/**
 * A tournament in slices.
 */
export class Tournament {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Plays up to this many more games with each agent.
     */
    play(games: number): void;
    /**
     * The totals of the games so far.
     */
    totals(): string;
}

export function __wbg_reset_state(): void;

/**
 * Throws panics as errors with their message.
 */
export function start(): void;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly __wbg_game_free: (a: number, b: number) => void;
    readonly __wbg_player_free: (a: number, b: number) => void;
    readonly __wbg_tournament_free: (a: number, b: number) => void;
    readonly engine_addArtifact: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly engine_answer: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly engine_game: (a: number, b: number, c: number) => [number, number, number];
    readonly engine_new: () => number;
    readonly engine_play: (a: number, b: number, c: number) => [number, number, number];
    readonly engine_tournament: (a: number, b: number, c: number) => [number, number, number];
    readonly game_act: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly game_chordable: (a: number) => [number, number];
    readonly game_faces: (a: number) => [number, number];
    readonly game_flags: (a: number) => number;
    readonly game_height: (a: number) => number;
    readonly game_help: (a: number) => [number, number];
    readonly game_layout: (a: number) => [number, number];
    readonly game_legal: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly game_minesLeft: (a: number) => number;
    readonly game_moves: (a: number) => number;
    readonly game_opened: (a: number) => number;
    readonly game_position: (a: number) => [number, number];
    readonly game_record: (a: number, b: number, c: number) => [number, number, number, number];
    readonly game_restart: (a: number) => void;
    readonly game_sawOdds: (a: number) => void;
    readonly game_seen: (a: number) => [number, number];
    readonly game_state: (a: number) => [number, number];
    readonly game_tookHint: (a: number, b: number) => void;
    readonly game_undo: (a: number) => number;
    readonly game_width: (a: number) => number;
    readonly player_next: (a: number, b: number) => [number, number, number, number];
    readonly start: () => void;
    readonly tournament_play: (a: number, b: number) => void;
    readonly tournament_totals: (a: number) => [number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
