import { parentPort } from 'node:worker_threads';
import { type DocumentKind, doDocumentJob } from './document-jobs.ts';

/** Does the jobs that it is sent, one after the other. */
parentPort?.on('message', ({ kind, given }: { kind: DocumentKind; given: never }) => {
  try {
    parentPort?.postMessage({ found: doDocumentJob(kind, given) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
