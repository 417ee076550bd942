import { expect, it } from 'vitest';
import { AnswerTurns } from './answer-turns.ts';

const loopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('lets one answer be written at once where nobody waits', async () => {
  const turns = new AnswerTurns();
  let isWritten = false;
  void turns.take('ann').then(() => {
    isWritten = true;
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(isWritten).toBe(true);
});

it('writes one answer in each turn of the event loop, users by turns', async () => {
  const turns = new AnswerTurns();
  const written: string[] = [];
  const write = async (userId: string) => {
    await turns.take(userId);
    written.push(userId);
  };
  const all = ['hostile', 'hostile', 'hostile', 'ann', 'hostile', 'bob'].map(write);
  const byTurn: number[] = [];
  while (written.length < all.length) {
    await loopTurn();
    byTurn.push(written.length);
  }
  expect(written).toEqual(['hostile', 'hostile', 'ann', 'bob', 'hostile', 'hostile']);
  for (const [i, count] of byTurn.entries()) expect(count - (byTurn[i - 1] ?? 1)).toBeLessThanOrEqual(1);
});

it('goes on after everything was written', async () => {
  const turns = new AnswerTurns();
  await Promise.all([turns.take('ann'), turns.take('ann')]);
  await loopTurn();
  await loopTurn();
  await Promise.all([turns.take('bob'), turns.take('ann')]);
});
