import { describe, expect, it } from 'vitest';
import type { SeriesFlag, SeriesFlagKind } from './import-report.ts';
import { foldSuspicions } from './suspicions.ts';

const flag = (kind: SeriesFlagKind, from: string): SeriesFlag => ({
  ticker: 'A',
  kind,
  from,
  to: from,
  message: kind,
});

describe('foldSuspicions', () => {
  it('folds equal ones, the most serious first, and counts those it does not list', () => {
    const folded = foldSuspicions(
      [
        flag('starts_late', '2020-01-02'),
        flag('large_move', '2020-01-03'),
        flag('gap', '2020-01-06'),
        flag('gap', '2020-02-06'),
        flag('gap', '2020-03-06'),
        flag('split_like_move', '2020-01-07'),
      ],
      2,
    );
    expect(folded.map(({ kind, severity, count, days }) => [kind, severity, count, days.length])).toEqual([
      ['split_like_move', 'serious', 1, 1],
      ['gap', 'check', 3, 2],
      ['large_move', 'check', 1, 1],
      ['starts_late', 'notice', 1, 1],
    ]);
  });

  it('finds nothing in nothing', () => {
    expect(foldSuspicions([], 2)).toEqual([]);
  });
});
