import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { batchOf, createBatch, fakeRunner, openStores, startStack, until } from './batch-stack.ts';

/**
 * A process that dies: `crash-child.ts <folder> <batchId>` runs the whole stack on the folder, creates the
 * batch if it is not there, prints `block` for every block it is about to compute and `finished` at the end.
 */
const [folder = '', batchId = ''] = process.argv.slice(2);
const stores = await openStores(folder);
const runner = fakeRunner({
  before: async () => {
    process.stdout.write('block\n');
    await new Promise((resolve) => setTimeout(resolve, 15));
  },
});
await startStack(stores, runner, { node: `node-${process.pid}` });
const find = () => stores.readModels.get<BatchDocument>(batchesProjection.collection.name, batchId);
let exists = false;
for await (const _event of stores.eventStore.readStream(`batch-${batchId}`, { maxCount: 1 })) exists = true;
if (!exists) await createBatch(stores, batchOf(batchId, { a: 80, b: 50, partitions: 8 }));
await until(async () => (await find())?.status === 'Finished', 60);
process.stdout.write('finished\n');
