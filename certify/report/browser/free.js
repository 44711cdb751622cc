// The free names of a node.

import { LIMIT_ATOMS } from "./sorts.js";

// Adds the names that are free in a node, apart from those bound already.
export function collectFree(node, bound, names) {
  if (node.op === "var") {
    if (!bound.has(node.name)) names.add(node.name);
    return;
  }
  const inner = new Set(bound);
  for (const binder of node.binders ?? (node.binder ? [node.binder] : [])) {
    for (const item of binder.bounds) collectFree(item, inner, names);
    inner.add(binder.name);
  }
  if (LIMIT_ATOMS.has(node.op)) inner.add(node.name);
  for (const item of [...(node.args ?? []), ...(node.indices ?? []), ...(node.values ?? []), ...(node.body ? [node.body] : [])]) {
    collectFree(item, inner, names);
  }
}

export function freeNames(node) {
  const names = new Set();
  collectFree(node, new Set(), names);
  return [...names].sort();
}
