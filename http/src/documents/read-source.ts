import { type ImportedSource, importSource } from '@quantloom/domain/exchange/import-source';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { Refusal } from '@quantloom/domain/kernel/refusal';
import { nodeId } from '@quantloom/domain/strategy/node-factory';

/** What was read; the answer of another tool's run stays out, it is compared elsewhere. */
export type ReadStrategy = Omit<ImportedSource, 'answer' | 'further'>;
export type ReadAnswer = (ReadStrategy & { readonly further: readonly ReadStrategy[] }) | Refusal;

/** Reads a source with ids from a seed: those of one import are counted up, which no other import meets. */
export function readSourceWith(given: unknown, newId: IdSource): ReadAnswer {
  const prefix = nodeId(newId());
  let count = 0;
  const result = importSource(given, () => {
    count += 1;
    return `${prefix}_${count}`;
  });
  if (!('answer' in result)) return result;
  return { ...strategyOf(result), further: result.further.map(strategyOf) };
}

function strategyOf({ name, algorithm, report, settings }: ImportedSource): ReadStrategy {
  return { name, algorithm, report, settings };
}
