import { callPath } from '../../lib/api.ts';

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

const PATH = '/api/v1/api-clients';
const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Shape check of the answer; a client without an id is left out. */
export function parseClients(value: unknown): ClientList {
  const raw = (value ?? {}) as Record<string, unknown>;
  const clients = Array.isArray(raw.clients) ? (raw.clients as Record<string, unknown>[]) : [];
  return {
    clients: clients.flatMap((client) => {
      if (typeof client.id !== 'string' || client.id === '') return [];
      return {
        id: client.id,
        name: textOr(client.name) ?? 'API client',
        scopes: Array.isArray(client.scopes)
          ? client.scopes.filter((scope) => typeof scope === 'string')
          : [],
        createdAt: textOr(client.created_at),
        endsAt: textOr(client.ends_at),
        lastUsedAt: textOr(client.last_used_at),
        isReplaced: typeof client.replaced_by === 'string',
        thisMonth: numberOr(client.requests_this_month),
      };
    }),
    perMinute: numberOr(raw.requests_per_minute),
  };
}

/** The clients of the account. A failure is told to the console alone (platform.md): the page then offers to make one. */
export async function loadClients(signal: AbortSignal): Promise<ClientList> {
  try {
    return parseClients(await callPath('GET', PATH, { signal }));
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
  await callPath('POST', PATH, {
    body: { name, scopes: [...scopes], ...(endsOn !== '' && { ends_on: endsOn }) },
  });
}

/** The secret of a client, asked for when somebody wants to see it. */
export async function secretOf(id: string): Promise<string> {
  const answer = await callPath('GET', `${PATH}/${encodeURIComponent(id)}/secret`);
  const secret = textOr((answer as Record<string, unknown> | null)?.secret);
  if (secret === null) throw new Error('The answer holds no secret.');
  return secret;
}

export async function replaceClient(id: string): Promise<void> {
  await callPath('POST', `${PATH}/${encodeURIComponent(id)}/replace`);
}

export async function deleteClient(id: string): Promise<void> {
  await callPath('DELETE', `${PATH}/${encodeURIComponent(id)}`);
}
