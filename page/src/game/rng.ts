//! The engine's own random numbers, so that a seed deals the same board here as there.
//!
//! xoshiro256++ filled by SplitMix64, Lemire's bounded draw. Golden numbers of the engine's tests
//! pin all of it.

const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

function mix(z: bigint): bigint {
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

function rotate(word: bigint, by: bigint): bigint {
  return ((word << by) | (word >> (64n - by))) & MASK;
}

/** A repeatable stream of random numbers. */
export class Rng {
  #state: [bigint, bigint, bigint, bigint];

  constructor(seed: bigint) {
    const word = (k: bigint) => mix((seed + GOLDEN * k) & MASK);
    this.#state = [word(1n), word(2n), word(3n), word(4n)];
  }

  bits(): bigint {
    let [a, b, c, d] = this.#state;
    const result = (rotate((a + d) & MASK, 23n) + a) & MASK;
    const shifted = (b << 17n) & MASK;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 45n);
    this.#state = [a, b, c, d];
    return result;
  }

  /** A number below `bound`, each equally likely. */
  below(bound: number): number {
    const wideBound = BigInt(bound);
    for (;;) {
      const wide = this.bits() * wideBound;
      const low = wide & MASK;
      if (low >= wideBound || low >= ((1n << 64n) - wideBound) % wideBound) return Number(wide >> 64n);
    }
  }
}

/** What a stream is for; streams of one game are independent. */
export const PURPOSE = { layout: 1n, firstClick: 2n, clueNoise: 3n } as const;

/** The seed of one of the streams of a game. */
export function derive(seed: bigint, game: bigint, purpose: bigint): bigint {
  const step = (state: bigint, word: bigint) => mix(((state + GOLDEN) & MASK) ^ mix((word + GOLDEN) & MASK));
  return step(step(step(0n, seed & MASK), game & MASK), purpose);
}

/** Draw number `index` of the stream with this seed, without drawing those before it. */
export function nthDraw(seed: bigint, index: number): bigint {
  return mix((seed + GOLDEN * BigInt(index + 1)) & MASK);
}

/** Maps 64 random bits to [0, 1). */
export function unit(bits: bigint): number {
  return Number(bits >> 11n) / 2 ** 53;
}

/** A fresh seed, small enough to read aloud. */
export function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
