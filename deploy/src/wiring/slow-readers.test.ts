import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { cutSlowReaders } from './slow-readers.ts';

let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

async function asked(answer: RequestListener) {
  server = createServer(answer);
  cutSlowReaders(server, { bytesPerSecond: 4_096, patienceMs: 300 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [socket] = (await connected) as [Socket];
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return socket;
}
/** More than the system keeps by itself. */
const LARGE = Buffer.alloc(64 * 1024 ** 2);
const STEP = 4 * 1024 ** 2;

describe('somebody who takes an answer', () => {
  it.each([
    ['in one piece', ((_, response) => response.end(LARGE)) satisfies RequestListener],
    [
      'as a stream',
      ((_, response) => {
        for (let i = 0; i < 64; i += 1) response.write(LARGE.subarray(0, 1024 ** 2));
      }) satisfies RequestListener,
    ],
  ])('and reads nothing of it, %s, is cut', async (_, answer) => {
    const socket = await asked(answer);
    client.pause();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  it('slowly, but on and on, gets all of it', async () => {
    const socket = await asked((_, response) => response.end(LARGE));
    let isCut = false;
    let size = 0;
    socket.once('close', () => {
      isCut = size < LARGE.length;
    });
    client.on('data', (piece: Buffer) => {
      // A pause after each of a few megabytes.
      const isAtStep = Math.floor((size + piece.length) / STEP) > Math.floor(size / STEP);
      size += piece.length;
      if (!isAtStep) return;
      client.pause();
      setTimeout(() => client.resume(), 50);
    });
    await expect.poll(() => size, { timeout: 50_000 }).toBeGreaterThan(LARGE.length);
    expect(isCut).toBe(false);
  });

  it('that is long in coming is not cut meanwhile', async () => {
    const socket = await asked((_, response) => {
      response.write('begun');
      setTimeout(() => response.end('done'), 1_200);
    });
    let text = '';
    client.on('data', (piece: Buffer) => {
      text += piece;
    });
    await expect.poll(() => text, { timeout: 10_000 }).toContain('done');
    expect(socket.destroyed).toBe(false);
  });
});
