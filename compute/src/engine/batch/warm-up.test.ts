import { expect, test } from 'vitest';
import { warmUp } from './warm-up.ts';

test('warming up runs to its end in many small steps', () => {
  const steps = [...warmUp()];
  expect(steps.length).toBeGreaterThan(10);
});
