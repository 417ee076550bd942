import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { normalCdf, upperQuantile } from '@quantloom/domain/statistics/normal';

const YEARS = 15;
const DEVIATION = 0.08;
const ROWS = 501;
const DRAWS = 4_000;
const LEVEL = 0.05;

/** Chance that a normal number with this mean lies above a border. */
const above = (border: number, mean: number) => 1 - normalCdf(border - mean);

/**
 * Chance that the likelihood ratio of "one of these rows has the mean, nobody knows which" against "none has"
 * is above what it exceeds in 5% of the batches without any. By Neyman and Pearson's lemma no test at that
 * level finds it more often, on average over the rows.
 */
function ofLikelihood(mean: number, random: Random): number {
  const ratio = (first: number): number => {
    let sum = 0;
    for (let row = 0; row < ROWS; row += 1) {
      const z = upperQuantile(Math.max(random.uniform(), 1e-12)) + (row === 0 ? first : 0);
      sum += Math.exp(mean * z - (mean * mean) / 2) / ROWS;
    }
    return sum;
  };
  const nothing = Float64Array.from({ length: DRAWS }, () => ratio(0)).sort();
  const border = nothing[Math.floor((1 - LEVEL) * DRAWS)] ?? 0;
  let found = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) if (ratio(mean) > border) found += 1;
  return found / DRAWS;
}

/**
 * What any test can reach at a level of 5%, by how large the true alpha is: the bench's own figures lie below
 * these.
 */
export function printCeilings(seed: string): void {
  const random = new Random(seed);
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`.padStart(9);
  console.log(
    `\nMost that any test at a level of 5% can find, ${YEARS} years at a tracking error of 8% a year, independent rows`,
  );
  console.log('alpha    alone   that there is one among 501   which one, each row tested at 5% in all');
  for (const alpha of [0.04, 0.05, 0.06, 0.08, 0.1, 0.12]) {
    const mean = (alpha / DEVIATION) * Math.sqrt(YEARS);
    const each = upperQuantile(1 - (1 - LEVEL) ** (1 / ROWS));
    const cells = [above(upperQuantile(LEVEL), mean), ofLikelihood(mean, random), above(each, mean)];
    console.log(`${(100 * alpha).toFixed(0).padStart(3)}% ${cells.map(percent).join('            ')}`);
  }
  const mean = (0.04 / DEVIATION) * Math.sqrt(YEARS);
  console.log(
    'For 80% with an alpha of 4% and a single trial the level would have to ' +
      `be${percent(above(mean - upperQuantile(0.2), 0))}`,
  );
}
