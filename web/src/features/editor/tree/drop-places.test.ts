import {
  assetBlock,
  newAlgorithm,
  newBlock,
  newCondition,
  nodeId,
} from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { expect, it } from 'vitest';
import { visibleRows } from '../model/rows.ts';
import { movableOf, placeOf } from './drop-places.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });

const start = newAlgorithm(newId);
const open = { ...newBlock('group', newId), children: [asset('QQQ')] } as BlockNode;
const closed = { ...newBlock('group', newId), children: [asset('GLD')], is_collapsed: true } as BlockNode;
const branch = {
  ...newBlock('if-then-else', newId),
  conditions: [newCondition(newId)],
  is_then_collapsed: true,
  is_else_collapsed: true,
} as BlockNode;
const hollow = newBlock('group', newId);
const spy = asset('SPY');
const weight = {
  ...start.children[0],
  children: [spy, open, closed, branch, hollow],
} as unknown as BlockNode;
const algorithm: Algorithm = { ...start, children: [weight] };
const rows = visibleRows(algorithm);
const rowOf = (id: string) =>
  rows.find((row) => row.kind === 'block' && row.node.id === id) as (typeof rows)[number];
const inWeight = (index: number) => ({ parentId: weight.id, slot: 'children', index });

it('lands before or behind the line of a block', () => {
  expect(placeOf(rowOf(spy.id), 'before')).toEqual(inWeight(0));
  expect(placeOf(rowOf(spy.id), 'after')).toEqual(inWeight(1));
});

it('lands in front of what an open block holds, and behind a closed one', () => {
  expect(placeOf(rowOf(open.id), 'after')).toEqual({ parentId: open.id, slot: 'children', index: 0 });
  expect(placeOf(rowOf(open.id), 'before')).toEqual(inWeight(1));
  expect(placeOf(rowOf(closed.id), 'after')).toEqual(inWeight(3));
});

it('lands in the lane of an if, and never among conditions', () => {
  const lanes = rows.filter((row) => row.kind === 'lane');
  expect(lanes.map((row) => placeOf(row, 'before'))).toEqual([
    { parentId: branch.id, slot: 'then_children', index: 0 },
    { parentId: branch.id, slot: 'else_children', index: 0 },
  ]);
  const conditions = rows.filter(
    (row) => row.kind === 'condition' || (row.kind === 'add' && row.slot === 'conditions'),
  );
  expect(conditions.length).toBeGreaterThan(0);
  for (const row of conditions) expect(placeOf(row, 'after')).toBeNull();
});

it('has no place beside the root', () => {
  expect(placeOf(rowOf(algorithm.id), 'before')).toBeNull();
});

it('takes up blocks, but neither the root nor an empty place', () => {
  expect(movableOf(rowOf(open.id))).toBe(open);
  expect(movableOf(rowOf(algorithm.id))).toBeNull();
  const empty = rows.find((row) => row.kind === 'block' && row.node.node_type === 'empty');
  expect(empty).toBeDefined();
  for (const row of [empty, undefined, ...rows.filter(({ kind }) => kind !== 'block')])
    expect(movableOf(row)).toBeNull();
});
