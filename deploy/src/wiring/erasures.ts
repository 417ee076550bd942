import { removeDeleted } from '@quantloom/adapters/sqlite/compact';
import { forgetKeptAnswers } from '@quantloom/command-api/idempotency';
import type { Identity } from '@quantloom/domain/ports/identity';
import { type AccountErasures, startAccountErasures } from '@quantloom/projectors/processes/erase-accounts';
import type { Projectors } from '@quantloom/projectors/projectors';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { newId, systemClock } from './process-parts.ts';
import type { Stores } from './stores.ts';

/** Starts looking for accounts that are to be erased. */
export function openErasures(parts: {
  readonly stores: Stores;
  readonly identity: Identity;
  readonly projectors: Projectors;
  readonly log: Logger;
  readonly config: Pick<Config, 'ERASURES_AT'>;
}): AccountErasures {
  const { stores, identity, projectors, log, config } = parts;
  const { eventStore, readModels, personKeys, file } = stores;
  return startAccountErasures({
    eventStore,
    readModels,
    personKeys,
    identity,
    clock: systemClock,
    ids: newId,
    log,
    tidyAt: config.ERASURES_AT,
    caughtUp: async () => projectors.whenReached(await eventStore.head(), { timeoutMs: 60_000 }),
    rebuild: (name) => projectors.rebuild(name),
    forgetAnswers: () => forgetKeptAnswers(readModels),
    compact: async () => {
      if (file) await removeDeleted(file);
    },
  });
}
