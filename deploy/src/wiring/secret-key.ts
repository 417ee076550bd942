import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';

/**
 * The installation's secret, 32 bytes as hex: from the configuration, else made once and kept in the data
 * folder for its owner only.
 */
export function secretKeyOf(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): string {
  if (config.SECRET_KEY) return config.SECRET_KEY;
  const file = path.join(config.DATA_DIR, 'secret.key');
  mkdirSync(config.DATA_DIR, { recursive: true });
  if (!existsSync(file)) {
    try {
      // Exclusive: of two processes that start at once, one makes the key and both read it.
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  const key = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw new Error(`${file} does not hold a secret key (64 hexadecimal digits)`);
  return key;
}
