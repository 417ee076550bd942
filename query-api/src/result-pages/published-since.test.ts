import type { StrategyEvent } from '@quantloom/domain/strategy/events';
import { readTree } from '@quantloom/domain/strategy/stored-tree';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { storeTree } from '@quantloom/http/documents/trees';
import { expect, it } from 'vitest';
import { asset, largeRoot, root } from '../../testing/blocks.ts';
import { publishedSince } from './published-since.ts';

const tree = root(asset('node_a', 'A1')) as unknown as Algorithm;
const folded = { ...tree, is_collapsed: true, name: 'Renamed' };
const other = root(asset('node_a', 'B1')) as unknown as Algorithm;
const large = (ticker: string) => largeRoot(ticker) as unknown as Algorithm;

const content = { name: 'S', type: 'bot', variables: [] } as const;
const created = (algorithm: Algorithm, isPublic: boolean) => ({
  type: 'StrategyCreated' as const,
  data: { strategyId: 's', ownerId: 'u', ...content, variables: [], algorithm, isPublic, lineageId: 's' },
});
const saved = (algorithm: Algorithm) => ({ type: 'StrategySaved' as const, algorithm });
const made = (isPublic: boolean) => ({
  type: 'StrategyVisibilityChanged' as const,
  data: { strategyId: 's', isPublic },
});
const archived = () => ({ type: 'StrategyArchived' as const, data: { strategyId: 's' } });
type Step =
  | ReturnType<typeof created>
  | ReturnType<typeof saved>
  | ReturnType<typeof made>
  | ReturnType<typeof archived>;

/** A log with one event a day, from 2026-01-01 on. */
async function logOf(steps: readonly Step[]): Promise<MemoryEventStore> {
  const log = new MemoryEventStore();
  for (const [day, step] of steps.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const metadata = { recordedAt: at, schemaVersion: 2, actor: { kind: 'system', name: 'test' } } as never;
    let data: unknown = 'data' in step ? step.data : null;
    if ('algorithm' in step) {
      const read = readTree(step.algorithm, null);
      if (!('held' in read)) throw new Error('The tree is none');
      if (read.held.tree && read.text !== null)
        await storeTree(log, { hash: read.held.tree.hash, text: read.text }, { metadata });
      data = { strategyId: 's', ...content, ...read.held };
    }
    const event = { id: `e${day}`, type: step.type, data: data as StrategyEvent['data'], metadata };
    await log.append('strategy-s', [event], 'any');
  }
  return log;
}

it.each<[string, number | null, readonly Step[]]>([
  ['its creation, where it was never changed', 1, [created(tree, true)]],
  ['its creation, however it is folded and named', 1, [created(tree, true), saved(folded), saved(tree)]],
  ['the change of what it computes', 2, [created(other, true), saved(tree), saved(folded)]],
  ['the last of the changes', 3, [created(tree, true), saved(other), saved(folded)]],
  ['its publication', 2, [created(tree, false), made(true), saved(folded)]],
  ['a change after its publication', 3, [created(other, false), made(true), saved(tree)]],
  ['the last publication', 4, [created(tree, true), made(false), saved(folded), made(true)]],
  ['the last publication, right after it was hidden', 3, [created(tree, true), made(false), made(true)]],
  ['never', null, [created(tree, true), made(false)]],
  ['never, where nobody published it', null, [created(tree, false), saved(folded)]],
])('a strategy is public as it is since %s', async (_, day, steps) => {
  const since = await publishedSince(await logOf(steps), 's', { algorithm: tree });
  expect(since ?? null).toBe(day && new Date(Date.UTC(2026, 0, day)).toISOString());
});

it('compares trees that are stored by themselves, too', async () => {
  const now = large('A1');
  const steps = [created(other, true), saved(large('B1')), saved({ ...now, name: 'Before' }), saved(now)];
  const log = await logOf(steps);
  const held = readTree(now, null);
  if (!('held' in held)) throw new Error('The tree is none');
  expect(await publishedSince(log, 's', held.held)).toContain('2026-01-03');
});

it('looks back so far at most: visitors make it look, and its owner can have changed it without end', async () => {
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
  const times = <T>(count: number, step: () => T) => Array.from({ length: count }, step);
  // The two hundred newest are compared.
  const often = await logOf([created(tree, true), ...times(300, () => saved(folded))]);
  expect(await publishedSince(often, 's', { algorithm: tree })).toBe(dayOf(102));

  const long = await logOf([
    created(tree, true),
    ...times(500, archived),
    saved(folded),
    ...times(900, archived),
  ]);
  let read = 0;
  const counted = {
    readStream: async function* (...given: Parameters<MemoryEventStore['readStream']>) {
      for await (const event of long.readStream(...given)) {
        read += 1;
        yield event;
      }
    },
  };
  expect(await publishedSince(counted, 's', { algorithm: tree })).toBe(dayOf(502));
  expect(read).toBeLessThanOrEqual(1_000);
});
