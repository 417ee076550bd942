import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpSource } from './http-source.ts';

const requests: string[] = [];
let isLimited = true;
const server = createServer((request, response) => {
  requests.push(String(request.url));
  response.writeHead(isLimited ? 429 : 200, isLimited ? { 'retry-after': '600' } : {}).end('prices');
  isLimited = false;
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('keeps every request back for as long as one of them was told to wait', async () => {
  const waits: number[] = [];
  const source = new HttpSource({
    name: 'Somebody',
    requestsPerHour: 1_000,
    concurrency: 1,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  const { port } = server.address() as AddressInfo;
  const get = async (name: string) =>
    (await source.get(new URL(`http://127.0.0.1:${port}/${name}`)))?.toString();
  expect([await get('one'), await get('two')]).toEqual(['prices', 'prices']);
  expect(requests).toEqual(['/one', '/one', '/two']);
  // Time stands still here: who was told waits that long, then sees what is left of it, and so does the next.
  expect(waits[0]).toBe(600_000);
  expect(waits).toHaveLength(3);
  for (const wait of waits) expect(wait).toBeGreaterThan(300_000);
});
