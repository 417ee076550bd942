import { describe, expect, it } from 'vitest';
import { rankPreset } from './rank-preset.ts';
import { rankNotice, weightingDraftOf, weightingFault, weightingOf } from './weighting-draft.ts';

const byRank = (weights: string | null) => ({ type: 'by-rank', window: '10', weights }) as const;
const faultOf = (weights: string) => weightingFault(byRank(weights), 2);
/** The percentages that a text stands for. */
const read = (weights: string | null, num: number | string = 2) => {
  expect(weightingFault(byRank(weights), num)).toBeNull();
  const stored = weightingOf(byRank(weights), num);
  return stored?.type === 'by-rank' ? stored.weights.map(({ num: share }) => share) : null;
};

it('reads back what it stored', () => {
  for (const stored of [
    null,
    { type: 'inverse-volatility', window: '$W' },
    {
      type: 'by-rank',
      weights: [
        { num: 60, den: 100 },
        { num: 25.5, den: 100 },
      ],
    },
  ] as const)
    expect(weightingOf(weightingDraftOf(stored), 2)).toEqual(stored);
  const variable = { type: 'by-rank', weights: [{ num: '$W', den: 100 }] } as const;
  expect(weightingDraftOf(variable).weights).toBe('$W');
  expect(weightingOf(weightingDraftOf(variable), 1)).toEqual(variable);
  const thirds = { type: 'by-rank', weights: [{ num: 1, den: 4 }] } as const;
  expect(weightingDraftOf(thirds).weights).toBe('25');
});

it('refuses percentages above 100 together, none at all, and a window of one day', () => {
  expect(faultOf('60, 41')).toBe('The percentages add up to 101%: at most 100%');
  expect(faultOf(' ')).toContain('Enter a percentage for each rank');
  expect(faultOf('60, x')).toContain('“x” is not a number');
  expect(weightingFault({ type: 'inverse-volatility', window: '1', weights: '' }, 2)).toContain(
    'from 2 to 2000',
  );
});

describe('a list of percentages', () => {
  it.each([
    ['60% 40%', [60, 40]],
    ['60%,40%', [60, 40]],
    ['60 %, 40 %', [60, 40]],
    ['60, 40', [60, 40]],
    ['60; 40;', [60, 40]],
    ['12,5; 37,5', [12.5, 37.5]],
    ['12,5;37.5', [12.5, 37.5]],
    ['33,3% 66,7%', [33.3, 66.7]],
    ['12,5 37,5', [12.5, 37.5]],
    ['12.5, 37.5', [12.5, 37.5]],
    ['50', [50]],
  ])('%s has its own commas apart from those of decimals', (text, shares) => {
    expect(read(text)).toEqual(shares);
  });
  it('that can be read in two ways is refused with both', () => {
    expect(faultOf('60,40')).toBe('“60,40” may be 60.40 or 60 and 40: write 60.40, or 60; 40');
    expect(faultOf('12,5, 37,5')).toContain('“12,5” may be 12.5 or 12 and 5');
    expect(faultOf('60,30,10')).toContain('put a semicolon between two of them, such as 60; 30; 10');
    expect(faultOf('60 ,40')).toContain('“,40”');
  });
});

describe('the percentages that a list begins with', () => {
  it('are one for each that is chosen, the better the more, and 100 together', () => {
    expect([1, 2, 3].map(rankPreset)).toEqual(['100', '60, 40', '50, 33, 17']);
    for (let count = 1; count <= 50; count++) {
      const shares = read(null, count) as number[];
      expect(shares).toHaveLength(count);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 9);
      expect(shares.every((share, rank) => share > 0 && share <= (shares[rank - 1] ?? 100))).toBe(true);
      expect(rankNotice(byRank(null), count)).toBeNull();
    }
    expect(read(null, '$N')).toEqual([60, 40]);
  });
});

it('says what goes to cash, who gets nothing, and which percentages are never reached', () => {
  expect(rankNotice(byRank('60, 40'), 1)).toBe(
    'Only 1 of the 2 percentages counts, since 1 is chosen. 40% stays in cash.',
  );
  expect(rankNotice(byRank('60, 40'), 3)).toBe('Rank 3 gets nothing.');
  expect(rankNotice(byRank('60, 30'), 5)).toBe('Ranks 3 to 5 get nothing. 10% stays in cash.');
  expect(rankNotice(byRank('60, 40'), 2)).toBeNull();
  expect(rankNotice(byRank('60,40'), 2)).toBeNull();
  expect(rankNotice(byRank('60, 40'), '$N')).toBeNull();
  expect(rankNotice(byRank('60, $W'), 2)).toBeNull();
  expect(rankNotice({ ...byRank('60'), type: 'equal' }, 2)).toBeNull();
});
