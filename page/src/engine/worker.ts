//! A worker that runs the engine. It is sent the compiled engine first, then questions.

import { initSync } from '../../../npm/wasm/engine.js';
import { Core, faultOf } from './core.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

const tell = (message: FromWorker) => postMessage(message);
let core: Core | null = null;

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    initSync({ module: data.module });
    core = new Core();
    return;
  }
  try {
    const { name, ask } = data.question;
    tell({ answer: core!.call(name, ask, (report: unknown) => tell({ report })) });
  } catch (thrown) {
    tell({ fault: faultOf(thrown) });
  }
});
