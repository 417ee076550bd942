import { METRIC_COLUMNS, type MetricColumn } from '../contracts/result-block.ts';

/** What of a batch's page is in front: the table of its rows, or one of the pictures of its analysis. */
export const VIEW_PICTURES = [
  'table',
  'verdict',
  'heat-map',
  'distribution',
  'frontier',
  'effects',
  'parallel',
  'peaks',
  'out-of-sample',
  'walk-forward',
  'stability',
] as const;
export type ViewPicture = (typeof VIEW_PICTURES)[number];

export const VIEW_FILTER_OPS = ['gte', 'lte', 'eq', 'ne', 'in', 'isNull'] as const;

/** A condition on a column; `text` as it was typed: percent columns in percent, several values separated by commas. */
export interface ViewFilter {
  readonly column: string;
  readonly op: (typeof VIEW_FILTER_OPS)[number];
  readonly text: string;
}

/**
 * How rows are ordered: by a column of theirs, or by the median of a metric over each row's neighbours. Null:
 * as every table begins.
 */
export type ViewOrder =
  | { readonly by: 'column'; readonly column: string; readonly direction: 'asc' | 'desc' }
  | { readonly by: 'neighbourhood'; readonly metric: MetricColumn };

/** How somebody looks at the results of a batch. Nothing in it belongs to one batch, so that it can be used on any. */
export interface ViewContent {
  /** In the order of the table. */
  readonly columns: readonly string[];
  readonly order: ViewOrder | null;
  readonly filters: readonly ViewFilter[];
  readonly picture: ViewPicture;
  /** What the pictures are of. */
  readonly metric: MetricColumn;
}

export const LONGEST_VIEW_NAME = 60;
export const MOST_VIEW_COLUMNS = 200;
export const MOST_VIEW_FILTERS = 20;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function orderOf(value: unknown): ViewOrder | null {
  if (!isRecord(value)) return null;
  const metric = oneOf(METRIC_COLUMNS, value.metric);
  if (value.by === 'neighbourhood') return metric ? { by: 'neighbourhood', metric } : null;
  const direction = oneOf(['asc', 'desc'] as const, value.direction);
  return typeof value.column === 'string' && direction
    ? { by: 'column', column: value.column, direction }
    : null;
}

function filterOf(value: unknown): readonly ViewFilter[] {
  if (!isRecord(value)) return [];
  const { column, text } = value;
  const op = oneOf(VIEW_FILTER_OPS, value.op);
  return typeof column === 'string' && typeof text === 'string' && op ? [{ column, op, text }] : [];
}

/** What the log has of a view. Null: it cannot be read, since the key of its owner was erased. */
export function readViewContent(text: string): ViewContent | null {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(kept)) return null;
  return {
    columns: listOf(kept.columns).filter((name) => typeof name === 'string'),
    order: orderOf(kept.order),
    filters: listOf(kept.filters).flatMap(filterOf),
    picture: oneOf(VIEW_PICTURES, kept.picture) ?? 'table',
    metric: oneOf(METRIC_COLUMNS, kept.metric) ?? 'sharpe_ratio',
  };
}

/** The text that the log keeps: the same for the same view. */
export function viewText({ columns, order, filters, picture, metric }: ViewContent): string {
  return JSON.stringify({
    columns,
    order: orderOf(order),
    filters: filters.map(({ column, op, text }) => ({ column, op, text })),
    picture,
    metric,
  });
}
