import { checkpointName } from '@quantloom/domain/kernel/projection';
import { listingsProjection } from '@quantloom/domain/listing/projection';
import { expect, it } from 'vitest';
import { areListsCatchingUp, USUAL_LAG } from './catching-up.ts';
import type { ReadDeps } from './deps.ts';

/** A log of `events` events that lists take up, of which they have `reached`. */
function stores(events: number, reached: number | null) {
  let [now, reads] = [0, 0];
  const state = { events, reached, isDown: false };
  const deps = {
    clock: { now: () => new Date(now) },
    readModels: {
      checkpoint: async (name: string) => {
        expect(name).toBe(checkpointName(listingsProjection));
        return state.reached === null ? null : BigInt(state.reached - 1);
      },
    },
    eventStore: {
      head: async () => {
        reads += 1;
        if (state.isDown) throw new Error('The log cannot be reached');
        return BigInt(state.events - 1);
      },
      async *readAll(after: bigint, { maxCount }: { maxCount: number }) {
        const left = state.events - 1 - Number(after);
        for (let i = 0; i < Math.min(left, maxCount); i += 1) yield {};
      },
    },
  } as unknown as Pick<ReadDeps, 'readModels' | 'eventStore' | 'clock'>;
  return {
    state,
    ask: () => areListsCatchingUp(deps),
    pass: (ms: number) => {
      now += ms;
    },
    reads: () => reads,
  };
}

it('is silent when the lists hold all, or all but the little of every day', async () => {
  expect(await stores(500, 500).ask()).toBe(false);
  expect(await stores(500, 500 - USUAL_LAG).ask()).toBe(false);
  expect(await stores(0, null).ask()).toBe(false);
});

it('tells when much of the log is to come, and when it is there', async () => {
  const { state, ask, pass, reads } = stores(500, null);
  expect(await ask()).toBe(true);
  state.reached = 500 - USUAL_LAG - 1;
  pass(1_000);
  expect(await ask()).toBe(true);
  state.reached = 500;
  pass(999);
  expect(await ask()).toBe(true);
  expect(reads()).toBe(2);
  pass(1);
  expect(await ask()).toBe(false);
  // A clock that was put back does not keep an answer for as long as it takes to come there again.
  state.reached = null;
  pass(-60_000);
  expect(await ask()).toBe(true);
});

it('does not fail the lists when the log cannot be reached', async () => {
  const { state, ask } = stores(500, null);
  state.isDown = true;
  expect(await ask()).toBe(false);
});
