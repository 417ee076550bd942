/**
 * The stand-in of EventStoreDB as a process of its own: prints its connection string.
 *
 *   node adapters/testing/serve-stand-in.ts [eventstore|kurrent] [ms of delay] [ms that an append takes the writer]
 */
import type { EventStoreClientName } from '../src/event-store/eventstoredb/server-client.ts';
import { StandInServer } from './event-store/eventstoredb/stand-in-server.ts';

const [client = 'eventstore', delay = '0', append = '0'] = process.argv.slice(2);
const server = new StandInServer({ client: client as EventStoreClientName });
const url = await server.start();
server.delayMs = Number(delay);
server.appendMs = Number(append);
console.log(url);
