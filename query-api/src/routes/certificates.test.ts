import type { RunFigures } from '@quantloom/domain/ports/backtest-runner';
import { expect, it } from 'vitest';
import { recomputedOf } from './certificates.ts';

const figures = {
  metrics: { sharpe: 1.5 },
  firstDay: '2020-01-02',
  lastDay: '2021-01-04',
  line: [],
  provenance: { engine_version: '2', result_hash: 'of engine 2' },
} as unknown as RunFigures;

it('a result is held against the hash that the engine of the certificate has given it', () => {
  expect(recomputedOf({ ...figures, hashAsMade: 'of engine 1' })).toMatchObject({
    kind: 'computed',
    engineVersion: '2',
    resultHash: 'of engine 1',
    firstDay: '2020-01-02',
    lastDay: '2021-01-04',
    figures: { sharpe: 1.5 },
  });
  expect(recomputedOf(figures)).toMatchObject({ resultHash: 'of engine 2' });
  expect(() => recomputedOf(undefined)).toThrow('without its figures');
});
