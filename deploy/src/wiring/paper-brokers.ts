import type { OwnBrokerDeps } from '@quantloom/adapters/paper-broker/own/own-paper-broker';
import { createPaperBrokers } from '@quantloom/adapters/paper-broker/paper-brokers';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import type { Config } from '../config.ts';

/** The brokers of paper accounts; keys of others are sealed with the installation's. */
export function openPaperBrokers(
  { ALPACA_PAPER_URL }: Pick<Config, 'ALPACA_PAPER_URL'>,
  secretKey: string,
  deps: OwnBrokerDeps,
): PaperBrokers {
  return createPaperBrokers({ ...deps, secretKey, alpacaUrl: ALPACA_PAPER_URL ?? null });
}
