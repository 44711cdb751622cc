// Canonical JSON (section 1): a reader that takes the canonical form and nothing else, and the writer.

import { LIMITS, Rejection, require } from "./limits.js";

const SHORT = { '"': '"', "\\": "\\", n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const SHORT_OF = new Map(Object.entries(SHORT).map(([letter, character]) => [character, letter]));

// The order of Python: by code points, not by UTF-16 units.
function before(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) {
      const start = i > 0 && (isPair(a, i - 1) || isPair(b, i - 1)) ? i - 1 : i;
      return a.codePointAt(start) < b.codePointAt(start);
    }
  }
  return a.length < b.length;
}

function isPair(text, i) {
  const high = text.charCodeAt(i);
  const low = text.charCodeAt(i + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

// The text of the file, ASCII only; bytes or a string.
export function asciiText(input) {
  require(input.length <= LIMITS.bytes, "the file is too large");
  if (typeof input === "string") {
    require(!/[^ -~]/.test(input), "the bytes are not canonical JSON");
    return input;
  }
  const pieces = [];
  for (let i = 0; i < input.length; i += 8192) {
    pieces.push(String.fromCharCode.apply(null, input.subarray(i, i + 8192)));
  }
  const text = pieces.join("");
  require(!/[^ -~]/.test(text), "the bytes are not canonical JSON");
  return text;
}

export function readCanonical(text) {
  let at = 0;

  const fail = (what) => {
    throw new Rejection(`not canonical JSON at byte ${at}: ${what}`);
  };

  function string() {
    at++;
    let result = "";
    let start = at;
    for (;;) {
      const character = text[at];
      if (character === undefined) fail("a string without end");
      if (character === '"') {
        result += text.slice(start, at++);
        return result;
      }
      if (character !== "\\") {
        at++;
        continue;
      }
      result += text.slice(start, at);
      const letter = text[at + 1];
      if (letter === "u") {
        const digits = text.slice(at + 2, at + 6);
        if (!/^[0-9a-f]{4}$/.test(digits)) fail("an odd escape");
        const code = parseInt(digits, 16);
        if ((code >= 0x20 && code < 0x7f) || SHORT_OF.has(String.fromCharCode(code))) fail("an odd escape");
        result += String.fromCharCode(code);
        at += 6;
      } else if (letter !== undefined && Object.hasOwn(SHORT, letter)) {
        result += SHORT[letter];
        at += 2;
      } else fail("an odd escape");
      start = at;
    }
  }

  function number() {
    const match = /-?[0-9]+/y;
    match.lastIndex = at;
    const found = match.exec(text);
    if (!found) fail("something unknown");
    const digits = found[0];
    const value = Number(digits);
    if (String(value) !== digits || Math.abs(value) >= 2 ** 31) fail("not an integer below 2^31");
    at += digits.length;
    if (/[.eE]/.test(text[at] ?? "")) fail("a float");
    return value;
  }

  function value(depth) {
    const character = text[at];
    if (character === '"') return string();
    if (character === "[" || character === "{") {
      if (depth >= LIMITS.nesting) fail("brackets are nested too deeply");
      return character === "[" ? array(depth + 1) : object(depth + 1);
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    return number();
  }

  function array(depth) {
    const items = [];
    at++;
    if (text[at] === "]") {
      at++;
      return items;
    }
    for (;;) {
      items.push(value(depth));
      const character = text[at++];
      if (character === "]") return items;
      if (character !== ",") fail("no comma in a list");
    }
  }

  function object(depth) {
    const result = Object.create(null);
    let last = null;
    at++;
    if (text[at] === "}") {
      at++;
      return result;
    }
    for (;;) {
      if (text[at] !== '"') fail("no key");
      const key = string();
      if (last !== null && !before(last, key)) fail("keys are not sorted");
      last = key;
      if (text[at++] !== ":") fail("no colon");
      result[key] = value(depth);
      const character = text[at++];
      if (character === "}") return result;
      if (character !== ",") fail("no comma in an object");
    }
  }

  const result = value(0);
  if (at !== text.length) fail("something follows");
  return result;
}

function quoted(text) {
  let result = '"';
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    const code = text.charCodeAt(i);
    if (SHORT_OF.has(character)) result += "\\" + SHORT_OF.get(character);
    else if (code >= 0x20 && code < 0x7f) result += character;
    else result += "\\u" + code.toString(16).padStart(4, "0");
  }
  return result + '"';
}

export function writeCanonical(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort((a, b) => (a === b ? 0 : before(a, b) ? -1 : 1));
    return `{${keys.map((key) => `${quoted(key)}:${writeCanonical(value[key])}`).join(",")}}`;
  }
  return String(value);
}

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Is this an object with exactly these keys, and perhaps some of the optional ones?
export function hasKeys(value, needed, optional = []) {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return needed.every((key) => Object.hasOwn(value, key)) &&
    keys.every((key) => needed.includes(key) || optional.includes(key));
}
