// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { RangeBar, scaleOf } from './RangeBar.tsx';

afterEach(cleanup);

it('has one scale for all bars, and none where there is nothing to tell apart', () => {
  expect(scaleOf([0.2, null, -0.1, undefined, 0.05])).toEqual({ from: -0.1, to: 0.2 });
  expect(scaleOf([0.2, null, 0.2])).toBeNull();
  expect(scaleOf([null])).toBeNull();
});

it('reaches from low to high, with marks for zero and for the value', () => {
  const bar = (from: number, low: number | null) => {
    const shown = <RangeBar scale={{ from, to: 30 }} low={low} high={10} mark={20} />;
    return [...render(shown).container.querySelectorAll<HTMLElement>('[style]')].map(
      ({ style }) => style.left,
    );
  };
  expect(bar(-10, -2)).toEqual(['25%', '20%', '75%']);
  // Zero is no mark where it does not lie between the ends.
  expect(bar(0, 0)).toHaveLength(2);
  expect(bar(-10, null)).toEqual([]);
});
