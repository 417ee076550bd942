import { MAX_SOURCE_FILES, MAX_SOURCE_LENGTH } from '@quantloom/domain/exchange/syntax/source-limits';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readFiles } from './import-files.ts';

const fileOf = (name: string, content: string | Uint8Array) =>
  new File([content as Uint8Array<ArrayBuffer>], name);
const zipOf = (name: string, files: Readonly<Record<string, string>>) =>
  fileOf(
    name,
    zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
  );
const utf16 = (text: string) =>
  Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0])]);

describe('files that may be strategies', () => {
  it('are read in their order and in the encoding that they are written in', async () => {
    expect(await readFiles([fileOf('b.json', '{"b":"Ü"}'), fileOf('a.txt', utf16('{"a":1}'))])).toEqual({
      sources: [
        { name: 'b.json', text: '{"b":"Ü"}' },
        { name: 'a.txt', text: '{"a":1}' },
      ],
      faults: [],
    });
  });

  it('leave one out that is too large, and go on', async () => {
    const large = Object.defineProperty(fileOf('large.json', ''), 'size', {
      value: 3 * MAX_SOURCE_LENGTH + 1,
    });
    const { sources, faults } = await readFiles([large, fileOf('a.json', '{}')]);
    expect(sources.map(({ name }) => name)).toEqual(['a.json']);
    expect(faults).toEqual([expect.stringMatching(/^large\.json: This is too large for a strategy: 24 MB/)]);
  });

  it('are so many at once, and it is told how many there were', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, i) => fileOf(`s${i}.json`, '{}'));
    expect((await readFiles(files(MAX_SOURCE_FILES))).faults).toEqual([]);
    const { sources, faults } = await readFiles(files(MAX_SOURCE_FILES + 1));
    expect(sources).toHaveLength(MAX_SOURCE_FILES);
    expect(faults).toEqual([
      `Only the first ${MAX_SOURCE_FILES} of ${MAX_SOURCE_FILES + 1} files are read at once.`,
    ]);
  });
});

describe('an archive', () => {
  it('gives the strategies in it, without what programs put beside them', async () => {
    const archive = zipOf('all.zip', {
      'b.json': '{"b":1}',
      '__MACOSX/b.json': 'x',
      '__MACOSX/folder/_b.json': 'x',
      '.hidden/c.json': 'x',
      'folder/.c.json': 'x',
      'folder/a.EDN': '{:a 1}',
      '_old.json': '{"old":1}',
      'readme.md': 'x',
    });
    const { sources, faults } = await readFiles([archive]);
    expect(sources.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'b.json {"b":1}',
      'folder/a.EDN {:a 1}',
      '_old.json {"old":1}',
    ]);
    expect(faults).toEqual([]);
  });

  it('says where it has none, where it is damaged, and what it leaves out', async () => {
    const none = zipOf('none.zip', { 'readme.md': 'x' });
    const whole = new Uint8Array(await zipOf('cut.zip', { 'a.json': '{}' }).arrayBuffer());
    const large = zipOf('large.zip', {
      'a.json': 'x'.repeat(MAX_SOURCE_LENGTH + 1),
      'b.json': '{}',
      'c.png': 'x'.repeat(MAX_SOURCE_LENGTH + 1),
    });
    const { sources, faults } = await readFiles([none, fileOf('cut.zip', whole.subarray(0, 40)), large]);
    expect(sources.map(({ name }) => name)).toEqual(['b.json']);
    expect(faults).toEqual([
      'none.zip: there is no .json, .edn, .clj or .txt file in it',
      expect.stringMatching(/^cut\.zip: ./),
      'large.zip: a.json is too large for a strategy.',
    ]);
  });

  it('is read up to so many files', async () => {
    const names = Array.from({ length: MAX_SOURCE_FILES + 2 }, (_, i) => [`s${i}.json`, '{}'] as const);
    const { sources, faults } = await readFiles([zipOf('many.zip', Object.fromEntries(names))]);
    expect(sources).toHaveLength(MAX_SOURCE_FILES);
    expect(faults).toEqual([
      `many.zip: only the first ${MAX_SOURCE_FILES} of ${MAX_SOURCE_FILES + 2} files in it are read.`,
    ]);
  });
});
