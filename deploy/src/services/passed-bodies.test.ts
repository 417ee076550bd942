import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bodyToPass } from './passed-bodies.ts';

/** What has to come within a window. */
const EARNED = 2_000;
const LIMITS = { bytesPerSecond: 10_000, windowMs: 200 };
const BEGINNING = 100_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Sends a large beginning and then so many pieces of one size, each some time after the one before.
 *
 * @returns how much of it was passed on, and the status that it was given up with
 */
async function sent(size: number, count: number, everyMs: number) {
  const body = new Readable({ read: () => undefined });
  const got: { bytes: number; status: unknown } = { bytes: 0, status: null };
  const taking = (async () => {
    try {
      for await (const chunk of await bodyToPass(body, LIMITS)) got.bytes += (chunk as Buffer).length;
    } catch (error) {
      got.status = (error as { readonly statusCode?: unknown }).statusCode;
    }
  })();
  /** Until whoever takes it waits for more. */
  const settled = async () => {
    for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
  };
  body.push(Buffer.alloc(BEGINNING));
  for (let i = 0; i < count; i += 1) {
    await settled();
    vi.advanceTimersByTime(everyMs);
    body.push(Buffer.alloc(size));
  }
  await settled();
  body.push(null);
  await taking;
  return got;
}

it('gives up a body whose rest trickles, whatever its beginning has earned', async () => {
  const { bytes, status } = await sent(1, 30, 20);
  expect(status).toBe(408);
  expect(bytes).toBeLessThan(BEGINNING + 10);
});

it('passes on what keeps the pace, however long it takes altogether', async () => {
  const whole = (size: number, count: number) => ({ bytes: BEGINNING + size * count, status: null });
  expect(await sent(EARNED, 30, 190)).toEqual(whole(EARNED, 30));
  expect(await sent(EARNED / 10, 100, 19)).toEqual(whole(EARNED / 10, 100));
});

it('gives up what stays below it, and what falls silent', async () => {
  expect((await sent(EARNED / 10 - 1, 100, 20)).status).toBe(408);
  expect((await sent(EARNED, 1, 200)).status).toBe(408);
});
