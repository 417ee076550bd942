import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { claimFile } from '@quantloom/adapters/sqlite/claim-file';
import { ConfigurationError } from '../config.ts';

/**
 * Makes the data folder where it is missing, for its owner only: it holds personal data, secrets and the log.
 * Throws a `ConfigurationError` where nothing can be written in it.
 */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'EROFS' || code === 'EACCES' || code === 'EPERM'
        ? 'it cannot be written to'
        : code === 'EEXIST' || code === 'ENOTDIR'
          ? 'it is not a folder'
          : message;
    throw new ConfigurationError(`DATA_DIR ${folder} cannot be used: ${why}`);
  }
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    // A volume that belongs to somebody else and is given to us by group: its owner decides about it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * Claims the data folder for this process: the embedded product is one process, and a second one beside it
 * would follow the log and compute as well. The claim ends with the process, however it ends. Throws a
 * `ConfigurationError` where another one has it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const claim = claimFile(path.join(folder, 'product.lock'));
  if (claim) return claim;
  throw new ConfigurationError(
    `another \`npm start\` runs on DATA_DIR ${folder}; stop it, or set DATA_DIR to another folder`,
  );
}
