import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  MarketDataImports,
  UploadedImportOptions,
  UploadState,
} from '@quantloom/domain/ports/market-data-imports';
import { layoutOf, writeFileAtomically } from '../files/layout.ts';
import type { MarketDataFiles } from '../files/market-data-files.ts';
import { openChangedResults, type ResultsProgram } from './changed-results.ts';

export interface UploadsOptions {
  readonly dataDir: string;
  readonly marketData: Pick<MarketDataFiles, 'use'>;
  /** Looks for the results that an import changes; without it nothing is told of them. */
  readonly resultsProgram?: ResultsProgram;
}

const PROGRAM = new URL('./import-process.ts', import.meta.url);
const KEPT_MS = 24 * 3_600_000;
const MOST_BYTES = 20 * 2 ** 30;
const MOST_FILES = 50_000;
/** A running import tells of itself more often than this. */
const SILENT_MS = 60_000;
const ID = /^[0-9A-Za-z]{10,40}$/;

/** What the process of an import is told, and where it tells how it goes. */
export interface UploadJob {
  readonly dataDir: string;
  readonly files: readonly string[];
  /** What was sent so far, which limits count on from. */
  readonly sent: Pick<UploadState, 'files' | 'bytes'>;
  readonly stateFile: string;
  readonly options: UploadedImportOptions;
  readonly run: string;
}

/** Uploads in the data folder, beside the versions. Any process of the installation can tell the state of one. */
export function openUploads(options: UploadsOptions): MarketDataImports {
  const root = join(layoutOf(options.dataDir).root, 'uploads');
  const folderOf = (id: string) => {
    if (!ID.test(id)) return null;
    return join(root, id);
  };
  const stateFileOf = (folder: string) => join(folder, 'state.json');

  const read = async (id: string): Promise<UploadState | null> => {
    const folder = folderOf(id);
    if (folder === null) return null;
    try {
      const file = stateFileOf(folder);
      const state = JSON.parse(await readFile(file, 'utf8')) as UploadState;
      if (state.state !== 'running') return state;
      const { mtimeMs } = await stat(file);
      return Date.now() - mtimeMs < SILENT_MS ? state : ended(state);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  const changedResults = options.resultsProgram && openChangedResults(options.resultsProgram);
  /** The process that reads an upload's files, by the upload's id. */
  const readers = new Map<string, ChildProcess>();
  const write = async (folder: string, state: UploadState): Promise<UploadState> => {
    await writeFileAtomically(stateFileOf(folder), JSON.stringify(state));
    return state;
  };

  return {
    async begin(id) {
      const folder = folderOf(id);
      if (folder === null) throw new RangeError(`${id} is no id of an upload`);
      await removeOld(root);
      await mkdir(join(folder, 'files'), { recursive: true });
      return write(folder, EMPTY);
    },
    async put(id, path, offset, bytes) {
      const folder = folderOf(id);
      const before = await read(id);
      if (folder === null || before === null) return null;
      const target = join(folder, 'files', safePath(path));
      // Those of an upload that is published are gone.
      const sent = before.state === 'published' ? EMPTY : before;
      if (sent.bytes + bytes.length > MOST_BYTES || sent.files >= MOST_FILES)
        throw new RangeError(
          'An upload may have 20 GiB and 50,000 files: import the rest from the command line',
        );
      await makePlace(target, path, offset);
      await using file = await open(target, offset === 0 ? 'w' : 'r+');
      await file.write(bytes, 0, bytes.length, offset);
      return write(folder, {
        ...EMPTY,
        files: sent.files + (offset === 0 ? 1 : 0),
        bytes: sent.bytes + bytes.length,
      });
    },
    async run(id, importOptions) {
      const folder = folderOf(id);
      const before = await read(id);
      if (folder === null || before === null) return null;
      if (before.state === 'running') return before;
      const files = (await readdir(join(folder, 'files'))).sort().map((name) => join(folder, 'files', name));
      const run = randomUUID();
      const running = await write(folder, {
        ...before,
        run,
        state: 'running',
        stage: 'reading',
        done: 0,
        error: null,
        question: null,
        report: null,
      });
      const job: UploadJob = {
        dataDir: options.dataDir,
        files,
        sent: { files: before.files, bytes: before.bytes },
        stateFile: stateFileOf(folder),
        options: importOptions,
        run,
      };
      const child = fork(PROGRAM, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      readers.set(id, child);
      child.send(job);
      child.once('exit', () => {
        // A reader writes its end before it exits: the next one may be at work by then, and what it says is its own.
        if (readers.get(id) !== child) return;
        readers.delete(id);
        // It has written its end itself, unless it was killed.
        void read(id)
          .then(async (state) => {
            const left = leftBy(run, state);
            if (left === 'no end' && state) await write(folder, ended(state));
            if (left === 'published') await rm(join(folder, 'files'), { recursive: true, force: true });
          })
          .catch((error: unknown) => {
            process.stderr.write(`The state of upload ${id} could not be kept: ${String(error)}\n`);
          });
      });
      return running;
    },
    state: read,
    async changedResults(id, viewerId) {
      const folder = folderOf(id);
      const state = await read(id);
      if (!folder || !state?.run || !changedResults) return null;
      if (state.state !== 'previewed' && state.state !== 'published') return null;
      return changedResults.of(folder, state.run, viewerId);
    },
    async use(version) {
      await options.marketData.use(version);
    },
  };
}

/**
 * What a reader that is gone has left: what another run says by now, which began between its end and its
 * exit, is none of its business.
 */
export function leftBy(run: string, state: UploadState | null): 'no end' | 'published' | 'nothing to do' {
  if (state?.run !== run) return 'nothing to do';
  if (state.state === 'running') return 'no end';
  return state.state === 'published' ? 'published' : 'nothing to do';
}

const EMPTY: UploadState = {
  state: 'uploading',
  stage: '',
  done: 0,
  files: 0,
  bytes: 0,
  error: null,
  question: null,
  report: null,
};

function ended(state: UploadState): UploadState {
  return {
    ...state,
    state: 'refused',
    error: 'The import ended without a result. Nothing was changed; try again',
  };
}

/** A path below the folder of an upload; throws a RangeError for one that leads elsewhere. */
function safePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const isSafe =
    parts.length > 0 &&
    parts.length <= 12 &&
    parts.every((part) => part !== '.' && part !== '..' && part.length <= 200 && !/[\0\\]/.test(part));
  if (!isSafe) throw new RangeError(`${JSON.stringify(path.slice(0, 100))} is not a path of a file`);
  return join(...parts);
}

/**
 * The folder of a file, for a piece that continues what is there. Throws a RangeError for one that would leave a hole,
 * and where a file and a folder would have the same name: the sender's mistakes.
 */
async function makePlace(target: string, path: string, offset: number): Promise<void> {
  const named = JSON.stringify(path.slice(0, 100));
  try {
    await mkdir(dirname(target), { recursive: true });
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new RangeError(`A folder of ${named} was sent as a file before`);
  }
  const there = await stat(target).catch(() => null);
  if (there?.isDirectory()) throw new RangeError(`${named} was sent as a folder before`);
  const bytes = there?.size ?? 0;
  if (bytes < offset)
    throw new RangeError(`${named} has ${bytes} bytes so far: a piece at ${offset} would leave a hole`);
}

async function removeOld(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}
