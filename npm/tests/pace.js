//! How much slower the engine is here than natively: `cargo xtask wasm --ratios`, after the
//! native side has written target/pace.json.

import { readFileSync } from 'node:fs';
import { corpus, engine, file } from './engine.js';

/** The median and the 99th percentile of a group of positions in microseconds, with proofs and best move. */
function analyses(positions) {
  const micros = positions.map(({ mines, rows }) => {
    const start = performance.now();
    engine.analyze({ rows, mines, why: true, budget: 200_000_000 });
    return (performance.now() - start) * 1000;
  }).sort((a, b) => a - b);
  return { median: micros[Math.floor(micros.length / 2)], p99: micros[Math.floor((micros.length * 99) / 100)], most: micros.at(-1) };
}

const expert = analyses(corpus().filter(({ name }) => name.startsWith('expert_guess')));
const games = 300;
const tournament = engine.tournament({ agents: ['best'], rules: { board: 'expert' }, games });
const start = performance.now();
tournament.play(games);
const pace = {
  expert_micros: expert,
  best_games_per_second: (1000 * games) / (performance.now() - start),
  won: tournament.totals().agents[0].won,
};
console.log('WebAssembly', JSON.stringify(pace));
const native = JSON.parse(readFileSync(file('target/pace.json'), 'utf8'));
const ratio = (one, other) => (one / other).toFixed(2);
console.log(`times of an analysis, WebAssembly to native: median ${ratio(expert.median, native.expert_micros.median)}, p99 ${ratio(expert.p99, native.expert_micros.p99)}`);
console.log(`games of best per second, WebAssembly to native: ${ratio(pace.best_games_per_second, native.best_games_per_second)}`);
