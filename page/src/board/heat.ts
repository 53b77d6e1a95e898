//! Colors for the probability of a mine.
//!
//! The default ramp is cividis, which reads the same with and without color vision; the other is
//! the papers' green for safe and purple for mine, laid over the tile at 47 %.

export type Palette = 'cividis' | 'papers';
export type Rgb = readonly [number, number, number];

const CIVIDIS: readonly Rgb[] = [
  [0, 32, 77], [0, 48, 111], [42, 63, 109], [72, 78, 107], [94, 93, 110], [114, 109, 115],
  [133, 125, 119], [154, 142, 118], [177, 160, 112], [201, 178, 103], [226, 199, 87], [255, 233, 69],
];
const PAPER_OPACITY = 0.47;

function between(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((i) => Math.round(a[i]! + (b[i]! - a[i]!) * share)) as unknown as Rgb;
}

/** The color of a risk from 0 to 1; the papers' colors lie over the color of a covered tile. */
export function heatColor(palette: Palette, risk: number, tile: Rgb = [190, 201, 211]): Rgb {
  const p = Math.max(0, Math.min(1, risk));
  if (palette === 'papers') return between(tile, [160, 255 * (1 - p), 255 * p], PAPER_OPACITY);
  const at = p * (CIVIDIS.length - 1);
  const low = Math.min(CIVIDIS.length - 2, Math.floor(at));
  return between(CIVIDIS[low]!, CIVIDIS[low + 1]!, at - low);
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** Relative luminance, 0 to 1. */
export function luminance(color: Rgb): number {
  const [r, g, b] = color.map((channel) => {
    const c = channel / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever reads better. */
export function inkOn(color: Rgb): Rgb {
  const [dark, light]: [Rgb, Rgb] = [[0, 0, 0], [255, 255, 255]];
  return contrast(color, dark) >= contrast(color, light) ? dark : light;
}

/**
 * One of 103 steps of risk. The first and the last are certain: a rounded number never looks
 * like a proof.
 */
export function heatStep(risk: number): number {
  if (risk === 0) return 0;
  if (risk === 1) return 102;
  return 1 + Math.round(risk * 100);
}

/** The percent a step stands for, as it is written into a cell. */
export function stepText(step: number): string {
  if (step === 0) return '0';
  if (step === 102) return '100';
  if (step === 1) return '<1';
  if (step === 101) return '>99';
  return String(step - 1);
}

/**
 * A percent for people, a dash for none: certain only if it is. The space before the sign is narrow
 * and does not break.
 */
export function percent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined) return '–';
  if (share === 0 || share === 1) return `${share * 100}\u202f%`;
  const text = (share * 100).toFixed(digits);
  const least = 10 ** -digits;
  if (Number(text) === 0) return `<${least}\u202f%`;
  if (Number(text) === 100) return `>${(100 - least).toFixed(digits)}\u202f%`;
  return `${text}\u202f%`;
}

/** The chances of winning: an estimate is never certain. */
export function chances({ win }: { win?: number | null }, exact: boolean, digits = 0): string {
  return percent(exact || typeof win !== 'number' ? win : Math.max(1e-9, Math.min(1 - 1e-9, win)), digits);
}

export function parseRgb(text: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
  if (hex) return [0, 2, 4].map((i) => parseInt(hex[1]!.slice(i, i + 2), 16)) as unknown as Rgb;
  const parts = text.match(/[\d.]+/g)?.map(Number);
  return parts && parts.length >= 3 ? [parts[0]!, parts[1]!, parts[2]!] : [190, 201, 211];
}
