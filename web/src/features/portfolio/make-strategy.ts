import { createTradingBot, getTradingBot } from '@quantloom/domain/contracts/http/calls';
import type { Portfolio } from '@quantloom/domain/portfolio/portfolio';
import { languageVersion } from '@quantloom/domain/strategy/language-version';
import { newAlgorithm, percent as percentWeight } from '@quantloom/domain/strategy/node-factory';
import { strategyBlock } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { api, queryClient } from '../../lib/api.ts';
import { newNodeId } from '../../lib/new-id.ts';

/**
 * Saves a strategy that holds these by their weights, each as a block at the revision of now; what is missing
 * to 100% is cash.
 *
 * @returns its id
 */
export async function makeStrategy({ members, rebalance }: Portfolio, name: string): Promise<string> {
  const blocks: Algorithm['children'][number][] = [];
  for (const { strategyId: id, percent } of members) {
    if (percent === 0) continue;
    const bot = await api().call(getTradingBot, { params: { id } });
    if (bot.type === 'template')
      throw new Error(`“${bot.name}” has variables without values: give it the weight 0 first.`);
    blocks.push({ ...strategyBlock(bot, newNodeId), weight: percentWeight(percent) });
  }
  const tree: Algorithm = {
    ...newAlgorithm(newNodeId, name),
    rebalance,
    children: [
      {
        id: newNodeId(),
        node_type: 'wt-cash-specified',
        weight: percentWeight(100),
        is_collapsed: false,
        children: blocks,
      },
    ],
  };
  const { id } = await api().call(createTradingBot, {
    body: { name, is_public: false, algorithm: { ...tree, version: languageVersion(tree) } },
    idempotencyKey: crypto.randomUUID(),
  });
  await queryClient.invalidateQueries({ queryKey: ['drafts'] });
  return id;
}
