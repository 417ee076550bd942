import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const LIMITS = { inFlight: 2, waiting: 1 };

async function taken(turns: Turns, key: string): Promise<() => void> {
  const end = await turns.take(key, LIMITS);
  if (end === null) throw new Error('no turn');
  return end;
}

describe('turns of a user', () => {
  it('run so many at a time, let so many wait and refuse the rest', async () => {
    const turns = new Turns();
    const [first] = await Promise.all([taken(turns, 'ann'), taken(turns, 'ann')]);
    const order: string[] = [];
    const third = taken(turns, 'ann').then(() => order.push('third'));
    expect(await turns.take('ann', LIMITS)).toBeNull();
    expect(order).toEqual([]);
    first?.();
    await third;
    expect(order).toEqual(['third']);
  });

  it('do not make another user wait', async () => {
    const turns = new Turns();
    await Promise.all([taken(turns, 'ann'), taken(turns, 'ann')]);
    await expect(taken(turns, 'bob')).resolves.toBeTypeOf('function');
  });

  it('end once, however often it is said', async () => {
    const turns = new Turns();
    const [first] = await Promise.all([taken(turns, 'ann'), taken(turns, 'ann')]);
    first?.();
    first?.();
    await taken(turns, 'ann');
    const waiting = turns.take('ann', LIMITS);
    expect(await turns.take('ann', LIMITS)).toBeNull();
    expect(waiting).toBeInstanceOf(Promise);
  });

  it('leave the line with whoever leaves', async () => {
    const turns = new Turns();
    await Promise.all([taken(turns, 'ann'), taken(turns, 'ann')]);
    const gone = new AbortController();
    const waiting = turns.take('ann', LIMITS, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = turns.take('ann', LIMITS);
    expect(await turns.take('ann', LIMITS)).toBeNull();
    expect(next).toBeInstanceOf(Promise);
  });

  it('come in the order in which they were asked for', async () => {
    const turns = new Turns();
    const limits = { inFlight: 1, waiting: 3 };
    const first = await turns.take('ann', limits);
    const order: string[] = [];
    const take = async (name: string) => {
      const end = await turns.take('ann', limits);
      order.push(name);
      end?.();
    };
    const all = ['second', 'third', 'fourth'].map(take);
    first?.();
    await Promise.all(all);
    expect(order).toEqual(['second', 'third', 'fourth']);
  });

  it('go to whoever waits next where the one before has left', async () => {
    const turns = new Turns();
    const limits = { inFlight: 1, waiting: 3 };
    const end = await turns.take('ann', limits);
    const gone = new AbortController();
    const left = turns.take('ann', limits, gone.signal);
    const next = turns.take('ann', limits);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    end?.();
    expect(await next).toBeTypeOf('function');
  });
});

it('is not waited for by whoever has left already', { timeout: 5_000 }, async () => {
  const turns = new Turns();
  const limits = { inFlight: 1, waiting: 1 };
  await turns.take('left', limits);
  await expect(turns.take('left', limits, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
