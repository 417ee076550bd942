import { EventEmitter } from 'node:events';
import { bytesOf, USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import { refuseWithoutRoom } from './stored-bytes.ts';

const user = { userId: 'ada', planId: 'free' } as const;
/** Room for one of these, and not for two. */
const events = [{ type: 'Made', data: { text: 'x'.repeat(4_000) } }];
const readModels = {
  sum: async () => bytesOf(USE_LIMITS.free.storedMegabytes) - 6_000,
  get: async () => null,
} as unknown as ReadModels;

function request() {
  const raw = new EventEmitter();
  const asked = () =>
    refuseWithoutRoom({ readModels }, user, 'thing-1', events, { raw } as unknown as FastifyReply);
  return { raw, asked };
}

it.each(['finish', 'close'])(
  'holds what is let through against its user until the answer has gone: %s',
  async (end) => {
    const [one, other, later] = [request(), request(), request()];
    expect(await one.asked()).toBeNull();
    expect(await other.asked()).toMatchObject({ status: 413, code: 'storage_full' });
    one.raw.emit(end);
    expect(await later.asked()).toBeNull();
    // Both come in the end; it is given back once.
    one.raw.emit('finish');
    one.raw.emit('close');
    expect(await request().asked()).toMatchObject({ status: 413 });
    later.raw.emit('close');
  },
);

it('holds nothing of what was refused', async () => {
  const two = [...events, ...events];
  const { raw } = request();
  const refused = await refuseWithoutRoom({ readModels }, user, 'thing-1', two, {
    raw,
  } as unknown as FastifyReply);
  expect(refused).toMatchObject({ status: 413, data: { left_bytes: 6_000 } });
  const next = request();
  expect(await next.asked()).toBeNull();
  next.raw.emit('close');
});
