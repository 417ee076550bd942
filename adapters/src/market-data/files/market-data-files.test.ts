import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marketDataContract, type SuiteSeries } from '../contract.ts';
import { DataSetWriter } from './data-set-writer.ts';
import { emptyReport } from './empty-report.ts';
import { layoutOf, newVersionId } from './layout.ts';
import { openMarketDataFiles, publishedVersions } from './market-data-files.ts';

async function publish(dataDir: string, series: readonly SuiteSeries[]): Promise<string> {
  const layout = layoutOf(dataDir);
  const writer = await DataSetWriter.create(layout, 18_300);
  for (const { ticker, name, days, closes } of series)
    await writer.add(
      { ticker, name, source: 'test', adjustment: 'splits_and_dividends', isSimulated: false },
      Int32Array.from(days),
      Float64Array.from(closes),
    );
  const now = new Date();
  const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
  await writer.publish({ version, createdAt: now.toISOString(), label: 'test' }, emptyReport(version, now));
  return version;
}

marketDataContract('files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'market-data-'));
  const marketData = await openMarketDataFiles({ dataDir, demo: false });
  return {
    marketData,
    publish: (series) => publish(dataDir, series),
    close: async () => {
      await marketData.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
});
