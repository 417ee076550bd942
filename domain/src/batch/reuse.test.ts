import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchFingerprint, fingerprintOf, mapReuse, newByPartition } from './reuse.ts';
import { combinationCount, combinationValues } from './variable-values.ts';

const algorithm = {
  id: 'node_1',
  node_type: 'root',
  name: 'A',
  is_collapsed: false,
  children: [{ id: 'node_2', node_type: 'asset', ticker: '$A', is_collapsed: true }],
};
const base = {
  algorithm: algorithm as never,
  variableNames: ['$A'],
  config: { start_date: '2000-01-01', end_date: '2020-12-31' },
  dataVersion: 'v1',
  engineVersion: '1',
};

describe('the fingerprint of a batch', () => {
  it('is blind to what cannot change a number', () => {
    const renamed = {
      ...algorithm,
      name: 'B',
      is_collapsed: true,
      children: [{ ...algorithm.children[0], is_collapsed: false }],
    };
    expect(batchFingerprint({ ...base, algorithm: renamed as never })).toBe(batchFingerprint(base));
    const spelledOut = {
      ...base.config,
      slippage_bps: 10,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
    };
    expect(batchFingerprint({ ...base, config: spelledOut })).toBe(batchFingerprint(base));
    expect(fingerprintOf({ a: 1, b: 2 })).toBe(fingerprintOf({ b: 2, a: 1 }));
  });
  it.each([
    'is_collapsed',
    'is_conditions_collapsed',
    'is_then_collapsed',
    'is_else_collapsed',
    'description',
  ])('is blind to %s, wherever it stands', (field) => {
    const [child] = algorithm.children;
    const shown = (value: unknown) => ({ ...algorithm, children: [{ ...child, [field]: value }] }) as never;
    expect(batchFingerprint({ ...base, algorithm: shown('x') })).toBe(
      batchFingerprint({ ...base, algorithm: shown(false) }),
    );
  });
  it('is that of before where both fills are not asked for', () => {
    expect(batchFingerprint(base)).toBe('c0844d0642db897683ea9d161b47431885c5fe25ec3b0d0d8b41f9c565c15eab');
    expect(batchFingerprint({ ...base, config: { ...base.config, both_fills: false } })).toBe(
      batchFingerprint(base),
    );
  });
  it('is the same for ever: batches and trials are found by it', () => {
    const value: unknown = JSON.parse(
      '{"b":[1,{"10":1,"9":2,"a":null,"is_collapsed":true}],"__proto__":{"z":1,"y":[[]]},"description":"x","a":{"é":"ü","A":1.5}}',
    );
    expect(fingerprintOf(value)).toBe('32b964d504468e64b4649048b172b908cda3122244bd7b9c3c7089005a98a5f0');
  });
  it.each([
    ['the data', { dataVersion: 'v2' }],
    ['the engine', { engineVersion: '2' }],
    ['the slippage', { config: { ...base.config, slippage_bps: 5 } }],
    ['the out-of-sample date', { config: { ...base.config, out_of_sample_date: '2015-01-01' } }],
    [
      'a ticker',
      { algorithm: { ...algorithm, children: [{ ...algorithm.children[0], ticker: 'SPY' }] } as never },
    ],
    ['whether there are both fills', { config: { ...base.config, both_fills: true } }],
    ['the variables', { variableNames: ['$A', '$B'] }],
  ])('tells %s apart', (_, change) => {
    expect(batchFingerprint({ ...base, ...change })).not.toBe(batchFingerprint(base));
  });
});

describe('rows of earlier batches', () => {
  const values = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 1, 2, 3), { minLength: 1, maxLength: 5 });
  const variables = fc.tuple(values, values).map(([a, b]) => [
    { name: '$A', values: a },
    { name: '$B', values: b },
  ]);

  it('are looked for until every combination is covered', () => {
    const own = [{ name: '$A', values: ['A', 'B', 'C'] }];
    const earlier = (batchId: string, values: string[]) => ({ batchId, variables: [{ name: '$A', values }] });
    const beyond = {
      batchId: 'e3',
      get variables(): never {
        throw new Error('There was nothing left to look for');
      },
    };
    const maps = mapReuse(own, [earlier('e1', ['C', 'A']), earlier('e2', ['A', 'B', 'C']), beyond]);
    expect(maps.map(({ batchId, targets }) => [batchId, ...targets])).toEqual([
      ['e1', 0, 2],
      ['e2', 1],
    ]);
  });

  it('are matched by the values, each combination from one batch only', () => {
    fc.assert(
      fc.property(variables, fc.array(variables, { maxLength: 3 }), (own, others) => {
        const earlier = others.map((theirs, i) => ({ batchId: `e${i}`, variables: theirs }));
        const maps = mapReuse(own, earlier);
        const seen = new Set<number>();
        for (const { batchId, targets, sources } of maps) {
          const theirs = earlier.find((batch) => batch.batchId === batchId)?.variables ?? [];
          for (const [i, target] of targets.entries()) {
            expect(seen.has(target)).toBe(false);
            seen.add(target);
            expect(combinationValues(own, target)).toEqual(combinationValues(theirs, sources[i] as number));
          }
        }
        const count = combinationCount(own);
        const shared = Array.from({ length: count }, (_, k) =>
          JSON.stringify(combinationValues(own, k)),
        ).filter((text) =>
          others.some((theirs) =>
            Array.from({ length: combinationCount(theirs) }, (_, k) =>
              JSON.stringify(combinationValues(theirs, k)),
            ).includes(text),
          ),
        );
        expect(seen.size).toBe(shared.length);
        const fresh = newByPartition(count, 3, maps);
        expect(fresh.reduce((a, b) => a + b, 0)).toBe(count - shared.length);
        expect(fresh.every((n) => n >= 0 && n <= 3)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
