// SHA-256 of a string of ASCII characters, synchronous: crypto.subtle is neither, nor present on every page.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // The constants are the first 32 bits of the fractions of roots of primes; they are computed exactly.
  const root = (value, degree) => {
    let low = 0n;
    let high = 1n << 64n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(degree) <= value) low = middle;
      else high = middle;
    }
    return low;
  };
  let found = 0;
  for (let p = 2; found < 64; p++) {
    let prime = true;
    for (let q = 2; q * q <= p; q++) if (p % q === 0) prime = false;
    if (!prime) continue;
    K[found] = Number(root(BigInt(p) << 96n, 3) & 0xffffffffn);
    if (found < 8) START[found] = Number(root(BigInt(p) << 64n, 2) & 0xffffffffn);
    found++;
  }
}

export function sha256(text) {
  return Array.from(sha256Words(text), (word) => word.toString(16).padStart(8, "0")).join("");
}

// The same as eight words of 32 bits, the first the highest.
export function sha256Words(text) {
  const length = text.length;
  const blocks = ((length + 8) >> 6) + 1;
  const bytes = new Uint8Array(blocks * 64);
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(bytes.length - 4, (length << 3) >>> 0);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block * 64 + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15];
      const b = w[i - 2];
      const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
      const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
  return state;
}
