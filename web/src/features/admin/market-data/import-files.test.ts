import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setApi } from '../../../lib/api.ts';
import { filesOfDrop, runImport, sendFiles } from './import-files.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MIB = 1024 * 1024;
const fileOf = (path: string, bytes: number) => {
  const content = new Uint8Array(bytes).map((_, i) => i % 251);
  return { path, file: new File([content], path) };
};

it('sends every byte of every file, empty ones too, and says how much of all has gone', async () => {
  const pieces: { path: string; offset: number; bytes: number }[] = [];
  setApi({
    call: async (_: unknown, { body }: { body?: { path: string; offset: number; content: string } }) => {
      if (body) pieces.push({ path: body.path, offset: body.offset, bytes: atob(body.content).length });
      return { data: { id: 'u1' } };
    },
  } as unknown as ApiClient);
  const told: number[] = [];
  const files = [fileOf('a/large.csv', 5 * MIB), fileOf('empty.csv', 0), fileOf('even.csv', 2 * MIB)];
  expect(await sendFiles(files, (done) => told.push(done), new AbortController().signal)).toBe('u1');
  expect(pieces).toEqual([
    { path: 'a/large.csv', offset: 0, bytes: 2 * MIB },
    { path: 'a/large.csv', offset: 2 * MIB, bytes: 2 * MIB },
    { path: 'a/large.csv', offset: 4 * MIB, bytes: MIB },
    { path: 'empty.csv', offset: 0, bytes: 0 },
    { path: 'even.csv', offset: 0, bytes: 2 * MIB },
  ]);
  expect(told).toEqual([2 / 7, 4 / 7, 5 / 7, 5 / 7, 1]);
  told.length = 0;
  await sendFiles([fileOf('empty.csv', 0)], (done) => told.push(done), new AbortController().signal);
  expect(told).toEqual([1]);
});

/** A server on which an import runs until it has been asked about so often. */
function importing(questions: number) {
  let asked = 0;
  setApi({
    call: async ({ method }: { method: string }) => {
      if (method === 'GET') asked += 1;
      return { data: { state: asked < questions ? 'running' : 'published', done: asked } };
    },
  } as unknown as ApiClient);
  return () => asked;
}

it('waits for the end of an import and tells how it goes on', async () => {
  importing(3);
  const told: number[] = [];
  const running = runImport('u1', true, {}, ({ done }) => told.push(done), new AbortController().signal);
  await vi.runAllTimersAsync();
  expect(await running).toMatchObject({ state: 'published', done: 3 });
  expect(told).toEqual([0, 1, 2]);
});

it('asks no more when its page is left', async () => {
  const asked = importing(1_000);
  const abort = new AbortController();
  const running = runImport('u1', true, {}, () => undefined, abort.signal);
  running.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  const before = asked();
  abort.abort(new Error('left'));
  await vi.advanceTimersByTimeAsync(10_000);
  await expect(running).rejects.toThrow('left');
  expect(asked()).toBe(before);
});

it('finds the files of dropped folders, however many answers a folder takes', async () => {
  const file = (fullPath: string) => ({
    isFile: true,
    fullPath,
    file: (resolve: (file: File) => void) => resolve(new File([], fullPath)),
  });
  const folder = (fullPath: string, answers: unknown[][]) => ({
    isFile: false,
    fullPath,
    createReader: () => ({
      readEntries: (resolve: (entries: unknown[]) => void) => resolve(answers.shift() ?? []),
    }),
  });
  const inner = folder('/all/inner', [[file('/all/inner/c.csv')]]);
  const all = folder('/all', [[file('/all/a.csv'), inner], [file('/all/b.csv')]]);
  const items = [file('/d.csv'), all, null].map((entry) => ({ webkitGetAsEntry: () => entry }));
  const found = await filesOfDrop(items as unknown as DataTransferItemList);
  expect(found.map(({ path }) => path)).toEqual(['d.csv', 'all/a.csv', 'all/inner/c.csv', 'all/b.csv']);
});
