// Compiles the programs of all threads with what they import, and keeps the result (see
// deploy/src/code-cache.ts), in a process that has no threads. Run by scripts/install-missing.mjs with
// NODE_COMPILE_CACHE.
import { flushCompileCache } from 'node:module';

export const THREAD_PROGRAMS = [
  'adapters/src/read-models/sqlite/search-thread.ts',
  'adapters/src/result-store/duckdb/store-thread.ts',
  'adapters/src/sqlite/checkpoint-thread.ts',
  'compute/src/pool/worker.ts',
  'http/src/documents/document-thread.ts',
  'query-api/src/analysis/analysis-worker.ts',
];

if (import.meta.main) {
  // Each ends with an error, since this is no thread; by then it is compiled, and so is what it imports.
  for (const program of THREAD_PROGRAMS)
    await import(new URL(`../${program}`, import.meta.url).href).catch(() => undefined);
  flushCompileCache();
  // Whatever one of them has begun ends here.
  process.exit(0);
}
