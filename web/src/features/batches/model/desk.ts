import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { readViewContent, type ViewContent } from '@quantloom/domain/result-views/view-content';
import { columnWords } from './columns.ts';
import { type ColumnFilter, filterText, opsOf } from './filters.ts';
import { COMBINATION } from './results.ts';
import { DEFAULT_COLUMNS, withoutIdleVariables } from './table-views.ts';

/** How every batch is looked at first. */
export const FIRST_DESK: ViewContent = {
  columns: DEFAULT_COLUMNS,
  order: null,
  filters: [],
  picture: 'table',
  metric: 'sharpe_ratio',
};

/** What pictures are called where one is chosen. */
export const PICTURE_NAMES: Readonly<Record<ViewContent['picture'], string>> = {
  table: 'The table',
  verdict: 'The verdict',
  'heat-map': 'Heat map',
  distribution: 'Distribution',
  frontier: 'Metrics against each other',
  effects: 'What explains the metric',
  parallel: 'Parallel coordinates',
  peaks: 'Peaks and plateaus',
  'out-of-sample': 'Out of sample',
  'walk-forward': 'Walk-forward',
  stability: 'Stability',
};

const orderText = ({ order }: ViewContent): string | null =>
  order && (order.by === 'column' ? `${order.column}:${order.direction}` : `neighbourhood:${order.metric}`);

/** What an address says so that it shows the same to whoever may see the batch; what is as at first is left out. */
export function addressOf(desk: ViewContent): URLSearchParams {
  const said = new URLSearchParams({ picture: desk.picture });
  if (desk.columns.join() !== FIRST_DESK.columns.join()) said.set('columns', desk.columns.join());
  const order = orderText(desk);
  if (order) said.set('sort', order);
  for (const { column, op, text } of desk.filters) said.append('filter', `${column}:${op}:${text}`);
  if (desk.metric !== FIRST_DESK.metric) said.set('metric', desk.metric);
  return said;
}

/** Names of the parameters that `addressOf` writes. */
export const ADDRESS_NAMES = ['picture', 'columns', 'sort', 'filter', 'metric'] as const;

/** The desk that an address names; null: it names none. */
export function deskOfAddress(said: URLSearchParams): ViewContent | null {
  if (!said.has('picture')) return null;
  const [by = '', direction = ''] = (said.get('sort') ?? '').split(':');
  const columns = said.get('columns');
  return readViewContent(
    JSON.stringify({
      columns: columns === null ? FIRST_DESK.columns : columns.split(',').filter((name) => name !== ''),
      order: by === 'neighbourhood' ? { by, metric: direction } : { by: 'column', column: by, direction },
      filters: said.getAll('filter').map((text) => {
        const [column, op, ...rest] = text.split(':');
        return { column, op, text: rest.join(':') };
      }),
      picture: said.get('picture'),
      metric: said.get('metric'),
    }),
  );
}

/**
 * What a view keeps of a desk: nothing that means other rows in another batch, and no variable that stands
 * where it would stand anyway.
 */
export function viewOfDesk(desk: ViewContent, available: readonly string[]): ViewContent {
  const columns = desk.columns.filter((name) => !name.startsWith('$') || available.includes(name));
  return {
    ...desk,
    columns: withoutIdleVariables(columns, available),
    filters: desk.filters.filter(({ column }) => column !== COMBINATION),
  };
}

/** As much of a desk as a batch can show, and in words what it cannot. */
export function fittedDesk(
  desk: ViewContent,
  batch: Pick<BatchDetail, 'status'> & {
    readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
  },
  readable: readonly string[],
): { readonly desk: ViewContent; readonly leftOut: readonly string[] } {
  const isFinished = batch.status === 'Finished';
  const has = (column: string) => readable.includes(column) || column === COMBINATION;
  const areText = (column: string) =>
    batch.variables[column]?.some((value) => typeof value === 'string') ?? false;
  // Bounds for numbers mean nothing where a variable of the same name holds words.
  const takes = ({ column, op }: ColumnFilter) =>
    has(column) && (column === COMBINATION || opsOf(column, areText(column)).includes(op));
  const { order, filters, picture } = desk;
  const isOrderKnown =
    order?.by === 'column' ? readable.includes(order.column) : order === null || isFinished;
  const isPictureThere = picture === 'table' || isFinished;
  return {
    desk: {
      ...desk,
      order: isOrderKnown ? order : null,
      filters: filters.filter(takes),
      picture: isPictureThere ? picture : 'table',
    },
    leftOut: [
      ...desk.columns
        .filter((name) => name.startsWith('$') && !readable.includes(name))
        .map((name) => `column ${name}`),
      ...(isOrderKnown
        ? []
        : [order?.by === 'column' ? `order by ${columnWords(order.column).label}` : 'order by neighbours']),
      ...filters.filter((filter) => !takes(filter)).map((filter) => `filter ${filterText(filter)}`),
      ...(isPictureThere ? [] : [`picture ${PICTURE_NAMES[picture]}`]),
    ],
  };
}
