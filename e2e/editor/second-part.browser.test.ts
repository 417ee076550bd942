import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isClose } from '../api/numbers.ts';
import { machineApi } from '../harness/api.ts';
import { REPOSITORY } from '../harness/server.ts';
import { buildByClicking } from './build-by-clicking.ts';
import { EditorPage } from './editor-page.ts';
import { type GoldenEditor, openGoldenEditor } from './golden-editor.ts';
import { KNOWN } from './known-strategies/trees.ts';

const SECOND = path.join(REPOSITORY, 'compute/testing/golden-2/cases');
/** Where pictures of what was built go, for whoever looks at them; none without. */
const PICTURES = process.env.PICTURES;

/** One of each kind of new field; all on the panel `main`. */
const CASES = [
  'combined-monthly',
  'condition-group-two',
  'weighting-by-rank',
  'weighting-inverse-volatility',
  'correlation',
  'macd-signal',
  'bollinger',
  'corridor-5',
  'days-ago-both',
  'for-days-shifted',
  'scale-offset-negative',
  'rebalance-weekly-first',
];

let product: GoldenEditor;
beforeAll(async () => {
  product = await openGoldenEditor();
  if (PICTURES) await mkdir(PICTURES, { recursive: true });
}, 240_000);
afterAll(() => product?.close());

async function picture(editor: EditorPage, name: string): Promise<void> {
  if (PICTURES) await editor.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

describe('strategies with the fields of the second part, built by clicking', () => {
  it.each(CASES)('%s gives the same backtest as its JSON', async (name) => {
    const golden = JSON.parse(await readFile(path.join(SECOND, `${name}.json`), 'utf8'));
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
    expect(clicked.answer.metrics).toEqual(direct.body.metrics);
    expect(clicked.answer.history.value).toEqual(direct.body.history.value);
    expect(clicked.answer.history.tickers).toEqual(direct.body.history.tickers);
    await picture(editor, `golden-${name}`);
    expect(editor.failures).toEqual([]);
    await editor.close();
  });
});

describe('strategies that people trade, built by clicking', () => {
  it.each(Object.keys(KNOWN))('%s equals what pandas computes', async (name) => {
    const file = path.join(REPOSITORY, 'e2e/editor/known-strategies/expected.json');
    const { start, end, strategies } = JSON.parse(await readFile(file, 'utf8'));
    const expected = strategies[name];
    const editor = await EditorPage.open(
      product.context,
      product.server.url,
      `/editor/new?from=${start}&to=${end}`,
    );
    await buildByClicking(editor, KNOWN[name] as (typeof KNOWN)[string]);
    const { status, answer } = await editor.run();
    expect(status, JSON.stringify(answer.error)).toBe(200);
    const { value } = answer.history;
    const dates = answer.calculated_dates;
    expect([dates.first_day, dates.last_day, value.length]).toEqual([
      expected.first_day,
      expected.last_day,
      expected.days,
    ]);
    const mean = value.reduce((sum: number, one: number) => sum + one, 0) / value.length;
    expect(isClose(mean, expected.mean_value), `mean ${mean}, ${expected.mean_value} expected`).toBe(true);
    for (const [k, wanted] of expected.every_50th.entries())
      expect(isClose(value[k * 50], wanted), `day ${k * 50}: ${value[k * 50]}, ${wanted} expected`).toBe(
        true,
      );
    expect(isClose(value.at(-1), expected.last_value)).toBe(true);
    await picture(editor, name);
    await editor.close();
  });
});
