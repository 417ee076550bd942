import { createHash } from 'node:crypto';
import type { Run } from '../reference/run.ts';

/**
 * Hex SHA-256 of what a single backtest came to: its days and the portfolio's value on each, bit by bit, and
 * the versions of engine and prices. The same request on the same data and engine has the same one, whatever
 * else the answer was asked to hold.
 */
export function resultHashOf(
  { market, days, value }: Pick<Run, 'market' | 'days' | 'value'>,
  { engine_version, data_version }: { readonly engine_version: string; readonly data_version: string },
): string {
  const bytes = new DataView(new ArrayBuffer(value.length * 12));
  for (let t = 0; t < value.length; t++) {
    bytes.setInt32(t * 12, market.calendar[days.from + t] as number, true);
    // No zero is negative, as in JSON.
    bytes.setFloat64(t * 12 + 4, (value[t] as number) + 0, true);
  }
  return createHash('sha256')
    .update(JSON.stringify(['backtest', engine_version, data_version]))
    .update(bytes)
    .digest('hex');
}
