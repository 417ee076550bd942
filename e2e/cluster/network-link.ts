import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A way over loopback to a port of this machine, that can be cut. A cut link behaves as a network that drops
 * everything: connections stay open on both ends, nothing passes, new ones get no answer, and what was sent
 * meanwhile arrives when the link is whole again (as TCP sends it again) unless an end has given up. Needs no rights.
 */
export class NetworkLink {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #answersOf: (ownPort: number) => (chunk: Buffer) => Buffer;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [near: Socket, far: Socket]>();
  /** Accepted during a cut. */
  readonly #waiting = new Set<Socket>();
  #isCut = false;
  #taken = 0;

  private constructor(
    target: { readonly host: string; readonly port: number },
    answersOf: (ownPort: number) => (chunk: Buffer) => Buffer,
  ) {
    this.#target = target;
    this.#answersOf = answersOf;
    this.#server = createServer({ pauseOnConnect: true }, (near) => this.#accept(near));
  }

  /**
   * @param answersOf what is done with the bytes that come back on a connection, given the link's own port
   * (default: nothing)
   */
  static async to(
    target: { readonly host: string; readonly port: number },
    answersOf: (ownPort: number) => (chunk: Buffer) => Buffer = () => (chunk) => chunk,
  ): Promise<NetworkLink> {
    const link = new NetworkLink(target, answersOf);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Connections that were made so far, during cuts too. */
  get taken(): number {
    return this.#taken;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  heal(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
    for (const near of this.#waiting) this.#join(near);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const near of this.#waiting) near.destroy();
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await once(this.#server, 'close');
  }

  #accept(near: Socket): void {
    this.#taken += 1;
    near.on('error', () => near.destroy());
    if (!this.#isCut) this.#join(near);
    else {
      this.#waiting.add(near);
      near.once('close', () => this.#waiting.delete(near));
    }
  }

  #join(near: Socket): void {
    if (near.destroyed) return;
    const far = connect(this.#target);
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    this.#forward(near, far, (chunk) => chunk);
    this.#forward(far, near, this.#answersOf(this.port));
    for (const [one, other] of [pair, [far, near] as const]) {
      // Whatever ends one side ends the other; the reason is not for a network to know.
      one.on('error', () => other.destroy());
      one.once('close', () => {
        other.destroy();
        this.#pairs.delete(pair);
      });
    }
  }

  #forward(from: Socket, to: Socket, change: (chunk: Buffer) => Buffer): void {
    from.on('data', (chunk: Buffer) => {
      const bytes = change(chunk);
      if (bytes.length === 0 || to.write(bytes)) return;
      from.pause();
      to.once('drain', () => {
        if (!this.#isCut) from.resume();
      });
    });
    from.once('end', () => to.end());
    if (this.#isCut) from.pause();
    else from.resume();
  }
}
