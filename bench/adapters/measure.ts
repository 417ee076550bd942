import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds that `work` takes. */
export async function elapsed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The middle of several runs, in ms. */
export async function median(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) times.push(await elapsed(work));
  return times.sort((a, b) => a - b)[runs >> 1] ?? Number.NaN;
}

/** Runs `work` with a folder of its own that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-adapters-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The longest time the event loop was held while `work` ran, in ms. */
export async function longestStall(work: () => Promise<void>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(timer);
  return longest;
}

/** One line per measurement: JSON, so that runs can be compared by a program, and readable all the same. */
export function report(name: string, values: Readonly<Record<string, number | string>>): void {
  const rounded = Object.entries(values).map(([key, value]) => {
    return [key, typeof value === 'number' ? Number(value.toPrecision(4)) : value] as const;
  });
  console.log(JSON.stringify({ name, ...Object.fromEntries(rounded) }));
}
