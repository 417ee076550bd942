import type { ImportReport } from '@quantloom/domain/market-data/import-report';

/** A report without findings, as the start of one or for versions that nothing was imported into. */
export function emptyReport(version: string, createdAt: Date, source = ''): ImportReport {
  return {
    version,
    createdAt: createdAt.toISOString(),
    source,
    seconds: 0,
    files: [],
    rows: 0,
    tickers: 0,
    keptTickers: 0,
    firstDay: null,
    lastDay: null,
    rejectedRows: 0,
    rejectedByReason: {},
    rejected: [],
    flagCount: 0,
    flagsByKind: {},
    flags: [],
    notes: [],
  };
}
