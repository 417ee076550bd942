import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { link } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeSnapshot } from './snapshot.ts';

vi.mock('node:fs/promises', { spy: true });

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'snapshot-'));
});
afterEach(() => {
  vi.mocked(link).mockReset();
  rmSync(dataDir, { recursive: true });
});

function put(name: string, text: string): void {
  const target = path.join(dataDir, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
/** What a snapshot holds, and what happens in the folder between the first look at it and the second. */
async function taken(meanwhile: () => void = () => {}): Promise<Record<string, string>> {
  let isFirst = true;
  const { files, remove } = await takeSnapshot(dataDir, () => {
    if (isFirst) meanwhile();
    isFirst = false;
  });
  const found = files.map(({ name, source, bytes }) => {
    const content = readFileSync(source, 'utf8');
    expect(bytes, name).toBe(content.length);
    return [name, content] as const;
  });
  await remove();
  expect(readdirSync(dataDir).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  return Object.fromEntries(found);
}
const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('a snapshot of a folder in use', () => {
  it('has what came while the log was copied, and what was deleted meanwhile', async () => {
    put('results/b1/rows', 'of a batch that is deleted');
    put('results/b2/rows', 'kept');
    const files = await taken(() => {
      rmSync(path.join(dataDir, 'results/b1'), { recursive: true });
      // The log may say by now that this batch has finished.
      put('results/b3/rows', 'just stored');
    });
    expect(files).toEqual({
      'results/b1/rows': 'of a batch that is deleted',
      'results/b2/rows': 'kept',
      'results/b3/rows': 'just stored',
    });
    expect(existsSync(path.join(dataDir, 'results/b1'))).toBe(false);
  });

  it('copies files where a file system has no second names for them', async () => {
    put('results/b1/rows', 'rows');
    vi.mocked(link).mockImplementation(() => refused('EPERM'));
    expect(await taken()).toEqual({ 'results/b1/rows': 'rows' });
  });

  it('leaves out what was deleted between listing and copying it, and fails for any other reason', async () => {
    put('results/b1/rows', 'rows');
    put('results/gone', 'gone');
    vi.mocked(link).mockImplementation(async (source, target) => {
      if (String(source).endsWith('gone')) rmSync(source, { force: true });
      writeFileSync(target, readFileSync(source));
    });
    expect(await taken()).toEqual({ 'results/b1/rows': 'rows' });
    vi.mocked(link).mockImplementation((source) => {
      rmSync(source);
      mkdirSync(String(source));
      return refused('EIO');
    });
    await expect(taken()).rejects.toThrow(/EISDIR|EIO/);
    expect(readdirSync(dataDir)).toEqual(['results']);
  });
});
