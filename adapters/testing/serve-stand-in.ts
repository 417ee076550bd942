/**
 * The stand-in of EventStoreDB as a process of its own: prints its connection string.
 *
 *   node adapters/testing/serve-stand-in.ts [eventstore|kurrent] [ms of delay] [ms that an append takes the writer]
 *     [--port P]     a port of its own choice where none is given
 *     [--file F]     keeps the log there, so that it can be killed and started again; ends where it cannot write
 *     [--control P]  takes `{"delayMs": 100, "refusal": "electing"}` by PUT on this port
 */
import { parseArgs } from 'node:util';
import type { EventStoreClientName } from '../src/event-store/eventstoredb/server-client.ts';
import { serveControl } from './event-store/eventstoredb/stand-in-control.ts';
import { StandInJournal } from './event-store/eventstoredb/stand-in-journal.ts';
import { StandInServer } from './event-store/eventstoredb/stand-in-server.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, file: { type: 'string' }, control: { type: 'string' } },
});
const [client = 'eventstore', delay = '0', append = '0'] = positionals;
const end = (error: unknown): never => {
  console.error('The log cannot be written to:', error);
  process.exit(1);
};
const server = new StandInServer({
  client: client as EventStoreClientName,
  ...(values.file !== undefined && { journal: new StandInJournal(values.file, end) }),
});
server.delayMs = Number(delay);
server.appendMs = Number(append);
if (values.control !== undefined) await serveControl(server, Number(values.control));
console.log(await server.start(Number(values.port ?? '0')));
