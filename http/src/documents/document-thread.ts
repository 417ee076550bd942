import { parentPort } from 'node:worker_threads';
import { giveWay } from '../give-way.ts';
import { type DocumentKind, doDocumentJob } from './document-jobs.ts';

giveWay();

/** Does the jobs that it is sent, one after the other. */
parentPort?.on('message', ({ kind, given }: { kind: DocumentKind; given: never }) => {
  try {
    parentPort?.postMessage({ found: doDocumentJob(kind, given) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
