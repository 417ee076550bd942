import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { MONGODB } from '../../../testing/containers.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { openMongoReadModels } from './mongodb-read-models.ts';

await onRealServer(MONGODB, (connect) => {
  it('gives up a call whose answer never comes, closes its connection, and asks once more', async () => {
    const url = new URL(await connect());
    const database = `deadline_${randomUUID().slice(0, 8)}`;
    const connections: { isLost: boolean }[] = [];
    const link = createServer((near) => {
      const far = connectTo(Number(url.port), url.hostname);
      const connection = { isLost: false };
      connections.push(connection);
      near.on('data', (chunk) => far.write(chunk));
      far.on('data', (chunk) => void (connection.isLost || near.write(chunk)));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => undefined);
        one.once('close', () => other.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(link, 'listening');
    const models = await openMongoReadModels({
      url: `mongodb://127.0.0.1:${(link.address() as AddressInfo).port}/?directConnection=true`,
      database,
      callDeadlineMs: 500,
    });
    try {
      await models.ensureCollection({ name: 'things_v1', indexes: [] });
      const document = { id: 'a', _revision: 0, _position: '1' };
      await models.put('things_v1', document);
      expect(await models.get('things_v1', 'a')).toMatchObject(document);
      const loseAll = () => {
        for (const connection of connections) connection.isLost = true;
      };
      loseAll();
      expect(await models.get('things_v1', 'a')).toMatchObject(document);
      loseAll();
      expect(await models.find('things_v1')).toHaveLength(1);
      loseAll();
      expect(await models.checkpoint('p')).toBeNull();
      loseAll();
      await models.put('things_v1', { ...document, _revision: 1 });
      expect(await models.get('things_v1', 'a')).toMatchObject({ _revision: 1 });
    } finally {
      await models.close();
      link.close();
      const client = await new MongoClient(url.href).connect();
      await client.db(database).dropDatabase();
      await client.close();
    }
  });
});
