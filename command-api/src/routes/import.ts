import { importStrategy as importStrategyRoute } from '@quantloom/domain/contracts/http/strategies';
import type { AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { importFound } from '@quantloom/http/documents/document-jobs';
import { readSourceWith } from '@quantloom/http/documents/read-source';
import { mountRoute, RawJson } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { CommandApiDeps } from '../deps.ts';

type Deps = Pick<CommandApiDeps, 'newId' | 'answerComparison'>;

/** Reads a strategy of this or another tool; nothing is stored. Large ones another thread has read already. */
export function mountImport(app: FastifyInstance, deps: Deps): void {
  mountRoute(app, importStrategyRoute, async (call) => {
    const { imported } = call.request;
    if (isRefusal(imported)) return imported;
    const { read, answer } =
      imported && 'read' in imported
        ? imported
        : importFound(readSourceWith(call.body.json, deps.newId), call.principal.features);
    const comparison = await compared(deps, answer);
    if (isRefusal(read)) return comparison ? { ...read, data: { ...read.data, comparison } } : read;
    // Beside the text, which nobody parses here.
    return new RawJson(`${read.slice(0, -1)},"comparison":${JSON.stringify(comparison)}}`);
  });
}

async function compared({ answerComparison }: Deps, answer: AnswerIndicators | null) {
  if (answer === null || answer.values.length === 0) return null;
  return (await answerComparison?.compare(answer)) ?? null;
}
