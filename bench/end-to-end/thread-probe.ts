import { appendFileSync, readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import threads, { isMainThread } from 'node:worker_threads';

/*
 * Loaded with `--import` into the measured process and all of its threads: each writes its number and what it is into the file `BENCH_THREADS`, so that
 * the system's own count of processor time can be told apart.
 */
const file = process.env.BENCH_THREADS;
if (!isMainThread && file) {
  // `PID/task/TID`.
  const thread = path.basename(readlinkSync('/proc/thread-self'));
  appendFileSync(file, `${thread} ${process.env.BENCH_THREAD ?? 'unknown'}\n`);
}
if (isMainThread && file) {
  const Original = threads.Worker;
  threads.Worker = class extends Original {
    constructor(script: string | URL, options: ConstructorParameters<typeof Original>[1] = {}) {
      const name = path.basename(String(script));
      super(script, {
        ...options,
        execArgv: ['--import', import.meta.filename],
        env: { ...process.env, BENCH_THREAD: name },
      });
    }
  };
  syncBuiltinESMExports();
}
