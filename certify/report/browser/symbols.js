// The symbols of polynomials: t, the contraction c, fading powers e = r^t, numbers known by bounds (the coordinates of a
// box among them), shares, coordinates of unknown points of a trap. They are numbered; what is known of each is kept here.

import { require } from "./limits.js";
import { compare, writeExact } from "./numbers.js";

export const T = 1;
export const C = 2;

export class Symbols {
  constructor() {
    this.info = [null, { type: "t" }, { type: "c" }];
    this.numbers = new Map();
  }

  of(id) {
    return this.info[id];
  }

  get(key, make) {
    if (!this.numbers.has(key)) {
      this.numbers.set(key, this.info.length);
      this.info.push(make());
    }
    return this.numbers.get(key);
  }

  // r^t for 0 < r < 1.
  fading(r) {
    return this.get(`e ${writeExact(r)}`, () => ({ type: "e", r }));
  }

  // A number between two rationals.
  between(key, low, high) {
    require(compare(low, high) <= 0, "bounds in the wrong order");
    return this.get(`b ${key}`, () => ({ type: "b", low, high }));
  }

  // A coordinate of a start, the same at all times.
  coordinate(token, k, low, high) {
    return this.get(`x ${token} ${k}`, () => ({ type: "b", low, high, fixed: true }));
  }

  // Any number of (0, 1]. Shares that are bound at once lie at different depths; a name can come back inside a definition.
  share(depth) {
    return this.get(`s ${depth}`, () => ({ type: "s", fixed: true }));
  }

  // A coordinate of an unknown point.
  unknown(point, coordinate) {
    return this.get(`u ${point} ${coordinate}`, () => ({ type: "u", point, coordinate }));
  }
}
