import { hash } from 'node:crypto';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { bytesOf } from '../../series/column.ts';

const known = new WeakMap<PriceSeries, string>();
/** The days of the series before, which most often are those of the next one: comparing takes less than hashing. */
let before: { readonly bytes: Uint8Array; readonly digest: string } | null = null;

/**
 * Tells price series apart by what is in them: a thread is sent the same prices again and again as new
 * objects. The number of bars, and digests of both columns by the runtime's own SHA-256: a loop over their
 * words took a tenth of a new thread's first batch, which runs it before it is compiled.
 */
export function fingerprintOf(series: PriceSeries): string {
  const old = known.get(series);
  if (old !== undefined) return old;
  const { ticker, days, closes } = series;
  const fingerprint = `${ticker}|${days.length}|${digestOfDays(days)}|${digestOf(bytesOf(closes))}`;
  known.set(series, fingerprint);
  return fingerprint;
}

function digestOfDays(days: Int32Array): string {
  const bytes = bytesOf(days);
  if (before !== null && Buffer.compare(bytes, before.bytes) === 0) return before.digest;
  const digest = digestOf(bytes);
  // A copy: the days may lie in memory that its owner fills with others.
  before = { bytes: bytes.slice(), digest };
  return digest;
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url');
}
