import {
  assetBlock,
  newAlgorithm,
  newBlock,
  newCondition,
  nodeId,
} from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, BlockNode, ConditionNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { decidingTickers, periodVariants, reasonWords } from './period-variants.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const asset = (ticker: string) => assetBlock(newId, { ticker, name: ticker });
const rsi = (ticker: string): ConditionNode => ({
  ...newCondition(newId),
  lhs_fn: 'relative-strength-index',
  lhs_fn_params: { window: 10 },
  lhs_val: ticker,
  comparator: 'gt',
  rhs_fixed_val: true,
  rhs_val: 79,
});

/** if(conditions) then UVXY, SPY else TLT. */
function strategy(conditions: readonly ConditionNode[]): Algorithm {
  const start = newAlgorithm(newId);
  const branch = {
    ...newBlock('if-then-else', newId),
    conditions,
    then_children: [asset('UVXY'), asset('SPY')],
    else_children: [asset('TLT')],
  } as unknown as BlockNode;
  return { ...start, children: [{ ...start.children[0], children: [branch] } as unknown as BlockNode] };
}
const labels = (algorithm: Algorithm, decidedBy: readonly string[]) =>
  periodVariants(algorithm, decidedBy, newId, (ticker) => ticker === 'SIM:UVXY').map(({ label }) => label);

describe('the ways to a longer backtest', () => {
  it('are found by the names of what decided the first day', () => {
    const algorithm = strategy([rsi('SPY'), rsi('UVXY/SPY')]);
    expect(decidingTickers(algorithm, ['UVXY-relative-strength-index-10'])).toEqual(['UVXY']);
    expect(decidingTickers(algorithm, ['UVXY/SPY-relative-strength-index-10'])).toEqual(['SPY', 'UVXY']);
    expect(decidingTickers(algorithm, ['UVXYZ', `${newId()}-cumulative-return-60`])).toEqual([]);
  });
  it('leave out either ticker of a pair', () => {
    const pair: ConditionNode = {
      ...rsi('SPY'),
      lhs_fn: 'correlation',
      lhs_fn_params: { window: 60, with: 'GLD' },
    };
    const algorithm = strategy([rsi('SPY'), pair]);
    expect(decidingTickers(algorithm, ['SPY~GLD-correlation-60'])).toEqual(['SPY', 'GLD']);
    expect(labels(algorithm, ['SPY~GLD-correlation-60'])).toContain('without GLD');
  });
  it('leave the ticker out, or take its simulated form, in blocks and conditions', () => {
    const algorithm = strategy([rsi('SPY'), rsi('UVXY')]);
    const [without, simulated] = periodVariants(algorithm, ['UVXY'], newId, () => true);
    expect([without?.label, simulated?.label]).toEqual(['without UVXY', 'with SIM:UVXY']);
    expect(JSON.stringify(without?.algorithm)).not.toContain('UVXY');
    expect(JSON.stringify(simulated?.algorithm)).not.toMatch(/"UVXY"/);
    expect(JSON.stringify(simulated?.algorithm).match(/SIM:UVXY/g)).toHaveLength(3);
  });
  it('take the simulated form on the right side of a condition, too, and leave a number as it is', () => {
    const right = { ...rsi('SPY'), rhs_fixed_val: false, rhs_fn: 'current-price', rhs_val: 'UVXY' } as const;
    const algorithm = strategy([right as unknown as ConditionNode, rsi('TLT')]);
    const [, simulated] = periodVariants(algorithm, ['UVXY'], newId, () => true);
    const text = JSON.stringify(simulated?.algorithm);
    expect(simulated?.label).toBe('with SIM:UVXY');
    expect(text).toContain('"rhs_val":"SIM:UVXY"');
    expect(text).toContain('"rhs_val":79');
    expect(text).not.toMatch(/"UVXY"/);
  });
  it('find a ticker however it is spelled, and leave the other side of a ratio as it is', () => {
    const algorithm = strategy([rsi('TLT'), rsi('uvxy/Spy')]);
    const [, simulated] = periodVariants(algorithm, ['UVXY'], newId, () => true);
    expect(JSON.stringify(simulated?.algorithm)).toContain('"SIM:UVXY/Spy"');
  });
  it('leave no strategy that holds nothing', () => {
    const start = newAlgorithm(newId);
    const block = { ...start.children[0], children: [asset('UVXY')] };
    const alone = { ...start, children: [block] } as unknown as Algorithm;
    expect(labels(alone, ['UVXY'])).toEqual(['with SIM:UVXY']);
  });
  it('have no simulated form of a simulated ticker', () => {
    const algorithm = strategy([rsi('SPY'), rsi('SIM:TLT')]);
    const found = periodVariants(algorithm, ['SIM:TLT'], newId, () => true);
    expect(found.map(({ label }) => label)).toEqual(['without SIM:TLT']);
  });
  it('are only those that run: an if without a condition is none, and a series that does not exist is none', () => {
    expect(labels(strategy([rsi('UVXY')]), ['UVXY'])).toEqual(['with SIM:UVXY']);
    expect(labels(strategy([rsi('SPY')]), ['TLT'])).toEqual(['without TLT']);
  });
  it('do the same to a strategy that was edited since, and nothing where the ticker is gone', () => {
    const ran = strategy([rsi('SPY'), rsi('UVXY')]);
    const [without, simulated] = periodVariants(ran, ['UVXY'], newId, () => true);
    const edited = { ...strategy([rsi('SPY'), rsi('QQQ'), rsi('UVXY')]), rebalance: 'monthly' as const };
    for (const variant of [without, simulated]) {
      const text = JSON.stringify(variant?.applyTo(edited));
      expect(text).toContain('"monthly"');
      expect(text).toContain('QQQ');
      expect(text).not.toMatch(/"UVXY"/);
    }
    const gone = without?.applyTo(edited) ?? edited;
    expect(without?.applyTo(gone)).toBe(gone);
    expect(simulated?.applyTo(gone)).toBe(gone);
  });

  it('say why in words: no key of the engine, no id of a block', () => {
    const algorithm = strategy([rsi('UVXY')]);
    const branch = algorithm.children[0] as unknown as { children: readonly { id: string }[] };
    const reason = (key: string) => reasonWords(algorithm, [key], 'first').replace(/^.* needs of /, '');
    expect(reason('UVXY')).toBe('UVXY.');
    expect(reason('UVXY-relative-strength-index-10')).toBe('UVXY (RSI(UVXY, 10)).');
    expect(reason(`${branch.children[0]?.id}-cumulative-return-60`)).toBe('CR(If RSI(10) of UVXY > 79, 60).');
  });
});
