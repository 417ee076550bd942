import type { CollectionSpec, ReadDocument } from '@quantloom/domain/ports/read-models';

/** The version that all decisions of a strategy were last compared with; `id` is the strategy's. */
export const COMPARED: CollectionSpec<ComparedDocument> = { name: 'comparedDecisions_v1', indexes: [] };
export interface ComparedDocument extends ReadDocument {
  readonly version: string;
}

/**
 * What the last evaluation of a strategy came to, so that it is not asked for again and again; `id` is the
 * strategy's.
 */
export const SETTLED: CollectionSpec<SettledDocument> = { name: 'settledEvaluations_v1', indexes: [] };
export interface SettledDocument extends ReadDocument {
  /** Version of the prices, revision and start that it was made with. */
  readonly attempt: string;
  /** What it took, by the clock of whoever evaluated it; missing in what earlier versions wrote. */
  readonly milliseconds?: number;
  /** It was refused, or the engine failed, and that was recorded. */
  readonly isFailed: boolean;
  /** The session that its run does not reach, and what has no close on it; null where it reaches the last one. */
  readonly missing: {
    readonly day: string;
    readonly tickers: readonly string[];
    readonly isTold: boolean;
  } | null;
}
