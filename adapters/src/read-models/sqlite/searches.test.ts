import { expect, it } from 'vitest';
import { Searches } from './searches.ts';

it('tells everybody who waits where its thread cannot work, and begins anew with the next search', async () => {
  const took: number[] = [];
  const searches = new Searches('/nowhere/at-all/app.db', (milliseconds) => took.push(milliseconds));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const both = await Promise.allSettled([searches.rows('SELECT 1', []), searches.rows('SELECT 2', [])]);
    for (const outcome of both)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('unable to open') },
      });
  }
  expect(took).toEqual([]);
  await searches.close();
});
