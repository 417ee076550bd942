import type { CostMeter } from '../costs.ts';
import type { Principal } from '../principal.ts';
import type { DocumentJobs, DocumentKind } from './document-jobs.ts';
import type { DocumentThreads } from './document-threads.ts';

/** Has one job done by a thread of documents. Rejects as `DocumentThreads.run` does. */
export type PaidJobs = <K extends DocumentKind>(
  kind: K,
  given: DocumentJobs[K]['given'],
) => Promise<DocumentJobs[K]['found']>;

/**
 * Jobs of the thread of documents that one request asks for. What was foretold by the bytes is less than the
 * work where a document is made to be hard: whoever sends it pays for what all of its jobs took, also for one
 * that was ended as too hard, which took the most.
 */
export function paidJobs(
  documents: DocumentThreads,
  { principal, cost }: { readonly principal: Principal | null; readonly cost: CostMeter | null },
): PaidJobs {
  let spent = 0;
  const onSpent = (milliseconds: number) => {
    spent += milliseconds;
  };
  return async (kind, given) => {
    try {
      return await documents.run(principal?.userId ?? '', kind, given, onSpent);
    } finally {
      await cost?.settle(spent);
    }
  };
}
