import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { AnalysedBatch } from './analysed-batch.ts';
import { AnswerCache } from './answer-cache.ts';
import { type CashEarned, cashEarned } from './cash-earned.ts';

/** What cash earned in the periods of batches that are looked at, each run once. */
export class CashOfBatches {
  readonly #answers = new AnswerCache();
  readonly #runner: BacktestRunner;
  readonly #signal: AbortSignal;

  /** @param signal ends runs that are under way */
  constructor(runner: BacktestRunner, signal: AbortSignal) {
    this.#runner = runner;
    this.#signal = signal;
  }

  /** Null where cash cannot be run just now, which is tried again at the next look. */
  async of({ batch, definition, variables }: AnalysedBatch): Promise<(CashEarned & { name: string }) | null> {
    const { backtestConfig: config, templateBot } = definition;
    const run = { algorithm: templateBot.algorithm, variables, config, dataVersion: batch.dataVersion };
    try {
      return await this.#answers.of([batch.id], async () => {
        const { name, of } = await cashEarned(this.#runner, run, this.#signal);
        if (name === null) throw new CashAwayError();
        return { name, of };
      });
    } catch (error) {
      if (error instanceof CashAwayError) return null;
      throw error;
    }
  }
}

/** An answer that is not kept. */
class CashAwayError extends Error {}
