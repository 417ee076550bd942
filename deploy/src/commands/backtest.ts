import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { figuresOf } from '@quantloom/compute/engine/figures/run-figures';
import { tickersOf } from '@quantloom/compute/engine/model/tickers';
import type { Run } from '@quantloom/compute/engine/reference/run';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { BacktestBody, type BacktestBodyInput } from '@quantloom/domain/contracts/http/backtests';
import { closed } from '@quantloom/domain/contracts/http/closed-body';
import { namedIndicatorPrices } from '@quantloom/domain/market-data/price-basis';
import { Command } from 'commander';
import { collect, loadPrices, type MarketDataFactory, openDataFolder, today } from './price-source.ts';
import { readRequest } from './request-file.ts';

/** A misspelled field is refused, as over HTTP. */
const CLOSED_BODY = closed(BacktestBody);

interface BacktestOptions {
  readonly prices: readonly string[];
  readonly pretty?: boolean;
  readonly report?: boolean;
}

/** `quantloom backtest request.json`: runs a single backtest and prints the answer as JSON. */
export function backtestCommand(openMarketData: MarketDataFactory = openDataFolder): Command {
  return new Command('backtest')
    .description('run a single backtest and print the answer as JSON')
    .argument('<request>', 'JSON file with the request, or with a member "request"; "-" reads standard input')
    .option(
      '--prices <file>',
      'CSV or CSV.gz file with date,ticker,adj_close instead of the data folder (repeatable)',
      collect,
      [],
    )
    .option('--report', 'add the report: tail risk, drawdowns, months and years, turnover, holdings')
    .option('--pretty', 'indent the JSON')
    .action(async (file: string, options: BacktestOptions) => {
      const read = await readRequest<BacktestBodyInput>(file, CLOSED_BODY);
      const request = options.report ? { ...read, include: { ...read.include, report: true } } : read;
      const tickers = tickersOf(request.trading_bot, {}, request);
      const { prices, provenance } = await loadPrices(
        tickers,
        options.prices,
        openMarketData,
        request.data_version,
      );
      // All that is within the shape is checked by the engine itself.
      let computedWith = provenance;
      const onRun = (run: Run) => {
        if (provenance)
          computedWith = figuresOf(run, {
            ...provenance,
            ...namedIndicatorPrices(run.terms.indicatorPrices),
          }).provenance;
      };
      const answer = runBacktest(request as unknown as BacktestRequest, prices, {
        today: today(),
        onRun,
      });
      const body = computedWith === undefined ? answer : { ...answer, provenance: computedWith };
      process.stdout.write(`${JSON.stringify(body, null, options.pretty ? 2 : 0)}\n`);
    });
}
