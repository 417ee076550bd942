import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { limitConnections, UNANSWERED_REQUESTS } from './connection-limits.ts';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const open: Socket[] = [];
let server: Server;
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** A server that keeps its answers back until it is told; what it was given to do. */
async function startServer(options: Parameters<typeof limitConnections>[1]) {
  const begun: (() => void)[] = [];
  server = createServer((request, response) => {
    if (isAdmitted(request, response)) begun.push(() => response.end('done'));
  });
  const isAdmitted = limitConnections(server, options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return begun;
}

async function connected(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}
/** `once` would reject: what is cut may be reset. */
const closed = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));
/** When the server has only so many connections left. */
const left = (most: number) =>
  new Promise<void>((resolve) => {
    const look = () => server.getConnections((_, count) => (count <= most ? resolve() : setImmediate(look)));
    look();
  });

describe('requests that are sent ahead on one connection', () => {
  it('are worked on up to a number; with more the connection is cut', async () => {
    const begun = await startServer({ isBehindProxy: true });
    const socket = await connected();
    socket.write(REQUEST.repeat(1_500));
    await closed(socket);
    expect(begun).toHaveLength(UNANSWERED_REQUESTS);
  });

  it('are without end where each comes after an answer', async () => {
    const begun = await startServer({ isBehindProxy: true });
    const socket = await connected();
    for (let i = 1; i <= 3 * UNANSWERED_REQUESTS; i += 1) {
      const answered = once(socket, 'data');
      const asked = once(server, 'request');
      socket.write(REQUEST);
      await asked;
      begun.at(-1)?.();
      await answered;
    }
    expect(begun).toHaveLength(3 * UNANSWERED_REQUESTS);
  });
});

describe('connections of one network', () => {
  it('are kept up to a number, and further ones when some have gone', async () => {
    await startServer({ isBehindProxy: false, connectionsPerNetwork: 3 });
    const kept = [await connected(), await connected(), await connected()];
    await closed(await connected());
    kept[0]?.destroy();
    await left(2);
    const next = await connected();
    const answered = once(server, 'request');
    next.write(REQUEST);
    await answered;
  });

  it('are counted as long as one of them is kept', async () => {
    await startServer({ isBehindProxy: false, connectionsPerNetwork: 2 });
    const first = await connected();
    await connected();
    first.destroy();
    await left(1);
    const next = await connected();
    const answered = once(server, 'request');
    next.write(REQUEST);
    await answered;
    await closed(await connected());
  });

  it('are not counted where all come from a proxy', async () => {
    const begun = await startServer({ isBehindProxy: true, connectionsPerNetwork: 1 });
    for (let i = 0; i < 3; i += 1) {
      const asked = once(server, 'request');
      (await connected()).write(REQUEST);
      await asked;
    }
    expect(begun).toHaveLength(3);
  });
});
