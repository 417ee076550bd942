import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultStoreContract } from '../../../testing/result-store/contract.ts';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

resultStoreContract('duckdb', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'result-store-'));
  const open = () => openDuckDbResultStore({ folder, memoryLimit: '512MB' });
  let current = await open();
  return {
    store: current,
    async reopen() {
      await current.close();
      current = await open();
      return current;
    },
    async stop() {
      await current.close();
      rmSync(folder, { recursive: true });
    },
  };
});
