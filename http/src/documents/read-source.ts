import { answerIn, type ImportedSource, importSource } from '@quantloom/domain/exchange/import-source';
import type { AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { nodeId } from '@quantloom/domain/strategy/node-factory';

/** What was read; the values of another tool's run stand beside it, they are compared elsewhere. */
export type ReadStrategy = Omit<ImportedSource, 'answer' | 'further'>;
export interface ReadSource {
  readonly found: (ReadStrategy & { readonly further: readonly ReadStrategy[] }) | Refusal;
  /** Indicator values that the source holds, with or without a strategy. */
  readonly answer: AnswerIndicators | null;
}

/** Reads a source with ids from a seed: those of one import are counted up, which no other import meets. */
export function readSourceWith(given: unknown, newId: IdSource): ReadSource {
  const prefix = nodeId(newId());
  let count = 0;
  const result = importSource(given, () => {
    count += 1;
    return `${prefix}_${count}`;
  });
  if (isRefusal(result)) return { found: result, answer: typeof given === 'string' ? answerIn(given) : null };
  const found = { ...strategyOf(result), further: result.further.map(strategyOf) };
  return { found, answer: result.answer };
}

function strategyOf({ name, algorithm, report, settings }: ImportedSource): ReadStrategy {
  return { name, algorithm, report, settings };
}
