import { plural } from '../../../lib/format.ts';

/** When results are told of: before an import, after it, or after it was undone. */
export type Moment = 'previewed' | 'published' | 'undone';

/** The heading of a list of results: how many, and what becomes of their prices. */
export function resultsHeading(kind: 'batch' | 'strategy', total: number, moment: Moment): string {
  const isOne = total === 1;
  const subject =
    kind === 'batch'
      ? plural(total, 'batch', 'batches')
      : isOne
        ? '1 strategy, by its last run,'
        : `${plural(total, 'strategy', 'strategies')}, by their last run,`;
  if (moment === 'previewed') return `${subject} used prices that this import would change`;
  if (moment === 'published') return `${subject} used prices that are others now`;
  return `${subject} ${isOne ? 'uses' : 'use'} the prices again that ${isOne ? 'it was' : 'they were'} computed on`;
}
