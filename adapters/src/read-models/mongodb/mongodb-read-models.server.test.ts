import { randomUUID } from 'node:crypto';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { MongoClient } from 'mongodb';
import { MONGODB } from '../../../testing/containers.ts';
import { readModelsContract } from '../../../testing/read-models/contract.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { openMongoReadModels } from './mongodb-read-models.ts';

await onRealServer(MONGODB, (connect) =>
  readModelsContract('mongodb', async () => {
    const url = await connect();
    const database = `contract_${randomUUID().slice(0, 8)}`;
    const opened: ReadModels[] = [];
    const open = async () => {
      const models = await openMongoReadModels({ url, database });
      opened.push(models);
      return models;
    };
    return {
      models: await open(),
      openAnother: open,
      async stop() {
        for (const models of opened) await models.close();
        const client = await new MongoClient(url).connect();
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  }),
);
