import { DEAD_LETTER_TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openBus } from '../wiring/bus.ts';
import { listDeadLetters, replayDeadLetters } from '../wiring/dead-letters.ts';
import { newId } from '../wiring/process-parts.ts';
import { CommandError } from './command-error.ts';

async function withBus<T>(work: (bus: MessageBus) => Promise<T>): Promise<T> {
  const { bus, close } = await openBus(readConfig());
  try {
    return await work(bus);
  } finally {
    await close();
  }
}

/**
 * `quantloom dead-letters …`: what no delivery could handle, and putting it back. A running product need not
 * be stopped.
 */
export function deadLettersCommand(): Command {
  const command = new Command('dead-letters').description(
    'messages that no delivery could handle: list, replay',
  );
  command
    .command('list')
    .description('each with its topic, its key and the error of its last delivery')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const letters = await withBus((bus) => listDeadLetters(bus, `operators.list.${newId()}`));
      if (options.json) console.log(JSON.stringify(letters, null, 2));
      else if (letters.length === 0) console.log('There are no dead letters');
      else
        for (const { topic, key, error, deliveries } of letters)
          console.log(`${topic}  ${key}  after ${deliveries} deliveries: ${error}`);
    });
  command
    .command('replay')
    .description('put them back into their topics')
    .option('--topic <name>', 'only those of this topic')
    .action(async ({ topic }: { topic?: string }) => {
      if (topic !== undefined && !DEAD_LETTER_TOPICS.some((known) => known.topic === topic))
        throw new CommandError(
          404,
          `There is no topic ${topic}; there are ${DEAD_LETTER_TOPICS.map((known) => known.topic).join(', ')}`,
        );
      const count = await withBus((bus) => replayDeadLetters(bus, topic));
      console.log(
        count === 1 ? '1 message is back in its topic' : `${count} messages are back in their topics`,
      );
    });
  return command;
}
