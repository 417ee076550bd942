import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { PARKED_EVENTS } from '@quantloom/domain/kernel/parked-event';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { createProjectors } from '@quantloom/projectors/projectors';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { type LogStores, openLogStores } from '../wiring/log-stores.ts';
import { CommandError } from './command-error.ts';

async function withStores<T>(work: (stores: LogStores) => Promise<T>): Promise<T> {
  const stores = await openLogStores(readConfig(), { mayCreate: false });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** `quantloom projections …`: list, rebuild. A running product goes on serving and continues from the rebuilt one. */
export function projectionsCommand(): Command {
  const command = new Command('projections').description('read models: list, rebuild');
  command
    .command('list')
    .description('every projection with its checkpoint, documents and parked events')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const rows = await withStores(async ({ eventStore, readModels }) => {
        const head = await eventStore.head();
        await readModels.ensureCollection(PARKED_EVENTS);
        return await Promise.all(
          PROJECTIONS.map(async (projection) => {
            await readModels.ensureCollection(projection.collection);
            const checkpoint = await readModels.checkpoint(checkpointName(projection));
            return {
              name: projection.name,
              version: projection.version,
              checkpoint: checkpoint === null ? null : String(checkpoint),
              head: String(head),
              documents: await readModels.count(projection.collection.name),
              parked: await readModels.count(PARKED_EVENTS.name, { projection: projection.name }),
            };
          }),
        );
      });
      if (options.json) console.log(JSON.stringify(rows, null, 2));
      else
        for (const { name, version, checkpoint, head, documents, parked } of rows)
          console.log(
            `${name.padEnd(24)} v${version}  at ${checkpoint ?? 'the beginning'} of ${head}  ` +
              `${documents} documents${parked > 0 ? `  ${parked} parked events` : ''}`,
          );
    });
  command
    .command('rebuild')
    .description('build a projection anew from the log, then let it take over')
    .argument('[names...]', 'as "list" shows them')
    .option('--all', 'every projection')
    .action(async (names: string[], options: { all?: boolean }) => {
      const wanted = options.all ? PROJECTIONS.map(({ name }) => name) : names;
      const unknown = wanted.filter((name) => !PROJECTIONS.some((projection) => projection.name === name));
      if (unknown.length > 0) throw new CommandError(404, `There is no projection ${unknown.join(', ')}`);
      if (wanted.length === 0) throw new CommandError(400, 'Name a projection, or --all');
      await withStores(async ({ eventStore, readModels }) => {
        const clock = { now: () => new Date() };
        const projectors = createProjectors({
          eventStore,
          readModels,
          projections: PROJECTIONS,
          catalogue: EVENT_CATALOGUE,
          clock,
        });
        for (const name of wanted) {
          const { events, documents } = await projectors.rebuild(name);
          console.log(`${name}: ${documents} documents from ${events} events`);
        }
      });
    });
  return command;
}
