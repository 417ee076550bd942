import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineApi } from '../harness/api.ts';
import { buildByClicking } from './build-by-clicking.ts';
import { EditorPage } from './editor-page.ts';
import { GOLDEN, type GoldenEditor, openGoldenEditor } from './golden-editor.ts';

const CASES = [
  'single-asset',
  'equal-weight',
  'specified',
  'inverse-volatility',
  'comparator-lt',
  'conditions-any-of',
  'nested-ifs',
  'filter-cumulative-return-60-top-3',
  'filter-over-groups',
  'ratio',
];

let product: GoldenEditor;
beforeAll(async () => {
  product = await openGoldenEditor();
}, 240_000);
afterAll(() => product?.close());

/** Current Price has no window; which one a tree holds for it shows in the key alone. */
function withoutIdleWindows(indicators: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(indicators).map(([key, values]) => [
      key.replace(/-current-price-.*$/, '-current-price'),
      values,
    ]),
  );
}

describe('golden strategies built by clicking from an empty page', () => {
  it.each(CASES)('%s gives the same backtest as its JSON', async (name) => {
    const golden = JSON.parse(await readFile(path.join(GOLDEN, 'cases', `${name}.json`), 'utf8'));
    const editor = await EditorPage.open(product.context, product.server.url);
    await buildByClicking(editor, golden.request.trading_bot);
    const clicked = await editor.run();
    expect(clicked.status, JSON.stringify(clicked.answer.error)).toBe(200);
    const api = await machineApi(product.server.url);
    const direct = await api.post('/api/v1/backtests', {
      ...clicked.request,
      trading_bot: golden.request.trading_bot,
    });
    expect(direct.status, JSON.stringify(direct.body.error)).toBe(200);
    const { answer } = clicked;
    expect(answer.metrics).toEqual(direct.body.metrics);
    expect(answer.history.timestamps).toEqual(direct.body.history.timestamps);
    expect(answer.history.value).toEqual(direct.body.history.value);
    expect(answer.history.tickers).toEqual(direct.body.history.tickers);
    expect(withoutIdleWindows(answer.history.indicators)).toEqual(
      withoutIdleWindows(direct.body.history.indicators),
    );
    await editor.close();
  });
});
