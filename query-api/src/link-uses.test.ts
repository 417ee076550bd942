import { createMemoryRateLimits } from '@quantloom/adapters/rate-limits/memory/rate-limits';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { CostGate } from '@quantloom/http/costs';
import { expect, it } from 'vitest';
import { type LinkUse, payForLinkUse } from './link-uses.ts';

const readModels = {
  get: async (_: string, id: string) => (id === 'ann' ? { planId: 'api' } : null),
} as unknown as ReadModels;
const BUDGET = USE_LIMITS.api.costPerMinute * 1_000;

function start() {
  const rateLimits = createMemoryRateLimits();
  const parts = { readModels, rateLimits, costs: new CostGate({ rateLimits }) };
  const use = (signature: string, more: Partial<LinkUse> = {}) =>
    payForLinkUse(parts, { signature, lastsMs: 60_000, ownerId: 'ann', cost: () => BUDGET / 5, ...more });
  const paid = async (user: string) => (await rateLimits.hit(`cost:${user}`, 60_000, 0)).hits;
  return { use, paid };
}

it('costs nothing more the first time, since whoever had the link made has paid', async () => {
  const { use, paid } = start();
  for (const signature of ['a', 'b', 'c']) expect(await use(signature)).toBe(true);
  expect(await paid('ann')).toBe(0);
});

it('is paid for by its owner each further time, up to half of what he has a minute', async () => {
  const { use, paid } = start();
  const uses = [];
  for (let i = 0; i < 5; i += 1) uses.push(await use('a'));
  expect(uses).toEqual([true, true, true, false, false]);
  expect(await paid('ann')).toBe((2 * BUDGET) / 5);
  // Another link that was paid for is good meanwhile.
  expect(await use('b')).toBe(true);
});

it('is paid for as on the smallest plan by whom nobody knows', async () => {
  const { use } = start();
  const cost = async () => USE_LIMITS.free.costPerMinute * 400;
  expect(await use('a', { ownerId: 'bob', cost })).toBe(true);
  expect(await use('a', { ownerId: 'bob', cost })).toBe(true);
  expect(await use('a', { ownerId: 'bob', cost })).toBe(false);
});

it('is free where nothing is counted', async () => {
  const use = { signature: 'a', lastsMs: 1, ownerId: 'ann', cost: () => BUDGET };
  for (let i = 0; i < 3; i += 1)
    expect(await payForLinkUse({ readModels, rateLimits: undefined, costs: null }, use)).toBe(true);
});

it('is free where nothing costs anything, or nobody counts how often a link is used', async () => {
  const rateLimits = createMemoryRateLimits();
  const costs = new CostGate({ rateLimits });
  const use = { signature: 'a', lastsMs: 60_000, ownerId: 'ann', cost: () => 2 * BUDGET };
  for (let i = 0; i < 3; i += 1) {
    expect(await payForLinkUse({ readModels, rateLimits, costs: null }, use)).toBe(true);
    expect(await payForLinkUse({ readModels, rateLimits: undefined, costs }, use)).toBe(true);
  }
});

it('remembers a link for as long as it is good', async () => {
  const windows: number[] = [];
  const counting = createMemoryRateLimits();
  const rateLimits: typeof counting = {
    ...counting,
    hit: (key, windowMs, amount) => {
      if (key.startsWith('link:')) windows.push(windowMs);
      return counting.hit(key, windowMs, amount);
    },
  };
  const use = { signature: 'a', lastsMs: 3_600_000, ownerId: 'ann', cost: () => 1 };
  await payForLinkUse({ readModels, rateLimits, costs: new CostGate({ rateLimits }) }, use);
  expect(windows).toEqual([3_600_000]);
});
