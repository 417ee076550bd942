import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Layout } from './layout.ts';
import { MarketDataError } from './market-data-error.ts';

/** Held by whoever builds or removes versions; freed by the operating system when its holder dies. */
export interface ImportLock extends Disposable {
  release(): void;
}

/** Takes the lock at once or throws `import_running`. */
export function takeImportLock(layout: Layout): ImportLock {
  return take(
    layout,
    layout.lock,
    'Another import, fetch or prune is changing the market data of this folder',
  );
}

/** Held while prices are downloaded; imports may go on meanwhile. */
export function takeFetchLock(layout: Layout): ImportLock {
  return take(layout, layout.fetchLock, 'Another fetch is downloading prices into this folder');
}

function take(layout: Layout, file: string, sentence: string): ImportLock {
  mkdirSync(layout.root, { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error))
      throw new MarketDataError('import_running', `${sentence}; try again when it has ended`);
    throw error;
  }
  let isHeld = true;
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    database.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** SQLite's result code 5, SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return (error as { errcode?: unknown } | null)?.errcode === 5;
}
