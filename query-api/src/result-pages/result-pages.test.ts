import { costOfRun } from '@quantloom/domain/limits/cost';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { FREE_METER } from '@quantloom/http/costs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, wholeAnswer } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
let runs = 0;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());
beforeEach(() => {
  runs = 0;
  api.engine.defect = null;
  api.engine.answer = () => {
    runs++;
    return wholeAnswer();
  };
});

const tree = { ...root(asset('node_a', 'A1')), description: 'Half of <everything>' };
const terms = { start_date: '2010-01-04', end_date: '2020-12-31' };
const visit = (path: string) => api.call('GET', path, undefined, '');

async function saved(over: object = {}): Promise<string> {
  const body = { name: 'Mine & <b>yours</b>', algorithm: tree, ...over };
  return (await api.call('POST', '/api/v1/trading-bots', body)).body.id;
}
async function ran(id: string, over: object = {}): Promise<string> {
  const body = { ...terms, ...over, trading_bot: tree, strategy_id: id };
  return String((await api.call('POST', '/api/v1/backtests', body)).headers['x-quantloom-run']);
}
const share = (id: string, body: object, user = 'u1') =>
  api.call('POST', `/api/v1/trading-bots/${id}/shared-results`, body, user);
/** What another engine says of the same run, under a hash of its own. */
function ofEngine2(metrics: ReturnType<typeof wholeAnswer>['metrics']) {
  const { provenance, ...answer } = wholeAnswer();
  const told = { ...provenance, result_hash: '2'.repeat(64), engine_version: '2' };
  return { ...answer, metrics, provenance: told as Required<typeof told> };
}
/** What the read side knows after what was written. */
const links = async (id: string) => (await api.call('GET', `/api/v1/trading-bots/${id}/shared-results`)).body;

describe('a shared result', () => {
  it('opens to whoever has the link, without the strategy unless it is shown, until it is withdrawn', async () => {
    const id = await saved();
    const run = await ran(id);
    const made = await share(id, { run_id: run });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ run_id: run, revision: 0, shows_strategy: false });
    expect(await links(id)).toEqual([expect.objectContaining({ id: made.body.id, url: made.body.url })]);
    expect(made.body.url).toMatch(/^\/results\/[0-9A-Z]{26}-[0-9a-f]{32}$/);

    const page = await visit(made.body.url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Mine &amp; &lt;b&gt;yours&lt;/b&gt;</h1>');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).toContain(`https://quantloom.example${made.body.url}/preview.png`);
    expect(page.text).toContain('simulated');
    expect(page.text).not.toContain('asset A1');
    expect(page.text).not.toContain('<script');
    const picture = await visit(`${made.body.url}/preview.png`);
    expect(picture.headers['content-type']).toBe('image/png');
    expect([...picture.bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

    const whole = await share(id, { run_id: 'last', shows_strategy: true });
    await links(id);
    expect((await visit(whole.body.url)).text).toContain('A1');

    const guessed = made.body.url.replace(/.{32}$/, '0'.repeat(32));
    for (const address of [guessed, '/results/x', `${guessed}/preview.png`])
      expect((await visit(address)).status).toBe(404);

    const path = `/api/v1/shared-results/${made.body.id}`;
    expect((await api.call('DELETE', path, undefined, 'u2')).status).toBe(404);
    expect((await api.call('DELETE', path)).body).toEqual({ id: made.body.id, withdrawn: true });
    expect(await links(id)).toHaveLength(1);
    expect((await visit(made.body.url)).status).toBe(404);
    expect((await visit(`${made.body.url}/preview.png`)).status).toBe(404);

    await api.call('DELETE', `/api/v1/drafts/${id}`);
    await api.call('GET', '/api/v1/drafts');
    expect((await visit(whole.body.url)).status).toBe(404);
  });

  it('is the last of several runs, or the one that is named', async () => {
    const id = await saved();
    const [first, second] = [await ran(id), await ran(id, { end_date: '2019-12-31' })];
    expect((await share(id, { run_id: 'last' })).body.run_id).toBe(second);
    expect((await share(id, { run_id: first })).body.run_id).toBe(first);
  });

  it('is made of a run of an earlier engine, where this one computes the same', async () => {
    const id = await saved();
    const run = await ran(id);
    api.engine.answer = () => ofEngine2(wholeAnswer().metrics);
    const made = await share(id, { run_id: run });
    expect(made, made.text).toMatchObject({ status: 201, body: { run_id: run } });
    await links(id);
    expect((await visit(made.body.url)).text).toContain(`<code>${'2'.repeat(64)}</code>`);
  });

  it('tells what decided its first day in words, and only where the strategy is shown', async () => {
    const decidedBy = ['QQQ-moving-average-price-200', 'node_01abc-cumulative-return-5', 'TLT'];
    const { calculated_dates: dates, ...answer } = wholeAnswer();
    api.engine.answer = () => ({
      ...answer,
      calculated_dates: { ...dates, first_day_decided_by: decidedBy, last_day_decided_by: ['TLT'] },
    });
    const id = await saved();
    const pageOf = async (shows_strategy: boolean) => {
      const run_id = await ran(id);
      const { body } = await share(id, { run_id, shows_strategy });
      await links(id);
      return (await visit(body.url)).text;
    };
    const whole = await pageOf(true);
    expect(whole).toContain('It begins where MA Price(QQQ, 200), CR(a block, 5), TLT begins.');
    const bare = await pageOf(false);
    expect(bare).toContain('traded at the same close');
    for (const word of [...decidedBy, 'QQQ', 'TLT', 'MA Price', 'begins']) expect(bare).not.toContain(word);
  });

  it('is made of no run of another strategy, whosever it is, and of none that is deleted', async () => {
    const [id, other] = [await saved(), await saved()];
    const [own, run] = [await ran(id), await ran(other)];
    // The read models know of it, too.
    const runs = (await api.call('GET', `/api/v1/trading-bots/${other}/runs`)).body;
    expect(JSON.stringify(runs)).toContain(run);
    expect((await share(other, { run_id: run })).status).toBe(201);
    expect((await share(id, { run_id: run })).body.code).toBe('run_not_found');
    await api.call('DELETE', `/api/v1/drafts/${id}`);
    expect((await share(id, { run_id: own })).status).toBe(404);
  });

  it('costs what running it again takes, whether or not it comes out the same', async () => {
    const id = await saved();
    const run_id = await ran(id);
    const spent: (number | undefined)[] = [];
    const asked = vi.spyOn(FREE_METER, 'expect');
    const settled = vi.spyOn(FREE_METER, 'settle').mockImplementation(async (took) => void spent.push(took));
    const again = api.backtestRunner.run;
    const runner = vi.spyOn(api.backtestRunner, 'run').mockImplementation((request, options = {}) => {
      options.onSpent?.(7_000);
      return again(request, options);
    });
    expect((await share(id, { run_id })).status).toBe(201);
    api.engine.defect = Object.assign(new Error('gone'), { code: 'unknown_version' });
    expect((await share(id, { run_id })).body.code).toBe('data_version_gone');
    runner.mockRestore();
    settled.mockRestore();
    expect(spent).toEqual([7_000, 7_000]);
    // What it is expected to take was asked for before: of the strategy and of all its days, both ends included.
    const expected = costOfRun(sizeOf(tree as never), 4_015);
    expect(asked.mock.calls).toEqual([[expected], [expected]]);
    asked.mockRestore();
  });

  it('is made of recorded runs of one’s own, that come out the same', async () => {
    const id = await saved({ is_public: true });
    expect((await share(id, { run_id: 'last' })).body.code).toBe('run_not_found');
    await ran(id);
    expect((await share(id, { run_id: 'last' }, 'u2')).status).toBe(404);
    api.engine.answer = () => ofEngine2({ ...wholeAnswer().metrics, sharpe: 0.9 });
    const refused = await share(id, { run_id: 'last' });
    expect(refused.body).toMatchObject({ status: 409, code: 'result_differs' });
    expect(refused.body.error).toContain('engine 1');
    api.engine.defect = Object.assign(new Error('gone'), { code: 'unknown_version' });
    expect((await share(id, { run_id: 'last' })).body).toMatchObject({
      status: 409,
      code: 'data_version_gone',
    });
    expect(await links(id)).toEqual([]);
  });
});

it('shows no strategy that is too long to be read beside its result', async () => {
  const names = Array.from({ length: 1_100 }, (_, index) => `${index} ${'x'.repeat(190)}`);
  const groups = names.map((name, index) => ({
    ...asset(`node_g${index}`, 'A1'),
    node_type: 'group',
    name,
    children: [asset(`node_a${index}`, 'A1')],
  }));
  const long = root(...groups);
  const id = await saved({ algorithm: long });
  const body = { ...terms, trading_bot: long, strategy_id: id };
  const run_id = String((await api.call('POST', '/api/v1/backtests', body)).headers['x-quantloom-run']);
  const refused = await share(id, { run_id, shows_strategy: true });
  expect(refused.body).toMatchObject({ status: 422, code: 'strategy_too_long' });
  expect((await share(id, { run_id })).status).toBe(201);
});

describe('the page of a public strategy', () => {
  it('shows visitors tree, curve and report, computed once however often they come', async () => {
    const id = await saved({ is_public: true });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    const pages = await Promise.all(Array.from({ length: 5 }, () => visit(`/strategies/${id}`)));
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).toContain('Half of &lt;everything&gt;');
      expect(text).toContain('A1');
      expect(text).toContain('<svg');
      expect(text).toContain(`href="/editor/${id}"`);
      expect(text).toContain(`<a href="/editor/${id}?follow=1">follow it</a>`);
      expect(text).not.toContain('<script');
      expect(text).not.toContain('content="noindex"');
    }
    expect((await visit(`/strategies/${id}/preview.png`)).headers['content-type']).toBe('image/png');
    expect(runs).toBe(1);
    // A change is a new strategy: its figures are computed anew.
    await api.call('PATCH', `/api/v1/trading-bots/${id}`, { algorithm: root(asset('node_b', 'B1')) });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    expect((await visit(`/strategies/${id}`)).text).toContain('B1');
    expect(runs).toBe(2);
  });

  it('is computed anew on other prices, and drawn anew under another name', async () => {
    const id = await saved({ is_public: true });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    const picture = async () => (await visit(`/strategies/${id}/preview.png`)).bytes;
    const before = await picture();
    expect(await picture()).toEqual(before);
    expect(runs).toBe(1);
    api.prices.version = 'v2';
    await visit(`/strategies/${id}`);
    await visit(`/strategies/${id}`);
    expect(runs).toBe(2);
    api.prices.version = 'v1';
    await api.call('PATCH', `/api/v1/trading-bots/${id}`, { name: 'Something else' });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    expect(await picture()).not.toEqual(before);
  });

  it('leads to no following of a template, which has no decisions of its own', async () => {
    const id = await saved({ is_public: true, algorithm: root(asset('node_a', '$A')) });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    const { status, text } = await visit(`/strategies/${id}`);
    expect(status).toBe(200);
    expect(text).toContain(`href="/editor/${id}"`);
    expect(text).not.toContain('follow=1');
  });

  it('says why a strategy cannot be run, and is not there for a private one', async () => {
    const id = await saved({ is_public: true });
    const hidden = await saved();
    await api.call('GET', `/api/v1/trading-bots/${hidden}`);
    const { RefusalError, refuse } = await import('@quantloom/domain/kernel/refusal');
    api.engine.defect = new RefusalError(refuse(400, 'no_common_dates', 'A1 & B1 have no common dates'));
    const page = await visit(`/strategies/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('A1 &amp; B1 have no common dates');
    const paths = [`/strategies/${hidden}`, `/strategies/${hidden}/preview.png`, '/strategies/nothing'];
    for (const path of paths) expect((await visit(path)).status).toBe(404);
    await api.call('PATCH', `/api/v1/trading-bots/${id}`, { is_public: false });
    await api.call('GET', `/api/v1/trading-bots/${id}`);
    expect((await visit(`/strategies/${id}`)).status).toBe(404);
  });
});
