//! How much slower the engine is here than natively: `cargo xtask wasm --ratios`, after the
//! native side has written target/pace.json. With a file as argument, writes the rows of
//! `cargo xtask bench-all` there.

import { readFileSync, writeFileSync } from 'node:fs';
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
const rows = [
  ['an analysis with proofs and best move, expert positions, median', 'µs', native.expert_micros.median, expert.median],
  ['an analysis with proofs and best move, expert positions, p99', 'µs', native.expert_micros.p99, expert.p99],
  ['expert games of best', 'games/s', native.best_games_per_second, pace.best_games_per_second],
].map(([what, unit, ours, theirs]) => ({
  what, unit, ours, beside: { name: 'WebAssembly in Node', value: theirs, ratio: unit === 'µs' ? theirs / ours : ours / theirs },
}));
for (const { what, beside } of rows) console.log(`${what}: native code is ${beside.ratio.toFixed(2)} times as fast`);
const [, , output] = process.argv;
if (output) writeFileSync(output, JSON.stringify({ rows }));
