import type { RunTerms } from '@quantloom/domain/strategy-run/events';
import type { LastRun } from './resources.ts';
import { today } from './today.ts';

/**
 * The terms of a recorded run, to run on again. Who ran it up to the day itself did not choose that day: it
 * goes on to the day that it is now.
 */
export function termsAgain({ terms, at }: Pick<LastRun, 'terms' | 'at'>, now: Date = new Date()): RunTerms {
  return terms.end_date < today(new Date(at)) ? terms : { ...terms, end_date: today(now) };
}
