import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import {
  CERTIFICATE_KIND,
  type Certificate,
  type Recomputed,
  verify,
} from '@quantloom/domain/certificate/certificate';
import { getCertificate, verifyCertificate } from '@quantloom/domain/contracts/http/certificates';
import { isRefusal, type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun, costOfStoredTree } from '@quantloom/domain/limits/cost';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner, RunFigures } from '@quantloom/domain/ports/backtest-runner';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { sizeOf } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { figuresOfMetrics } from '@quantloom/domain/strategy-run/events';
import { lastRunsProjection, strategyRunsProjection } from '@quantloom/domain/strategy-run/projections';
import { textOf } from '@quantloom/http/documents/trees';
import { mountRoute, RawJson, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { treeAt } from '../tree-at.ts';
import { readBacktestRequest } from './backtests.ts';
import { findRun, RUN_NOT_FOUND, refuseStrategyOfOthers } from './strategy-runs.ts';

const DAY_MS = 86_400_000;

export interface CertificateDeps extends ReadDeps {
  readonly backtestRunner: BacktestRunner;
}

/** Certificates of results, and computing what they say again. */
export function mountCertificates(app: FastifyInstance, deps: CertificateDeps): void {
  mountRoute(app, getCertificate, async (call) => {
    const projections = [strategySummariesProjection, strategyRunsProjection, lastRunsProjection];
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { id, run: wanted } = call.params;
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const run = await findRun(deps.readModels, id, wanted);
    const then = run && (await treeAt(deps, id, run.revision));
    if (!run || !then) return RUN_NOT_FOUND;
    const certificate: Certificate = {
      kind: CERTIFICATE_KIND,
      strategy: { id, name: then.name, revision: run.revision, tree_hash: run.treeHash },
      terms: { ...run.terms } as Certificate['terms'],
      data_version: run.dataVersion,
      engine_version: run.engineVersion,
      is_simulated: run.isSimulated,
      result_hash: run.resultHash,
      first_day: run.firstDay,
      last_day: run.lastDay,
      metrics: { ...run.figures },
    };
    if (call.query.strategy === 'without') return certificate;
    const tooMuch = await call.cost.expect(costOfStoredTree(then.held));
    if (tooMuch) return tooMuch;
    const text = await textOf(deps.eventStore, then.held);
    return new RawJson(`${JSON.stringify(certificate).slice(0, -1)},"trading_bot":${text}}`);
  });

  mountRoute(app, verifyCertificate, async (call) => {
    const recomputed = await recompute(call, deps);
    if (isRefusal(recomputed)) return recomputed;
    const { confirmed, findings } = verify(call.body, recomputed);
    return { confirmed, findings: [...findings] };
  });
}

/** A refusal only where the caller has used up what he may use. */
async function recompute(
  call: RouteCall<typeof verifyCertificate>,
  deps: CertificateDeps,
): Promise<Recomputed | Refusal> {
  const { body: certificate, principal, cost } = call;
  const tree = certificate.trading_bot ?? (await ownTree(call, deps));
  if (tree === null) return { kind: 'no_strategy' };
  const today = exchangeDay(deps.clock.now());
  const request = readBacktestRequest({ ...certificate.terms, trading_bot: tree }, principal, today);
  if (isRefusal(request)) return { kind: 'refused', reason: request.detail };
  if (treeFingerprint(request.trading_bot) !== certificate.strategy.tree_hash)
    return { kind: 'other_strategy' };
  const days = (Date.parse(request.end_date) - Date.parse(request.start_date)) / DAY_MS + 1;
  const expectedMs = costOfRun(sizeOf(request.trading_bot), days);
  const refused = await cost.expect(expectedMs);
  if (refused) return refused;
  let [spent, figures]: [number, RunFigures | undefined] = [0, undefined];
  try {
    await deps.backtestRunner.runAs('columns', request, {
      dataVersion: certificate.data_version,
      madeBy: certificate.engine_version,
      owner: principal.userId,
      expectedMs,
      deadlineMs: cost.limits.deadlineSeconds * 1000,
      onSpent: (milliseconds) => {
        spent = milliseconds;
      },
      onFigures: (found) => {
        figures = found;
      },
    });
  } catch (error) {
    if (error instanceof RefusalError) return { kind: 'refused', reason: error.refusal.detail };
    if (error instanceof Error && (error as { code?: unknown }).code === 'unknown_version')
      return { kind: 'data_version_gone' };
    throw error;
  } finally {
    await cost.settle(spent);
  }
  return recomputedOf(figures);
}

/** What a run came to, to be held against a certificate. */
export function recomputedOf(figures: RunFigures | undefined): Recomputed {
  if (!figures) throw new Error('A run has ended without its figures');
  return {
    kind: 'computed',
    engineVersion: figures.provenance.engine_version,
    resultHash: figures.hashAsMade ?? figures.provenance.result_hash,
    firstDay: figures.firstDay,
    lastDay: figures.lastDay,
    figures: figuresOfMetrics(figures.metrics),
  };
}

/** Of a certificate without a strategy: only its owner can look it up, since the past of a strategy is his. */
async function ownTree(
  { body, principal }: RouteCall<typeof verifyCertificate>,
  deps: CertificateDeps,
): Promise<Algorithm | null> {
  const { id, revision } = body.strategy;
  if (await refuseStrategyOfOthers(deps.readModels, id, principal.userId)) return null;
  const then = await treeAt(deps, id, revision);
  return then && (JSON.parse(await textOf(deps.eventStore, then.held)) as Algorithm);
}
