import { parentPort, workerData } from 'node:worker_threads';
import { readSourceWith } from './read-source.ts';

/** Reads one source in a thread of its own, and ends. */
const { given, id } = workerData as { readonly given: unknown; readonly id: string };
parentPort?.postMessage(readSourceWith(given, () => id));
