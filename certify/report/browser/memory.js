// What folds and sets of tokens were at concrete times. A value is found again by the node and the values of its free
// names; only times, tokens and states of tokens can be such a key. On a range nothing is remembered: there a value
// depends on the range too.

import { freeNames } from "./free.js";
import { bitLength } from "./numbers.js";

const MOST_VALUES = 200_000;
const MOST_BITS = 2 ** 28;

const NOTHING = { result: null, count: 0, counted: 0, next: null };

export class Memory {
  // room: how many values at most; with 0 nothing is remembered
  constructor(room = MOST_VALUES) {
    this.room = room;
    this.bits = 0;
    this.nodes = new Map();
  }

  of(node) {
    let entry = this.nodes.get(node);
    if (entry === undefined) {
      const body = node.body ? freeNames(node.body).filter((name) => name !== node.binder?.name) : [];
      entry = { names: freeNames(node), others: body, values: new Map(), folds: new Map() };
      this.nodes.set(node, entry);
    }
    return entry;
  }

  key(evaluator, node, env) {
    if (this.room === 0 || evaluator.range !== evaluator.point) return null;
    return keyOf(this.of(node).names, env);
  }

  get(node, key) {
    return this.of(node).values.get(key);
  }

  put(node, key, entry) {
    if (this.takes(entry.value)) this.of(node).values.set(key, entry);
  }

  // Is there room for a value?
  takes(value) {
    const bits = lengthOf(value);
    if (this.room === 0 || this.bits + bits > MOST_BITS) return false;
    this.room--;
    this.bits += bits;
    return true;
  }

  // How far a fold over times from the same one on has come, and how to keep where it stands after this one.
  fold(evaluator, node, env, { low, high }) {
    const forgotten = { ...NOTHING, keep: () => {} };
    if (low === undefined || this.room === 0 || evaluator.range !== evaluator.point) return forgotten;
    const { others, folds } = this.of(node);
    const rest = keyOf(others, env);
    if (rest === null) return forgotten;
    const key = `${low} ${rest}`;
    const found = folds.get(key);
    const keep = (state) => {
      if (this.takes(state.result)) folds.set(key, { ...state, next: high + 1n });
    };
    return found !== undefined && found.next <= high + 1n ? { ...found, keep } : { ...forgotten, keep };
  }
}

// null if a value is not a concrete time, a token or the state of a token at a concrete time.
function keyOf(names, env) {
  let key = "";
  for (const name of names) {
    const value = env.get(name);
    if (typeof value === "number") key += `${value} `;
    else if (value?.d === 1n) key += `${value.n} `;
    else if (value?.state && value.state.time.slope === 0n) key += `${value.state.token}@${value.state.time.offset} `;
    else return null;
  }
  return key;
}

// The bits of a value, about.
function lengthOf(value) {
  if (typeof value === "bigint") return bitLength(value) + 64;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + lengthOf(item), 64);
  if (value instanceof Map) return lengthOf([...value.values()]);
  if (value !== null && typeof value === "object") return lengthOf(Object.values(value));
  return 64;
}
