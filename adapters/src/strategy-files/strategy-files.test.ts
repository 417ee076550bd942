import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_SOURCE_FILES, MAX_SOURCE_LENGTH } from '@quantloom/domain/exchange/syntax/source-limits';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../market-data/import/corpus/zip.ts';
import { readStrategyFiles, type StrategyFile } from './strategy-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strategy-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* typed(...parts: (string | Uint8Array)[]) {
  for (const part of parts) yield Buffer.from(part as string);
}
async function read(file: string, input: AsyncIterable<Uint8Array> = typed()): Promise<StrategyFile[]> {
  const found: StrategyFile[] = [];
  for await (const one of readStrategyFiles(file, input)) found.push(one);
  return found;
}
function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a file with a strategy', () => {
  it('is read in the encoding that it is written in', async () => {
    const text = '{"name": "Ünder"}';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(text, 'utf16le'),
    ])
      expect(await read(fileOf('a.json', bytes))).toEqual([{ file: join(folder, 'a.json'), text }]);
  });

  it('may come from standard input, in pieces that cut a character', async () => {
    const bytes = Buffer.from('{"Ü":1}');
    expect(await read('-', typed(bytes.subarray(0, 3), bytes.subarray(3)))).toEqual([
      { file: '-', text: '{"Ü":1}' },
    ]);
  });

  it('is not read where it is larger than any strategy, wherever it comes from', async () => {
    const most = 3 * MAX_SOURCE_LENGTH;
    const path = fileOf('large.json', '');
    truncateSync(path, most + 1);
    const refusal = { status: 413, error: expect.stringContaining('24 MB, at most 8 MB are read') };
    expect(await read(path)).toMatchObject([{ file: path, ...refusal }]);
    expect(await read('-', typed(Buffer.alloc(most), 'x'))).toMatchObject([{ file: '-', ...refusal }]);
    expect(await read('-', typed(Buffer.alloc(most)))).toMatchObject([{ text: expect.any(String) }]);
  });

  it('is told in words where it is none', async () => {
    const missing = join(folder, 'missing.json');
    expect(await read(missing)).toEqual([
      { file: missing, status: 400, error: `${missing} cannot be read: there is no such file` },
    ]);
    expect(await read(folder)).toMatchObject([{ error: `${folder} cannot be read: it is a folder` }]);
    const cut = fileOf('cut.zip', zipOf({ 'a.json': '{}' }).subarray(0, 60));
    expect(await read(cut)).toMatchObject([
      { file: cut, status: 400, error: `${cut} cannot be read: it is no ZIP archive, or is cut off` },
    ]);
  });
});

describe('an archive', () => {
  it('gives its strategies in its own order, without what programs put beside them', async () => {
    const path = fileOf(
      'all.zip',
      zipOf({
        'b.json': '{"b":1}',
        'folder/': '',
        '__MACOSX/b.json': 'x',
        '.hidden/c.json': 'x',
        'folder/.c.json': 'x',
        'folder\\a.EDN': '{:a 1}',
        'readme.md': 'x',
        'c.cljs': Buffer.from('\uFEFF(c)', 'utf16le'),
      }),
    );
    expect(await read(path)).toEqual([
      { file: `${path}/b.json`, text: '{"b":1}' },
      { file: `${path}/folder/a.EDN`, text: '{:a 1}' },
      { file: `${path}/c.cljs`, text: '(c)' },
    ]);
  });

  it('is an archive whatever it is called, and says where it has none', async () => {
    const path = fileOf('strategy.json', zipOf({ 'readme.md': 'x' }));
    expect(await read(path)).toMatchObject([
      { file: path, status: 422, error: expect.stringContaining('There is no strategy in this archive') },
    ]);
  });

  it('is read up to so many files, and the next one is told', async () => {
    const names = Array.from({ length: MAX_SOURCE_FILES + 2 }, (_, i) => `s${i}.json`);
    const some = (count: number) =>
      read(fileOf('many.zip', zipOf(Object.fromEntries(names.slice(0, count).map((name) => [name, '{}'])))));
    expect((await some(MAX_SOURCE_FILES)).every((one) => 'text' in one)).toBe(true);
    const more = await some(MAX_SOURCE_FILES + 2);
    expect(more).toHaveLength(MAX_SOURCE_FILES + 1);
    expect(more.at(-1)).toMatchObject({
      status: 413,
      error: expect.stringContaining(`first ${MAX_SOURCE_FILES} files`),
    });
  });

  it('goes on behind a file that is too large or damaged', async () => {
    const bytes = zipOf({
      'large.json': Buffer.alloc(3 * MAX_SOURCE_LENGTH + 1),
      'bad.json': '{"bad":1}',
      'c.json': '{}',
    });
    // The data of the second file begin behind its name.
    bytes[bytes.indexOf('bad.json') + 'bad.json'.length] = 0xff;
    const path = fileOf('all.zip', bytes);
    expect(await read(path)).toMatchObject([
      { file: `${path}/large.json`, status: 413 },
      { file: `${path}/bad.json`, status: 400, error: expect.stringContaining('cannot be unpacked') },
      { file: `${path}/c.json`, text: '{}' },
    ]);
  });
});
