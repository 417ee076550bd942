import { createHash } from 'node:crypto';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { eventId } from '@quantloom/domain/kernel/ids';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { readStructure } from '@quantloom/domain/strategy/structure';
import { exportLines, readLines } from '@quantloom/projectors/log/log-lines';
import { isSound, verifyLog } from '@quantloom/projectors/log/verify-log';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRINCIPALS, startTestApi, type TestApi } from '../../testing/test-api.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = (i: number, ticker = 'SPY') => ({
  ...common,
  id: `node_${i}`,
  node_type: 'asset',
  ticker,
  name: ticker,
});
const tree = (blocks: number, last = 'SPY') => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: 'Large',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [...Array.from({ length: blocks - 1 }, (_, i) => asset(i)), asset(blocks, last)],
});
const LARGE = 2_000;

describe('a large tree', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  const all = async (): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const event of api.deps.eventStore.readAll(-1n)) events.push(event);
    return events;
  };
  /** What a step adds to the log, in characters of data. */
  const added = async (step: () => Promise<unknown>): Promise<number> => {
    const before = await all();
    await step();
    const after = (await all()).slice(before.length);
    return after.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
  };
  const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) => {
    const response = await api.call('paid', method, url, body);
    expect(response.statusCode, response.body.slice(0, 300)).toBeLessThan(300);
    return response.json();
  };

  it('is stored once, whoever has it in whatever revision, and answered as it was given', async () => {
    const algorithm = tree(LARGE);
    const bytes = JSON.stringify(algorithm).length;
    let id = '';
    const first = await added(async () => {
      const bot = await call('POST', '/api/v1/trading-bots', { name: 'One', algorithm });
      expect(bot).toMatchObject({ name: 'One', revision: 0, type: 'bot' });
      expect(bot.algorithm).toEqual(algorithm);
      id = bot.id;
    });
    expect(first).toBeGreaterThan(bytes);
    const url = `/api/v1/trading-bots/${id}`;
    expect((await call('GET', url)).algorithm).toEqual(algorithm);
    let copy = { id: '', lineage_id: '', algorithm: {} };
    const cheap = [
      () => call('PATCH', url, { name: 'Two' }),
      () => call('PATCH', url, { algorithm }),
      () => call('POST', '/api/v1/trading-bots', { name: 'Again', algorithm }),
      async () => {
        copy = await call('POST', `${url}/clone`);
      },
    ];
    for (const step of cheap) expect(await added(step)).toBeLessThan(600);
    expect(copy.algorithm).toEqual(algorithm);
    expect(copy.lineage_id).toBe(id);
    expect((await call('GET', `/api/v1/trading-bots/${copy.id}`)).algorithm).toEqual(algorithm);
  });

  it('has a history, with what changed, and every revision can be read and restored', async () => {
    const { id } = await call('POST', '/api/v1/trading-bots', { name: 'Old', algorithm: tree(LARGE) });
    const url = `/api/v1/trading-bots/${id}`;
    await call('PATCH', url, { name: 'New', algorithm: tree(LARGE, 'TLT') });
    const { entries } = await call('GET', `${url}/history`);
    expect(entries[0].summary).toBe('Saved');
    const texts = entries[0].changes.map(({ text }: { text: string }) => text);
    expect(texts[0]).toBe('Name of the trading bot Old → New');
    expect(texts.slice(1).join()).toMatch(/SPY.*TLT/);
    expect((await call('GET', `${url}/history/0`)).algorithm).toEqual(tree(LARGE));
    const restored = await added(async () => {
      const bot = await call('POST', `${url}/history/0/restore`);
      expect(bot).toMatchObject({ name: 'Old', revision: 2 });
      expect(bot.algorithm).toEqual(tree(LARGE));
    });
    expect(restored).toBeLessThan(600);
  });

  it('of an event of version 1 is read, compared and stored by itself when it is copied', async () => {
    const strategyId = ulid();
    const { userId } = PRINCIPALS.paid;
    await api.deps.eventStore.append(
      `strategy-${strategyId}`,
      [
        {
          id: eventId(strategyId, 0),
          type: 'StrategyCreated',
          data: {
            strategyId,
            ownerId: userId,
            name: 'Before',
            type: 'bot',
            variables: [],
            algorithm: readStructure(tree(LARGE, 'GLD')).algorithm,
            isPublic: false,
            status: 'draft',
            lineageId: strategyId,
          },
          metadata: {
            schemaVersion: 1,
            commandId: strategyId,
            correlationId: strategyId,
            causationId: strategyId,
            actor: { kind: 'user', userId },
            recordedAt: new Date(0).toISOString(),
          },
        },
      ],
      'noStream',
    );
    const url = `/api/v1/trading-bots/${strategyId}`;
    expect(await added(() => call('PATCH', url, { algorithm: tree(LARGE, 'GLD') }))).toBe(0);
    const copy = await call('POST', `${url}/clone`);
    expect(copy.algorithm).toEqual(tree(LARGE, 'GLD'));
    expect(await added(() => call('POST', `${url}/clone`))).toBeLessThan(600);
    expect((await call('GET', url)).algorithm).toEqual(tree(LARGE, 'GLD'));
  });

  it('that is refused leaves nothing in the log', async () => {
    const paid = await call('POST', '/api/v1/trading-bots', { name: 'Mine', algorithm: tree(10) });
    const tries: readonly [string, unknown, number][] = [
      [`/api/v1/trading-bots/${ulid()}`, { algorithm: tree(LARGE, 'A1') }, 404],
      [`/api/v1/trading-bots/${paid.id}`, { name: '', algorithm: tree(LARGE, 'A2') }, 422],
      [`/api/v1/trading-bots/${paid.id}`, { algorithm: { ...tree(LARGE), node_type: 'group' } }, 422],
      [
        `/api/v1/trading-bots/${paid.id}`,
        { algorithm: { refusal: true, status: 200, code: 'x', x: 'x'.repeat(99_999) } },
        422,
      ],
      [`/api/v1/trading-bots/${paid.id}`, { algorithm: tree(LARGE), name: 7 }, 400],
    ];
    for (const [url, body, status] of tries) {
      const more = await added(async () => {
        expect((await api.call('paid', 'PATCH', url, body)).statusCode).toBe(status);
      });
      expect(more).toBe(0);
    }
    const withVariable = tree(LARGE, '$A');
    const free = await api.call('free', 'POST', '/api/v1/trading-bots', { algorithm: withVariable });
    expect(free.statusCode).toBe(403);
    expect(free.json()).toMatchObject({ code: 'plan_without_variables' });
  });

  it('comes with all fields that a small one may have, and with no other', async () => {
    const algorithm = tree(LARGE, 'VTI');
    const { id } = await call('POST', '/api/v1/trading-bots', { algorithm });
    const url = `/api/v1/trading-bots/${id}`;
    const changed = await call('PATCH', url, { algorithm, tags: ['Old', 'Bonds'], is_archived: true });
    expect(changed).toMatchObject({ tags: ['Old', 'Bonds'], is_archived: true });
    // As it was answered: what nobody can set is ignored.
    expect(await call('PATCH', url, changed)).toEqual(changed);
    const places: readonly ['POST' | 'PATCH', string, object][] = [
      ['PATCH', url, { algorithm }],
      ['POST', '/api/v1/trading-bots', { algorithm }],
      ['POST', '/api/v1/import', { json: algorithm }],
    ];
    for (const [method, where, body] of places) {
      const refused = await api.call('paid', method, where, { ...body, made_up: [1], another: 2 });
      expect(refused.statusCode, where).toBe(400);
      expect(refused.json().error).toBe("body must not have the property 'made_up'");
    }
    const badTags = await api.call('paid', 'PATCH', url, { algorithm, tags: [7] });
    expect(badTags.json()).toMatchObject({ status: 400, error: 'body/tags/0 must be string' });
  });

  it('is another request under the same key where any field beside it differs', async () => {
    const keyed = (more: object) =>
      api.call(
        'paid',
        'POST',
        '/api/v1/trading-bots',
        { algorithm: tree(LARGE), ...more },
        {
          'idempotency-key': 'one',
        },
      );
    const first = await keyed({ variables: ['A'] });
    expect(first.statusCode).toBe(201);
    expect((await keyed({ variables: ['A'] })).json()).toEqual(first.json());
    for (const other of [{ variables: ['B'] }, { variables: ['A'], tags: ['x'] }, {}])
      expect((await keyed(other)).json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('leaves a log that is sound, and can be exported and read back', async () => {
    const report = await verifyLog({
      ...api.deps,
      catalogue: EVENT_CATALOGUE,
      projections: PROJECTIONS,
    });
    expect(report.faults).toEqual([]);
    expect(isSound(report)).toBe(true);
    let text = '';
    for await (const line of exportLines(api.deps.eventStore.readAll(-1n), new Date(0))) text += line;
    const lines = async function* () {
      yield* text.split('\n').slice(0, -1);
    };
    let count = 0;
    for await (const line of readLines(lines())) {
      count += 1;
      if (line.type !== 'TreeStored') continue;
      const { hash, text: stored } = line.data as { hash: string; text: string };
      expect(createHash('sha256').update(stored).digest('hex')).toBe(hash);
    }
    expect(count).toBe(report.events);
  });

  it('that is missing is a fault of the log', async () => {
    const [tree] = (await all()).filter(({ type }) => type === 'TreeStored');
    const without = {
      ...api.deps.eventStore,
      head: () => api.deps.eventStore.head(),
      readStream: api.deps.eventStore.readStream.bind(api.deps.eventStore),
      readAll: async function* (...args: Parameters<typeof api.deps.eventStore.readAll>) {
        for await (const event of api.deps.eventStore.readAll(...args))
          if (event.id !== tree?.id) yield event;
      },
    };
    const report = await verifyLog({
      ...api.deps,
      eventStore: without as typeof api.deps.eventStore,
      catalogue: EVENT_CATALOGUE,
      projections: [],
    });
    expect(report.faults.join('\n')).toMatch(
      /refers to the tree [0-9a-f]{64}, which is not in the log before it/,
    );
  });
});
