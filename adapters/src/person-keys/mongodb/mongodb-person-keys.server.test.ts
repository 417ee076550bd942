import { randomUUID } from 'node:crypto';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import { MONGODB } from '../../../testing/containers.ts';
import { personKeysContract } from '../../../testing/person-keys/contract.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { openMongoPersonKeys } from './mongodb-person-keys.ts';

await onRealServer(MONGODB, (connect) => {
  const database = `keys_${randomUUID().slice(0, 8)}`;
  let url: string;
  let keys: PersonKeys;
  beforeAll(async () => {
    url = await connect();
    keys = await openMongoPersonKeys({ url, database });
  });
  afterAll(async () => {
    await keys?.close();
    const client = await new MongoClient(url).connect();
    await client.db(database).dropDatabase();
    await client.close();
  });

  personKeysContract(
    'mongodb',
    () => keys,
    () => openMongoPersonKeys({ url, database }),
  );
});
