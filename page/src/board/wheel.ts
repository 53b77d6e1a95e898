//! The mouse wheel: with Ctrl it zooms; in `edit` mode it turns numbers.
//!
//! Over an open number the plain wheel turns it, if the board has nothing to scroll. With Shift the
//! wheel turns any cell of any board, covered ones too. Otherwise the wheel scrolls, as everywhere.

import { COVERED } from '../game/face.ts';
import { paint, type Hands } from './hands.ts';

/** Pixels of wheel, or lines of it, for one step. */
const PIXELS = 60;
const LINES = 1;
/** Milliseconds within which turns of the wheel belong together: who scrolls does not turn numbers on the way. */
const TOGETHER = 300;

export function listenToWheel(hands: Hands): void {
  let turned = 0;
  let scrolledAt = -Infinity;
  hands.scroller.addEventListener('wheel', (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      hands.zoomBy(event.deltaY < 0 ? 1.1 : 0.9, { x: event.clientX, y: event.clientY });
      return;
    }
    const { hover: cell, faces } = hands.scene;
    const scrolling = event.timeStamp - scrolledAt < TOGETHER;
    if (hands.mode !== 'edit' || cell === null || (!event.shiftKey && (scrolling || faces[cell]! > 8 || scrolls(hands.scroller)))) {
      scrolledAt = event.timeStamp;
      turned = 0;
      return;
    }
    event.preventDefault();
    // With Shift some systems turn the wheel sideways.
    turned -= event.deltaY || event.deltaX;
    const step = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? PIXELS : LINES;
    if (Math.abs(turned) < step) return;
    paint(hands, cell, next(faces[cell]!, Math.sign(turned), event.shiftKey));
    turned = 0;
  }, { passive: false });
}

/** The face after or before one: 0 to 8 in a circle, with covered between 8 and 0 if asked. */
function next(face: number, direction: number, covered: boolean): number {
  const circle = covered ? [COVERED, 0, 1, 2, 3, 4, 5, 6, 7, 8] : [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const at = Math.max(0, circle.indexOf(face));
  return circle[(at + direction + circle.length) % circle.length]!;
}

function scrolls({ scrollHeight, clientHeight, scrollWidth, clientWidth }: HTMLElement): boolean {
  return scrollHeight > clientHeight || scrollWidth > clientWidth;
}
