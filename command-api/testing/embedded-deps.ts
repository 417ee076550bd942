import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLocalBilling } from '@quantloom/adapters/billing/local/local-billing';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import type { QueryApiDeps } from '@quantloom/query-api/query-api-deps';
import { ulid } from 'ulid';
import type { CommandApiDeps } from '../src/deps.ts';

const DATA_VERSION = '20260101T000000Z-test';

/** A market of one asset that never moves. */
const marketData: MarketData = {
  current: async () => ({
    version: DATA_VERSION,
    createdAt: '2026-01-01T00:00:00.000Z',
    label: 'test',
    isSimulated: true,
    lastDay: '2025-12-31',
    assetCount: 1,
  }),
  versions: async () => [await marketData.current()],
  assets: async () => [
    {
      ticker: 'SPY',
      name: 'SPDR S&P 500',
      firstDay: '1993-01-29',
      lastDay: '2025-12-31',
      source: 'test',
      adjustment: 'none',
      isSimulated: true,
    },
  ],
  load: async () => new Map(),
};

/** Refuses every strategy as one that cannot run. */
const cannotRun = async () => {
  throw new RefusalError(refuse(400, 'cannot_run', 'This strategy cannot run in a test'));
};
const backtestRunner: BacktestRunner = {
  run: cannotRun,
  runAs: cannotRun,
  estimate: cannotRun,
  rows: cannotRun,
  dailyRows: cannotRun,
};

/** An identity provider that agrees with everything. */
const identity: Identity = {
  verify: () => Promise.reject(new Error('Tokens of this test are verified by the server')),
  account: async () => null,
  linkUser: async () => {},
  changeEmail: async () => {},
  createMachineClient: async () => ({ clientId: ulid(), clientSecret: ulid() }),
  machineClient: async (clientId) => ({ clientId, clientSecret: ulid() }),
  deleteAccount: async () => {},
  deleteMachineClient: async () => {},
  lastProof: async () => null,
  canAssist: true,
  assist: async () => {},
};

/** Messages that arrive, without leaving the process. */
const webhooks: Webhooks = {
  secretOf: (userId, number) => `whsec_${userId}_${number}`,
  refusal: () => null,
  post: async () => ({ isDelivered: true, status: 204, reason: null }),
};

/** A broker that answers nobody. */
const paperBrokers: PaperBrokers = {
  hasAlpaca: false,
  seal: (userId) => `sealed for ${userId}`,
  open: () => {
    const away = async () => ({ kind: 'failed', reason: 'It is away', retryAfterMs: 1 }) as const;
    return { account: away, place: away, find: away };
  },
};

/**
 * What the routes need besides the log and the read models, as small as it gets, so that input reaches every
 * handler.
 */
export async function embeddedDeps(): Promise<Partial<CommandApiDeps & QueryApiDeps>> {
  return {
    marketData,
    backtestRunner,
    identity,
    webhooks,
    paperBrokers,
    billing: createLocalBilling({ publicUrl: 'http://localhost' }),
    resultStore: await openDuckDbResultStore({ folder: temporaryFolder(), memoryLimit: '256MB' }),
  };
}

/** Goes with the process. */
function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'embedded-deps-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
