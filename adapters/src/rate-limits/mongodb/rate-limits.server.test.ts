import { MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { MONGODB } from '../../../testing/containers.ts';
import { rateLimitsContract } from '../../../testing/rate-limits/contract.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { createMongoRateLimits } from './rate-limits.ts';

await onRealServer(MONGODB, (connect) => {
  const clients: MongoClient[] = [];
  const names = new Set<string>();
  // The suite's clock stands in the past, where the server would remove windows as expired.
  const ahead = Date.now() + 3_600_000;
  let first: number | null = null;
  rateLimitsContract('MongoDB', async ({ now, shared }) => {
    const client = await new MongoClient(await connect()).connect();
    clients.push(client);
    const name = `limits_${shared.slice(0, 8)}`;
    names.add(name);
    first ??= now();
    const began = first;
    return await createMongoRateLimits(client.db(name), () => now() - began + ahead);
  });
  afterAll(async () => {
    for (const name of names) await clients[0]?.db(name).dropDatabase();
    for (const client of clients) await client.close();
  });
});
