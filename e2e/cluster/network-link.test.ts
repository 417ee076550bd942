import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NetworkLink } from './network-link.ts';

describe('NetworkLink', () => {
  /** Sends everything back. */
  let echo: Server;
  let link: NetworkLink;
  beforeAll(async () => {
    echo = createServer((socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    link = await NetworkLink.to({ host: '127.0.0.1', port: (echo.address() as { port: number }).port });
  });
  afterAll(async () => {
    await link.close();
    echo.close();
  });

  function client() {
    const socket = connect(link.port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    return { socket, heard: () => heard };
  }

  it('holds back what is sent over a cut, on old and new connections, and delivers it afterwards', async () => {
    const old = client();
    old.socket.write('before ');
    await vi.waitFor(() => expect(old.heard()).toBe('before '), 30_000);
    link.cut();
    const fresh = client();
    old.socket.write('meanwhile');
    fresh.socket.write('hello');
    // The echo over a whole connection shows that the time was enough.
    const direct = connect((echo.address() as { port: number }).port, '127.0.0.1');
    direct.write('x');
    await once(direct, 'data');
    direct.destroy();
    expect([old.heard(), fresh.heard(), old.socket.readyState]).toEqual(['before ', '', 'open']);
    link.heal();
    await vi.waitFor(
      () => expect([old.heard(), fresh.heard()]).toEqual(['before meanwhile', 'hello']),
      30_000,
    );
    old.socket.end();
    fresh.socket.end();
    await vi.waitFor(() => expect(link.connections).toBe(0), 30_000);
  });

  it('passes on more than its buffers hold', async () => {
    const text = 'x'.repeat(5_000_000);
    const { socket, heard } = client();
    socket.write(text);
    await vi.waitFor(() => expect(heard()).toHaveLength(text.length), 10_000);
    socket.destroy();
  });
});
