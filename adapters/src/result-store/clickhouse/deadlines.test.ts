import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ClickHouseConnection } from './clickhouse-connection.ts';
import { isClickHouseOutage } from './outage.ts';

let server: Server;
let connection: ClickHouseConnection;
afterEach(async () => {
  await connection.close();
  server.closeAllConnections();
  server.close();
});

it('gives up rows that do not come, once, and closes the connection', async () => {
  let asked = 0;
  const left = Promise.withResolvers<void>();
  server = createServer((request) => {
    asked += 1;
    request.socket.once('close', () => left.resolve());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  connection = new ClickHouseConnection({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database: 'default',
    retries: 6,
    rowsDeadlineMs: 300,
  });
  const error = await connection.rows('SELECT 1').catch((caught: unknown) => caught);
  expect(String(error)).toContain('has not answered within');
  expect(isClickHouseOutage(error)).toBe(true);
  await left.promise;
  expect(asked).toBe(1);
});
