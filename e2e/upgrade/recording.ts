import type { Api } from '../harness/api.ts';
import type { Person } from './people.ts';

/** A question that can be asked of any later version, with what was answered. */
export interface RecordedAnswer {
  readonly person: Person;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** What lies beside the archive of a data folder. */
export interface Recording {
  readonly madeBy: string;
  readonly answers: readonly RecordedAnswer[];
  /** The batch that was at work when the process was killed. */
  readonly running: { readonly id: string; readonly combinations: number };
  /** A machine client of one of the people. */
  readonly client: { readonly id: string; readonly secret: string };
}

/** What says something about today, or about the program that answers, and not about the data folder. */
const ABOUT_TODAY = new Set(['differs_today', 'requests_this_month', 'correlationId', 'management_url']);

/** The answer without what changes from day to day. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ABOUT_TODAY.has(name))
      .map(([name, inner]) => [name, lasting(inner)]),
  );
}

/** Asks and notes the answer. */
export async function ask(
  api: Api,
  { person, method, path, request }: Pick<RecordedAnswer, 'person' | 'method' | 'path' | 'request'>,
): Promise<RecordedAnswer> {
  const { status, body } = await api.send(method, path, request);
  // Of a backtest that runs today only the figures count.
  const answer = lasting(method === 'POST' ? { metrics: body.metrics, days: body.calculated_dates } : body);
  return { person, method, path, ...(request !== undefined && { request }), status, answer };
}
