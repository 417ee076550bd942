import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { writeFileAtomically } from '@quantloom/adapters/market-data/files/layout';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import type { ResultsJob } from '@quantloom/adapters/market-data/uploads/changed-results';
import type { ChangedBarsOfImport } from '@quantloom/domain/market-data/changed-results';
import { openLogStores } from '../wiring/log-stores.ts';
import { findChangedResults } from './changed-results.ts';
import type { ResultsSettings } from './changed-results-program.ts';

/** Nicer than what serves pages: nobody waits for it at a button. */
const LOW_PRIORITY = 10;
const CACHE_BYTES = 256 * 1024 * 1024;

// Without its parent nobody reads on; a later question begins anew.
process.once('disconnect', () => process.exit());
process.once('message', (job: ResultsJob) => {
  setPriority(LOW_PRIORITY);
  void look(job)
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    })
    .finally(() => process.exit());
});

/** Writes what it has found, each time as a whole. */
async function look({ settings, changedBarsFile, resultsFile, askedBy, tries }: ResultsJob): Promise<void> {
  const config = settings as ResultsSettings;
  const changed = JSON.parse(await readFile(changedBarsFile, 'utf8')) as ChangedBarsOfImport;
  const stores = await openLogStores(config, { mayCreate: false });
  try {
    await using marketData = await openMarketDataFiles({ dataDir: config.DATA_DIR, cacheBytes: CACHE_BYTES });
    await findChangedResults({
      log: stores.eventStore,
      marketData,
      changed,
      askedBy,
      today: new Date().toISOString().slice(0, 10),
      tell: (found) => writeFileAtomically(resultsFile, JSON.stringify({ ...found, tries })),
    });
  } finally {
    await stores.close();
  }
}
