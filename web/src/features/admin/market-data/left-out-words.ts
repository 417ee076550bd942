import { formatCount } from '../../../lib/format.ts';

/** Over a list of rows that an import has left out. @param all how many there were, where that is known */
export function leftOutTitle(shown: number, all: number | undefined): string {
  return all === undefined || all <= shown
    ? `Rows left out (${formatCount(shown)})`
    : `Rows left out (the first ${formatCount(shown)} of ${formatCount(all)})`;
}
