/**
 * `npm start`. Compiled code is kept beside the installed packages: without it a third of the time of every start goes into reading the same
 * sources again. Where nothing can be written there, the product starts as it does without.
 */
import { enableCompileCache } from 'node:module';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/quantloom-code');
enableCompileCache(folder);
// For the threads and processes that it starts.
process.env.NODE_COMPILE_CACHE ??= folder;
await import('./start-product.ts');
