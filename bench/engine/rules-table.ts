import { timeBatch } from './engine-run.ts';
import type { MeasuredBatch } from './measured-batches.ts';
import { type Rule, withRule } from './rules.ts';
import { rate, table } from './timing.ts';

const BUDGET = 150;

/**
 * Prints each batch under each rule of rebalancing, beside its daily rate of the same run. Under a rule other
 * than daily a batch takes the fast path, too.
 */
export function rulesTable(batches: readonly MeasuredBatch[], rules: readonly Rule[]): void {
  const others = rules.filter((rule) => rule !== 'daily');
  if (batches.length === 0 || others.length === 0) return;
  const rows = batches.map(({ name, request, prices }) => {
    const speeds = (rule: Rule) => {
      const { combinations, fresh, again } = timeBatch(withRule(request, rule), prices, {}, BUDGET);
      return [fresh, again].map((ms) => (combinations / ms) * 1000);
    };
    const daily = speeds('daily');
    const cells = others.flatMap((rule) =>
      speeds(rule).flatMap((speed, i) => [rate(speed), (speed / (daily[i] as number)).toFixed(2)]),
    );
    return [name, ...daily.map(rate), ...cells];
  });
  console.log(
    '\nRules of rebalancing: on the last day of each month, and where a weight is 5 percentage ' +
      'points off; backtests per second, one core',
  );
  const header = others.flatMap((rule) => [`${rule}: fresh`, 'x daily', 'warm', 'x daily']);
  console.log(table(['', 'daily: fresh', 'warm', ...header], rows));
}
