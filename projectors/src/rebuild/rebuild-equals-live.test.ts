import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import type { EventBatch, EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { type StrategyCommand, strategyStream } from '@quantloom/domain/strategy/strategy';
import { type VariableListCommand, variableListStream } from '@quantloom/domain/variable-list/variable-list';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { clock, type EmbeddedLog, openEmbeddedLog } from '../../testing/embedded-log.ts';
import { documentsOf } from '../log/verify-log.ts';
import { createProjectors } from '../projectors.ts';

const USERS = ['ann', 'bob'];
const IDS = ['1', '2', '3'];

type Step =
  | { readonly kind: 'strategy'; readonly id: string; readonly command: StrategyCommand }
  | { readonly kind: 'list'; readonly id: string; readonly command: VariableListCommand };

const tree = (ticker: string) => ({
  id: 'r',
  node_type: 'root',
  name: 'R',
  children: [{ id: 'a', node_type: 'asset', ticker }],
});

function anyStep(): fc.Arbitrary<Step> {
  const caller = fc.constantFrom(...USERS).map((userId) => ({ userId, features: [] }));
  const id = fc.constantFrom(...IDS);
  const name = fc.constantFrom('A', 'B', 'C');
  const ticker = fc.constantFrom('SPY', 'QQQ', 'TLT');
  const strategy = fc.oneof(
    fc.tuple(id, caller, name, ticker).map(
      ([strategyId, who, title, asset]): StrategyCommand => ({
        type: 'CreateStrategy',
        strategyId,
        caller: who,
        name: title,
        isPublic: false,
        status: 'draft',
        algorithm: tree(asset),
      }),
    ),
    fc.tuple(caller, name, ticker, fc.boolean()).map(
      ([who, title, asset, isPublic]): StrategyCommand => ({
        type: 'UpdateStrategy',
        caller: who,
        name: title,
        isPublic,
        algorithm: tree(asset),
      }),
    ),
    fc.record({ type: fc.constantFrom('DeleteStrategy' as const, 'UndoStrategyDeletion' as const), caller }),
  );
  const content = fc.record({
    name,
    isPublic: fc.boolean(),
    variables: fc.array(ticker, { minLength: 1, maxLength: 3 }),
  });
  const list = fc.oneof(
    fc.tuple(id, caller, content).map(
      ([listId, { userId }, given]): VariableListCommand => ({
        type: 'CreateVariableList',
        listId,
        callerId: userId,
        ...given,
      }),
    ),
    fc.tuple(caller, content).map(
      ([{ userId }, given]): VariableListCommand => ({
        type: 'UpdateVariableList',
        callerId: userId,
        ...given,
      }),
    ),
    caller.map(({ userId }): VariableListCommand => ({ type: 'DeleteVariableList', callerId: userId })),
    caller.map(({ userId }): VariableListCommand => ({ type: 'UndoVariableListDeletion', callerId: userId })),
  );
  return fc.oneof(
    fc.tuple(id, strategy).map(([key, command]): Step => ({ kind: 'strategy', id: key, command })),
    fc.tuple(id, list).map(([key, command]): Step => ({ kind: 'list', id: key, command })),
  );
}

async function carryOut(eventStore: EventStore, step: Step): Promise<void> {
  const { userId } = 'caller' in step.command ? step.command.caller : { userId: step.command.callerId };
  const context = {
    commandId: ulid(),
    correlationId: 'c',
    actor: { kind: 'user', userId },
    now: clock.now().toISOString(),
  } as const;
  if (step.kind === 'strategy')
    await handleCommand(eventStore, strategyStream, step.id, step.command, context);
  else await handleCommand(eventStore, variableListStream, step.id, step.command, context);
}

/** Every batch twice, and after each one everything from the beginning again: the worst that at-least-once allows. */
function redelivering(eventStore: EventStore): EventStore {
  return {
    append: eventStore.append.bind(eventStore),
    readStream: eventStore.readStream.bind(eventStore),
    readAll: eventStore.readAll.bind(eventStore),
    head: eventStore.head.bind(eventStore),
    last: eventStore.last.bind(eventStore),
    reaches: eventStore.reaches.bind(eventStore),
    close: eventStore.close.bind(eventStore),
    subscribe: async function* (after, options) {
      const past: RecordedEvent[] = [];
      for await (const batch of eventStore.subscribe(after, { ...options, maxBatchSize: 2 })) {
        past.push(...batch.events);
        const again: EventBatch = { ...batch, events: [...past] };
        for (const delivery of [batch, batch, again]) yield delivery;
        for (let end = 1; end <= past.length; end += 1)
          yield {
            events: past.slice(0, end),
            position: past[end - 1]?.position ?? batch.position,
            isCaughtUp: false,
          };
      }
    },
  };
}

async function snapshot(log: EmbeddedLog): Promise<Record<string, ReadDocument[]>> {
  const documents: Record<string, ReadDocument[]> = {};
  for (const { collection } of PROJECTIONS) {
    documents[collection.name] = [];
    for await (const document of documentsOf(log.readModels, collection.name))
      documents[collection.name]?.push(document);
  }
  return documents;
}

async function projected(log: EmbeddedLog, eventStore: EventStore, steps: readonly Step[]): Promise<void> {
  const projectors = createProjectors({
    eventStore,
    readModels: log.readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
    retryMs: 5,
  });
  await projectors.start();
  for (const step of steps) await carryOut(log.eventStore, step);
  expect(await projectors.whenReached(await log.eventStore.head(), { timeoutMs: 5000 })).toBe(true);
  await projectors.stop();
}

describe('every projection', () => {
  it('is the same live, delivered again and again, and rebuilt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { minLength: 1, maxLength: 25 }), async (steps) => {
        const log = await openEmbeddedLog();
        const other = await openEmbeddedLog();
        try {
          await projected(log, redelivering(log.eventStore), steps);
          const live = await snapshot(log);
          // The same log, delivered once and in order.
          for await (const event of log.eventStore.readAll(-1n))
            await other.eventStore.append(
              event.stream,
              [event],
              event.revision === 0 ? 'noStream' : event.revision - 1,
            );
          await projected(other, other.eventStore, []);
          expect(await snapshot(other)).toEqual(live);
          const tool = createProjectors({
            ...log,
            projections: PROJECTIONS,
            catalogue: EVENT_CATALOGUE,
            clock,
          });
          for (const { name } of PROJECTIONS) await tool.rebuild(name);
          expect(await snapshot(log)).toEqual(live);
        } finally {
          await log.close();
          await other.close();
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
