import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAlgorithm, anyJson } from '../../testing/any-algorithm.ts';
import { given } from '../../testing/given.ts';
import { PLANS } from '../identity/plans.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { diffStrategies } from './diff.ts';
import type { StrategyEvent } from './events.ts';
import { type StrategyCommand, type StrategyState, strategyStream } from './strategy.ts';
import { MAX_NAME_LENGTH } from './structure.ts';
import type { Algorithm, BlockNode } from './tree.ts';
import { variableNames } from './variables.ts';

const weight = { num: 100, den: 100 };
const asset = (ticker: string) =>
  ({ id: 'a', node_type: 'asset', weight, is_collapsed: false, ticker, name: ticker }) as const;
const tree = (...children: Algorithm['children']): Algorithm => ({
  id: 'r',
  node_type: 'root',
  weight,
  is_collapsed: false,
  name: 'R',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children,
});
const owner = { userId: 'owner', features: PLANS.api.features };
const free = { userId: 'owner', features: [] };
const stranger = { userId: 'stranger', features: PLANS.api.features };
const content = (algorithm: Algorithm, name = 'S') => ({
  name,
  type: variableNames(algorithm).length > 0 ? ('template' as const) : ('bot' as const),
  variables: variableNames(algorithm),
  algorithm,
});
const strategyId = 's1';
const lineage = { ownerId: 'owner', isPublic: false, status: 'draft' as const, lineageId: 's1' };
const created: StrategyEvent = {
  type: 'StrategyCreated',
  data: { strategyId, ...content(tree(asset('SPY'))), ...lineage },
};
const published: StrategyEvent = { type: 'StrategyVisibilityChanged', data: { strategyId, isPublic: true } };
const deleted: StrategyEvent = { type: 'StrategyDeleted', data: { strategyId } };
const create = (more: Partial<Extract<StrategyCommand, { type: 'CreateStrategy' }>> = {}) =>
  ({
    type: 'CreateStrategy',
    strategyId,
    caller: owner,
    name: 'S',
    isPublic: false,
    status: 'draft',
    algorithm: tree(asset('SPY')),
    ...more,
  }) as const;
const update = (more: Partial<Extract<StrategyCommand, { type: 'UpdateStrategy' }>>) =>
  ({ type: 'UpdateStrategy', caller: owner, ...more }) as const;

describe('a strategy in itself', () => {
  const holding = (id: string) =>
    tree({
      id: 'g',
      node_type: 'group',
      weight,
      is_collapsed: false,
      name: 'G',
      source: { strategy_id: id, revision: 0 },
      children: [asset('TLT')],
    });
  const own = holding(strategyId);

  it('is refused, though it came by a copy of another one', () => {
    given(strategyStream, created)
      .when(update({ algorithm: own }))
      .thenRefused(422, 'invalid_algorithm');
    given(strategyStream, created)
      .when(update({ algorithm: holding('s2') }))
      .thenEvents({ type: 'StrategySaved', data: { strategyId, ...content(holding('s2')) } });
    const [other, itself] = [...holding('s2').children, ...own.children] as [BlockNode, BlockNode];
    const beside = tree(
      { ...other, id: 'g2', children: [{ ...asset('SPY'), id: 'a2' }] } as BlockNode,
      itself,
    );
    given(strategyStream, created)
      .when(update({ algorithm: beside }))
      .thenRefused(422, 'invalid_algorithm');
  });

  it('that was saved before this was refused keeps its name and its tree', () => {
    const before: StrategyEvent = { type: 'StrategySaved', data: { strategyId, ...content(own) } };
    given(strategyStream, created, before)
      .when(update({ name: 'Other', algorithm: own }))
      .thenEvents({ type: 'StrategyRenamed', data: { strategyId, name: 'Other' } });
  });
});

describe('creating a strategy', () => {
  it('makes a draft with its type and variables', () => {
    given(strategyStream).when(create()).thenEvents(created);
    given(strategyStream)
      .when(create({ algorithm: tree(asset('$A')) }))
      .thenEvents({
        type: 'StrategyCreated',
        data: { strategyId, ...content(tree(asset('$A'))), ...lineage },
      });
  });
  it('trims the name, which may not be empty or too long', () => {
    expect(given(strategyStream).when(create({ name: '  S ' })).decided).toEqual([created]);
    given(strategyStream)
      .when(create({ name: ' ' }))
      .thenRefused(422, 'invalid_name');
    given(strategyStream)
      .when(create({ name: 'x'.repeat(201) }))
      .thenRefused(422, 'invalid_name');
  });
  it('is refused where the tree is malformed, the id taken, or trading live asked for', () => {
    given(strategyStream)
      .when(create({ algorithm: { node_type: 'group' } }))
      .thenRefused(422, 'invalid_algorithm');
    given(strategyStream, created).when(create()).thenRefused(409, 'strategy_exists');
    given(strategyStream)
      .when(create({ status: 'live' }))
      .thenRefused(422, 'invalid_status');
  });
  it.each([
    ['variables', asset('$A'), 'plan_without_variables'],
    ['simulated tickers', asset('SIM:TQQQ'), 'plan_without_simulated_tickers'],
  ])('with %s needs the plan', (_, block, code) => {
    given(strategyStream)
      .when(create({ caller: free, algorithm: tree(block) }))
      .thenRefused(403, code);
  });
});

describe('cloning a strategy', () => {
  const source = {
    strategyId: 's0',
    revision: 3,
    name: 'Old',
    variables: ['$A'],
    algorithm: tree(asset('$A')),
    lineageId: 's00',
  };
  it('keeps the lineage, is private, and is for every plan', () => {
    given(strategyStream)
      .when({ type: 'CloneStrategy', strategyId, caller: free, source })
      .thenEvents({
        type: 'StrategyCloned',
        data: {
          strategyId,
          ...content(source.algorithm, 'Copy of Old'),
          ...lineage,
          lineageId: 's00',
          source: { strategyId: 's0', revision: 3 },
        },
      });
    given(strategyStream, created)
      .when({ type: 'CloneStrategy', strategyId, caller: owner, source })
      .thenRefused(409, 'strategy_exists');
  });
  it('cuts a name to which no word more can be added', () => {
    const long = { ...source, name: 'x'.repeat(MAX_NAME_LENGTH) };
    const command = { type: 'CloneStrategy', strategyId, caller: owner, source: long } as const;
    expect(strategyStream.decider.decide(command, { status: 'none' })).toMatchObject([
      { data: { name: `Copy of ${long.name}`.slice(0, MAX_NAME_LENGTH) } },
    ]);
  });
});

describe('a large tree', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ ...asset('SPY'), id: `a${i}` }));
  const inline = { ...created, data: { ...created.data, algorithm: tree(...many) } } as StrategyEvent;

  it('of an event that holds it itself is the same where it would be stored apart by now', () => {
    given(strategyStream, inline)
      .when(update({ algorithm: tree(...many) }))
      .thenEvents();
    const state = strategyStream.decider.evolve(strategyStream.decider.initialState, inline);
    const other = strategyStream.decider.decide(update({ algorithm: tree(...many.slice(1)) }), state);
    expect(other).toMatchObject([{ type: 'StrategySaved', data: { tree: { blocks: 199 } } }]);
  });
});

describe('updating a strategy', () => {
  it('records what changed, and nothing when nothing did', () => {
    given(strategyStream, created).when(update({})).thenEvents();
    given(strategyStream, created)
      .when(update({ name: 'S', isPublic: false, algorithm: tree(asset('SPY')) }))
      .thenEvents();
    given(strategyStream, created)
      .when(update({ name: 'T' }))
      .thenEvents({ type: 'StrategyRenamed', data: { strategyId, name: 'T' } });
    given(strategyStream, created)
      .when(update({ name: 'T', isPublic: true, algorithm: tree(asset('QQQ')) }))
      .thenEvents(
        { type: 'StrategySaved', data: { strategyId, ...content(tree(asset('QQQ')), 'T') } },
        published,
      );
  });
  it('saves nothing at all when a part is refused', () => {
    given(strategyStream, created)
      .when(update({ name: 'T', isPublic: true, algorithm: {} }))
      .thenRefused(422, 'invalid_algorithm');
    given(strategyStream, created)
      .when(update({ isPublic: true, status: 'live' }))
      .thenRefused(422, 'invalid_status');
    given(strategyStream, created)
      .when(update({ name: '' }))
      .thenRefused(422, 'invalid_name');
    given(strategyStream, created)
      .when({ ...update({ algorithm: tree(asset('$A')) }), caller: free })
      .thenRefused(403, 'plan_without_variables');
  });
});

describe('owning a strategy', () => {
  const commands: readonly StrategyCommand[] = [
    update({ name: 'T' }),
    { type: 'DeleteStrategy', caller: owner },
    { type: 'RestoreStrategy', caller: owner, from: { revision: 0, name: 'S', algorithm: tree() } },
  ];
  it.each(commands.map((command) => [command.type, command] as const))(
    '%s is for the owner',
    (_, command) => {
      const foreign = { ...command, caller: stranger } as StrategyCommand;
      given(strategyStream).when(command).thenRefused(404, 'strategy_not_found');
      given(strategyStream, created).when(foreign).thenRefused(404, 'strategy_not_found');
      given(strategyStream, created, published).when(foreign).thenRefused(403, 'not_owner');
      given(strategyStream, created, deleted).when(command).thenRefused(404, 'strategy_not_found');
      given(strategyStream, created, published, deleted).when(foreign).thenRefused(404, 'strategy_not_found');
    },
  );
});

describe('deleting and restoring a strategy', () => {
  const undo = (caller = owner) => ({ type: 'UndoStrategyDeletion', caller }) as const;
  it('is undone by the owner, once', () => {
    given(strategyStream, created).when({ type: 'DeleteStrategy', caller: owner }).thenEvents(deleted);
    given(strategyStream, created, deleted)
      .when(undo())
      .thenEvents({ type: 'StrategyDeletionUndone', data: { strategyId } });
    given(strategyStream, created).when(undo()).thenEvents();
    given(strategyStream, created, deleted).when(undo(stranger)).thenRefused(404, 'strategy_not_found');
    given(strategyStream).when(undo()).thenRefused(404, 'strategy_not_found');
  });
  it('takes an earlier content as a new revision, under the limits of today', () => {
    const from = { revision: 0, name: 'Before', algorithm: tree(asset('$A')) };
    given(strategyStream, created)
      .when({ type: 'RestoreStrategy', caller: owner, from })
      .thenEvents({
        type: 'StrategyRestored',
        data: { strategyId, fromRevision: 0, ...content(from.algorithm, 'Before') },
      });
    given(strategyStream, created)
      .when({ type: 'RestoreStrategy', caller: free, from })
      .thenRefused(403, 'plan_without_variables');
    const same = { revision: 0, name: 'S', algorithm: tree(asset('SPY')) };
    given(strategyStream, created).when({ type: 'RestoreStrategy', caller: owner, from: same }).thenEvents();
    const renamed = { ...same, name: 'Before' };
    given(strategyStream, created)
      .when({ type: 'RestoreStrategy', caller: owner, from: renamed })
      .thenEvents({
        type: 'StrategyRestored',
        data: { strategyId, fromRevision: 0, ...content(same.algorithm, 'Before') },
      });
  });
});

describe('any sequence of commands', () => {
  const { decider } = strategyStream;
  const caller = fc.constantFrom(owner, free, stranger);
  const algorithm = fc.oneof(anyAlgorithm(), anyAlgorithm({ variables: true }), anyJson());
  const goodTree = anyAlgorithm({ variables: true });
  const name = fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('A', 'B'));
  const command: fc.Arbitrary<StrategyCommand> = fc.oneof(
    fc.record({
      type: fc.constant('CreateStrategy' as const),
      strategyId: fc.constant(strategyId),
      caller,
      name,
      isPublic: fc.boolean(),
      status: fc.constantFrom('draft', 'live'),
      algorithm,
    }),
    fc.record({
      type: fc.constant('CloneStrategy' as const),
      strategyId: fc.constant(strategyId),
      caller,
      source: fc
        .record({
          strategyId: fc.constant('s0'),
          revision: fc.nat(),
          name,
          algorithm: goodTree,
          lineageId: fc.constant('l'),
        })
        .map((source) => ({ ...source, variables: variableNames(source.algorithm) })),
    }),
    fc.record(
      {
        type: fc.constant('UpdateStrategy' as const),
        caller,
        name,
        isPublic: fc.boolean(),
        status: fc.constantFrom('draft', 'live'),
        algorithm,
      },
      { requiredKeys: ['type', 'caller'] },
    ) as fc.Arbitrary<StrategyCommand>,
    fc.record({ type: fc.constantFrom('DeleteStrategy' as const, 'UndoStrategyDeletion' as const), caller }),
    fc.record({
      type: fc.constant('RestoreStrategy' as const),
      caller,
      from: fc.record({ revision: fc.nat(), name, algorithm: goodTree }),
    }),
  );

  it('keeps what a strategy is, and decide never throws', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let state: StrategyState = decider.initialState;
        for (const next of commands) {
          const before = state;
          const decided = decider.decide(next, state);
          if (isRefusal(decided)) continue;
          for (const event of decided) state = decider.evolve(state, event);
          if (state.status === 'none') throw new Error('A command left no strategy');
          expect(state.type).toBe(state.variables.length > 0 ? 'template' : 'bot');
          expect(state.variables).toEqual(variableNames(state.algorithm));
          expect(state.name).toBe(state.name.trim());
          expect(state.name).not.toBe('');
          if (before.status !== 'none') {
            expect(state.ownerId).toBe(before.ownerId);
            expect(state.lineageId).toBe(before.lineageId);
            // Only its owner changes a strategy.
            if (state !== before) expect(next.caller.userId).toBe(before.ownerId);
          }
          // Deciding the same again on the result changes nothing more (deletion apart, which then finds nothing).
          const again = decider.decide(next, state);
          if (!isRefusal(again)) expect(again).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('differences are empty between equal trees and told with existing ids between others', () => {
    fc.assert(
      fc.property(goodTree, anyAlgorithm(), (left, right) => {
        expect(diffStrategies(left, structuredClone(left))).toEqual([]);
        for (const { text, nodeId } of diffStrategies(left, right)) {
          expect(text).not.toMatch(/undefined|null|\[object/);
          expect(nodeId).toMatch(/^node_/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
