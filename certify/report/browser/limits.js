// The limits of section 11, and the ways in which a verification can end early.

export const LIMITS = {
  bytes: 33_554_432,
  nesting: 64,
  depth: 60,
  digits: 20_000,
  timeDigits: 1_999,
  bits: 1_000_000,
  rows: 20_000,
  columns: 500,
  entries: 10_000,
  slope: 1_000,
  terms: 20_000,
  degree: 200,
  period: 10_000,
  times: 1_000_000,
  count: 5_000_000,
  work: 1_000_000_000,
  contraction: 50_000,
  boxTokens: 50,
  boxColumns: 50,
  intervals: 16,
  samples: 2_000,
  coordinates: 2_000_000,
};

// The certificate is rejected.
export class Rejection extends Error {}

// The certificate asks for something that this verifier does not know: neither accepted nor rejected.
export class NotChecked extends Error {}

// A term is undefined, so its atom is undecided. Thrown often: it carries no stack.
export class Undefined {
  constructor(reason) {
    this.reason = reason;
  }
}

// A state that has not been computed yet; the nearest generator computes it in slices and tries again.
export class NeedState {
  constructor(time) {
    this.time = time;
  }
}

export function require(condition, reason) {
  if (!condition) throw new Rejection(reason);
}
