import { createTradingBot } from '@quantloom/domain/contracts/http/calls';
import { STARTERS, type Starter } from '@quantloom/domain/strategy/starters';
import { api, queryClient } from '../../lib/api.ts';
import { newNodeId } from '../../lib/new-id.ts';
import { rememberSuggested } from '../../lib/suggested-values.ts';

/**
 * Saves a starter as a draft of the user and answers where to edit it; `run=1` makes the editor run it at
 * once. The batch form begins with a template's own values.
 */
export async function createFromStarter(starter: Starter): Promise<string> {
  const answer = await api().call(createTradingBot, {
    body: {
      name: starter.name,
      is_public: false,
      status: 'draft',
      type: starter.type,
      algorithm: starter.build(newNodeId),
    },
  });
  if (starter.values) rememberSuggested(starter.values);
  void queryClient.invalidateQueries({ queryKey: ['drafts'] });
  return `/editor/${answer.id}${starter.type === 'bot' ? '?run=1' : ''}`;
}

/** The starter with an id; throws for an unknown one. */
export function starterOf(id: string): Starter {
  const starter = STARTERS.find((one) => one.id === id);
  if (!starter) throw new Error(`There is no starter ${id}`);
  return starter;
}
