import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { describe, expect, it } from 'vitest';
import { countUse, takeUse, whoHas } from './counted-use.ts';

const DAY = 86_400_000;
const ANN = { userId: 'ann', planId: 'api', network: '192.0.2.1' } as const;
const free = (userId: string) => ({ userId, planId: 'free', network: '192.0.2.1' }) as const;

describe('what a user takes of a day', () => {
  it('is taken up to the last one that there is, and not one more', async () => {
    const limits = countedLimits();
    const take = (amount: number) => takeUse(limits, 'written', ANN, { amount, most: 100, windowMs: DAY });
    expect(await take(60)).toBeNull();
    expect(await take(41)).toEqual({ left: 40, most: 100, endsInMs: 30_000, isOfNetwork: false });
    expect(await take(40)).toBeNull();
    expect(await take(1)).toMatchObject({ left: 0 });
    // What was refused was not taken.
    expect([...limits.hits.values()]).toEqual([100]);
  });

  it('is counted for each user and each use apart', async () => {
    const limits = countedLimits();
    const all = { amount: 100, most: 100, windowMs: DAY };
    expect(await takeUse(limits, 'written', ANN, all)).toBeNull();
    expect(await takeUse(limits, 'written', { ...ANN, userId: 'annette' }, all)).toBeNull();
    expect(await takeUse(limits, 'changes', ANN, all)).toBeNull();
    expect(await takeUse(limits, 'written', ANN, all)).toMatchObject({ left: 0 });
  });

  it('is given back to the user where the free accounts of his network have too little left', async () => {
    const limits = countedLimits();
    const all = { amount: 100, most: 100, windowMs: DAY };
    let users = 0;
    let refused = null;
    while (refused === null) refused = await takeUse(limits, 'written', free(`u${++users}`), all);
    const most = (users - 1) * 100;
    expect(refused).toEqual({ left: 0, most, endsInMs: 30_000, isOfNetwork: true });
    // Neither the refused user nor the network has less than before.
    expect([...limits.hits.values()].filter((hits) => hits === 100)).toHaveLength(users - 1);
    expect([...limits.hits.values()].sort((a, b) => a - b)).toEqual([0, ...Array(users - 1).fill(100), most]);
    // Who pays has nothing to do with them.
    expect(await takeUse(limits, 'written', ANN, all)).toBeNull();
  });

  it('counts whatever is left where it was used already, and gives back in every window', async () => {
    const limits = countedLimits();
    await countUse(limits, 'written', free('bob'), 500, DAY);
    expect([...limits.hits.values()]).toEqual([500, 500]);
    await countUse(limits, 'written', free('bob'), -500, DAY);
    expect([...limits.hits.values()]).toEqual([0, 0]);
  });

  it('is told as that of the plan or of the network', () => {
    expect(whoHas({ isOfNetwork: false }, 'has')).toBe('your plan has');
    expect(whoHas({ isOfNetwork: false }, 'may write')).toBe('your plan may write');
    expect(whoHas({ isOfNetwork: true }, 'has')).toBe('all free accounts of your network together have');
    expect(whoHas({ isOfNetwork: true }, 'may write')).toBe(
      'all free accounts of your network together may write',
    );
  });
});
