import { access, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketDataImports, UploadState } from '@quantloom/domain/ports/market-data-imports';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { layoutOf } from '../files/layout.ts';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { leftBy, openUploads } from './uploads.ts';

const ID = '01JD0000000000000000000001';

let folder: string;
let marketData: MarketDataFiles;
let uploads: MarketDataImports;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'));
  marketData = await openMarketDataFiles({ dataDir: folder });
  uploads = openUploads({ dataDir: folder, marketData });
});
afterEach(async () => {
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

const put = (path: string, content: string, offset = 0) =>
  uploads.put(ID, path, offset, Buffer.from(content));

async function ended(): Promise<UploadState> {
  return vi.waitFor(
    async () => {
      const state = await uploads.state(ID);
      if (!state || state.state === 'running') throw new Error('It still runs');
      return state;
    },
    { timeout: 60_000, interval: 100 },
  );
}

const folderOf = (id: string) => join(layoutOf(folder).root, 'uploads', id);
const stateFile = () => join(folderOf(ID), 'state.json');
/** Writes what the state of the upload would be after much that no test does. */
async function become(state: Partial<UploadState>, ageMs = 0): Promise<UploadState> {
  const before = JSON.parse(await readFile(stateFile(), 'utf8')) as UploadState;
  const then = new Date(Date.now() - ageMs);
  await writeFile(stateFile(), JSON.stringify({ ...before, ...state }));
  await utimes(stateFile(), then, then);
  return { ...before, ...state };
}
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('an upload of prices', () => {
  it('is looked at, imported, and undone', async () => {
    const before = await marketData.current();
    await uploads.begin(ID);
    await put('funds/spy.csv', 'date,close\n2024-01-02,1.5\n');
    await put('funds/spy.csv', '2024-01-03,1.6\n', 26);
    // The same piece twice, as after a lost answer.
    await put('funds/spy.csv', '2024-01-03,1.6\n', 26);
    await uploads.run(ID, { publish: false });
    const preview = await ended();
    expect(preview).toMatchObject({
      state: 'previewed',
      error: null,
      report: { problems: [], tickers: 1, rows: 2 },
      // What limits go on counting from when more is sent.
      ...{ files: 1, bytes: 56 },
    });
    expect(preview.report?.series).toMatchObject([
      { ticker: 'SPY', action: 'new', after: 2, files: ['funds/spy.csv'] },
    ]);
    expect(preview.report?.files[0]?.sample?.[0]).toEqual(['date', 'close']);
    expect(await marketData.current()).toEqual(before);
    await uploads.run(ID, { publish: true });
    expect((await ended()).state).toBe('published');
    await vi.waitFor(async () => expect(await isThere(join(folderOf(ID), 'files'))).toBe(false), 30_000);
    expect((await marketData.current()).assetCount).toBe(1);
    expect(await put('funds/tlt.csv', 'date')).toMatchObject({ files: 1, bytes: 4 });
    await uploads.use(before.version);
    expect(await marketData.current()).toEqual(before);
  }, 120_000);

  it('takes no piece that does not continue what was sent', async () => {
    await uploads.begin(ID);
    await expect(put('spy.csv', 'x', 1)).rejects.toThrow(RangeError);
    await put('spy.csv', 'date');
    await expect(put('spy.csv', 'x', 5)).rejects.toThrow('has 4 bytes so far');
    await expect(put('spy.csv/tlt.csv', 'x')).rejects.toThrow('sent as a file before');
    await put('funds/tlt.csv', 'date');
    await expect(put('funds', 'x')).rejects.toThrow('sent as a folder before');
    expect(await uploads.state(ID)).toMatchObject({ files: 2, bytes: 8 });
  });

  it('is refused in words, with the question that a user can answer', async () => {
    await uploads.begin(ID);
    await put('spy.csv', 'date,close\n05/02/2024,1.5\n06/02/2024,1.6\n');
    await uploads.run(ID, { publish: true });
    expect(await ended()).toMatchObject({
      state: 'refused',
      question: 'dates',
      error: expect.stringContaining('day first or month first'),
    });
    // What went wrong before is not said of the run that follows.
    expect(await uploads.run(ID, { publish: false, dates: 'month_first' })).toMatchObject({
      state: 'running',
      error: null,
      question: null,
    });
    expect(await ended()).toMatchObject({ state: 'previewed', report: { firstDay: '2024-05-02' } });
  }, 120_000);

  it('is left alone by the reader of an earlier run that exits late', () => {
    const state = { state: 'running', run: 'second' } as UploadState;
    expect(leftBy('first', state)).toBe('nothing to do');
    expect(leftBy('second', state)).toBe('no end');
    expect(leftBy('first', { ...state, state: 'published' })).toBe('nothing to do');
    expect(leftBy('second', { ...state, state: 'published' })).toBe('published');
    expect(leftBy('second', { ...state, state: 'refused' })).toBe('nothing to do');
    expect(leftBy('second', null)).toBe('nothing to do');
  });

  it.each(['../x.csv', 'a/../../x.csv', '', '/', 'a\\b.csv', 'x\0.csv'])('takes no file %j', async (path) => {
    await uploads.begin(ID);
    await expect(put(path, 'x')).rejects.toThrow(RangeError);
  });

  it('takes fifty thousand files and 20 GiB, and not one more', async () => {
    await uploads.begin(ID);
    await become({ files: 49_999, bytes: 20 * 2 ** 30 - 1 });
    await put('last.csv', 'x');
    expect(await uploads.state(ID)).toMatchObject({ files: 50_000, bytes: 20 * 2 ** 30 });
    await become({ files: 50_000, bytes: 0 });
    await expect(put('more.csv', 'x')).rejects.toThrow('20 GiB and 50,000 files');
    await become({ files: 1, bytes: 20 * 2 ** 30 });
    await expect(put('more.csv', 'x')).rejects.toThrow('20 GiB and 50,000 files');
  });

  it('takes files twelve levels deep with names of two hundred characters, and no deeper or longer ones', async () => {
    await uploads.begin(ID);
    const deep = (levels: number) => Array.from({ length: levels }, (_, i) => `f${i}`).join('/');
    await put(deep(12), 'x');
    await put('n'.repeat(200), 'x');
    await expect(put(`g/${deep(12)}`, 'x')).rejects.toThrow('is not a path of a file');
    await expect(put('n'.repeat(201), 'x')).rejects.toThrow('is not a path of a file');
  });

  it('is read once at a time, and by nobody any more who has been silent for a minute', async () => {
    await uploads.begin(ID);
    await put('spy.csv', 'date,close\n2024-01-02,1.5\n');
    const running = await become({ state: 'running', run: 'another' }, 50_000);
    expect(await uploads.run(ID, { publish: true })).toEqual(running);
    expect(await uploads.state(ID)).toEqual(running);
    await become({}, 60_000);
    expect(await uploads.state(ID)).toMatchObject({
      state: 'refused',
      error: 'The import ended without a result. Nothing was changed; try again',
    });
  });

  it('is kept for a day', async () => {
    const [old, young] = ['01JD0000000000000000000002', '01JD0000000000000000000003'];
    for (const [id, hours] of [
      [old, 24.1],
      [young, 23.9],
    ] as const) {
      await uploads.begin(id);
      const then = new Date(Date.now() - hours * 3_600_000);
      await utimes(folderOf(id), then, then);
    }
    await uploads.begin(ID);
    expect(await Promise.all([old, young, ID].map((id) => isThere(folderOf(id))))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('knows no upload that was not begun', async () => {
    expect(await put('a.csv', 'x')).toBeNull();
    expect(await uploads.state('../../etc')).toBeNull();
    expect(await uploads.run(ID, { publish: false })).toBeNull();
  });
});
