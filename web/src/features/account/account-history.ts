import { getAccountHistory } from '@quantloom/domain/contracts/http/calls';
import { api } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';

/** Through what something was done. */
export type Through = 'browser' | 'apiClient' | 'others';

export interface HistoryLine {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly summary: string;
  readonly through: Through;
  /** Who or what did it, for display. */
  readonly by: string;
  readonly kind: string;
  readonly subjectId: string;
}

type Raw = Readonly<Record<string, unknown>>;

const rawOf = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});

function throughOf(actor: Raw): Through {
  if (actor.kind === 'apiClient') return 'apiClient';
  // The server calls the person who reads it so, and everybody else by what they are.
  return actor.kind === 'user' && actor.label === 'You' ? 'browser' : 'others';
}

/** Shape check of the history of an account; a line without id or time is left out. */
export function parseHistory(value: unknown): readonly HistoryLine[] {
  if (!Array.isArray(value)) throw new Error('The answer is not a history');
  return value.map(rawOf).flatMap((raw) => {
    if (typeof raw.id !== 'string' || typeof raw.at !== 'string') return [];
    const actor = rawOf(raw.actor);
    const subject = rawOf(raw.subject);
    const through = throughOf(actor);
    const label = typeof actor.label === 'string' ? actor.label : 'Unknown';
    return {
      id: raw.id,
      at: raw.at,
      summary: typeof raw.summary === 'string' ? raw.summary : '',
      through,
      by: through === 'browser' ? 'You, in a browser' : label,
      kind: typeof subject.kind === 'string' ? subject.kind : '',
      subjectId: typeof subject.id === 'string' ? subject.id : '',
    };
  });
}

/** The newest 1000 lines, the newest first. */
export async function accountHistory(signal: AbortSignal): Promise<readonly HistoryLine[]> {
  return parseHistory(await api().call(getAccountHistory, { signal, query: { format: 'json' } }));
}

/** Lines of one way of doing things whose words hold all that is searched for; `all` and no words: every line. */
export function matching(
  lines: readonly HistoryLine[],
  through: Through | 'all',
  search: string,
): readonly HistoryLine[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (through !== 'all' && line.through !== through) return false;
    const text = `${line.summary} ${line.by} ${line.kind} ${line.subjectId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Hands the whole history to the browser's downloads, as JSON Lines. */
export async function downloadHistory(): Promise<void> {
  const response = await api().open(getAccountHistory);
  downloadText('account-history.jsonl', 'application/x-ndjson', await response.blob());
}
