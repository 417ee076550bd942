import { expect, test } from 'vitest';
import { touchMemory } from './fast-path.ts';
import { warmUp } from './warm-up.ts';

test('warming up runs to its end in many small steps', () => {
  const steps = [...warmUp()];
  expect(steps.length).toBeGreaterThan(10);
});

test('memory that was touched is given back: much more of it than there is can be touched in turn', () => {
  const bytes = 64 * 1024 * 1024;
  for (let touched = 0; touched < 4.5 * 1024 ** 3; touched += bytes)
    for (const step of touchMemory(bytes)) void step;
});
