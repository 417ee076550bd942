import { COLUMNS_TYPE, decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import type { Response } from 'playwright-core';

/** The answer to a page's backtest as its JSON would be, whichever form it came in; of a failure its error body. */
// biome-ignore lint/suspicious/noExplicitAny: a black-box client knows no types
export async function readBacktest(response: Response): Promise<any> {
  if (response.headers()['content-type'] !== COLUMNS_TYPE) return await response.json();
  return decodeColumns(await response.body());
}
