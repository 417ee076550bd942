import type { ChangedResults } from '../market-data/changed-results.ts';
import type { ImportReport } from '../market-data/import-report.ts';

/** What an administrator says for an import. */
export interface UploadedImportOptions {
  /** False: only tell what would change. */
  readonly publish: boolean;
  readonly replace?: boolean;
  readonly keepDifferent?: boolean;
  readonly allowBadRows?: boolean;
  readonly ticker?: string;
  readonly dates?: 'day_first' | 'month_first';
  readonly decimal?: 'point' | 'comma';
  /** The one file is a series for conditions of this name. */
  readonly series?: string;
  readonly lagDays?: number;
}

export interface UploadState {
  readonly state: 'uploading' | 'running' | 'previewed' | 'published' | 'refused';
  /** Of `running`. */
  readonly stage: string;
  /** 0..1 of the stage. */
  readonly done: number;
  readonly files: number;
  readonly bytes: number;
  /** Why it was refused, a sentence. */
  readonly error: string | null;
  /** What the files do not tell. */
  readonly question: 'dates' | 'decimal' | null;
  /** Lists are cut to what a page shows. */
  readonly report: ImportReport | null;
  /** Tells one run of the upload from the others; missing before the first. */
  readonly run?: string;
}

/**
 * Files that came over the network, on their way into the market data. Uploads that nobody finished are gone
 * after a day.
 */
export interface MarketDataImports {
  begin(id: string): Promise<UploadState>;
  /**
   * Puts a piece of a file at its place; the same piece twice is as good as once. Rejects with a RangeError
   * for a path that is none.
   */
  put(id: string, path: string, offset: number, bytes: Uint8Array): Promise<UploadState | null>;
  /**
   * Begins an import or preview of what was uploaded, in a process of its own; its end is told by `state`.
   * Null for an unknown upload.
   */
  run(id: string, options: UploadedImportOptions): Promise<UploadState | null>;
  state(id: string): Promise<UploadState | null>;
  /**
   * Which results the last preview or import of an upload changes, as far as it is known by now; the first
   * call begins to look, further ones only tell. Null where there is nothing to look for, or this
   * installation does not look.
   *
   * @param viewerId whose own results, and public ones, are named; of those of others there is no more than the id
   */
  changedResults(id: string, viewerId: string): Promise<ChangedResults | null>;
  /**
   * Makes a version current: undo is the version before. Rejects with code `unknown_version`,
   * `data_set_damaged` or `import_running`.
   */
  use(version: string): Promise<void>;
}
