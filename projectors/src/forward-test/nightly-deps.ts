import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { ReadModels } from '@quantloom/domain/ports/read-models';

export interface NightlyDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly marketData: Pick<MarketData, 'current' | 'load'>;
  readonly backtestRunner: Pick<BacktestRunner, 'run'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly lookEveryMs?: number;
}
