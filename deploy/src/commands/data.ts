import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import {
  type ImportQuestion,
  MarketDataError,
  type MarketDataErrorCode,
} from '@quantloom/adapters/market-data/files/market-data-error';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import {
  type ImportOptions,
  importFiles,
  previewImport,
} from '@quantloom/adapters/market-data/import/import-files';
import { cannotBeRead } from '@quantloom/adapters/market-data/import/read-failure';
import { fetchConditionSeries } from '@quantloom/adapters/market-data/providers/fetch-condition-series';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import {
  openFred,
  openProvider,
  PROVIDER_IDS,
} from '@quantloom/adapters/market-data/providers/open-provider';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { SIMULATED_PREFIX } from '@quantloom/domain/market-data/simulated-prefix';
import { Command, InvalidArgumentError, Option } from 'commander';
import { changedResultLines, resultsThatChangeInFolder } from '../market-data/results-that-change.ts';
import { versionsInUseOfFolder } from '../market-data/versions-in-use.ts';
import { CommandError } from './command-error.ts';
import { compareData, comparisonLines } from './data-compare.ts';
import { printReport } from './data-report.ts';
import { today } from './price-source.ts';
import { progressBar } from './progress-bar.ts';

const STATUS: Readonly<Record<MarketDataErrorCode, number>> = {
  import_refused: 400,
  provider_refused: 502,
  no_data_set: 404,
  unknown_version: 404,
  import_running: 409,
  data_set_damaged: 500,
};

/** Market-data errors as what the command line prints. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MarketDataError)
      throw new CommandError(STATUS[error.code], error.message, { cause: error });
    throw error;
  }
}

/** Where the data lies when nobody says otherwise. */
function dataDirOf(): string {
  return process.env.DATA_DIR || '.data';
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
    return Number(text);
  };
}

/**
 * `quantloom data …`: import, fetch, list, report, use, prune. Works on the data folder directly, whether or
 * not a server is running on it: a running server sees a new version by itself.
 */
export function dataCommand(): Command {
  const data = new Command('data').description('market data: import, fetch, list, report, use, prune');
  // Set before the subcommands are made, which inherit it.
  data.exitOverride();
  addImport(data);
  addFetch(data);
  addVersions(data);
  addCompare(data);
  return data;
}

interface ImportFlags {
  readonly replace?: boolean;
  readonly dropOthers?: boolean;
  readonly keepDifferent?: boolean;
  readonly allowBadRows?: boolean;
  readonly ticker?: string;
  readonly dates?: 'day-first' | 'month-first';
  readonly decimal?: 'point' | 'comma';
  readonly series?: string;
  readonly lag?: number;
  readonly dryRun?: boolean;
  readonly label?: string;
  readonly json?: boolean;
}

function addImport(data: Command): void {
  data
    .command('import')
    .description('import daily prices and make them current; known tickers are compared and appended to')
    .argument(
      '<files...>',
      'CSV, Parquet or Arrow files (also packed), folders, ZIP archives: docs/market-data.md',
    )
    .option('--dry-run', 'show what would change, and publish nothing')
    .option('--ticker <ticker>', 'the ticker of a file that names none')
    .addOption(new Option('--dates <order>', 'how to read 03/04/2020').choices(['day-first', 'month-first']))
    .addOption(new Option('--decimal <sign>', 'how to read 1,234').choices(['point', 'comma']))
    .option('--series <name>', 'the file is a series for conditions (@VIXCLS), which cannot be traded')
    .option('--lag <days>', 'calendar days until a value of the series is known', wholeNumber(0))
    .option(
      '--replace',
      'let these series take the place of the stored ones as a whole, even where they are shorter',
    )
    .option(
      '--keep-different',
      'leave series as they are that do not agree with these files, and import the rest',
    )
    .option('--drop-others', 'forget the tickers that are not in these files')
    .option('--allow-bad-rows', 'import the other rows where more than 2% cannot be right')
    .option('--label <text>', 'a name for the new version')
    .option('--json', 'print the whole report as JSON')
    .action(async (files: string[], flags: ImportFlags) => {
      const report = await importAsking(files, flags);
      printReport(report, flags.json ?? false);
      if (!flags.dryRun && !flags.json) await printChangedResults(report);
    });
}

/** Which results of this data folder would be others today. */
async function printChangedResults(report: ImportReport): Promise<void> {
  await using marketData = await openMarketDataFiles({ dataDir: dataDirOf() });
  const results = await resultsThatChangeInFolder(dataDirOf(), marketData, report, today());
  const lines = changedResultLines(results);
  if (lines.length > 0) console.log(lines.join('\n'));
}

/** Imports; on a terminal the user is asked what a file does not tell, elsewhere the refusal names the flag. */
async function importAsking(files: string[], flags: ImportFlags): Promise<ImportReport> {
  const bar = progressBar();
  const options = (): ImportOptions => ({
    dataDir: dataDirOf(),
    files,
    now: new Date(),
    replace: flags.replace ?? false,
    dropOthers: flags.dropOthers ?? false,
    keepDifferent: flags.keepDifferent ?? false,
    allowBadRows: flags.allowBadRows ?? false,
    ticker: flags.ticker,
    dates: flags.dates && (flags.dates === 'day-first' ? 'day_first' : 'month_first'),
    decimal: flags.decimal,
    series: flags.series,
    lagDays: flags.lag,
    ...(flags.label !== undefined && { label: flags.label }),
    onProgress: ({ stage, done, detail }) => bar.update(stage, done, detail),
  });
  try {
    return await explained(async () =>
      flags.dryRun ? previewImport(options()) : (await importFiles(options())).report,
    );
  } catch (error) {
    bar.stop();
    const question =
      error instanceof CommandError && error.cause instanceof MarketDataError ? error.cause.question : null;
    if (!question || !process.stdin.isTTY || !process.stderr.isTTY) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    const answer = await ask(question);
    return importAsking(files, { ...flags, ...answer });
  } finally {
    bar.stop();
  }
}

const QUESTIONS: Readonly<
  Record<ImportQuestion, { text: string; answers: Readonly<Record<string, Partial<ImportFlags>>> }>
> = {
  dates: {
    text: 'Day first or month first? [d/m] ',
    answers: { d: { dates: 'day-first' }, m: { dates: 'month-first' } },
  },
  decimal: {
    text: 'Is the comma a decimal comma, or does it stand between thousands? [c/t] ',
    answers: { c: { decimal: 'comma' }, t: { decimal: 'point' } },
  },
};

async function ask(question: ImportQuestion): Promise<Partial<ImportFlags>> {
  const { text, answers } = QUESTIONS[question];
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = answers[(await lines.question(text)).trim().toLowerCase().slice(0, 1)];
    if (!answer) throw new CommandError(400, 'Nothing was imported');
    return answer;
  } finally {
    lines.close();
  }
}

interface FetchFlags {
  readonly provider: string;
  readonly tickers?: string;
  readonly series?: string;
  readonly lag?: number;
  readonly tickersFile?: string;
  readonly all?: boolean;
  readonly full?: boolean;
  readonly perHour?: number;
  readonly json?: boolean;
}

async function wantedTickers(flags: FetchFlags): Promise<string[] | 'known' | 'all'> {
  if (flags.all) return 'all';
  const texts = [flags.tickers ?? ''];
  if (flags.tickersFile !== undefined)
    texts.push(
      await readFile(flags.tickersFile, 'utf8').catch((cause: unknown) => {
        const { message } = cannotBeRead(flags.tickersFile ?? '', cause);
        throw new CommandError(400, message, { cause });
      }),
    );
  const tickers = texts
    .join('\n')
    .split(/[\s,]+/)
    .filter(Boolean);
  return tickers.length > 0 ? tickers : 'known';
}

function addFetch(data: Command): void {
  data
    .command('fetch')
    .description(
      'bring prices (or, from fred, series for conditions) up to date; ' +
        'keys are read from TIINGO_API_KEY, EODHD_API_KEY, APCA_API_KEY_ID and APCA_API_SECRET_KEY, ' +
        'STOOQ_API_KEY, FRED_API_KEY',
    )
    .requiredOption('--provider <name>', `one of ${[...PROVIDER_IDS, 'fred'].join(', ')}`)
    .option('--series <list>', 'ids of series for conditions with commas between, from fred')
    .option('--lag <days>', 'calendar days until a value of the series is known', wholeNumber(0))
    .option('--tickers <list>', 'tickers with commas between; default: those fetched before')
    .option('--tickers-file <file>', 'a file with a ticker on each line')
    .option('--all', 'all US stocks and funds that the provider has')
    .option('--full', 'fetch whole histories, also of series that seem up to date')
    .option('--per-hour <count>', 'requests an hour that your plan allows', wholeNumber(1))
    .option('--json', 'print the whole report as JSON')
    .action(async (flags: FetchFlags) => {
      if (flags.provider === 'fred') return fetchSeriesNow(flags);
      const stop = new AbortController();
      const interrupt = () =>
        stop.abort(new CommandError(499, 'Stopped; call the same command again to go on'));
      process.once('SIGINT', interrupt);
      const bar = progressBar();
      try {
        const tickers = await wantedTickers(flags);
        const result = await explained(() =>
          fetchPrices({
            dataDir: dataDirOf(),
            provider: openProvider(flags.provider, process.env, {
              ...(flags.perHour !== undefined && { requestsPerHour: flags.perHour }),
            }),
            tickers,
            now: new Date(),
            full: flags.full ?? false,
            signal: stop.signal,
            onProgress: ({ done, ticker }) => bar.update('fetching', done, ticker),
          }),
        );
        bar.stop();
        if (result.manifest) printReport(result.report, flags.json ?? false);
        else console.log(`Nothing has changed: ${result.unchanged} series are up to date`);
      } finally {
        process.off('SIGINT', interrupt);
        bar.stop();
      }
    });
}

async function fetchSeriesNow({ series = '', lag, json = false }: FetchFlags): Promise<void> {
  const ids = series.split(/[\s,]+/).filter(Boolean);
  if (ids.length === 0) throw new CommandError(400, 'Say which series: --series VIXCLS,UNRATE');
  const result = await explained(async () =>
    fetchConditionSeries({
      dataDir: dataDirOf(),
      provider: openFred(process.env),
      ids,
      lagDays: lag,
      now: new Date(),
    }),
  );
  if (result) printReport(result.report, json);
  else console.log('Nothing has changed: the series are up to date');
}

function addCompare(data: Command): void {
  data
    .command('compare')
    .description('compare two sources day by day: versions (current), or files')
    .argument('<first>', 'a version as "list" shows it, "current", or a file')
    .argument('<second>', 'the same')
    .option('--tickers <list>', 'tickers with commas between; default: all that both have')
    .option('--above <percent>', 'difference of daily returns that is told, in percent', positive, 0.5)
    .option('--json', 'print JSON')
    .action(
      async (first: string, second: string, flags: { tickers?: string; above: number; json?: boolean }) => {
        const threshold = flags.above / 100;
        const tickers = (flags.tickers ?? '')
          .toUpperCase()
          .split(/[\s,]+/)
          .filter(Boolean);
        const compared = await explained(() =>
          compareData(dataDirOf(), first, second, { threshold, tickers }),
        );
        console.log(
          flags.json ? JSON.stringify(compared, null, 2) : comparisonLines(compared, threshold).join('\n'),
        );
      },
    );
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function addVersions(data: Command): void {
  const open = () => openMarketDataFiles({ dataDir: dataDirOf() });
  data
    .command('list')
    .description('list the versions of the data set')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await using marketData = await open();
      const current = (await explained(() => marketData.current())).version;
      const versions = await marketData.versions();
      if (options.json) {
        console.log(JSON.stringify({ current, versions }, null, 2));
        return;
      }
      for (const { version, lastDay, assetCount, label, isSimulated } of versions) {
        const assets = (await explained(() => marketData.assets(version))).filter(
          ({ ticker }) => !ticker.startsWith(SIMULATED_PREFIX),
        );
        const [firstDay = lastDay] = assets.map((asset) => asset.firstDay).sort();
        const rows = (await explained(() => marketData.report(version)))?.rowCount;
        console.log(
          `${version === current ? '*' : ' '} ${version}  ${String(assetCount).padStart(6)} ` +
            `${assetCount === 1 ? 'asset ' : 'assets'}  ` +
            `${rows === undefined ? '' : `${rows.toLocaleString('en-US')} prices  `}${firstDay} to ` +
            `${lastDay}  ${label}${isSimulated ? '  [simulated]' : ''}`,
        );
        if (version === current)
          for (const series of (await marketData.conditionSeries?.(version)) ?? [])
            console.log(
              `    ${series.name}  for conditions only: ${series.firstDay} to ${series.lastDay}, ` +
                `${series.hasVintages ? 'known on the days of publication' : `known ${series.lagDays} ${series.lagDays === 1 ? 'day' : 'days'} later`}, ` +
                `${series.source}  ${series.title}`,
            );
      }
    });
  data
    .command('report')
    .description('what the import of a version found')
    .argument('[version]', 'as "list" shows it; default the current one')
    .option('--json', 'print the whole report as JSON')
    .action(async (version: string | undefined, options: { json?: boolean }) => {
      await using marketData = await open();
      const report = await explained(async () =>
        marketData.report(version ?? (await marketData.current()).version),
      );
      if (report) printReport(report, options.json ?? false);
      else console.log('The demo data set is simulated; there is nothing to report');
    });
  data
    .command('use')
    .description('make a version current')
    .argument('<version>', 'as "list" shows it')
    .action(async (version: string) => {
      await using marketData = await open();
      const manifest = await explained(() => marketData.use(version));
      console.log(`Now current: ${manifest.version} (${manifest.label})`);
    });
  data
    .command('prune')
    .description('remove old versions that no batch refers to')
    .option('--keep <count>', 'newest versions to keep', wholeNumber(0), 3)
    .action(async ({ keep }: { keep: number }) => {
      if (process.env.EVENTSTORE_URL)
        throw new CommandError(
          400,
          'In a cluster the versions in use are not known to this command; remove versions with the refresh service',
        );
      await using marketData = await open();
      const removed = await explained(() =>
        marketData.prune({ keep, now: new Date(), versionsInUse: () => versionsInUseOfFolder(dataDirOf()) }),
      );
      for (const version of removed) console.log(`Removed ${version}`);
      if (removed.length === 0) console.log('Nothing to remove');
    });
}
