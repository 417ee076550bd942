import { expect, it, vi } from 'vitest';
import { PendingQuestion } from './pending-question.ts';

it('is asked once for all who ask meanwhile, and anew when it has been answered', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const question = new PendingQuestion(async () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
  });
  const first = [question.answer(), question.answer()];
  expect(gates).toHaveLength(1);
  gates[0]?.resolve();
  await Promise.all(first);
  const refused = question.answer();
  expect(gates).toHaveLength(2);
  gates[1]?.reject(new Error('refused'));
  await expect(refused).rejects.toThrow('refused');
  const third = question.answer();
  expect(gates).toHaveLength(3);
  gates[2]?.resolve();
  await third;
});

it('is given up after its limit, and when it is closed', async () => {
  const asked = vi.fn(
    (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
      }),
  );
  const lost = new PendingQuestion(asked, 5);
  await expect(lost.answer()).rejects.toThrow('given up');
  const closed = new PendingQuestion(asked, 600_000);
  const answer = closed.answer();
  closed.close();
  await expect(answer).rejects.toThrow('given up');
  expect(asked).toHaveBeenCalledTimes(2);
});
