import { getEventListeners } from 'node:events';
import { Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { streamEvents } from './server-sent-events.ts';

/** A reply to a client that reads, or never does. */
function replyTo({ reads, headers = {} }: { readonly reads: boolean; readonly headers?: object }) {
  let text = '';
  const heads: object[] = [];
  const raw = Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        text += String(chunk);
        if (reads) done();
      },
    }),
    { writeHead: (_status: number, head: object) => heads.push(head) },
  );
  const reply = { hijack: () => undefined, getHeaders: () => headers, raw, log: { error: () => undefined } };
  return { raw, heads, textOf: () => text, reply: reply as unknown as FastifyReply };
}

const follow = (
  reply: FastifyReply,
  most: number,
  isStillLetIn: () => Promise<boolean> = async () => true,
) => {
  let looks = 0;
  const options = {
    event: 'x',
    every: () => 0,
    next: async () => {
      looks += 1;
      return { look: looks, text: 'x'.repeat(4_000) };
    },
    closing: new AbortController().signal,
    isStillLetIn,
    askEveryMs: 0,
    isLast: ({ look }: { look: number }) => look >= most,
  };
  return streamEvents(reply, options).then(() => looks);
};

describe('an event stream', () => {
  it('goes on to the last event for a client that reads', async () => {
    const { reply, raw, textOf } = replyTo({ reads: true });
    expect(await follow(reply, 40)).toBe(40);
    expect(raw.writableEnded).toBe(true);
    expect(textOf().match(/event: x/g)).toHaveLength(40);
  });

  it('is let through to pages of another site, and by proxies that would hold it back', async () => {
    const cors = { 'access-control-allow-origin': 'https://friend.example', vary: 'Origin' };
    const { reply, heads } = replyTo({ reads: true, headers: { ...cors, 'x-none': undefined } });
    await follow(reply, 1);
    expect(heads).toEqual([
      {
        ...cors,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        connection: 'keep-alive',
      },
    ]);
  });

  it('is cut off where its client does not read, before much waits for it', async () => {
    const { reply, raw } = replyTo({ reads: false });
    expect(await follow(reply, 10_000)).toBeLessThan(30);
    expect(raw.destroyed).toBe(true);
  });

  it('leaves nothing behind with the server that goes on', async () => {
    const { reply } = replyTo({ reads: true });
    const closing = new AbortController();
    await streamEvents(reply, {
      event: 'x',
      every: () => 0,
      next: async () => ({ isOver: true }),
      closing: closing.signal,
      isStillLetIn: async () => true,
      isLast: ({ isOver }) => isOver,
    });
    expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  });

  it('ends where the server is about to close, whatever there is to tell', async () => {
    const { reply, raw } = replyTo({ reads: true });
    const closing = new AbortController();
    let looks = 0;
    await streamEvents(reply, {
      event: 'x',
      every: () => 0,
      next: async () => {
        looks += 1;
        if (looks === 3) closing.abort();
        return { looks };
      },
      closing: closing.signal,
      isStillLetIn: async () => true,
      // For a stream that would go on: the test ends all the same.
      isLast: () => looks === 100,
    });
    expect(looks).toBe(3);
    expect(raw.writableEnded).toBe(true);
  });

  it('ends at once for a client that has left before', async () => {
    const { reply, raw } = replyTo({ reads: true });
    raw.destroy();
    expect(await follow(reply, 10_000)).toBe(0);
  });

  it('ends for a client that would be let in no more', async () => {
    const { reply, raw } = replyTo({ reads: true });
    let asked = 0;
    const looks = await follow(reply, 10_000, async () => {
      asked += 1;
      return asked < 5;
    });
    expect(asked).toBe(5);
    expect(looks).toBeLessThan(10_000);
    expect(raw.writableEnded).toBe(true);
  });

  it('sends what has changed, and a sign of life where nothing has for a quarter of a minute', async () => {
    vi.useFakeTimers();
    try {
      const { reply, textOf } = replyTo({ reads: true });
      const began = performance.now();
      const seconds = () => Math.round((performance.now() - began) / 1_000);
      const askedAt: number[] = [];
      const streaming = streamEvents(reply, {
        event: 'x',
        every: () => 1_000,
        next: async () => ({ state: seconds() < 10 ? 'queued' : seconds() < 45 ? 'running' : 'done' }),
        closing: new AbortController().signal,
        isStillLetIn: async () => askedAt.push(seconds()) > 0,
        isLast: ({ state }) => state === 'done',
      });
      const signs: number[] = [];
      for (let second = 0; second < 50; second += 1) {
        const before = textOf().split(': still here').length;
        await vi.advanceTimersByTimeAsync(1_000);
        if (textOf().split(': still here').length > before) signs.push(second + 1);
      }
      await streaming;
      // Counted from the last event, or the last sign.
      expect(signs).toEqual([26, 42]);
      // Whether it may go on is asked seldom, not with each look.
      expect(askedAt).toEqual([21, 42]);
      expect(textOf().match(/data: .*/g)).toEqual(
        ['queued', 'running', 'done'].map((state) => `data: ${JSON.stringify({ state })}`),
      );
    } finally {
      vi.useRealTimers();
    }
  });
});
