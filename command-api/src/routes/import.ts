import { importStrategy as importStrategyRoute } from '@quantloom/domain/contracts/http/strategies';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { importStrategy } from '@quantloom/domain/strategy/import';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { WriteDeps } from '../deps.ts';

/** Reads a strategy from JSON; nothing is stored. */
export function mountImport(app: FastifyInstance, deps: Pick<WriteDeps, 'newId'>): void {
  mountRoute(app, importStrategyRoute, (call) => {
    const newNodeId = () => `node_${deps.newId().toLowerCase()}`;
    const imported = importStrategy(call.body.json, newNodeId, call.principal.features);
    if (isRefusal(imported)) return imported;
    const notes = imported.report.notes.map((note) => ({ ...note, path: note.path ?? '' }));
    return { ...imported, report: { blocks: imported.report.blocks, notes } };
  });
}
