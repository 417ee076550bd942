import { expect, it } from 'vitest';
import { writeInPieces } from './written-in-pieces.ts';

it('is the answer as JSON, whatever stands beside the list', async () => {
  for (const answer of [
    {
      rows: [
        [1, null],
        ['a"b', -0.5],
      ],
      total: 2,
      next: null,
      missing: undefined,
    },
    { rows: [], total: 0 },
    { rows: [{ value: [1, 2] }] },
  ]) {
    const { text, isWritten } = await writeInPieces(answer, 'rows');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(isWritten).toBe(true);
  }
});

it('lets others come first between two pieces', async () => {
  const rows = Array.from({ length: 10 }, () => 'x'.repeat(60_000));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { text } = await writeInPieces({ rows }, 'rows');
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(text).toBe(JSON.stringify({ rows }));
});
