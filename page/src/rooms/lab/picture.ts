//! Pictures of the server in the colors of the page: white becomes the page's ground, black its ink,
//! and colors keep their hue while they move towards the ink.

import { ApiError } from '../../api/fault.ts';

/** Fetches an SVG picture and makes it follow the theme. */
export async function pictureOf(address: string, signal: AbortSignal): Promise<SVGSVGElement> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new ApiError('The picture is not there', address, answer.status);
  const drawn = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml').documentElement;
  if (!(drawn instanceof SVGSVGElement)) throw new ApiError('The picture cannot be read', address, 500);
  for (const element of drawn.querySelectorAll<SVGElement>('*')) {
    if (element.localName === 'script') element.remove();
    for (const paint of ['fill', 'stroke'] as const) {
      const color = themed(element.getAttribute(paint));
      if (color) element.style.setProperty(paint, color);
    }
  }
  drawn.removeAttribute('width');
  drawn.removeAttribute('height');
  return document.importNode(drawn, true);
}

/** A color of a white page as one of any theme; null for what has no color. */
export function themed(color: string | null): string | null {
  const hex = /^#([0-9a-f]{6})$/i.exec(color ?? '')?.[1];
  if (!hex) return null;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most - least > 40) return `color-mix(in oklab, #${hex}, var(--ink) 25%)`;
  if (least > 245) return 'var(--surface)';
  if (least > 190) return 'var(--line)';
  return most > 100 ? 'var(--muted)' : 'var(--ink)';
}
