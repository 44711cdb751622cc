#!/usr/bin/env node
// node cli.mjs [--json] FILE...: one line a file (with --json one object, or a list of several); exit 1 if one is not
// accepted, else 2 if one cannot be read, else 0.

import { readFileSync } from "node:fs";
import { verifySync } from "./verify.js";

const args = process.argv.slice(2);
const json = args[0] === "--json";
const files = json ? args.slice(1) : args;
if (files.length === 0) {
  console.error("usage: cli.mjs [--json] CERTIFICATE...");
  process.exit(2);
}

let refused = false;
let unreadable = false;
const results = files.map((file) => {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    unreadable = true;
    return { file, answer: "unreadable", reason: error.message };
  }
  const result = verifySync(bytes);
  if (result.answer !== "accepted") refused = true;
  return { file, ...result };
});

function describe({ claim, verdict, theories }) {
  const text = (value) => (typeof value === "object" ? JSON.stringify(value) : value);
  const details = Object.entries(verdict).filter(([key]) => key !== "kind").map(([key, value]) => `${key} ${text(value)}`);
  const believed = ["kernel", ...theories].join(", ");
  return `${claim} ${verdict.kind}${details.length ? ` with ${details.join(", ")}` : ""}; believed: ${believed}`;
}

if (json) console.log(JSON.stringify(results.length === 1 ? results[0] : results));
else {
  for (const result of results) {
    console.log(`${result.answer}: ${result.file}: ${result.answer === "accepted" ? describe(result) : result.reason}`);
  }
}
process.exitCode = refused ? 1 : unreadable ? 2 : 0;
