import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRequest } from './request-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'request-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a request is read in the encodings that Windows writes', async () => {
  const file = path.join(folder, 'request.json');
  const text = '\uFEFF{"request": {"name": "Größe"}}\r\n';
  const bigEndian = Buffer.from(text, 'utf16le').swap16();
  for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le'), bigEndian]) {
    await writeFile(file, bytes);
    expect(await readRequest(file, { type: 'object' })).toEqual({ name: 'Größe' });
  }
});

test('a file that cannot be read is told in words', async () => {
  const file = path.join(folder, 'nowhere.json');
  await expect(readRequest(file, {})).rejects.toThrow(`${file} cannot be read: there is no such file`);
  await expect(readRequest(folder, {})).rejects.toThrow(`${folder} cannot be read: it is a folder`);
});
