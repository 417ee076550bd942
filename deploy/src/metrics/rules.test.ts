import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Projectors } from '@quantloom/projectors/projectors';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { measureLags } from './lags.ts';
import { Metrics } from './metrics.ts';
import { measureOutages } from './outages.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { groups } = parse(read('deploy/monitoring/prometheus-rules.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; runbook: string } }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Every metric that a process of the product can have. */
function known(): Metrics {
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
  });
  return metrics;
}

it('tells how long a server has been away, what lags and how many dead letters there are', async () => {
  const text = await known().registry.metrics();
  expect(text).toContain('quantloom_dependency_away_seconds{dependency="results store",service="test"} 30');
  expect(text).toContain('quantloom_dead_letters{topic="backtest.jobs.v1",service="test"} 3');
  expect(text).toContain('quantloom_projection_lag{projection="users",state="running",service="test"} 2');
});

describe('the rules for Prometheus', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s asks for what there is', async (_, rule) => {
    const names = new Set((await known().registry.getMetricsAsJSON()).map(({ name }) => name));
    const asked = [...rule.expr.matchAll(/\b(?:quantloom|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s names a paragraph that there is',
    (_, rule) => {
      const [file = '', anchor] = rule.annotations.runbook.split('#');
      const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings).toContain(anchor);
    },
  );
});
