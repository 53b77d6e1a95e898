//! The state of the Analyze room: the position, the engine's answer, and the cell looked at.

import { engine } from '../../api/engine.ts';
import { isAbort } from '../../api/fault.ts';
import type { Analysis } from '../../api/types.ts';
import type { Mark } from '../../board/overlay.ts';
import { isCovered } from '../../game/face.ts';
import type { Position } from '../../game/notation.ts';
import type { Start } from '../../game/rules.ts';
import { isStart } from '../../game/rules.ts';
import { heatOf, marksOfAnalysis, proofOf } from '../../parts/analysis.ts';
import { countlessFromQuery, formatRoute, positionFromQuery, queryOfPosition, type CountlessPosition } from '../../state/url.ts';
import { Editor } from './editor.svelte.ts';

/** Milliseconds that a change waits for the next one before the engine is asked. */
const PAUSE = 60;

export class AnalyzeRoom {
  readonly editor = new Editor();
  /** What a click puts; null looks at the cell instead. */
  brush = $state<number | null>(null);
  hover = $state<number | null>(null);
  pinned = $state<number | null>(null);
  colors = $state(true);
  /** What the rules promise for the first click. It matters only while nothing is open. */
  start = $state<Start>('unsafe');
  /** Rows whose number of mines is still to be asked for. */
  countless = $state.raw<CountlessPosition | null>(null);
  fault: unknown = $state(null);
  busy = $state(false);
  /** Whether the position was just loaded, and not yet answered. */
  fresh = true;
  #answer = $state.raw<Analysis | null>(null);
  #tries = $state(0);

  readonly shape = $derived(this.editor.position.shape);
  readonly unopened = $derived(this.editor.position.faces.every(isCovered));
  /** The answer, unless it is of a board of another size. */
  readonly analysis = $derived(this.#answer?.width === this.shape.width && this.#answer.height === this.shape.height ? this.#answer : null);
  readonly heat = $derived(this.analysis && this.colors ? heatOf(this.analysis) : null);
  readonly cell = $derived.by(() => {
    const cell = this.pinned ?? this.hover;
    return cell !== null && cell < this.shape.size ? cell : null;
  });
  readonly marks = $derived.by((): Mark[] => {
    const marks = this.analysis ? marksOfAnalysis(this.shape, this.analysis) : [];
    const proof = this.cell === null ? undefined : proofOf(this.analysis, this.shape.place(this.cell));
    for (const clue of proof?.clues ?? []) marks.push({ cell: this.shape.cell(clue), kind: 'clue' });
    if (this.pinned !== null && this.pinned === this.cell) marks.push({ cell: this.pinned, kind: 'select' });
    return marks;
  });

  get address(): string {
    const start = this.unopened && this.start !== 'unsafe' ? this.start : undefined;
    return formatRoute('analyze', [], { ...queryOfPosition(this.editor.position), start });
  }

  /** Shows what an address holds; false if it holds no position that can be read. */
  open(query: URLSearchParams): boolean {
    const position = positionFromQuery(query);
    const start = query.get('start') ?? '';
    this.countless = position ? null : countlessFromQuery(query);
    if (position) {
      this.show(position);
      this.start = isStart(start) ? start : 'unsafe';
    }
    return position !== null || this.countless !== null || !query.has('rows');
  }

  show(position: Position): void {
    this.pinned = null;
    this.countless = null;
    this.fresh = true;
    this.editor.replace(position);
  }

  /** Asks the engine about the position after a short pause; returns how to stop. */
  ask(): () => void {
    void this.#tries;
    const { position } = this.editor;
    const options = { why: true, ...(this.unopened ? { start: this.start } : {}) };
    const abort = new AbortController();
    this.busy = true;
    const timer = setTimeout(() => {
      engine.analyze(position, options, abort.signal).then(
        (answer) => this.#take(answer, null),
        (fault: unknown) => {
          if (!isAbort(fault)) this.#take(null, fault);
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  #take(answer: Analysis | null, fault: unknown): void {
    this.#answer = answer;
    this.fault = fault;
    this.busy = false;
  }

  retry = (): void => {
    this.#tries += 1;
  };

  /** Puts a face, or the brush, on a cell; without either the cell is looked at. */
  paint(cell: number, face: number | null, drag: boolean): void {
    const next = face ?? this.brush;
    if (next === null) {
      if (!drag) this.pinned = this.pinned === cell ? null : cell;
    } else {
      this.pinned = null;
      this.editor.paint(cell, next);
    }
  }
}
