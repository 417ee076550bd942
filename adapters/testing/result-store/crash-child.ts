import { openDuckDbResultStore } from '../../src/result-store/duckdb/duckdb-result-store.ts';
import { sampleBlock } from '../../src/result-store/sample-block.ts';

/** Appends blocks of two batches for ever and prints those that were acknowledged. Killed by `crash.long.test.ts`. */
const store = await openDuckDbResultStore({ folder: process.argv[2] ?? '', memoryLimit: '256MB' });
const from = Number(process.argv[3]);
const size = 1500;

async function write(batchId: string): Promise<never> {
  await store.createBatch(batchId, [{ name: '$N', values: Array.from({ length: 1000 }, (_, i) => i) }]);
  for (let at = from; ; at += size) {
    await store.append(sampleBlock(batchId, { from: at, count: size }, [1000], 100));
    console.log(`${batchId} ${at}`);
  }
}

await Promise.all(['batch-a', 'batch-b'].map(write));
