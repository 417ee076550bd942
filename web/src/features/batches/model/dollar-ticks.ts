import { fixed } from '../../../lib/format.ts';

/**
 * Ticks of a logarithmic axis of dollars: 1, 2 and 5 times each power of ten within the values (one power
 * around them, where they are close together).
 */
export function dollarTicks(values: readonly number[]): {
  readonly tickvals: number[];
  readonly ticktext: string[];
} {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const tickvals: number[] = [];
  if (most > 0)
    for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1)
      for (const step of [1, 2, 5]) tickvals.push(step * 10 ** power);
  return { tickvals, ticktext: tickvals.map(dollars) };
}

function dollars(value: number): string {
  if (value >= 1e6) return `$${fixed(value / 1e6, 0)}M`;
  return value >= 1000 ? `$${fixed(value / 1000, 0)}k` : `$${fixed(value, value < 1 ? 2 : 0)}`;
}
