import type { EventStore } from '@quantloom/domain/ports/event-store';
import { EVENTSTORE } from '../../testing/containers.ts';
import { onRealServer } from '../../testing/real-server.ts';
import { eventStoreContract } from '../contract.ts';
import { openEventStoreDb } from './eventstoredb-event-store.ts';

await onRealServer(EVENTSTORE, (connect) =>
  eventStoreContract('eventstoredb', async () => {
    const url = await connect();
    const opened: EventStore[] = [];
    const open = () => {
      const store = openEventStoreDb({ url });
      opened.push(store);
      return store;
    };
    return {
      store: open(),
      openAnother: async () => open(),
      mayLimitAppends: true,
      async stop() {
        for (const store of opened) await store.close();
      },
    };
  }),
);
