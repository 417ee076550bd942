import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { Command } from 'commander';
import { printReport } from './data-report.ts';
import { progressBar } from './progress-bar.ts';

/** Where the data lies when nobody says otherwise. */
function dataDirOf(env: NodeJS.ProcessEnv): string {
  return env.DATA_DIR || '.data';
}

/**
 * `quantloom data …`: import, list, use, prune. Works on the data folder directly, whether or not a server is running on it: a running
 * server sees a new version by itself.
 */
export function dataCommand(): Command {
  const data = new Command('data').description('market data: import, list, use, prune');
  data
    .command('import')
    .description('import daily prices from CSV, CSV.gz or Parquet files and make them current')
    .argument('<files...>', 'files with date, ticker, adj_close[, name], or one file per ticker')
    .option('--replace', 'forget the tickers that are not in these files')
    .option('--label <text>', 'a name for the new version')
    .option('--json', 'print the whole report as JSON')
    .action(async (files: string[], options: { replace?: boolean; label?: string; json?: boolean }) => {
      const bar = progressBar();
      try {
        const { report } = await importFiles({
          dataDir: dataDirOf(process.env),
          files,
          now: new Date(),
          replace: options.replace ?? false,
          ...(options.label !== undefined && { label: options.label }),
          onProgress: ({ stage, done, detail }) => bar.update(stage, done, detail),
        });
        bar.stop();
        printReport(report, options.json ?? false);
      } finally {
        bar.stop();
      }
    });
  data
    .command('list')
    .description('list the versions of the data set')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const marketData = await openMarketDataFiles({ dataDir: dataDirOf(process.env) });
      const current = (await marketData.current()).version;
      const versions = await marketData.versions();
      await marketData.close();
      if (options.json) {
        console.log(JSON.stringify({ current, versions }, null, 2));
        return;
      }
      for (const { version, lastDay, assetCount, label, isSimulated } of versions)
        console.log(
          `${version === current ? '*' : ' '} ${version}  ${String(assetCount).padStart(6)} assets  to ${lastDay}  ${label}${isSimulated ? '  [simulated]' : ''}`,
        );
    });
  data
    .command('use')
    .description('make a version current')
    .argument('<version>', 'as "list" shows it')
    .action(async (version: string) => {
      const marketData = await openMarketDataFiles({ dataDir: dataDirOf(process.env) });
      const manifest = await marketData.use(version);
      await marketData.close();
      console.log(`Now current: ${manifest.version} (${manifest.label})`);
    });
  return data;
}
