import { sampleBlock } from '../sample-block.ts';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

/**
 * Writes batches of the sizes that follow its first arguments, one after the other, and prints the id of each
 * when it is stored, with the memory (MB, resident) that the process holds then. Killed by `many-batches.slow.test.ts`.
 */
const [folder = '', first = '0', ...sizes] = process.argv.slice(2);
const BLOCK = 16_384;
const store = await openDuckDbResultStore({ folder, memoryLimit: '160MB' });
for (const [i, size] of sizes.map(Number).entries()) {
  const id = `batch-${Number(first) + i}`;
  await store.createBatch(id, [{ name: '$N', values: Array.from({ length: size }, (_, n) => n) }]);
  for (let from = 0; from < size; from += BLOCK)
    await store.append(sampleBlock(id, { from, count: Math.min(BLOCK, size - from) }, [size], 100));
  console.log(`${id} ${Math.round(process.memoryUsage.rss() / 1e6)}`);
}
const stopping = performance.now();
await store.close();
console.log(`stopped ${Math.round(performance.now() - stopping)}`);
