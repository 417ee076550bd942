/** Nearest-rank percentile; `p` from 0 to 1. NaN of nothing. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

/** Latencies of requests by kind and phase, in milliseconds. */
export class Samples {
  private readonly byKind = new Map<string, number[]>();
  private readonly failures = new Map<string, number>();

  add(phase: string, kind: string, milliseconds: number): void {
    const key = `${phase}\t${kind}`;
    const values = this.byKind.get(key) ?? [];
    values.push(milliseconds);
    this.byKind.set(key, values);
  }

  /** Counts an answer that was not what a well-behaved person should get. */
  fail(kind: string, what: string): void {
    const key = `${kind}: ${what}`;
    this.failures.set(key, (this.failures.get(key) ?? 0) + 1);
  }

  get failed(): readonly string[] {
    return Array.from(this.failures, ([what, count]) => `${count} times ${what}`);
  }

  /** One line a kind: count and p95 of each phase, and how the last compares with the first. */
  lines(phases: readonly string[]): string[] {
    const kinds = [...new Set([...this.byKind.keys()].map((key) => key.split('\t')[1] ?? ''))].sort();
    return kinds.map((kind) => {
      const found = phases.map((phase) => this.byKind.get(`${phase}\t${kind}`) ?? []);
      const cells = found.map(
        (values) => `${values.length} x, p95 ${Math.round(percentile(values, 0.95))} ms`,
      );
      const first = percentile(found[0] ?? [], 0.95);
      const last = percentile(found.at(-1) ?? [], 0.95);
      return `${kind.padEnd(22)} ${cells.map((cell) => cell.padEnd(24)).join(' ')} ratio ${(last / first).toFixed(2)}`;
    });
  }
}
