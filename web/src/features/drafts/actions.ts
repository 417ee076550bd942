import {
  cloneTradingBot,
  deleteDraft as deleteDraftCall,
  undoTradingBotDeletion,
} from '@quantloom/domain/contracts/http/calls';
import { api, messageOf, queryClient } from '../../lib/api.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { toast } from '../../ui/toast.tsx';

const KEY = ['drafts'];

/** Deletes it, and offers to bring it back. */
export async function deleteDraft(draft: DraftRow): Promise<void> {
  await api().call(deleteDraftCall, { params: { id: draft.id } });
  await queryClient.invalidateQueries({ queryKey: KEY });
  toast.success(`Deleted ${draft.name}`, {
    action: { label: 'Undo', onSelect: () => void undoDeletion(draft) },
    timeout: 15_000,
  });
}

async function undoDeletion(draft: DraftRow): Promise<void> {
  try {
    await api().call(undoTradingBotDeletion, { params: { id: draft.id } });
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
    await api().call(cloneTradingBot, { params: { id: draft.id } });
    toast.success(`Copy of ${draft.name} created`);
  } catch (error) {
    toast.error('The copy could not be made', { description: messageOf(error) });
  } finally {
    void queryClient.invalidateQueries({ queryKey: KEY });
  }
}
