import { describe, expect, it } from 'vitest';
import { equalWeights, keptWeights, readWeights } from './weights.ts';

const typed = (...texts: string[]) => texts.map((text, i) => ({ id: `s${i}`, text }));

describe('weights as they are typed', () => {
  it('are read with a percent sign, a comma, or nothing at all', () => {
    const { percents, sum, fault } = readWeights(typed('40%', '40,5', ' 19.5 % ', ''));
    expect([...percents.values()]).toEqual([40, 40.5, 19.5, 0]);
    expect([sum, fault]).toEqual([100, null]);
  });

  it('may leave a rest as cash, and not add up to more than 100', () => {
    expect(readWeights(typed('33.33', '33.33', '33.33'))).toMatchObject({ sum: 99.99, fault: null });
    expect(readWeights(typed('60', '45.5')).fault).toBe('The weights add up to 105.5%: take 5.5% away.');
    expect(readWeights(typed('0.1', '0.2', '99.7')).fault).toBeNull();
    // What typing sixths comes to is no fault, and a hundredth more than all is one.
    expect(readWeights(typed(...Array(6).fill('16.6666667'))).fault).toBeNull();
    expect(readWeights(typed('50', '50.01')).fault).toContain('take 0.01% away');
  });

  it('are refused where they are no weights', () => {
    for (const text of ['forty', '-5', '101'])
      expect(readWeights(typed(text)).fault).toBe('A weight cannot be read.');
  });

  it('are equal at first, and never more than 100 in all', () => {
    for (const count of [1, 3, 7, 200]) {
      const ids = Array.from({ length: count }, (_, i) => `s${i}`);
      expect(readWeights(equalWeights(ids)).fault).toBeNull();
    }
    expect(equalWeights(['a', 'b', 'c'])[0]?.text).toBe('33.33');
  });

  it('are those that were kept, and 0 for what is new', () => {
    const kept = { members: [{ strategyId: 'a', percent: 70 }], rebalance: 'monthly' } as const;
    expect(keptWeights(['a', 'b'], kept)).toEqual([
      { id: 'a', text: '70' },
      { id: 'b', text: '0' },
    ]);
    expect(keptWeights(['a', 'b'], null).map(({ text }) => text)).toEqual(['50', '50']);
  });
});
