import { parentPort } from 'node:worker_threads';
import { giveWay } from '../give-way.ts';
import { type DocumentKind, doDocumentJob } from './document-jobs.ts';

giveWay();

/** Does the jobs that it is sent, one after the other, and says how long each kept a processor. */
parentPort?.on('message', ({ kind, given }: { kind: DocumentKind; given: never }) => {
  const before = process.threadCpuUsage();
  const answer = (outcome: { readonly found: unknown } | { readonly error: unknown }) => {
    const { user, system } = process.threadCpuUsage(before);
    parentPort?.postMessage({ ...outcome, spent: (user + system) / 1_000 });
  };
  try {
    answer({ found: doDocumentJob(kind, given) });
  } catch (error) {
    answer({ error });
  }
});
