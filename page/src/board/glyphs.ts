//! What is drawn into tiles: numbers, flags, mines. All are drawn around 0, 0 for a cell of a size.

import type { Theme } from './theme.ts';

export function drawText(context: CanvasRenderingContext2D, text: string, size: number, color: string, weight: number, font: string): void {
  context.font = `${weight} ${size}px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.fillStyle = color;
  const { actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = context.measureText(text);
  context.fillText(text, 0, (ascent - descent) / 2);
}

/** The size at which a text is as wide as there is room, at most the largest. */
export function fitText(context: CanvasRenderingContext2D, text: string, room: number, largest: number, weight: number, font: string): number {
  context.font = `${weight} 100px ${font}`;
  return Math.min(largest, (100 * room) / context.measureText(text).width);
}

/** A flag with a light or dark border, so that it reads on every ground. */
export function drawFlag(context: CanvasRenderingContext2D, size: number, theme: Theme, wrong: boolean): void {
  const u = size / 24;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  const cloth = () => {
    context.beginPath();
    context.moveTo(-3.4 * u, -7.6 * u);
    context.lineTo(7 * u, -3.4 * u);
    context.lineTo(-3.4 * u, 0.8 * u);
    context.closePath();
  };
  const pole = () => {
    context.beginPath();
    context.moveTo(-3.4 * u, -7.6 * u);
    context.lineTo(-3.4 * u, 6.8 * u);
    context.moveTo(-6.6 * u, 7 * u);
    context.lineTo(1.6 * u, 7 * u);
  };
  const thick = Math.max(1, 1.7 * u);
  context.strokeStyle = theme.open;
  context.lineWidth = thick + 2.4 * u;
  pole();
  context.stroke();
  context.lineWidth = 2.6 * u;
  cloth();
  context.stroke();
  context.fillStyle = wrong ? theme.muted : theme.flag;
  context.fill();
  context.strokeStyle = theme.ink;
  context.lineWidth = thick;
  pole();
  context.stroke();
  if (wrong) drawCross(context, 7.5 * u, theme.danger, Math.max(1.5, 2.6 * u), theme.open);
}

export function drawMine(context: CanvasRenderingContext2D, size: number, ink: string, glint: string): void {
  const u = size / 24;
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
  context.fillStyle = glint;
  context.beginPath();
  context.arc(-1.7 * u, -1.7 * u, 1.4 * u, 0, 2 * Math.PI);
  context.fill();
}

function drawCross(context: CanvasRenderingContext2D, reach: number, color: string, width: number, halo: string): void {
  context.beginPath();
  context.moveTo(-reach, -reach);
  context.lineTo(reach, reach);
  context.moveTo(reach, -reach);
  context.lineTo(-reach, reach);
  context.strokeStyle = halo;
  context.lineWidth = width * 1.9;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}
