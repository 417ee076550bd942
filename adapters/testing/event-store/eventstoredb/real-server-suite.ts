import type { EventStore } from '@quantloom/domain/ports/event-store';
import { openEventStoreDb } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';
import { EVENTSTORE } from '../../containers.ts';
import { onRealServer } from '../../real-server.ts';
import { eventStoreContract } from '../contract.ts';

/** The contract on a real server, with one client: both cannot be in one process. */
export function realServerSuite(client: EventStoreClientName): Promise<void> {
  return onRealServer(EVENTSTORE, (connect) =>
    eventStoreContract(`${client} client`, async () => {
      const url = await connect();
      const opened: EventStore[] = [];
      const open = async () => {
        const store = await openEventStoreDb({ url, client });
        opened.push(store);
        return store;
      };
      return {
        store: await open(),
        openAnother: open,
        mayLimitAppends: true,
        async stop() {
          for (const store of opened) await store.close();
        },
      };
    }),
  );
}
