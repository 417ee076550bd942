import type { AnswerComparison } from '@quantloom/domain/ports/answer-comparison';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

const SMALL =
  '(defsymphony "Small" {:rebalance-threshold 0.05} (weight-equal [(asset "SPY" "S&P") (moon "X")]))';

describe('import over HTTP', () => {
  let api: TestApi;
  beforeAll(async () => {
    const answerComparison: AnswerComparison = {
      compare: async ({ date, values }) => ({
        date,
        prices: 'adjusted',
        counts: { agree: values.length, differ: 0, missing: 0, left_out: 0 },
        rows: values.map(({ feature, ticker, window, said }) => ({
          feature,
          ticker,
          window,
          theirs: said,
          ours: said,
          agrees: true,
          relative_difference: 0,
          missing: null,
          reason: null,
        })),
      }),
    };
    api = await startTestApi({ answerComparison });
  });
  afterAll(() => api.close());

  const read = (json: unknown) => api.call('paid', 'POST', '/api/v1/import', { json });

  it('reads another tool’s text, with the report', async () => {
    const { statusCode, body } = await read(SMALL);
    expect(statusCode, body).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      name: 'Small',
      algorithm: { rebalance: 'corridor', corridor: 5 },
      report: { source: 'Composer text', counts: { lost: 1 }, blocks: 3 },
    });
  });

  it('compares the values of another tool’s run, with a strategy and without', async () => {
    const values = '{{:feature :relative-strength-index, :ticker "SPY", :window-days 10} 57.2128M}';
    const answer = `:last-market-day 19289, :latest-feat-vals ${values}`;
    const symphony = '{:step :root, :name "N", :rebalance :daily, :children [{:step :asset, :ticker "SPY"}]}';
    const whole = await read(`{${answer}, :symphony ${symphony}}`);
    expect(whole.statusCode, whole.body).toBe(200);
    expect(JSON.parse(whole.body)).toMatchObject({ name: 'N', comparison: { rows: [{ ours: '57.2128' }] } });
    const alone = await read(`{${answer}}`);
    expect(alone.statusCode, alone.body).toBe(422);
    expect(JSON.parse(alone.body)).toMatchObject({
      error: expect.stringContaining('No strategy was found'),
      comparison: { date: '2022-10-24' },
    });
    expect(JSON.parse((await read(SMALL)).body).comparison).toBeNull();
  });

  it('refuses with a sentence', async () => {
    const { statusCode, body } = await read('{:a #=(eval)}');
    expect(statusCode).toBe(422);
    expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining('reader macros') });
  });

  it('reads a large source in a thread while others are answered', async () => {
    const blocks = Array.from({ length: 8000 }, (_, index) => `(asset "SPY" "number ${index}")`);
    const large = read(`(defsymphony "Large" {} (weight-equal [${blocks.join(' ')}]))`);
    const order: string[] = [];
    await Promise.all([large.then(() => order.push('large')), read(SMALL).then(() => order.push('small'))]);
    expect(order).toEqual(['small', 'large']);
    expect(JSON.parse((await large).body).report.blocks).toBe(8001);
  });

  it('keeps the report with the strategy, for its owner alone', async () => {
    const { name, algorithm, report } = JSON.parse((await read(SMALL)).body);
    const { source, counts, items } = report;
    const imported_from = { file_name: 'small.clj', report: { source, counts, items } };
    const created = JSON.parse(
      (await api.call('paid', 'POST', '/api/v1/trading-bots', { name, algorithm, imported_from })).body,
    );
    expect(created).toMatchObject({ name: 'Small', is_public: false });
    const path = `/api/v1/trading-bots/${created.id}/import`;
    const kept = JSON.parse((await api.call('paid', 'GET', path)).body);
    expect(kept).toMatchObject({
      file_name: 'small.clj',
      report: { source: 'Composer text', counts, items },
    });
    expect(Date.parse(kept.imported_at)).not.toBeNaN();
    expect((await api.call('other', 'GET', path)).statusCode).toBe(404);
    const history = JSON.parse(
      (await api.call('paid', 'GET', `/api/v1/trading-bots/${created.id}/history`)).body,
    );
    expect(history.entries.map(({ summary }: { summary: string }) => summary)).toEqual([
      'Imported from Composer text',
      'Created "Small"',
    ]);
  });

  it('says nothing of a bot that was not imported', async () => {
    const { algorithm } = JSON.parse((await read(SMALL)).body);
    const created = JSON.parse((await api.call('paid', 'POST', '/api/v1/trading-bots', { algorithm })).body);
    const kept = JSON.parse(
      (await api.call('paid', 'GET', `/api/v1/trading-bots/${created.id}/import`)).body,
    );
    expect(kept).toEqual({ imported_at: null, file_name: null, report: null });
  });
});
