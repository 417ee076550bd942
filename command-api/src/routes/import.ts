import { importStrategy as importStrategyRoute } from '@quantloom/domain/contracts/http/strategies';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { planProblems } from '@quantloom/domain/strategy/plan-limits';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { WriteDeps } from '../deps.ts';
import { ImportThreads } from '../import/import-threads.ts';

/** Reads a strategy of this or another tool; nothing is stored. */
export function mountImport(app: FastifyInstance, deps: Pick<WriteDeps, 'newId'>): void {
  const threads = new ImportThreads(deps.newId);
  mountRoute(app, importStrategyRoute, async (call) => {
    const bytes = Number(call.request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
    const imported = await threads.read(call.body.json, bytes);
    if (isRefusal(imported)) return imported;
    const { name, algorithm, report, settings } = imported;
    const notes = planProblems(algorithm, call.principal.features).map((note) => ({
      ...note,
      path: note.path ?? '',
    }));
    // Without the root.
    const blocks = [...nodesOf(algorithm)].length - 1;
    return { name, algorithm, report: { ...report, blocks, notes }, settings };
  });
}
