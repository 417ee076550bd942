import {
  addApiClient,
  getApiClientSecret,
  listApiClients,
  removeApiClient,
  replaceApiClient,
} from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { api } from '../../lib/api.ts';

/** What a client may do, as the API names it and as people say it. */
export const SCOPES = [
  { value: 'read', label: 'Read', hint: 'Look at everything in your account' },
  { value: 'backtest', label: 'Backtest', hint: 'Change strategies and run single backtests' },
  { value: 'batches', label: 'Batches', hint: 'Run, see and change batches and variable lists' },
] as const;
export type Scope = (typeof SCOPES)[number]['value'];

export interface NamedClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** ISO 8601, as all times here. */
  readonly createdAt: string | null;
  readonly endsAt: string | null;
  readonly lastUsedAt: string | null;
  readonly isReplaced: boolean;
  readonly thisMonth: number | null;
}

export interface ClientList {
  readonly clients: readonly NamedClient[];
  readonly perMinute: number | null;
}

/** The answer in the words of the page. */
export function clientsOf(answer: AnswerOf<typeof listApiClients>): ClientList {
  return {
    clients: answer.clients.map((client) => ({
      id: client.id,
      name: client.name,
      scopes: client.scopes,
      createdAt: client.created_at,
      endsAt: client.ends_at,
      lastUsedAt: client.last_used_at,
      isReplaced: client.replaced_by !== null,
      thisMonth: client.requests_this_month,
    })),
    perMinute: answer.requests_per_minute,
  };
}

/**
 * The clients of the account. A failure is told to the console alone (platform.md): the page then offers to
 * make one.
 */
export async function loadClients(signal: AbortSignal): Promise<ClientList> {
  try {
    return clientsOf(await api().call(listApiClients, { signal }));
  } catch (error) {
    console.error('The API clients could not be loaded', error);
    return { clients: [], perMinute: null };
  }
}

/** `endsOn`: `YYYY-MM-DD`; empty: it does not end by itself. */
export async function createClient(wanted: {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly endsOn: string;
}): Promise<void> {
  const { name, scopes, endsOn } = wanted;
  await api().call(addApiClient, {
    body: { name, scopes: [...scopes], ...(endsOn !== '' && { ends_on: endsOn }) },
  });
}

/** The secret of a client, asked for when somebody wants to see it. */
export async function secretOf(id: string): Promise<string> {
  return (await api().call(getApiClientSecret, { params: { id } })).secret;
}

export async function replaceClient(id: string): Promise<void> {
  await api().call(replaceApiClient, { params: { id } });
}

export async function deleteClient(id: string): Promise<void> {
  await api().call(removeApiClient, { params: { id } });
}
