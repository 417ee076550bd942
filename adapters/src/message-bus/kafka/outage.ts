import { connect as connectPlain, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Probe } from '../../outages/breaker.ts';
import { PendingQuestion } from '../../outages/pending-question.ts';
import { brokersOf } from './kafka-options.ts';

/** `ApiVersions`, version 0, correlation id 1, client id "q": what a broker answers before it asks for a name. */
const API_VERSIONS = Buffer.from([0, 0, 0, 11, 0, 18, 0, 0, 0, 0, 0, 1, 0, 1, 0x71]);

/**
 * Asks the brokers which requests they know, until the first one answers. Not by the client: it repeats what
 * fails for half a minute.
 *
 * @param brokers `host:port`, several separated by commas
 * @param tls null: a plain connection
 */
export function kafkaProbe(brokers: string, tls: ConnectionOptions | null): Probe {
  const questions = brokersOf(brokers).map(
    (broker) => new PendingQuestion((signal) => ask(broker, tls, signal)),
  );
  return {
    check: async () => {
      try {
        await Promise.any(questions.map((question) => question.answer()));
      } catch (error) {
        const first = (error as AggregateError).errors[0] as Error | undefined;
        throw new Error(`Kafka is not reached (${first?.message ?? 'no broker is named'})`, { cause: error });
      }
    },
    close: async () => {
      for (const question of questions) question.close();
    },
  };
}

function ask(broker: string, tls: ConnectionOptions | null, signal: AbortSignal): Promise<void> {
  const colon = broker.lastIndexOf(':');
  const host = broker.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(broker.slice(colon + 1));
  return new Promise((resolve, reject) => {
    const socket: Socket = tls
      ? connectTls({ servername: host, ...tls, host, port })
      : connectPlain({ host, port });
    const stop = () => socket.destroy(new Error('no answer'));
    signal.addEventListener('abort', stop, { once: true });
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(API_VERSIONS));
    let received = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      if (received.length < 8) return;
      // Its length, then the correlation id: what is not Kafka, or speaks TLS, answers something else.
      if (received.readInt32BE(4) === 1) resolve();
      else reject(new Error(`what answers at ${broker} is no broker, or one that is reached over TLS`));
      socket.destroy();
    });
    socket.once('error', (error) => reject(error));
    socket.once('close', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('the connection was closed'));
    });
    if (signal.aborted) stop();
  });
}
