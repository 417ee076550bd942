import { FLOAT_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';

/** The tolerance of the golden cases. */
export function isClose(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;
}

/** What differs between two blocks of the same rows by more than rounding; empty where nothing does. */
export function differences(actual: ResultBlock, expected: ResultBlock): string[] {
  const found: string[] = [];
  if (actual.from !== expected.from || actual.count !== expected.count) {
    return [`rows ${actual.from}+${actual.count} instead of ${expected.from}+${expected.count}`];
  }
  for (let row = 0; row < expected.count && found.length < 10; row++) {
    const where = `combination ${expected.from + row}`;
    for (const name of ['startDay', 'endDay'] as const) {
      const [a, b] = [actual[name][row], expected[name][row]];
      if (a !== b) found.push(`${where}, ${name}: ${a} instead of ${b}`);
    }
    expected.variables.forEach((values, i) => {
      if (actual.variables[i]?.[row] !== values[row]) found.push(`${where}, variable ${i}`);
    });
    for (const name of FLOAT_COLUMNS) {
      // A column that is left out is null in every row.
      const a = actual.floats[name]?.[row] ?? Number.NaN;
      const b = expected.floats[name]?.[row] ?? Number.NaN;
      if (!isClose(a, b)) found.push(`${where}, ${name}: ${a} instead of ${b}`);
    }
  }
  const reasons = (block: ResultBlock) =>
    block.failures.map((item) => `${item.combination}: ${item.reason}`).join('\n');
  if (reasons(actual) !== reasons(expected)) {
    found.push(`failures:\n${reasons(actual)}\ninstead of\n${reasons(expected)}`);
  }
  return found;
}
