import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import {
  assetBlock,
  newAlgorithm,
  newBlock,
  newCondition,
  newConditionGroup,
  nodeId,
} from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { conditionsOnDay, decisionOf, pathOnDay, reasonsOnDay, targetsOnDay } from './why.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });

const start = newAlgorithm(newId);
const [spy, more, tlt] = [asset('SPY'), asset('spy'), asset('TLT')];
const [direct, grouped] = [newCondition(newId), newCondition(newId)];
const group = newConditionGroup(newId, 'anyOf', [grouped]);
const branch = {
  ...newBlock('if-then-else', newId),
  conditions: [direct, group],
  then_children: [spy, more],
  else_children: [tlt],
} as unknown as BlockNode;
const algorithm: Algorithm = { ...start, children: [branch] };
/** On the first day it holds stocks, on the second bonds, and on the third it has no part. */
const answer = {
  explanation: {
    shares: {
      [branch.id]: [1, 1, 0],
      [spy.id]: [0.25, 0, 0],
      [more.id]: [0.35, 0, 0],
      [tlt.id]: [0.4, 1, 0],
    },
    conditions: {
      [direct.id]: { lhs: [70, 80, 90], rhs: [50, 50, 50], holds: [true, false, true] },
      [grouped.id]: { lhs: [1, 2], rhs: [3, 3], holds: [false, false] },
    },
  },
} as unknown as BacktestAnswer;

describe('why a day came out as it did', () => {
  it('adds up what is asked for of a ticker, the largest first', () => {
    expect(targetsOnDay(algorithm, answer, 0)).toEqual([
      { ticker: 'SPY', percent: expect.closeTo(60, 9) },
      { ticker: 'TLT', percent: 40 },
    ]);
    expect(targetsOnDay(algorithm, answer, 1)).toEqual([{ ticker: 'TLT', percent: 100 }]);
  });

  it('is the decision of the day, or of the day before where orders wait for the next close', () => {
    expect([decisionOf(5, 'close'), decisionOf(5, 'next-close'), decisionOf(0, 'next-close')]).toEqual([
      5, 4, -1,
    ]);
  });

  it('follows the path of what had a share', () => {
    expect([...pathOnDay(answer, 1)]).toEqual([branch.id, tlt.id]);
    expect(pathOnDay(answer, 2).size).toBe(0);
  });

  it('names the conditions of ifs with a share, those of groups too', () => {
    const found = (day: number) =>
      conditionsOnDay(algorithm, answer, day).map(({ condition, parent, left, right, holds }) => [
        condition.id,
        parent.id,
        left,
        right,
        holds,
      ]);
    expect(found(0)).toEqual([
      [direct.id, branch.id, 70, 50, true],
      [grouped.id, branch.id, 1, 3, false],
    ]);
    expect(found(1)[0]).toEqual([direct.id, branch.id, 80, 50, false]);
    // It had no part in the third day, whatever its conditions were.
    expect(found(2)).toEqual([]);
  });

  it('says it beside each line', () => {
    const reasons = reasonsOnDay(answer, 0);
    expect(reasons.get(direct.id)).toMatch(/70.* against .*50.*: held$/);
    expect(reasons.get(grouped.id)).toMatch(/: did not hold$/);
    expect(reasons.get(tlt.id)).toContain('40');
    const later = reasonsOnDay(answer, 2);
    expect([later.has(tlt.id), later.has(grouped.id)]).toEqual([false, false]);
  });
});
