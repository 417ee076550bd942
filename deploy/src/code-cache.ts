import { enableCompileCache } from 'node:module';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/quantloom-code');

/*
 * Imported for what it does, before anything that starts threads. Compiled code, types taken out, is kept beside the installed packages:
 * without it a third of the time of every start goes into reading the same sources again. And each thread would take the types out by
 * itself, with Node's WebAssembly: V8 ends the process now and then where several threads make and drop such code (nodejs/node 64500).
 * `scripts/keep-thread-code.ts` fills the folder before the first thread. Where nothing can be written there, all works as it does without.
 */
enableCompileCache(folder);
// For the threads and processes that it starts.
process.env.NODE_COMPILE_CACHE ??= folder;
