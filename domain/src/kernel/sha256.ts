/**
 * SHA-256 (FIPS 180-4) in plain TypeScript: `domain` runs in browsers too, where the only built-in one is
 * asynchronous.
 */

const ROUND_CONSTANTS = new Uint32Array(64);
const INITIAL_HASH = new Uint32Array(8);
{
  // Fractional parts of the cube (square) roots of the first primes, section 4.2.2 (5.3.3).
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
      if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    ROUND_CONSTANTS[found] = (candidate ** (1 / 3) * 2 ** 32) % 2 ** 32;
    if (found < 8) INITIAL_HASH[found] = (Math.sqrt(candidate) * 2 ** 32) % 2 ** 32;
    found += 1;
  }
}

const at = (array: Uint32Array, index: number): number => array[index] as number;
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(hash: Uint32Array, block: DataView, offset: number, schedule: Uint32Array): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = block.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = at(schedule, index - 15);
    const late = at(schedule, index - 2);
    schedule[index] =
      at(schedule, index - 16) +
      (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
      at(schedule, index - 7) +
      (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let index = 0; index < 64; index += 1) {
    const first =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        ((e & f) ^ (~e & g)) +
        at(ROUND_CONSTANTS, index) +
        at(schedule, index)) |
      0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    hash[index] = at(hash, index) + word;
  });
}

interface NativeHashes {
  createHash(name: 'sha256'): { update(text: string, encoding: 'utf8'): { digest(): Uint8Array } };
}
type MaybeNode = { readonly process?: { getBuiltinModule?(name: string): NativeHashes | undefined } };

/** That of Node, where this runs in Node: the same bytes in a twentieth of the time. */
const native = (globalThis as MaybeNode).process?.getBuiltinModule?.('node:crypto');

/** The 32 bytes of the digest of a text (as UTF-8). */
export function sha256(text: string): Uint8Array {
  return native
    ? new Uint8Array(native.createHash('sha256').update(text, 'utf8').digest())
    : plainSha256(text);
}

/** As `sha256`, by what stands here alone. */
export function plainSha256(text: string): Uint8Array {
  const message = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, (message.length * 8) >>> 0);
  const hash = Uint32Array.from(INITIAL_HASH);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) compress(hash, view, offset, schedule);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  hash.forEach((word, index) => {
    out.setUint32(index * 4, word);
  });
  return digest;
}
