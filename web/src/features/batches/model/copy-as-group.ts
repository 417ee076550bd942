import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { withNewIds } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm, GroupNode } from '@quantloom/domain/strategy/tree';
import { bindVariables } from '@quantloom/domain/strategy/variables';
import { templateOf } from './template-of.ts';

/** Why a row cannot be copied; the message is what the user reads. */
export class CopyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CopyError';
  }
}

/**
 * A result row as a group block for the editor: the template's blocks with every variable replaced by the
 * row's value (whole values and sides of ratios, never parts of a name), named by the values joined with ' / '.
 */
export function groupOfRow(
  batch: Pick<BatchDetail, 'template_bot'>,
  values: Readonly<Record<string, string | number>>,
  newId: () => string,
): GroupNode {
  const bot = templateOf(batch);
  if (!bot) throw new CopyError('Error: No template bot found in this batch backtest');
  const algorithm = bot.algorithm as Algorithm | null | undefined;
  if (!algorithm) throw new CopyError('Error: No algorithm found in the template bot');
  const entries = Object.entries(values).map(
    ([name, value]) =>
      [name, typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value] as const,
  );
  const bound = bindVariables(algorithm, new Map(entries));
  return {
    id: newId(),
    node_type: 'group',
    name: Object.values(values).join(' / '),
    is_collapsed: true,
    weight: { num: 100, den: 100 },
    children: bound.children.map((child) => withNewIds(child, newId)),
  };
}
