import { clock, fakeSharpe, until } from '@quantloom/projectors/testing/batch-stack';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchApi, body, openBatchApi, tickers } from '../../testing/batch-api.ts';
import { signLink } from '../signed-links.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

/** The states that a stream of events tells, as they come. */
async function* followed(response: LightMyRequestResponse) {
  let text = '';
  for await (const chunk of response.stream()) {
    text += String(chunk);
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = part.split('data: ')[1];
      if (data !== undefined) yield JSON.parse(data) as { status: string; revision?: number };
    }
  }
}

describe('a batch over HTTP', () => {
  it('goes from creation to results, as the page reads them', async () => {
    const id = await api.finishedBatch();
    const detail = (await api.call('GET', `/api/v1/batch-backtests/${id}`)).body;
    expect(detail).toMatchObject({
      id,
      name: 'A and B',
      is_public: false,
      is_owner: true,
      status: 'Finished',
      combinations: 200,
      job_names: [],
      progress: { percent: 100, rows: 200 },
      variable_names: ['$A', '$B'],
      backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 10 },
      provenance: { data_version: 'v1', is_simulated: true, differs_today: [] },
      summary: { rows: 200, failures: 2 },
    });
    expect(detail.partitions).toBe(7);
    expect(detail.time_actual.end_time >= detail.time_actual.start_time).toBe(true);
    const list = (await api.call('GET', '/api/v1/batch-backtests')).body;
    expect(list.find((item: { id: string }) => item.id === id)).toMatchObject({
      name: 'A and B',
      progress: 100,
    });
    const csv = await api.call('GET', `/api/v1/batch-backtests/${id}/results`);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    const lines = csv.text.trimEnd().split(/\r?\n/);
    expect(lines).toHaveLength(201);
    expect(lines[0]).toBe(
      'start_date,end_date,$A,$B,cumulative_return,annualized_return,standard_deviation,max_drawdown,calmer_ratio,sharpe_ratio,trailing_1_month,trailing_3_month',
    );
    expect(lines[98]?.startsWith(',,A9,B7,')).toBe(true);
  });

  it('gives every column that has values, on demand', async () => {
    const id = await api.finishedBatch();
    const { columns } = (
      await api.call('GET', `/api/v1/batch-backtests/${id}/results?format=json&limit=1&columns=all`)
    ).body;
    const expected = ['combination', '$A', 'sharpe_ratio', 'n', 'block_sum_9', 'turnover_per_year', 'trades'];
    expect(columns).toEqual(expect.arrayContaining(expected));
    expect(columns).not.toContain('in_sharpe_ratio');
  });

  it('has four columns of the other fill where it was made with both, and only there', async () => {
    const others = [
      'other_fill_annualized_return',
      'other_fill_cumulative_return',
      'other_fill_max_drawdown',
      'other_fill_sharpe_ratio',
    ];
    const config = { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 10 };
    const before = await api.used('u1');
    const id = await api.finishedBatch({ backtest_config: { ...config, both_fills: true } });
    // A combination counts once, however often it is computed.
    expect((await api.used('u1')) - before).toBe(200);
    const base = `/api/v1/batch-backtests/${id}`;
    const detail = (await api.call('GET', base)).body;
    expect(detail.backtest_config.both_fills).toBe(true);
    expect(detail.provenance.fills).toContain('traded at the next close');
    const csv = (await api.call('GET', `${base}/results`)).text.split(/\r?\n/)[0]?.split(',') ?? [];
    expect(csv.slice(-5)).toEqual(['trailing_3_month', ...others]);
    expect((await api.call('GET', `${base}/results?format=json&limit=1`)).body.columns.slice(-4)).toEqual(
      others,
    );
    expect((await api.call('GET', `${base}/results?format=parquet`)).text).toContain(
      'other_fill_sharpe_ratio',
    );
    const [best] = (
      await api.call(
        'GET',
        `${base}/results?format=json&limit=1&columns=combination&sort=other_fill_sharpe_ratio:desc&filter=other_fill_max_drawdown:lt:150`,
      )
    ).body.rows;
    expect(best).toEqual([149]);
    const all = (await api.call('GET', `${base}/results?format=json&limit=1&columns=all`)).body.columns;
    expect(all).toEqual(expect.arrayContaining(others));

    const plain = `/api/v1/batch-backtests/${await api.finishedBatch()}`;
    expect((await api.call('GET', plain)).body.backtest_config).not.toHaveProperty('both_fills');
    for (const rest of ['/results?format=csv', '/results?format=csv&columns=all'])
      expect((await api.call('GET', `${plain}${rest}`)).text.split('\n')[0]).not.toContain('other_fill');
  });

  it('pages, sorts and filters on the server', async () => {
    const id = await api.finishedBatch();
    const base = `/api/v1/batch-backtests/${id}/results`;
    const first = (
      await api.call('GET', `${base}?sort=sharpe_ratio:desc&limit=5&columns=combination,sharpe_ratio`)
    ).body;
    const best = Array.from({ length: 200 }, (_, k) => k)
      .filter((k) => k === 0 || k % 97 !== 0)
      .sort((a, b) => fakeSharpe(b) - fakeSharpe(a));
    expect(first.rows.map(([k]: [number]) => k)).toEqual(best.slice(0, 5));
    const second = (
      await api.call(
        'GET',
        `${base}?sort=sharpe_ratio:desc&limit=5&columns=combination&cursor=${first.next_cursor}`,
      )
    ).body;
    expect(second.rows.map(([k]: [number]) => k)).toEqual(best.slice(5, 10));
    // The last page has none behind it, whether it is full or not.
    for (const limit of [100, 150, 200]) {
      const page = async (cursor = '') =>
        (await api.call('GET', `${base}?limit=${limit}&columns=combination${cursor}`)).body;
      let last = await page();
      for (let i = limit; i < 200; i += limit) last = await page(`&cursor=${last.next_cursor}`);
      expect([last.rows.at(-1), last.next_cursor], String(limit)).toEqual([[199], null]);
    }
    const some = (
      await api.call(
        'GET',
        `${base}?limit=100&filter=$A:in:A1%7CA2&filter=sharpe_ratio:gt:0.5&columns=$A,sharpe_ratio`,
      )
    ).body;
    expect(some.total).toBe(
      Array.from({ length: 20 }, (_, i) => 10 + i).filter((k) => fakeSharpe(k) > 0.5).length,
    );
    for (const bad of [
      'sort=nonsense',
      'filter=nope:eq:1',
      'filter=sharpe_ratio:gt:abc',
      'filter=sharpe_ratio:in:1%7Cx',
      "filter=start_date:gt:x'%20OR%20'1",
      'filter=start_date:between:2020-01-01',
      'filter=sharpe_ratio:gt',
      'cursor=zzz',
      'columns=x',
    ])
      expect((await api.call('GET', `${base}?limit=5&${bad}`)).status).toBe(400);
    for (const [filter, total] of [
      ['$A:eq:NOSUCH', 0],
      ['$A:gt:A18', 90],
      ['$A:ne:A0', 190],
      ['start_date:gte:1990-01-01', 198],
      ['end_date:isNull', 2],
      ['combination:lt:7', 7],
    ] as const)
      expect((await api.call('GET', `${base}?limit=1&filter=${filter}`)).body, filter).toMatchObject({
        total,
      });
    const failures = (await api.call('GET', `${base}/failures`)).body;
    expect(failures).toMatchObject({
      total: 2,
      failures: [{ combination: 97, values: { $A: 'A9', $B: 'B7' }, reason: 'no common dates for 97' }, {}],
      next_cursor: null,
    });
    const page = async (cursor = '') => (await api.call('GET', `${base}/failures?limit=1${cursor}`)).body;
    const one = await page();
    expect(one).toMatchObject({ total: 2, failures: [{ combination: 97 }], next_cursor: expect.any(String) });
    const two = await page(`&cursor=${one.next_cursor}`);
    expect(two).toMatchObject({ total: 2, failures: [{ combination: 194 }], next_cursor: null });
    // Counted over all of them, whatever page is shown.
    expect(two.reasons).toEqual(failures.reasons);
    // Of four, a page goes on where the one before it ended, not where the first one did.
    const larger = await api.finishedBatch({
      variables: { $A: tickers('A', 20), $B: tickers('B', 20) },
      // Takes no rows of an earlier batch, which have failed elsewhere.
      backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 15 },
    });
    const seen: number[] = [];
    let next: string | null = '';
    for (let i = 0; i < 5 && next !== null; i += 1) {
      const url = `/api/v1/batch-backtests/${larger}/results/failures?limit=1${next && `&cursor=${next}`}`;
      const { body: found } = await api.call('GET', url);
      seen.push(...found.failures.map(({ combination }: { combination: number }) => combination));
      next = found.next_cursor;
    }
    expect(seen).toEqual([97, 194, 291, 388]);
  });

  it('gives a link that works without a token, for that one file, until it expires', async () => {
    const id = await api.finishedBatch();
    const { presigned_url: url } = (
      await api.call('GET', `/api/v1/batch-backtests/${id}/results?link=true&sort=sharpe_ratio:desc`)
    ).body;
    const { pathname, search, searchParams } = new URL(url);
    const file = await api.app.inject({ method: 'GET', url: pathname + search });
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-disposition']).toContain(`batch_backtest_${id}.csv`);
    expect(file.body.trimEnd().split('\n')).toHaveLength(201);
    const later = new URLSearchParams(searchParams);
    later.set('expires', String(Number(searchParams.get('expires')) + 1_000));
    expect((await api.app.inject({ method: 'GET', url: `${pathname}?${later}` })).statusCode).toBe(403);
    // Signed by us, so only the time decides.
    const now = Math.floor(clock.now().getTime() / 1_000);
    for (const [seconds, outcome] of [
      [60, 200],
      [-60, 403],
    ] as const) {
      const link = signLink(api.linkSecret, id, now + seconds, '');
      const answer = await api.app.inject({ method: 'GET', url: `${pathname}?${link}` });
      expect(answer.statusCode).toBe(outcome);
      if (outcome === 403) expect(answer.json().code).toBe('link_expired');
    }
    // It works in the second that it names, and not a moment later.
    const link = signLink(api.linkSecret, id, now, '');
    for (const [millisecond, outcome] of [
      [0, 200],
      [1, 403],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: now * 1_000 + millisecond });
      try {
        const answer = await api.app.inject({ method: 'GET', url: `${pathname}?${link}` });
        expect(answer.statusCode, String(millisecond)).toBe(outcome);
      } finally {
        vi.useRealTimers();
      }
    }
    const other = new URLSearchParams(searchParams);
    other.set('query', '{"format":"parquet"}');
    expect((await api.app.inject({ method: 'GET', url: `${pathname}?${other}` })).statusCode).toBe(403);
  });

  it('shows the rows of its finished first partitions while it runs, where that is asked for', async () => {
    const gate = Promise.withResolvers<void>();
    // The fourth of seven partitions: those behind it finish, and theirs are not shown yet.
    api.engine.before = async ({ from }) => (from >= 87 && from < 116 ? gate.promise : undefined);
    try {
      // Other days than the other tests': no rows of theirs are copied.
      const config = { start_date: '2011-01-03', end_date: '2020-12-31', slippage_bps: 10 };
      const created = await api.call('POST', '/api/v1/batch-backtests', body({ backtest_config: config }));
      const { id } = created.body;
      const url = `/api/v1/batch-backtests/${id}`;
      await until(async () => (await api.call('GET', url)).body?.job_names?.length === 1);
      const rows = `${url}/results?partial=true`;
      const page = await api.call('GET', `${rows}&limit=2&sort=sharpe_ratio:desc&columns=combination`);
      const best = Array.from({ length: 87 }, (_, k) => k).sort((a, b) => fakeSharpe(b) - fakeSharpe(a));
      expect(page.body).toMatchObject({ total: 87, partial: true, rows_so_far: 87, combinations: 200 });
      expect(page.body.rows).toEqual(best.slice(0, 2).map((k) => [k]));
      const some = await api.call('GET', `${rows}&limit=100&filter=$A:in:A8%7CA9`);
      // Seven of the ten rows of A8, and none of A9.
      expect(some.body.total).toBe(7);
      const csv = await api.call('GET', rows);
      expect(csv.text.trimEnd().split('\n')).toHaveLength(88);
      expect(csv.headers).toMatchObject({ 'x-rows-so-far': '87/200' });
      expect(csv.headers['content-disposition']).toContain(`batch_backtest_${id}_partial.csv`);
      const link = new URL((await api.call('GET', `${rows}&link=true`)).body.presigned_url);
      const file = await api.app.inject({ method: 'GET', url: link.pathname + link.search });
      expect(file.body).toBe(csv.text);
      for (const path of ['/results', '/results?limit=2', '/analysis/verdict'])
        expect((await api.call('GET', url + path)).body).toMatchObject({ code: 'results_not_ready' });
      expect((await api.call('GET', rows, undefined, 'u2')).status).toBe(404);
      gate.resolve();
      await until(async () => (await api.call('GET', url)).body?.status === 'Finished');
      const whole = (await api.call('GET', `${rows}&limit=2`)).body;
      expect(whole.total).toBe(200);
      expect(whole).not.toHaveProperty('partial');
    } finally {
      api.engine.before = null;
      gate.resolve();
    }
  });

  it('keeps the rows of a batch that is stopped, and says that they are a part', async () => {
    const gate = Promise.withResolvers<void>();
    api.engine.before = async ({ from }) => (from >= 87 && from < 116 ? gate.promise : undefined);
    try {
      const config = { start_date: '2012-01-03', end_date: '2020-12-31', slippage_bps: 10 };
      const created = await api.call('POST', '/api/v1/batch-backtests', body({ backtest_config: config }));
      const { id } = created.body;
      const url = `/api/v1/batch-backtests/${id}`;
      await until(async () => (await api.call('GET', url)).body?.job_names?.length === 1);
      expect((await api.call('POST', `${url}/stop`, undefined, 'u2')).status).toBe(404);
      expect((await api.call('POST', `${url}/stop`)).status).toBe(200);
      expect((await api.call('POST', `${url}/stop`)).status).toBe(200);
      gate.resolve();
      await until(async () => (await api.call('GET', url)).body?.status === 'Stopped');
      const kept = Array.from({ length: 200 }, (_, k) => k).filter((k) => k < 87 || k >= 116);
      const rows = `${url}/results?partial=true`;
      const page = (await api.call('GET', `${rows}&limit=1000&columns=combination`)).body;
      expect(page).toMatchObject({ total: 171, partial: true, rows_so_far: 171, combinations: 200 });
      expect(page.rows.flat()).toEqual(kept);
      const best = kept.toSorted((a, b) => fakeSharpe(b) - fakeSharpe(a)).slice(0, 3);
      const sorted = `${rows}&limit=3&sort=sharpe_ratio:desc&columns=combination`;
      expect((await api.call('GET', sorted)).body.rows.flat()).toEqual(best);
      const csv = await api.call('GET', rows);
      expect(csv.text.trimEnd().split('\n')).toHaveLength(172);
      expect(csv.headers).toMatchObject({ 'x-rows-so-far': '171/200' });
      for (const path of ['/results', '/results?limit=2', '/analysis/verdict'])
        expect(await api.call('GET', url + path)).toMatchObject({
          status: 409,
          body: { code: 'batch_stopped' },
        });
      const detail = (await api.call('GET', url)).body;
      expect(detail).toMatchObject({
        job_names: [`${id}-3`],
        progress: { percent: 86, rows: 171, rate: null, remaining_seconds: null },
        summary: null,
        error: null,
      });
      const list = (await api.call('GET', '/api/v1/batch-backtests?status=Stopped')).body;
      expect(list).toMatchObject([{ id, status: 'Stopped', progress: 86 }]);
      expect((await api.call('DELETE', url)).status).toBe(200);
    } finally {
      api.engine.before = null;
      gate.resolve();
    }
  });

  it('is private until it is made public, and only its owner changes it', async () => {
    const id = await api.finishedBatch();
    const url = `/api/v1/batch-backtests/${id}`;
    for (const [method, path, payload] of [
      ['GET', '', undefined],
      ['GET', '/results', undefined],
      ['GET', '/analysis/verdict', undefined],
      ['PATCH', '', { is_public: true }],
      ['DELETE', '', undefined],
    ] as const)
      expect((await api.call(method, url + path, payload, 'u2')).status, method + path).toBe(404);
    expect((await api.call('PATCH', url, { is_public: true })).status).toBe(200);
    expect((await api.call('GET', url, undefined, 'u2')).body).toMatchObject({
      is_public: true,
      is_owner: false,
    });
    expect((await api.call('GET', `${url}/results`, undefined, 'u2')).status).toBe(200);
    expect((await api.call('DELETE', url, undefined, 'u2')).status).toBe(404);
    expect((await api.call('PATCH', url, { name: 'x', note: 'y' })).status).toBe(400);
    expect((await api.call('PATCH', url, { note: 'worth a look' })).status).toBe(200);
    expect((await api.call('POST', `${url}/pins`, { combination: 3, note: 'this one' })).status).toBe(201);
    expect((await api.call('POST', `${url}/pins`, { combination: 200 })).status).toBe(400);
    expect((await api.call('GET', url)).body).toMatchObject({
      note: 'worth a look',
      pins: [{ combination: 3, note: 'this one' }],
    });
    expect((await api.call('DELETE', `${url}/pins/3`)).status).toBe(200);
    expect((await api.call('GET', url)).body.pins).toEqual([]);
  });

  it('says that its rows are gone, and computes them again when it is run again', async () => {
    const id = await api.finishedBatch();
    const page = `/api/v1/batch-backtests/${id}/results`;
    const link = new URL((await api.call('GET', `${page}?link=true`)).body.presigned_url);
    await api.stores.results.deleteBatch(id);
    const file = await api.app.inject({ method: 'GET', url: link.pathname + link.search });
    expect([file.statusCode, file.json().code]).toEqual([409, 'results_missing']);
    for (const url of [`${page}?limit=10`, page, `/api/v1/batch-backtests/${id}/analysis/verdict`])
      expect(await api.call('GET', url)).toMatchObject({
        status: 409,
        body: {
          code: 'results_missing',
          error: 'The rows of this batch backtest are not stored any more. Run it again to compute them.',
        },
      });
    const again = await api.finishedBatch();
    expect((await api.call('GET', `/api/v1/batch-backtests/${again}/results?limit=1`)).status).toBe(200);
  });

  it('is deleted for good', async () => {
    const id = await api.finishedBatch();
    expect((await api.call('DELETE', `/api/v1/batch-backtests/${id}`)).body).toEqual({ id, deleted: true });
    expect((await api.call('GET', `/api/v1/batch-backtests/${id}`)).status).toBe(404);
  });

  it('sends its state as events until it is finished', async () => {
    const id = await api.finishedBatch();
    const response = await api.app.inject({
      method: 'GET',
      url: `/api/v1/batch-backtests/${id}/events`,
      headers: { authorization: 'u1' },
    });
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    const events = response.body.trim().split('\n\n');
    expect(events.at(-1)).toMatch(/^event: batch\ndata: /);
    expect(JSON.parse(events.at(-1)?.split('data: ')[1] ?? '')).toMatchObject({
      id,
      status: 'Finished',
      job_names: [],
    });
  });

  it('ends for whoever follows it when it is shown no more', async () => {
    const held = Promise.withResolvers<void>();
    api.engine.before = () => held.promise;
    const { body: created } = await api.call('POST', '/api/v1/batch-backtests', body({ is_public: true }));
    const url = `/api/v1/batch-backtests/${created.id}`;
    await api.call('GET', url, undefined, 'u2');
    const events = followed(
      await api.app.inject({
        method: 'GET',
        url: `${url}/events`,
        headers: { authorization: 'u2' },
        payloadAsStream: true,
      }),
    );
    const first = (await events.next()).value;
    expect(first?.status).toMatch(/^(Queued|Running)$/);
    await api.call('PATCH', url, { is_public: false });
    let last = first;
    // Until it changes, and it is still running.
    for await (const event of events) {
      last = event;
      if (event.revision !== first?.revision) break;
    }
    expect(last).toMatchObject({ id: created.id, status: 'Deleted' });
    expect((await events.next()).done).toBe(true);
    held.resolve();
    api.engine.before = null;
  });

  it('takes the same request once, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'once' };
    const before = await api.used('u7');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.call('POST', '/api/v1/batch-backtests', body(), 'u7', headers)),
    );
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect((await api.used('u7')) - before).toBe(200);
  });
});
