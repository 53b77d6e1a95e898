//! The style of what is inside a `<mine-board>`.

export const STYLE = `
:host { display: block; position: relative; min-height: 0; --mb-font: system-ui, sans-serif; }
:host([fill]) { height: 100%; contain: size; display: grid; grid-template-columns: minmax(0, 1fr); align-content: center; }
.scroller { position: relative; overflow: auto; margin-inline: auto; overscroll-behavior: contain auto;
  touch-action: pan-x pan-y; border-radius: 6px; -webkit-user-select: none; user-select: none;
  -webkit-touch-callout: none; background: var(--mb-line, #c9d1d8); }
.scroller.fits { overflow: hidden; }
.scroller.bare { background: none; }
@media (pointer: fine) {
  .scroller::-webkit-scrollbar { width: 12px; height: 12px; }
  .scroller::-webkit-scrollbar-track, .scroller::-webkit-scrollbar-corner { background: var(--mb-line, #d3dbe1); }
  .scroller::-webkit-scrollbar-thumb { background: var(--mb-muted, #545f69); border: 2px solid var(--mb-line, #d3dbe1); border-radius: 6px; }
  @supports not selector(::-webkit-scrollbar) {
    .scroller { scrollbar-color: var(--mb-muted, #545f69) var(--mb-line, #d3dbe1); }
  }
}
.content { position: relative; }
.sheet { position: sticky; top: 0; left: 0; width: 0; height: 0; z-index: 0; }
.sheet canvas { position: absolute; top: 0; left: 0; display: block; pointer-events: none; }
.grid { position: absolute; inset: 0; z-index: 1; }
[role=row] { display: contents; }
[role=gridcell] { position: absolute; outline: none; cursor: default; }
.live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.map { position: relative; overflow: hidden; margin: 8px 0 0 auto; border-radius: 4px; cursor: move; touch-action: none;
  box-shadow: 0 0 0 1px var(--mb-muted, #545f69); }
.map[hidden] { display: none; }
.map canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
.frame { position: absolute; border: 2px solid var(--mb-focus, #b3540b); border-radius: 2px; box-shadow: 0 0 0 200px rgb(0 0 0 / 0.25); }
@media (pointer: coarse) {
  .map { position: absolute; right: 8px; bottom: 8px; margin: 0; z-index: 3; opacity: 0; pointer-events: none; transition: opacity 0.2s; }
  .map.used { opacity: 1; }
}
@media (prefers-reduced-motion: reduce) { .map { transition: none; } }
:host([mode=edit]) .scroller { cursor: crosshair; }
:host([mode=edit][paints]) .scroller { touch-action: none; }
`;
