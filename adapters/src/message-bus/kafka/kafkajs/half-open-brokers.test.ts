import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import kafkajs from 'kafkajs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refuseHalfOpenBrokers } from './half-open-brokers.ts';

const API_VERSIONS = 18;

/** A broker that takes connections, and answers what it can do unless it is frozen. */
let server: Server;
let isFrozen: boolean;
let asked: number;
const sockets = new Set<Socket>();
beforeEach(async () => {
  refuseHalfOpenBrokers();
  isFrozen = true;
  asked = 0;
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (request: Buffer) => {
      if (request.readInt16BE(4) !== API_VERSIONS) return;
      asked += 1;
      if (!isFrozen) socket.write(versions(request.readInt32BE(8)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Size, number of the request, no error, one request that it knows (its own), no pause. */
function versions(correlation: number): Buffer {
  const answer = Buffer.alloc(24);
  answer.writeInt32BE(20, 0);
  answer.writeInt32BE(correlation, 4);
  answer.writeInt32BE(1, 10);
  answer.writeInt16BE(API_VERSIONS, 14);
  answer.writeInt16BE(2, 18);
  return answer;
}

it('asks a broker again that gave no answer when it was first met', async () => {
  const { port } = server.address() as { port: number };
  const kafka = new kafkajs.Kafka({
    brokers: [`127.0.0.1:${port}`],
    requestTimeout: 500,
    retry: { retries: 0 },
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await expect(admin.connect()).rejects.toThrow('timed out');
  const before = asked;
  expect(before).toBeGreaterThan(0);
  isFrozen = false;
  await admin.connect();
  expect(asked).toBe(before + 1);
  await vi.waitFor(() => expect([...sockets].filter(({ closed }) => closed)).toHaveLength(before));
  await admin.disconnect();
});
