/** Beyond this many nobody types a percentage for each. */
const MOST_RANKS = 50;
/** Up to here every rank gets at least one whole percent. */
const MOST_WHOLE = 13;

/**
 * Percentages by rank to begin with, one for each that is chosen and 100 together, more for the better:
 * `100`, `60, 40`, `50, 33, 17`. For a variable number, those of two.
 */
export function rankPreset(num: number | string): string {
  const count = Number(num);
  if (!Number.isInteger(count) || count < 1 || count > MOST_RANKS || count === 2) return '60, 40';
  // In hundredths from 14 on: the last would round to nothing.
  const parts = count > MOST_WHOLE ? 10_000 : 100;
  const shares = Array.from({ length: count }, (_, rank) =>
    Math.round((parts * 2 * (count - rank)) / (count * (count + 1))),
  );
  const rest = parts - shares.reduce((sum, share) => sum + share, 0);
  shares[0] = (shares[0] as number) + rest;
  return shares.map((share) => (100 * share) / parts).join(', ');
}
