import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { BusSubscription, MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Projectors } from '@quantloom/projectors/projectors';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExpression } from '../../testing/promql.ts';
import { measureBatches } from './batches.ts';
import { measureLags } from './lags.ts';
import { measuredBus } from './measured-bus.ts';
import { Metrics } from './metrics.ts';
import { measureOutages } from './outages.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly refId: string; readonly expr: string }[];
}

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { groups } = parse(read('deploy/monitoring/prometheus-rules.yaml')) as {
  groups: {
    rules: {
      alert: string;
      expr: string;
      labels: { severity: string };
      annotations: { summary: string; runbook: string };
    }[];
  }[];
};
const rules = groups.flatMap((group) => group.rules);
const boards = readdirSync(path.join(root, 'deploy/monitoring/grafana')).map((file) => ({
  file,
  ...(JSON.parse(read(`deploy/monitoring/grafana/${file}`)) as {
    uid: string;
    panels: readonly Panel[];
    annotations: { list: readonly { expr: string }[] };
  }),
}));
const runbooks = new Map(
  read('docs/runbooks.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

/** Every metric that a process of the product can have. */
async function known(): Promise<Metrics> {
  const metrics = new Metrics('test');
  const since = new Date(1_000);
  measureOutages(
    metrics,
    { current: () => [{ dependency: 'results', since, reason: '' }], untilBack: async () => {} },
    () => 31_000,
  );
  measureLags(metrics, {
    eventStore: { head: async () => 7n } as EventStore,
    bus: { lag: async () => 3 } as unknown as MessageBus,
    projectors: { status: () => [{ name: 'users', state: 'running', reached: 5n }] } as unknown as Projectors,
    processes: { backlog: () => [{ kind: 'large', partitions: 4, seconds: 12 }] },
  });
  const oldest = [{ id: 'b', _revision: 0, _position: '1', createdAt: '1970-01-01T00:00:10Z' }];
  const readModels = {
    count: async (_: string, where?: object) => Object.values(where ?? {}).join().length,
    find: async <Doc>() => oldest as Doc[],
  };
  measureBatches(metrics, readModels, () => 52_000);
  return metrics;
}

it('tells how long a server has been away, what lags, what waits and how many dead letters there are', async () => {
  const text = await (await known()).registry.metrics();
  expect(text).toContain('quantloom_dependency_away_seconds{dependency="results store",service="test"} 30');
  expect(text).toContain('quantloom_backlog_seconds{kind="large",service="test"} 12');
  expect(text).toContain('quantloom_dead_letters{topic="backtest.jobs.v1",service="test"} 3');
  expect(text).toContain('quantloom_projection_lag{projection="users",state="running",service="test"} 2');
  expect(text).toContain('quantloom_batches{status="Queued",service="test"} 6');
  expect(text).toContain('quantloom_oldest_queued_batch_seconds{service="test"} 42');
});

it('counts slots, those in use, and gives them back', async () => {
  const metrics = new Metrics('test');
  let handle: (() => Promise<void>) | undefined;
  const closing: BusSubscription = { pause: () => {}, resume: () => {}, close: async () => {} };
  const plain = {
    subscribe: async (_: unknown, handler: (message: object, context: object) => Promise<void>) => {
      handle = () => handler({ topic: 't', key: 'k', headers: {} }, {});
      return closing;
    },
  } as unknown as MessageBus;
  const work = Promise.withResolvers<void>();
  const bus = measuredBus(plain, metrics, pino({ level: 'silent' }));
  const subscription = await bus.subscribe({ group: 'g', topics: ['t'], concurrency: 3 }, () => work.promise);
  const working = handle?.();
  const text = () => metrics.registry.metrics();
  expect(await text()).toContain('quantloom_slots{group="g",service="test"} 3');
  expect(await text()).toContain('quantloom_slots_busy{group="g",service="test"} 1');
  work.resolve();
  await working;
  expect(await text()).toContain('quantloom_slots_busy{group="g",service="test"} 0');
  await subscription.close();
  expect(await text()).toContain('quantloom_slots{group="g",service="test"} 0');
});

/** What is wrong with an expression: its grammar, or that it asks for what nobody tells. */
async function faultsOf(expression: string): Promise<readonly string[]> {
  const names = new Set((await (await known()).registry.getMetricsAsJSON()).map(({ name }) => name));
  const { faults, metrics } = readExpression(expression);
  if (metrics.length === 0) return ['it asks for no metric'];
  const unknown = metrics.filter((name) => !names.has(name.replace(/_(bucket|count|sum)$/, '')));
  return [...faults, ...unknown.map((name) => `nobody tells ${name}`)];
}

describe('expressions', () => {
  it.each([
    ['max by (topic (quantloom_dead_letters)', /^at /],
    ['rate(quantloom_backtests_total[2m)', /^at /],
    ['quantloom_no_such_thing > 0', /nobody tells quantloom_no_such_thing/],
    ['1 + 1', /no metric/],
  ])('%s would be noticed', async (expression, fault) => {
    expect((await faultsOf(expression))[0]).toMatch(fault);
  });
});

describe('the rules for Prometheus', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s asks for what there is', async (_, rule) => {
    expect(await faultsOf(rule.expr)).toEqual([]);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s has a runbook, which says what it means, what to look at and what to do',
    (alert, rule) => {
      expect(rule.annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
      for (const part of ['**Means.**', '**Look at.**', '**Do.**'])
        expect(runbooks.get(alert)).toContain(part);
    },
  );

  it('are all that runbooks are about', () => {
    expect([...runbooks.keys()].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });
});

describe.each(boards.map((board) => [board.file, board] as const))('the board %s', (_, board) => {
  it('asks for what there is', async () => {
    for (const { targets } of board.panels)
      for (const { expr } of targets) expect([expr, await faultsOf(expr)]).toEqual([expr, []]);
  });

  it('names runbooks that there are, and has each panel once, in a place of its own', () => {
    const ids = new Set(board.panels.map(({ id }) => id));
    const places = new Set(board.panels.map(({ gridPos: { x, y } }) => `${x},${y}`));
    expect([ids.size, places.size]).toEqual([board.panels.length, board.panels.length]);
    for (const { description, gridPos } of board.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (const [, anchor] of description.matchAll(/docs\/runbooks\.md#(\w+)/g))
        expect([...runbooks.keys()].map((alert) => alert.toLowerCase())).toContain(anchor);
    }
  });
});

it('every metric of ours stands on a board', async () => {
  const shown = boards.flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => readExpression(expr).metrics)),
  );
  const ours = (await (await known()).registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => name.startsWith('quantloom_'));
  const plain = new Set(shown.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  expect(ours.filter((name) => !plain.has(name))).toEqual([]);
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length);
});
