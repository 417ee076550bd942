import {
  approvePaperOrders,
  closePaperAccount,
  getPaperAccount,
  openPaperAccount,
} from '@quantloom/domain/contracts/http/calls';
import type { PaperAccountAnswer } from '@quantloom/domain/contracts/http/paper';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../lib/api.ts';

export type PaperAccount = PaperAccountAnswer;
export type Tonight = NonNullable<PaperAccount['tonight']>;
export type PaperNight = PaperAccount['nights'][number];

const KEY = ['paper-account'];
/** How often it is asked for again while something is under way: approved orders, or decisions of the night. */
const AWAITED_MS = 5_000;

/** Whether what is shown changes by itself in a moment. */
function isAwaited(account: PaperAccount | null): boolean {
  const isSent = account?.nights.some(({ orders }) => orders.some(({ status }) => status === 'approved'));
  return Boolean(isSent || (account?.tonight && account.tonight.behind.length > 0));
}

/** The account of paper money, and whether one at a broker can be connected. */
export const paperAccount = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => await api().call(getPaperAccount, { signal }),
  refetchInterval: ({ state }) => (isAwaited(state.data?.account ?? null) ? AWAITED_MS : false),
});

const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });

export interface Opening {
  readonly broker: 'own' | 'alpaca';
  readonly strategy_ids: string[];
  readonly is_fractional: boolean;
  readonly cash?: number;
  readonly key_id?: string;
  readonly key_secret?: string;
}

/** Opens an account. */
export async function openPaper(body: Opening): Promise<void> {
  await api().call(openPaperAccount, { body });
  await refresh();
}

/** Closes the account. */
export async function closePaper(): Promise<void> {
  await api().call(closePaperAccount, {});
  await refresh();
}

/** Approves the orders of a night. */
export async function approvePaper(day: string): Promise<void> {
  try {
    await api().call(approvePaperOrders, { body: { day } });
  } finally {
    // Also where it was refused: what is shown is then no longer how things are.
    await refresh();
  }
}
