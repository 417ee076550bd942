import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { KAFKA } from '../../../testing/containers.ts';
import { messageBusContract } from '../../../testing/message-bus/contract.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { KAFKA_CLIENTS, loadKafkaClient } from './kafka-client.ts';

await onRealServer(KAFKA, (connect) => {
  for (const name of KAFKA_CLIENTS) {
    messageBusContract(`kafka through ${name}`, async () => {
      const { openMessageBus } = await loadKafkaClient(name);
      const brokers = await connect();
      const handlerTimeoutMs = 1000;
      const opened: MessageBus[] = [];
      const open = async () => {
        const bus = await openMessageBus({
          brokers,
          handlerTimeoutMs,
          firstRetryMs: 5,
          // Members leave by themselves here. One that has no turn on a busy machine for a while is not to
          // lose its partitions.
          sessionTimeoutMs: 45_000,
        });
        opened.push(bus);
        return bus;
      };
      return {
        bus: await open(),
        sessionMs: handlerTimeoutMs,
        openAnother: open,
        async stop() {
          await Promise.all(opened.map((bus) => bus.close()));
        },
      };
    });
  }
});
