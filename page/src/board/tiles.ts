//! Pictures of single cells, drawn once per size and theme into one sheet and copied from there.

import { BLANK, COVERED, EXPLODED, FLAGGED, MINE, WRONG_FLAG, type Face } from '../game/face.ts';
import type { Geometry } from './geometry.ts';
import { css, heatColor, heatStep, inkOn, parseRgb, stepText, type Palette, type Rgb } from './heat.ts';

export interface Theme {
  covered: string;
  edge: string;
  shine: string;
  open: string;
  line: string;
  ink: string;
  muted: string;
  accent: string;
  flag: string;
  danger: string;
  safe: string;
  /** The way of a recorded mouse. */
  trail: string;
  digits: readonly string[];
  font: string;
}

export interface HeatStyle {
  palette: Palette;
  numbers: boolean;
  /** Whether 0 and 100 are written too. */
  certain: boolean;
}

const STEPS = 104;

/** A sheet of cell pictures; a picture is drawn when it is first asked for. */
export class TileSheet {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #slots = new Map<number, number>();
  readonly #pixels = new Map<number, Uint32Array>();
  readonly #columns = 24;
  readonly width: number;
  readonly height: number;
  readonly #tile: Rgb;

  constructor(readonly geometry: Geometry, readonly scale: number, readonly theme: Theme, readonly heat: HeatStyle) {
    this.width = Math.ceil(geometry.unit * scale);
    this.height = Math.ceil(geometry.cellHeight * scale);
    this.canvas = document.createElement('canvas');
    this.canvas.width = this.#columns * (this.width + 2);
    this.canvas.height = 12 * (this.height + 2);
    this.#context = this.canvas.getContext('2d', { willReadFrequently: true })!;
    this.#tile = parseRgb(theme.covered);
  }

  /** A number for the picture of a face with a risk (or NaN). */
  key(face: Face, risk: number): number {
    const step = Number.isNaN(risk) || (face !== COVERED && face !== FLAGGED) ? STEPS - 1 : heatStep(risk);
    return face * STEPS + step;
  }

  /** Where in the sheet the picture lies, in pixels; drawn now if it is not there. */
  slot(key: number): { x: number; y: number } {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#slots.size % (this.#columns * 12);
      this.#slots.set(key, slot);
      this.#draw(key, slot);
    }
    return this.#corner(slot);
  }

  /** The picture as pixels, row by row. */
  pixels(key: number): Uint32Array {
    let pixels = this.#pixels.get(key);
    if (!pixels) {
      const { x, y } = this.slot(key);
      pixels = new Uint32Array(this.#context.getImageData(x, y, this.width, this.height).data.buffer);
      this.#pixels.set(key, pixels);
    }
    return pixels;
  }

  #corner(slot: number): { x: number; y: number } {
    return { x: (slot % this.#columns) * (this.width + 2) + 1, y: Math.floor(slot / this.#columns) * (this.height + 2) + 1 };
  }

  #draw(key: number, slot: number): void {
    const face = Math.floor(key / STEPS);
    const step = key % STEPS;
    const { x, y } = this.#corner(slot);
    const context = this.#context;
    context.save();
    context.clearRect(x - 1, y - 1, this.width + 2, this.height + 2);
    context.translate(x, y);
    this.#ground(face, step === STEPS - 1 ? null : step);
    context.translate(this.width / 2, this.height / 2);
    const size = this.width;
    if (face === FLAGGED || face === WRONG_FLAG) this.#flag(size, face === WRONG_FLAG);
    else if (face === MINE || face === EXPLODED) this.#mine(size, face === EXPLODED);
    else if (face === BLANK) this.#text('?', size * 0.46, this.theme.muted, 500);
    else if (face >= 1 && face <= 8) this.#text(String(face), size * 0.56, this.theme.digits[face - 1]!, 700);
    context.restore();
  }

  /** Whether percents are written at this size. */
  get numbersFit(): boolean {
    return this.heat.numbers && this.geometry.unit >= 19;
  }

  #ground(face: Face, step: number | null): void {
    const { theme } = this;
    const context = this.#context;
    const raised = face === COVERED || face === FLAGGED || face === WRONG_FLAG;
    const color = step === null ? this.#tile : heatColor(this.heat.palette, (Math.max(1, Math.min(101, step)) - 1) / 100, this.#tile);
    const box = { x: 0, y: 0, width: this.width, height: this.height };
    context.fillStyle = theme.line;
    context.beginPath();
    this.geometry.trace(context, box);
    context.fill();

    const inset = Math.max(0.5, Math.round(this.scale * (raised ? 1 : 0.5)) / 2 + (raised ? (this.geometry.hex ? 1 : 0.5) * this.scale : 0));
    context.fillStyle = raised ? css(color) : face === EXPLODED ? theme.danger : theme.open;
    context.beginPath();
    if (raised && !this.geometry.hex) {
      const radius = Math.min(this.width * 0.14, 5 * this.scale);
      context.roundRect(inset, inset, this.width - 2 * inset, this.height - 2 * inset, radius);
    } else this.geometry.trace(context, box, inset);
    context.fill();
    if (raised && step === null && this.width > 10) {
      context.save();
      context.clip();
      context.fillStyle = theme.shine;
      context.fillRect(0, 0, this.width, inset + Math.max(1, this.scale));
      context.fillStyle = theme.edge;
      context.fillRect(0, this.height - inset - Math.max(1, 1.5 * this.scale), this.width, this.height);
      context.restore();
    }
    if (step !== null && face === COVERED && this.numbersFit && (this.heat.certain || (step > 0 && step < 102))) {
      context.save();
      context.translate(this.width / 2, this.height / 2);
      this.#text(stepText(step), this.width * 0.36, css(inkOn(color)), 500);
      context.restore();
    }
  }

  #text(text: string, size: number, color: string, weight: number): void {
    const context = this.#context;
    context.font = `${weight} ${size}px ${this.theme.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillStyle = color;
    const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = context.measureText(text);
    context.fillText(text, 0, (ascent - descent) / 2);
  }

  #flag(size: number, wrong: boolean): void {
    const context = this.#context;
    const u = size / 24;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.fillStyle = this.theme.flag;
    context.beginPath();
    context.moveTo(-3 * u, -7 * u);
    context.lineTo(6.5 * u, -3.3 * u);
    context.lineTo(-3 * u, 0.6 * u);
    context.closePath();
    context.fill();
    context.strokeStyle = this.theme.ink;
    context.lineWidth = Math.max(1, 1.7 * u);
    context.beginPath();
    context.moveTo(-3.4 * u, -7.4 * u);
    context.lineTo(-3.4 * u, 6.6 * u);
    context.moveTo(-6.4 * u, 6.8 * u);
    context.lineTo(1.8 * u, 6.8 * u);
    context.stroke();
    if (wrong) this.#cross(8 * u, this.theme.danger, Math.max(1.5, 2.4 * u));
  }

  #mine(size: number, exploded: boolean): void {
    const context = this.#context;
    const u = size / 24;
    const ink = exploded ? '#ffffff' : this.theme.ink;
    context.strokeStyle = ink;
    context.fillStyle = ink;
    context.lineWidth = Math.max(1, 1.8 * u);
    context.lineCap = 'round';
    context.beginPath();
    for (let spoke = 0; spoke < 8; spoke += 1) {
      const angle = (spoke * Math.PI) / 4;
      const reach = (spoke % 2 === 0 ? 8.2 : 7) * u;
      context.moveTo(0, 0);
      context.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach);
    }
    context.stroke();
    context.beginPath();
    context.arc(0, 0, 5.2 * u, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = exploded ? this.theme.danger : this.theme.open;
    context.beginPath();
    context.arc(-1.7 * u, -1.7 * u, 1.4 * u, 0, 2 * Math.PI);
    context.fill();
  }

  #cross(reach: number, color: string, width: number): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(-reach, -reach);
    context.lineTo(reach, reach);
    context.moveTo(reach, -reach);
    context.lineTo(-reach, reach);
    context.stroke();
  }
}
