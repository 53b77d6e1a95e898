//! Pictures of single cells, drawn once per size and theme and copied from there.

import { BLANK, COVERED, EXPLODED, FLAGGED, MINE, WRONG_FLAG, type Face } from '../game/face.ts';
import { drawFlag, drawMine, drawText, fitText } from './glyphs.ts';
import { css, heatColor, heatStep, inkOn, parseRgb, stepText, type Palette, type Rgb } from './heat.ts';
import type { PixelGrid } from './pixel-grid.ts';
import type { Theme } from './theme.ts';

export interface HeatStyle {
  palette: Palette;
  numbers: boolean;
  /**
   * Whether 0 and 100 are written too, and have no color of their own: beliefs of an agent, which
   * are no proofs.
   */
  certain: boolean;
}

/** Steps of risk, and one more for none. */
const STEPS = 104;
const NO_RISK = STEPS - 1;
/** Percents smaller than this, in pixels of the page, are left out: color and label say them. */
const LEGIBLE = 10;
/** Percents are this large, if they fit, and larger in large cells. */
const USUAL = 11.5;

/** The color of a covered cell with a step of risk. */
export function riskColor(step: number, style: HeatStyle, theme: Theme): Rgb {
  if (step === 0 && !style.certain) return parseRgb(theme.proved);
  return heatColor(style.palette, (Math.max(1, Math.min(101, step)) - 1) / 100, parseRgb(theme.covered));
}

export class Tiles {
  readonly #context: CanvasRenderingContext2D;
  readonly #pictures: (Uint32Array | undefined)[] = [];
  readonly #width: number;
  readonly #height: number;

  constructor(readonly grid: PixelGrid, readonly theme: Theme, readonly style: HeatStyle) {
    this.#width = grid.cellWidth;
    this.#height = grid.cellHeight;
    const canvas = document.createElement('canvas');
    canvas.width = this.#width;
    canvas.height = this.#height;
    this.#context = canvas.getContext('2d', { willReadFrequently: true })!;
  }

  /** The picture of a face with a risk (or NaN), as pixels row by row. */
  picture(face: Face, risk: number): Uint32Array {
    const step = Number.isNaN(risk) || (face !== COVERED && face !== FLAGGED) ? NO_RISK : heatStep(risk);
    return (this.#pictures[face * STEPS + step] ??= this.#draw(face, step === NO_RISK ? null : step));
  }

  #draw(face: Face, step: number | null): Uint32Array {
    const context = this.#context;
    const [width, height] = [this.#width, this.#height];
    const { theme } = this;
    context.clearRect(0, 0, width, height);
    context.save();
    this.#ground(face, step);
    context.translate(width / 2, height / 2);
    if (face === FLAGGED || face === WRONG_FLAG) drawFlag(context, width, theme, face === WRONG_FLAG);
    else if (face === MINE) drawMine(context, width, theme.ink, theme.open);
    else if (face === EXPLODED) drawMine(context, width, '#ffffff', theme.danger);
    else if (face === BLANK) drawText(context, '?', width * 0.46, theme.muted, 500, theme.font);
    else if (face >= 1 && face <= 8) drawText(context, String(face), width * 0.62, theme.digits[face - 1]!, 700, theme.font);
    else if (face === COVERED && step !== null) this.#percent(step);
    context.restore();
    return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  }

  /** The tile itself: open cells lie flat, covered ones stand out. */
  #ground(face: Face, step: number | null): void {
    const { theme } = this;
    const { geometry, scale } = this.grid;
    const context = this.#context;
    const raised = face === COVERED || face === FLAGGED || face === WRONG_FLAG;
    const box = { x: 0, y: 0, width: this.#width, height: this.#height };
    context.fillStyle = theme.line;
    context.beginPath();
    geometry.trace(context, box);
    context.fill();

    const gap = this.#width > 8 * scale ? Math.max(0.5, Math.round(scale * (raised ? 1 : 0.5)) / 2) : 0;
    const inset = raised && geometry.hex ? gap + 0.75 * scale : gap;
    context.fillStyle = raised ? theme.covered : face === EXPLODED ? theme.danger : theme.open;
    this.#plate(inset, raised);
    const large = this.#width > 10 * scale;
    if (raised && large) this.#bevel(inset);
    if (step === null) return;
    // The frame of a covered tile stays, so that no color of risk looks like an open cell.
    context.fillStyle = css(riskColor(step, this.style, theme));
    this.#plate(large ? inset + Math.max(1, Math.round(this.#width / 20)) : inset, true);
  }

  /** Fills the tile, less a border. */
  #plate(inset: number, raised: boolean): void {
    const context = this.#context;
    const { geometry, scale } = this.grid;
    const box = { x: 0, y: 0, width: this.#width, height: this.#height };
    context.beginPath();
    if (raised && !geometry.hex) context.roundRect(inset, inset, this.#width - 2 * inset, this.#height - 2 * inset, Math.max(0, Math.min(this.#width * 0.12, 4 * scale) - inset / 2));
    else geometry.trace(context, box, inset);
    context.fill();
  }

  /** Light from above: a bright upper and a dark lower edge. */
  #bevel(inset: number): void {
    const context = this.#context;
    const { scale } = this.grid;
    const thick = Math.max(1, Math.round(this.#width / 16));
    context.save();
    context.clip();
    context.fillStyle = this.theme.shine;
    context.fillRect(0, 0, this.#width, inset + Math.max(scale, thick * 0.8));
    context.fillStyle = this.theme.edge;
    context.fillRect(0, this.#height - inset - Math.max(scale, thick * 1.2), this.#width, this.#height);
    context.restore();
  }

  /** Writes a percent as large as the cell allows; none where a tick or cross stands, or where it could not be read. */
  #percent(step: number): void {
    const proved = step === 0 || step === 102;
    if (!this.style.numbers || (proved && !this.style.certain)) return;
    const { font } = this.theme;
    const color = css(inkOn(riskColor(step, this.style, this.theme)));
    const room = this.#width - 3.5 * this.grid.scale;
    const largest = Math.max(0.46 * this.#width, USUAL * this.grid.scale);
    for (const text of step === 101 ? [stepText(step), '99'] : [stepText(step)]) {
      const size = fitText(this.#context, text, room, largest, 600, font);
      if (size < LEGIBLE * this.grid.scale) continue;
      drawText(this.#context, text, size, color, 600, font);
      return;
    }
  }
}
