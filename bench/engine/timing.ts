/** Milliseconds of a run, best of as many as fit into `budget` milliseconds (at least 3). */
export function best(run: () => void, budget = 400): number {
  let least = Number.POSITIVE_INFINITY;
  const begin = performance.now();
  for (let i = 0; i < 3 || performance.now() - begin < budget; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/**
 * Processor time of this thread in milliseconds: what others do on a busy machine counts far less in it than
 * in the time that passes.
 */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Processor milliseconds of a run, mean of as many as take `budget` of them together (at least 2). The clock
 * goes in steps of about a millisecond, which a single run may be shorter than.
 */
export function meanThreadTime(run: () => void, budget: number): number {
  const start = threadTime();
  let [runs, spent] = [0, 0];
  while (runs < 2 || spent < budget) {
    run();
    runs++;
    spent = threadTime() - start;
  }
  return spent / runs;
}

/** `1,234,567`, or `--`. */
export function rate(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '--' : Math.round(value).toLocaleString('en-US');
}

/** A table of cells in columns, the first aligned left and the others right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
