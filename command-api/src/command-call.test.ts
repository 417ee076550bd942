import { refuse } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { costOfStream } from '@quantloom/domain/limits/cost';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { waitlistStream } from '@quantloom/domain/waitlist/waitlist';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { commandContext, ifMatch, refuseStale, runCommand } from './command-call.ts';
import type { WriteDeps } from './deps.ts';

const asking = (header?: string) =>
  ({
    headers: header === undefined ? {} : { 'if-match': header },
    commandId: ulid(),
    id: 'r1',
  }) as FastifyRequest;

describe('the revision that a caller has seen', () => {
  it.each([
    ['"3"', 3],
    ['W/"3"', 3],
    ['3', 3],
    ['"0"', 0],
    ['*', undefined],
    [undefined, undefined],
  ])('%s means %s', (header, revision) => {
    expect(ifMatch(asking(header))).toBe(revision);
  });

  it('is asked of the command only where one is named', () => {
    const deps = { clock: { now: () => new Date(0) } };
    expect(commandContext(asking('"0"'), null, deps).expectedRevision).toBe(0);
    for (const header of ['*', undefined])
      expect(commandContext(asking(header), null, deps)).not.toHaveProperty('expectedRevision');
  });

  it('is refused before somebody else is asked where it is another one, older or newer', () => {
    for (const header of ['"4"', '*', undefined]) expect(refuseStale(asking(header), 4), header).toBeNull();
    for (const header of ['"3"', '"5"', '"0"'])
      expect(refuseStale(asking(header), 4), header).toMatchObject({
        status: 409,
        code: 'wrong_revision',
        currentRevision: 4,
      });
  });
});

describe('who asks, and by what request', () => {
  const deps = { clock: { now: () => new Date(0) } };

  it('stands in what is written: the id that the caller follows his request by', () => {
    expect(commandContext(asking(), null, deps)).toMatchObject({
      correlationId: 'r1',
      now: '1970-01-01T00:00:00.000Z',
      actor: { kind: 'system', name: 'visitor' },
    });
  });
});

describe('reading a long stream from its start', () => {
  const spent = refuse(429, 'cost_limit', 'The budget is spent.');
  /** What a command on a stream is charged that holds so many bytes up to a revision. */
  async function charged(
    stored: { readonly bytes: number; readonly _revision: number } | null,
    { isAtHand = false, hasBudget = true } = {},
  ) {
    const charges: number[] = [];
    const expectCost = async (milliseconds: number) => {
      charges.push(milliseconds);
      return hasBudget ? null : spent;
    };
    const eventStore = new MemoryEventStore();
    const stateCache = new StateCache();
    const deps = {
      eventStore,
      stateCache,
      readModels: { get: async () => stored },
      clock: { now: () => new Date(0) },
      newId: ulid,
    } as unknown as WriteDeps;
    const run = async () => {
      const request = { ...asking(), cost: { expect: expectCost } } as unknown as FastifyRequest;
      const call = { request, reply: { header: () => undefined } as unknown as FastifyReply, visitor: null };
      const command = { type: 'JoinWaitlist', email: 'a@example.com' } as const;
      return await runCommand(call, deps, waitlistStream, 'w1', command);
    };
    if (isAtHand) await run();
    charges.length = 0;
    const result = await run();
    return { charges, result, head: await eventStore.head() };
  }

  it('is charged from a million characters on, and nothing below', async () => {
    const charge = async (bytes: number) => (await charged({ bytes, _revision: 500 })).charges;
    expect(await charge(1_000_000)).toEqual([]);
    expect(await charge(1_000_001)).toEqual([costOfStream(1_000_001)]);
    expect((await charged(null)).charges).toEqual([]);
  });

  it('counts no trees that are stored by themselves: 20,000 characters an event at most', async () => {
    expect((await charged({ bytes: 50_000_000, _revision: 59 })).charges).toEqual([costOfStream(1_200_000)]);
    expect((await charged({ bytes: 50_000_000, _revision: 49 })).charges).toEqual([]);
  });

  it('costs nothing where the state is at hand', async () => {
    expect((await charged({ bytes: 5_000_000, _revision: 500 }, { isAtHand: true })).charges).toEqual([]);
  });

  it('is not done where the budget is spent', async () => {
    const { result, head } = await charged({ bytes: 5_000_000, _revision: 500 }, { hasBudget: false });
    expect(result).toEqual(spent);
    expect(head).toBe(-1n);
  });
});
