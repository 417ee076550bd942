import { ERASED } from '@quantloom/domain/personal-data';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { pagesOf } from './open-batches.ts';

/** Accounts whose erasure has begun and not come to its end: a process that dies goes on with them. */
export const UNDER_WAY = { name: 'erasures_v1', indexes: [] } as const;

export interface UnderWayDocument extends ReadDocument {
  /**
   * When read models and files may be rid of what still shows the account: with those of a whole day. ISO
   * 8601; missing: not erased yet.
   */
  readonly tidyAt?: string;
}

/** Ids of the accounts that read models may still show although the log does not any more. */
export async function erasuresUnderWay(readModels: ReadModels): Promise<readonly string[]> {
  await readModels.ensureCollection(UNDER_WAY);
  const found: string[] = [];
  for await (const page of pagesOf<UnderWayDocument>(readModels, UNDER_WAY.name, {}))
    for (const { id } of page) found.push(id);
  return found;
}

/**
 * Whether a document may differ from the one that is built anew because somebody was erased since: it is about
 * one of these accounts, or says something where nothing can be read any more.
 */
export function showsErased(serving: unknown, rebuilt: unknown, accounts: ReadonlySet<string>): boolean {
  if (accounts.size === 0) return false;
  return names(serving, accounts) || names(rebuilt, accounts) || isErasedIn(serving, rebuilt);
}

function names(value: unknown, accounts: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return accounts.has(value);
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((one) => names(one, accounts))
  );
}

function isErasedIn(serving: unknown, rebuilt: unknown): boolean {
  if (rebuilt === ERASED) return serving !== ERASED;
  if (typeof rebuilt !== 'object' || rebuilt === null) return false;
  const fields = (serving ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(rebuilt).some(([name, value]) => isErasedIn(fields[name], value));
}
