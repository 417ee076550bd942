import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type ArchiveFile, zipOf } from './zip-files.ts';

/** Bytes that do not become fewer. */
const noise = randomBytes(50_000);

function counted() {
  const seen = { files: 0, isOver: false };
  async function* files(): AsyncGenerator<ArchiveFile> {
    try {
      for (; seen.files < 500; seen.files += 1)
        yield { path: `${seen.files}.bin`, content: noise.toString('base64') };
    } finally {
      seen.isOver = true;
    }
  }
  return { seen, files: files() };
}

it('asks for no more files than the client takes, and for none after it has left', async () => {
  const { seen, files } = counted();
  const zip = zipOf(files);
  await once(zip, 'readable');
  for (let turn = 0; turn < 2_000; turn += 1) await setImmediate();
  expect(seen.files).toBeLessThan(20);
  zip.destroy();
  await once(zip, 'close');
  await expect.poll(() => seen.isOver).toBe(true);
  expect(seen.files).toBeLessThan(20);
});

it('breaks off where a file cannot be read', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'first';
    throw new Error('The disk is gone');
  }
  async function* files(): AsyncGenerator<ArchiveFile> {
    yield { path: 'a.txt', content: broken() };
  }
  const zip = zipOf(files());
  await expect(zip.toArray()).rejects.toThrow('The disk is gone');
});
