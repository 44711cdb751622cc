// The symbols of polynomials: t, the contraction c, fading powers e = r^t, numbers known by bounds, coordinates of
// unknown points of a trap. They are numbered; what is known of each is kept here.

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
      require(this.info.length < 60_000, "too many symbols");
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

  // A coordinate of an unknown point.
  unknown(point, coordinate) {
    return this.get(`u ${point} ${coordinate}`, () => ({ type: "u", point, coordinate }));
  }
}
