import { importStrategy as importStrategyRoute } from '@quantloom/domain/contracts/http/strategies';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { importAnswer } from '@quantloom/http/documents/document-jobs';
import { readSourceWith } from '@quantloom/http/documents/read-source';
import { mountRoute, RawJson } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { WriteDeps } from '../deps.ts';

/** Reads a strategy of this or another tool; nothing is stored. Large ones another thread has read already. */
export function mountImport(app: FastifyInstance, deps: Pick<WriteDeps, 'newId'>): void {
  mountRoute(app, importStrategyRoute, async (call) => {
    const { imported } = call.request;
    if (isRefusal(imported)) return imported;
    if (imported && 'text' in imported) return new RawJson(imported.text);
    const read = readSourceWith(call.body.json, deps.newId);
    return isRefusal(read) ? read : new RawJson(importAnswer(read, call.principal.features));
  });
}
