import { dirname } from 'node:path';
import { changedBarsOf } from '@quantloom/domain/market-data/changed-results';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import type { UploadState } from '@quantloom/domain/ports/market-data-imports';
import { writeFileAtomically } from '../files/layout.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { type ImportOptions, importFiles, previewImport } from '../import/import-files.ts';
import { changedBarsFileOf } from './changed-results.ts';
import type { UploadJob } from './uploads.ts';

/** What a page shows of a report's lists. */
const SHOWN_SERIES = 500;
const SHOWN_ROWS = 100;
const TOLD_EVERY_MS = 500;

process.once('message', (job: UploadJob) => {
  void carryOut(job).finally(() => process.disconnect());
});

/** Carries out one upload's import; how it goes and ends stands in the state file. */
async function carryOut({ dataDir, files, sent, stateFile, options, run }: UploadJob): Promise<void> {
  let state: UploadState = {
    state: 'running',
    stage: 'reading',
    done: 0,
    ...sent,
    error: null,
    question: null,
    report: null,
    run,
  };
  let writing = Promise.resolve();
  const tell = (next: Partial<UploadState>) => {
    state = { ...state, ...next };
    const text = JSON.stringify(state);
    writing = writing.then(() => writeFileAtomically(stateFile, text));
    return writing;
  };
  const timer = setInterval(() => void tell({}).catch(() => undefined), TOLD_EVERY_MS);
  const { publish, ...flags } = options;
  const wanted: ImportOptions = {
    dataDir,
    files,
    now: new Date(),
    ...flags,
    onProgress: ({ stage, done }) => {
      state = { ...state, stage, done };
    },
  };
  try {
    const report = publish ? (await importFiles(wanted)).report : await previewImport(wanted);
    clearInterval(timer);
    // Before the end is told: whoever sees the end may ask which results are concerned.
    const changed = changedBarsOf(report, !publish);
    await writeFileAtomically(changedBarsFileOf(dirname(stateFile), run), JSON.stringify(changed));
    await tell({ state: publish ? 'published' : 'previewed', report: shortened(report) });
  } catch (error) {
    clearInterval(timer);
    const isExpected = error instanceof MarketDataError;
    if (!isExpected)
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    await tell({
      state: 'refused',
      error: isExpected ? error.message : 'The import failed for a reason of ours. Nothing was changed',
      question: isExpected ? error.question : null,
    });
  }
}

function shortened(report: ImportReport): ImportReport {
  return {
    ...report,
    files: report.files.slice(0, SHOWN_ROWS),
    rejected: report.rejected.slice(0, SHOWN_ROWS),
    flags: report.flags.slice(0, SHOWN_ROWS),
    ...(report.series && { series: report.series.slice(0, SHOWN_SERIES) }),
    ...(report.problems && { problems: report.problems.slice(0, SHOWN_ROWS) }),
  };
}
