import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../config.ts';
import { lockDataFolder, prepareDataFolder } from './data-folder.ts';
import { secretKeyOf } from './secret-key.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'data-folder-'));
  dataDir = path.join(folder, 'some', 'data');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('the data folder', () => {
  it('is made for its owner only, and made so where it was open to others', () => {
    prepareDataFolder(dataDir);
    expect(modeOf(dataDir)).toBe(0o700);
    chmodSync(dataDir, 0o755);
    writeFileSync(path.join(dataDir, 'kept'), 'kept');
    prepareDataFolder(dataDir);
    expect(modeOf(dataDir)).toBe(0o700);
    expect(readFileSync(path.join(dataDir, 'kept'), 'utf8')).toBe('kept');
  });

  it('is told of in words where it is a file, or inside of one', () => {
    writeFileSync(path.join(folder, 'some'), '');
    for (const place of [path.join(folder, 'some'), dataDir])
      expect(() => prepareDataFolder(place)).toThrow(
        new ConfigurationError(`DATA_DIR ${place} cannot be used: it is not a folder`),
      );
  });

  it('belongs to one process at a time', () => {
    prepareDataFolder(dataDir);
    const lock = lockDataFolder(dataDir);
    expect(() => lockDataFolder(dataDir)).toThrow(ConfigurationError);
    lock.release();
    lockDataFolder(dataDir).release();
  });
});

describe('the secret of an installation', () => {
  it('is made once, for the owner of the folder only', () => {
    const key = secretKeyOf({ DATA_DIR: dataDir });
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(secretKeyOf({ DATA_DIR: dataDir })).toBe(key);
    expect(modeOf(path.join(dataDir, 'secret.key'))).toBe(0o600);
    expect(secretKeyOf({ DATA_DIR: path.join(folder, 'other') })).not.toBe(key);
  });

  it('is the one of the configuration where there is one, which is not kept', () => {
    const key = 'ab'.repeat(32);
    expect(secretKeyOf({ SECRET_KEY: key, DATA_DIR: dataDir })).toBe(key);
    expect(secretKeyOf({ DATA_DIR: dataDir })).not.toBe(key);
  });

  it('is never made anew over a file that holds none', () => {
    mkdirSync(dataDir, { recursive: true });
    const file = path.join(dataDir, 'secret.key');
    for (const text of ['', 'ab'.repeat(31)]) {
      writeFileSync(file, text);
      expect(() => secretKeyOf({ DATA_DIR: dataDir })).toThrow('does not hold a secret key');
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });
});
