// @vitest-environment happy-dom
import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setApi } from '../../../lib/api.ts';
import { COMBINATION, downloadResults } from './results.ts';

const asked = vi.fn();

/** What the browser was given to save, by the name of the file. */
let saved: { readonly name: string; readonly href: string }[];
let blobs: Blob[];
const { createObjectURL, revokeObjectURL } = URL;

beforeEach(() => {
  [saved, blobs] = [[], []];
  setApi({ call: asked } as unknown as ApiClient);
  vi.useFakeTimers();
  URL.createObjectURL = (blob) => {
    blobs.push(blob as Blob);
    return 'blob:1';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, href: this.href });
  });
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
  asked.mockReset();
  [URL.createObjectURL, URL.revokeObjectURL] = [createObjectURL, revokeObjectURL];
});

const QUERY = { sort: { column: 'sharpe_ratio', direction: 'desc' }, filters: ['$A:in:SPY'] } as const;
const SHOWN = { columns: [COMBINATION, '$A', 'sharpe_ratio'], rows: [[7, '=SPY', 1.5]] } as const;

it('saves the file behind the link, named after the batch, and after being a part where it is one', async () => {
  asked.mockResolvedValue({ presigned_url: 'https://quantloom.example/file' });
  await downloadResults('b1', 'parquet', QUERY, SHOWN);
  await downloadResults('b1', 'csv', { ...QUERY, isPartial: true }, SHOWN);
  expect(saved).toEqual([
    { name: 'batch_backtest_b1.parquet', href: 'https://quantloom.example/file' },
    { name: 'batch_backtest_b1_partial.csv', href: 'https://quantloom.example/file' },
  ]);
  expect(asked.mock.calls.map(([, { query }]) => query)).toEqual([
    { link: true, format: 'parquet', sort: 'sharpe_ratio:desc', filter: ['$A:in:SPY'] },
    { link: true, format: 'csv', partial: true, sort: 'sharpe_ratio:desc', filter: ['$A:in:SPY'] },
  ]);
});

it('writes the shown table where the server answers with text, without the number of the combination', async () => {
  asked.mockResolvedValue('$A,sharpe_ratio\n');
  await downloadResults('b1', 'csv', QUERY, SHOWN);
  expect(saved).toMatchObject([{ name: 'b1.csv' }]);
  // Nothing that a spreadsheet would run.
  expect(await blobs[0]?.text()).toBe("$A,sharpe_ratio\r\n'=SPY,1.5\r\n");
});

it('says that an answer is none of these', async () => {
  asked.mockResolvedValue({});
  await expect(downloadResults('b1', 'csv', QUERY, SHOWN)).rejects.toThrow(
    'Unexpected response format from API',
  );
  expect(saved).toEqual([]);
});
