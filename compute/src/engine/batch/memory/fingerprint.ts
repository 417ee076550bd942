import type { PriceSeries } from '@quantloom/domain/ports/market-data';

const known = new WeakMap<PriceSeries, string>();

/**
 * Tells price series apart by what is in them: a thread is sent the same prices again and again as new
 * objects. Two hashes of 32 bits, the number of bars and the ticker.
 */
export function fingerprintOf(series: PriceSeries): string {
  const old = known.get(series);
  if (old !== undefined) return old;
  const { ticker, days, closes } = series;
  const words = new Int32Array(closes.buffer, closes.byteOffset, closes.length * 2);
  const fingerprint = `${ticker}|${days.length}|${hash(days)}|${hash(words)}`;
  known.set(series, fingerprint);
  return fingerprint;
}

/** Two multiplicative hashes side by side. */
function hash(words: Int32Array): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b + word, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
