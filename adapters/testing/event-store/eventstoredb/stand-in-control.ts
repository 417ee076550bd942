import { createServer } from 'node:http';
import { ELECTING, NO_LEADER, type StandInServer, TOO_BUSY } from './stand-in-server.ts';

const REFUSALS = { electing: ELECTING, 'no-leader': NO_LEADER, 'too-busy': TOO_BUSY };

/** What a stand-in that is a process of its own can be told to do. */
export interface StandInOrders {
  /** Every call waits this long, in ms. */
  readonly delayMs: number;
  /** What every call is answered with; null: what it asks for. */
  readonly refusal: keyof typeof REFUSALS | null;
}

/** Takes orders by PUT on a port of loopback; resolves when it listens. Orders hold until the process ends. */
export async function serveControl(server: StandInServer, port: number): Promise<void> {
  const control = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { delayMs, refusal } = JSON.parse(text) as StandInOrders;
    server.delayMs = delayMs;
    server.refusesAll = refusal === null ? null : REFUSALS[refusal];
    response.end();
  });
  await new Promise<void>((resolve, reject) => {
    control.once('error', reject);
    control.listen(port, '127.0.0.1', resolve);
  });
}
