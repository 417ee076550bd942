import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { MONGODB } from '../../../testing/containers.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { Breaker } from '../../outages/breaker.ts';
import { guarded } from '../../outages/guard.ts';
import { openMongoPersonKeys } from '../../person-keys/mongodb/mongodb-person-keys.ts';
import { openMongoRateLimits } from '../../rate-limits/mongodb/rate-limits.ts';
import { openMongoReadModels } from './mongodb-read-models.ts';
import { isMongoOutage, mongoProbe } from './outage.ts';

const FROZEN_MS = 12_000;
/**
 * What one process may cost a server in that time: one for each of the four calls that were under way, which is
 * tried again when its time is over; one of each of its three clients, which look whether the server is well;
 * and two of whoever watches the server.
 */
const MOST_CONNECTIONS = 9;

/** A server behind it seems frozen at will: it takes connections and what is sent, and answers nothing. */
async function openFreezer(port: number, host: string) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let taken = 0;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    taken += 1;
    const far = connectTo(port, host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => other.write(chunk));
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isFrozen) one.pause();
      else one.resume();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

await onRealServer(MONGODB, (connect) => {
  it('costs a frozen server few connections, and goes on when it wakes up', async () => {
    const real = new URL(await connect());
    const freezer = await openFreezer(Number(real.port), real.hostname);
    const url = `mongodb://127.0.0.1:${freezer.port}/?directConnection=true`;
    const database = `frozen_${randomUUID().slice(0, 8)}`;
    const breaker = new Breaker({
      dependency: 'readModels',
      probe: mongoProbe(url),
      isOutage: isMongoOutage,
    });
    const opened = await openMongoReadModels({ url, database, epoch: () => breaker.epoch });
    const keys = await openMongoPersonKeys({ url, database });
    const { rateLimits, close } = await openMongoRateLimits({ url, database });
    const models = guarded(opened, breaker);
    const limits = guarded(rateLimits, breaker);
    let isOver = false;
    let workers: readonly Promise<void>[] = [];
    try {
      await models.ensureCollection({ name: 'things_v1', indexes: [] });
      const work = async (name: string) => {
        const position = await models.checkpoint(name);
        await models.commit(name, {
          expected: position,
          next: (position ?? 0n) + 1n,
          writes: [{ collection: 'things_v1', put: { id: name, _revision: 0, _position: '1' } }],
        });
        await limits.hit(name, 60_000);
        await guarded(keys, breaker).keyFor(name);
      };
      let rounds = 0;
      workers = ['a', 'b', 'c', 'd'].map(async (name) => {
        while (!isOver) {
          await breaker.untilBack(AbortSignal.timeout(60_000));
          await work(name).catch((error: Error & { readonly code?: unknown }) => {
            // What had reached the server before it froze is carried out as it wakes up: as a runner of a
            // projection does, this goes on from the checkpoint that is then stored.
            const isOvertaken = error.code === 'checkpoint_conflict';
            if (error.name !== 'DependencyAwayError' && !isOvertaken) throw error;
          });
          rounds += 1;
        }
      });
      await expect.poll(() => rounds).toBeGreaterThan(20);
      freezer.freeze();
      const before = freezer.taken();
      await expect.poll(() => breaker.outage).not.toBeNull();
      await pause(FROZEN_MS);
      expect(breaker.outage).not.toBeNull();
      expect(freezer.taken() - before).toBeLessThanOrEqual(MOST_CONNECTIONS);
      const frozenAt = rounds;
      freezer.thaw();
      await expect.poll(() => breaker.outage).toBeNull();
      await expect.poll(() => rounds).toBeGreaterThan(frozenAt + 20);
      isOver = true;
      await Promise.all(workers);
    } finally {
      // Whatever went wrong: nobody is left at work when the clients are closed.
      isOver = true;
      freezer.thaw();
      await Promise.allSettled(workers);
      await breaker.close();
      await Promise.all([opened.close(), keys.close(), close()]);
      freezer.close();
      const client = await new MongoClient(real.href).connect();
      await client.db(database).dropDatabase();
      await client.close();
    }
  }, 120_000);
});
