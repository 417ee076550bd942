import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')('makes a thread give way, and no other', async () => {
  const file = new URL('./give-way.ts', import.meta.url).href;
  const worker = new Worker(
    `const { getPriority } = require('node:os'); const { readlinkSync } = require('node:fs');
     const { parentPort } = require('node:worker_threads');
     const priority = () => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
     import(${JSON.stringify(file)}).then(({ giveWay }) => {
       const before = priority(); giveWay();
       parentPort.postMessage([before, priority(), getPriority(process.pid)]);
     });`,
    { eval: true },
  );
  const [[before, after, main]] = (await once(worker, 'message')) as [[number, number, number]];
  expect(after).toBe(Math.min(19, before + 5));
  expect(main).toBe(before);
  await worker.terminate();
});
