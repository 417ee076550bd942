import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import { languageVersion } from '@quantloom/domain/strategy/language-version';
import type { Algorithm } from '@quantloom/domain/strategy/tree';

/**
 * The rules of rebalancing that batches are measured under; a corridor is in percentage points
 * (`docs/engine.md`, section 12).
 */
const FIELDS = {
  daily: { rebalance: 'daily' },
  monthly: { rebalance: 'monthly', rebalance_on: 'last' },
  corridor: { rebalance: 'corridor', corridor: 5 },
} as const satisfies Record<string, Pick<Algorithm, 'rebalance' | 'rebalance_on' | 'corridor'>>;

export type Rule = keyof typeof FIELDS;

export const RULES = Object.keys(FIELDS) as Rule[];

/** The same batch, rebalanced by another rule. */
export function withRule(request: BatchRequest, rule: Rule): BatchRequest {
  const algorithm = { ...request.template_bot.algorithm, ...FIELDS[rule] };
  return {
    ...request,
    template_bot: {
      ...request.template_bot,
      algorithm: { ...algorithm, version: languageVersion(algorithm) },
    },
  };
}
