import { hash } from 'node:crypto';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';

const known = new WeakMap<PriceSeries, string>();

/**
 * Tells price series apart by what is in them: a thread is sent the same prices again and again as new
 * objects. The number of bars, and digests of both columns by the runtime's own SHA-256: a loop over their
 * words took a tenth of a new thread's first batch, which runs it before it is compiled.
 */
export function fingerprintOf(series: PriceSeries): string {
  const old = known.get(series);
  if (old !== undefined) return old;
  const { ticker, days, closes } = series;
  const fingerprint = `${ticker}|${days.length}|${digest(days)}|${digest(closes)}`;
  known.set(series, fingerprint);
  return fingerprint;
}

function digest({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): string {
  return hash('sha256', new Uint8Array(buffer, byteOffset, byteLength), 'base64url');
}
