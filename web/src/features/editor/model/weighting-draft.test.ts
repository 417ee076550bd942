import { expect, it } from 'vitest';
import { weightingDraftOf, weightingFault, weightingOf } from './weighting-draft.ts';

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
    expect(weightingOf(weightingDraftOf(stored))).toEqual(stored);
  const thirds = { type: 'by-rank', weights: [{ num: 1, den: 4 }] } as const;
  expect(weightingDraftOf(thirds).weights).toBe('25');
});

it('refuses percentages above 100 together, none at all, and a window of one day', () => {
  const by = (weights: string) => weightingFault({ type: 'by-rank', window: '10', weights });
  expect(by('60, 41')).toBe('The percentages add up to 101%: at most 100%');
  expect(by(' ')).toContain('Enter a percentage for each rank');
  expect(by('60% 40%')).toBeNull();
  expect(by('60, x')).toContain('“x” is not a number');
  expect(weightingFault({ type: 'inverse-volatility', window: '1', weights: '' })).toContain(
    'from 2 to 2000',
  );
});
