import { STARTERS, type Starter } from '@quantloom/domain/strategy/starters';
import { callPath, messageOf, queryClient } from '../../lib/api.ts';
import { newNodeId } from '../../lib/new-id.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { toast } from '../../ui/toast.tsx';

const KEY = ['drafts'];

/** Deletes on the server, then takes the row out of the list and offers to bring it back. */
export async function deleteDraft(draft: DraftRow): Promise<void> {
  await callPath('DELETE', '/api/v1/drafts/{id}', { params: { id: draft.id } });
  queryClient.setQueryData<readonly DraftRow[]>(KEY, (rows) => rows?.filter((row) => row.id !== draft.id));
  void queryClient.invalidateQueries({ queryKey: KEY });
  toast.success(`Deleted ${draft.name}`, {
    action: { label: 'Undo', onSelect: () => void undoDeletion(draft) },
    timeout: 15_000,
  });
}

async function undoDeletion(draft: DraftRow): Promise<void> {
  try {
    await callPath('POST', '/api/v1/trading-bots/{id}/undo-delete', { params: { id: draft.id } });
    queryClient.setQueryData<readonly DraftRow[]>(KEY, (rows) =>
      rows && !rows.some((row) => row.id === draft.id) ? [draft, ...rows] : rows,
    );
    toast.success(`${draft.name} is back`);
  } catch (error) {
    toast.error(`${draft.name} could not be brought back`, { description: messageOf(error) });
  } finally {
    void queryClient.invalidateQueries({ queryKey: KEY });
  }
}

/** Makes a private copy. */
export async function cloneDraft(draft: DraftRow): Promise<void> {
  try {
    await callPath('POST', '/api/v1/trading-bots/{id}/clone', { params: { id: draft.id } });
    toast.success(`Copy of ${draft.name} created`);
  } catch (error) {
    toast.error('The copy could not be made', { description: messageOf(error) });
  } finally {
    void queryClient.invalidateQueries({ queryKey: KEY });
  }
}

/** Saves a starter as a draft of the user and answers where to edit it; `run=1` makes the editor run it at once. */
export async function createFromStarter(starter: Starter): Promise<string> {
  const answer = (await callPath('POST', '/api/v1/trading-bots', {
    body: {
      name: starter.name,
      is_public: false,
      status: 'draft',
      type: starter.type,
      algorithm: starter.build(newNodeId),
    },
  })) as { id?: unknown };
  if (typeof answer.id !== 'string') throw new Error('The answer carries no id');
  void queryClient.invalidateQueries({ queryKey: KEY });
  return `/editor/${answer.id}${starter.type === 'bot' ? '?run=1' : ''}`;
}

/** The starter with an id; throws for an unknown one. */
export function starterOf(id: string): Starter {
  const starter = STARTERS.find((one) => one.id === id);
  if (!starter) throw new Error(`There is no starter ${id}`);
  return starter;
}
