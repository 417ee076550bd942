import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchStage, type StagedFetch } from './fetch-stage.ts';

const NOW = Date.parse('2024-03-15T23:00:00Z');
const HOUR = 3_600_000;
const fetched: StagedFetch = {
  ticker: 'BRK-B',
  name: 'Berkshire "B"\nclass',
  isReplaced: true,
  series: {
    days: Int32Array.of(1, 2, 5),
    closes: Float64Array.of(1.5, 1e-9, 88e9),
    further: [
      { basis: 'none', days: Int32Array.of(2, 5), closes: Float64Array.of(7.25, 3) },
      { basis: 'splits', days: Int32Array.of(5), closes: Float64Array.of(0.5) },
    ],
  },
  rejected: [
    { file: 'Tiingo', line: null, reason: 'weekend', ticker: 'BRK-B', date: '2024-03-16', price: '1' },
  ],
};

describe('FetchStage', () => {
  let root: string;
  let stage: FetchStage;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fetch-stage-'));
    stage = new FetchStage(root, 'tiingo', 'v1');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('gives back what was put, also that nothing has changed', async () => {
    await stage.put(fetched, NOW);
    expect(await stage.get('BRK-B', NOW + HOUR)).toEqual(fetched);
    await stage.put({ ...fetched, ticker: 'SPY', series: null }, NOW);
    expect(await stage.get('SPY', NOW)).toEqual({ ...fetched, ticker: 'SPY', series: null });
    expect(await stage.get('QQQ', NOW)).toBeNull();
  });

  it('forgets what is old, and what was compared with another version', async () => {
    await stage.put(fetched, NOW);
    expect(await stage.get('BRK-B', NOW + 11 * HOUR)).toBeNull();
    expect(await stage.get('BRK-B', NOW - HOUR)).toBeNull();
    expect(await new FetchStage(root, 'tiingo', 'v2').get('BRK-B', NOW)).toBeNull();
    expect(await new FetchStage(root, 'tiingo', null).get('BRK-B', NOW)).toBeNull();
    expect(await new FetchStage(root, 'eodhd', 'v1').get('BRK-B', NOW)).toBeNull();
  });

  it('takes a file that is not whole for none, wherever it was cut or changed', async () => {
    await stage.put(fetched, NOW);
    const [name = ''] = await readdir(join(root, 'fetch-tiingo'));
    const path = join(root, 'fetch-tiingo', name);
    const whole = await readFile(path);
    for (let length = 0; length < whole.length; length++) {
      await writeFile(path, whole.subarray(0, length));
      expect(await stage.get('BRK-B', NOW), `cut to ${length} bytes`).toBeNull();
    }
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(whole.length - 5) ^ 1, whole.length - 5);
    await writeFile(path, changed);
    expect(await stage.get('BRK-B', NOW)).toBeNull();
  });

  it('is empty after clear', async () => {
    await stage.put(fetched, NOW);
    await stage.clear();
    expect(await stage.get('BRK-B', NOW)).toBeNull();
    expect(await readdir(root)).toEqual([]);
  });
});
