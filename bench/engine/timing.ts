/** Milliseconds of a run, best of as many as fit into `budget` milliseconds (at least `runs`). */
export function best(run: () => void, budget = 400, runs = 3): number {
  let least = Number.POSITIVE_INFINITY;
  const begin = performance.now();
  for (let i = 0; i < runs || performance.now() - begin < budget; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
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
