import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { figuresOf } from '@quantloom/compute/engine/figures/run-figures';
import { tickersOf } from '@quantloom/compute/engine/model/tickers';
import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import {
  type Certificate,
  CertificateSchema,
  type Recomputed,
  verify,
} from '@quantloom/domain/certificate/certificate';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { RunFigures } from '@quantloom/domain/ports/backtest-runner';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { figuresOfMetrics } from '@quantloom/domain/strategy-run/events';
import { Command } from 'commander';
import { loadPrices, type MarketDataFactory, openDataFolder, today } from './price-source.ts';
import { readRequest } from './request-file.ts';

/**
 * `quantloom verify CERTIFICATE`: computes a result again from the data folder's prices; exit code 1 where it
 * is not confirmed.
 */
export function verifyCommand(openMarketData: MarketDataFactory = openDataFolder): Command {
  return new Command('verify')
    .description('compute the result of a certificate again, and confirm it or say what differs')
    .argument('<certificate>', 'the file of the certificate; "-" reads standard input')
    .option('--strategy <file>', 'JSON of the strategy, for a certificate that does not hold it')
    .action(async (file: string, options: { readonly strategy?: string }) => {
      const certificate = await readRequest<Certificate>(file, CertificateSchema);
      const tree =
        options.strategy === undefined
          ? (certificate.trading_bot as Algorithm | undefined)
          : await readRequest<Algorithm>(options.strategy, { type: 'object' });
      const found = verify(certificate, await recompute(certificate, tree, openMarketData));
      process.stdout.write(`${JSON.stringify(found)}\n`);
      if (!found.confirmed) process.exitCode = 1;
    });
}

async function recompute(
  { strategy, terms, data_version, engine_version }: Certificate,
  tree: Algorithm | undefined,
  openMarketData: MarketDataFactory,
): Promise<Recomputed> {
  if (!tree) return { kind: 'no_strategy' };
  if (treeFingerprint(tree) !== strategy.tree_hash) return { kind: 'other_strategy' };
  const request = { ...terms, trading_bot: tree };
  try {
    const loaded = await loadPrices(tickersOf(tree, {}, request), [], openMarketData, data_version);
    const { provenance } = loaded;
    if (!provenance) throw new Error('Prices of a data folder say what they are');
    let figures: RunFigures | undefined;
    runBacktest(request, loaded.prices, {
      today: today(),
      onRun: (run) => {
        figures = figuresOf(run, provenance, engine_version);
      },
    });
    if (!figures) throw new Error('A run has ended without its figures');
    return {
      kind: 'computed',
      engineVersion: figures.provenance.engine_version,
      resultHash: figures.hashAsMade ?? figures.provenance.result_hash,
      firstDay: figures.firstDay,
      lastDay: figures.lastDay,
      figures: figuresOfMetrics(figures.metrics),
    };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const { code, detail } = error.refusal;
    return code === 'unknown_version' ? { kind: 'data_version_gone' } : { kind: 'refused', reason: detail };
  }
}
