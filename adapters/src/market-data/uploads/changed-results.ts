import { type ChildProcess, fork } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChangedResult,
  type ChangedResults,
  MOST_LISTED_RESULTS,
} from '@quantloom/domain/market-data/changed-results';
import { writeFileAtomically } from '../files/layout.ts';

/** The program that looks for results, and what it has to be told to find them. */
export interface ResultsProgram {
  readonly file: URL;
  /** JSON. */
  readonly settings: unknown;
}

/** What the program is sent. */
export interface ResultsJob {
  readonly settings: unknown;
  /** Holds a `ChangedBarsOfImport`. */
  readonly changedBarsFile: string;
  /** Takes a `StoredResults`, written whole each time. */
  readonly resultsFile: string;
  /** Of the administrator who asked: the own results come first, then public ones. */
  readonly askedBy: string;
  /** The how-manieth search it is: kept with what is found. */
  readonly tries: number;
}

/** A result with what decides who may see what of it. */
export interface StoredResult extends Omit<ChangedResult, 'name'> {
  /** Null where neither the one who asked nor everybody may know it. */
  readonly name: string | null;
  readonly ownerId: string;
  readonly isPublic: boolean;
}

export interface StoredResults {
  readonly state: ChangedResults['state'];
  readonly batches: StoredList;
  readonly strategies: StoredList;
  readonly tries: number;
}

export interface StoredList {
  readonly total: number;
  readonly rows: readonly StoredResult[];
}

/** The program is ended then; what it has found stays. */
const DEADLINE_MS = 120_000;
/** Nothing was written for so long: the process that looked is gone, and with it who watched it. */
const GONE_MS = DEADLINE_MS + 30_000;
const MOST_TRIES = 3;
const EMPTY: StoredList = { total: 0, rows: [] };
const NOTHING_YET: StoredResults = { state: 'listing', batches: EMPTY, strategies: EMPTY, tries: 1 };

/** Where an import leaves what it changes. */
export function changedBarsFileOf(folder: string, run: string): string {
  return join(folder, `changed-${run}.json`);
}

/**
 * Searches for results in processes of their own: they read the log and run backtests, which must not hold up
 * who serves pages. Whatever happens to a process, what is told is the last thing that it wrote; one that was
 * lost with its machine is begun again by the next question, three times at most.
 */
export function openChangedResults(program: ResultsProgram) {
  const running = new Map<string, Promise<void>>();

  const look = async (resultsFile: string, job: ResultsJob, kept: StoredResults): Promise<void> => {
    await writeFileAtomically(resultsFile, JSON.stringify(kept));
    const child = fork(program.file, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, '--max-old-space-size=1024'],
    });
    const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    child.send(job);
    await ended(child);
    clearTimeout(deadline);
    const last = await readKept(resultsFile);
    if (last && (last.state === 'listing' || last.state === 'figures'))
      await writeFileAtomically(resultsFile, JSON.stringify({ ...last, state: 'stopped' }));
  };

  return {
    /** What is known by now; null where the run left nothing to look for. */
    async of(folder: string, run: string, viewerId: string): Promise<ChangedResults | null> {
      const changedBarsFile = changedBarsFileOf(folder, run);
      const resultsFile = join(folder, `results-${run}.json`);
      if (!running.has(resultsFile)) {
        const kept = await readKept(resultsFile);
        const isGone = kept !== null && (await isLost(resultsFile, kept));
        if (kept && isGone && kept.tries >= MOST_TRIES)
          return shownTo(viewerId, { ...kept, state: 'stopped' });
        const mayTry = kept === null ? await exists(changedBarsFile) : isGone;
        // Asked again after waiting: two questions at a time begin one search.
        if (mayTry && !running.has(resultsFile)) {
          const { settings } = program;
          const tries = (kept?.tries ?? 0) + 1;
          const job = { settings, changedBarsFile, resultsFile, askedBy: viewerId, tries };
          const first = { ...NOTHING_YET, tries };
          const looking = look(resultsFile, job, first)
            .catch((error: unknown) => {
              process.stderr.write(`The results that an import changes were not found: ${String(error)}\n`);
            })
            .finally(() => running.delete(resultsFile));
          running.set(resultsFile, looking);
          return shownTo(viewerId, first);
        }
      }
      const isRunning = running.has(resultsFile);
      const kept = await readKept(resultsFile);
      if (kept) return shownTo(viewerId, kept);
      // Begun by another question a moment ago: its first file is not written yet.
      return isRunning ? shownTo(viewerId, NOTHING_YET) : null;
    },
  };
}

/** What a viewer may see: names, tickers of what is his own or public, figures of his own and of public batches. */
function shownTo(viewerId: string, { state, batches, strategies }: StoredResults): ChangedResults {
  return {
    state,
    batches: listFor(viewerId, batches, true),
    strategies: listFor(viewerId, strategies, false),
  };
}

function listFor(viewerId: string, { total, rows }: StoredList, hasPublicFigures: boolean) {
  const items = rows.slice(0, MOST_LISTED_RESULTS).map((row) => {
    const { id, name, tickers, ticker_count, changed_from, figure, ownerId, isPublic } = row;
    const isOwn = ownerId === viewerId;
    return {
      id,
      name: isOwn || isPublic ? name : null,
      tickers: isOwn || isPublic ? [...tickers] : [],
      ticker_count,
      changed_from,
      // What others came to with a strategy is theirs, however public it is.
      figure: isOwn || (isPublic && hasPublicFigures) ? figure : null,
    };
  });
  return { total, items };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      process.stderr.write(`The search for changed results could not be begun: ${error.message}\n`);
      resolve();
    });
  });
}

async function isLost(resultsFile: string, { state }: StoredResults): Promise<boolean> {
  if (state === 'ready' || state === 'stopped') return false;
  const { mtimeMs } = await stat(resultsFile);
  return Date.now() - mtimeMs > GONE_MS;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

async function readKept(path: string): Promise<StoredResults | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoredResults;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
