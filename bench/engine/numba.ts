import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Market } from './synthetic-market.ts';

/** What the version written by hand for numba reached: rows are the eight metrics per combination. */
export interface NumbaResult {
  readonly seconds: number;
  readonly combinations: number;
  readonly rows: readonly (readonly number[])[];
}

export interface NumbaAnswer {
  readonly version: string;
  readonly results: ReadonlyMap<string, NumbaResult>;
}

const SCRIPT = fileURLToPath(new URL('./numba/lanes.py', import.meta.url));
const CANDIDATES = [process.env.PYTHON, 'python3', 'python'];

/** Path of a Python that has numba; null where there is none. Set `PYTHON` to name one. */
export function pythonWithNumba(): string | null {
  for (const python of CANDIDATES) {
    if (python === undefined || python === '') continue;
    if (spawnSync(python, ['-c', 'import numba, numpy'], { stdio: 'ignore' }).status === 0) return python;
  }
  return null;
}

/** Runs W1 to W3 in numba on the market. Throws with Python's words where it fails. */
export function runNumba(python: string, market: Market, first: number, slippage: number): NumbaAnswer {
  const folder = mkdtempSync(join(tmpdir(), 'bench-numba-'));
  try {
    const { tickers, days, prices } = market;
    const closes = new Float64Array(tickers.length * days.length);
    tickers.forEach((ticker, i) => {
      const series = prices.get(ticker);
      if (series !== undefined) closes.set(series.closes, i * days.length);
    });
    writeFileSync(join(folder, 'closes.bin'), new Uint8Array(closes.buffer));
    const plan = { days: days.length, tickers: tickers.length, first, slippage, repetitions: 7 };
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    const env = { ...process.env, NUMBA_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
    const done = spawnSync(python, [SCRIPT, folder], { env, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`numba failed: ${done.stderr}`);
    const { numba, ...results } = JSON.parse(done.stdout) as { numba: string };
    return { version: numba, results: new Map(Object.entries(results as Record<string, NumbaResult>)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
