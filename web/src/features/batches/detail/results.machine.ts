import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { assign, fromPromise, setup } from 'xstate';
import { codeOf } from '../../../lib/api.ts';
import { resultColumns } from '../model/columns.ts';
import { type ColumnFilter, withFilter } from '../model/filters.ts';
import { defaultSortIndex, nextSort, type ResultRows, type ResultSort } from '../model/results.ts';

/** By a column of the rows, or by the median of each row's neighbourhood. */
export type ResultOrder =
  | { readonly by: 'column'; readonly sort: ResultSort }
  | { readonly by: 'neighbourhood'; readonly metric: MetricColumn };

/** What one page of the table is asked with. */
export interface PageRequest {
  readonly batchId: string;
  readonly variables: readonly string[];
  readonly order: ResultOrder;
  readonly filters: readonly ColumnFilter[];
  readonly cursor: string | null;
  /** Asks the server again instead of the cache. */
  readonly isFresh: boolean;
  /** The batch still runs: its rows so far are asked for. */
  readonly isPartial: boolean;
}

export interface ResultsContext {
  readonly batchId: string;
  readonly variables: readonly string[];
  readonly order: ResultOrder;
  readonly filters: readonly ColumnFilter[];
  /** Cursors of the pages before, the current one's last. */
  readonly cursors: readonly string[];
  readonly isFresh: boolean;
  /** The batch still runs, and what is shown are its rows so far. */
  readonly isPartial: boolean;
  readonly page: ResultRows | null;
  readonly error: unknown;
  /** Combinations that the user picked, in that order. */
  readonly picked: readonly number[];
  /** Combination that was copied a moment ago. */
  readonly copied: number | null;
}

export type ResultsEvent =
  /** More rows of a running batch can be read. */
  | { readonly type: 'batch.hasMoreRows' }
  | { readonly type: 'batch.finished' }
  | { readonly type: 'batch.failed' }
  | { readonly type: 'user.sort'; readonly column: string }
  | { readonly type: 'user.orderByNeighbourhood'; readonly metric: MetricColumn }
  | { readonly type: 'user.orderByColumn' }
  | { readonly type: 'user.addFilter'; readonly filter: ColumnFilter }
  | { readonly type: 'user.setFilters'; readonly filters: readonly ColumnFilter[] }
  /** A view as far as the batch can show it; null: the order that the table begins with. */
  | {
      readonly type: 'user.applyView';
      readonly order: ResultOrder | null;
      readonly filters: readonly ColumnFilter[];
    }
  | { readonly type: 'user.nextPage' }
  | { readonly type: 'user.previousPage' }
  | { readonly type: 'user.refresh' }
  | { readonly type: 'user.pick'; readonly combination: number }
  | { readonly type: 'user.clearPicks' }
  | { readonly type: 'user.copied'; readonly combination: number };

export interface ResultsInput {
  readonly batchId: string;
  readonly variables: readonly string[];
  /** What a link or a view begins with. */
  readonly start?: { readonly order: ResultOrder | null; readonly filters: readonly ColumnFilter[] };
}

/** Most rows that can be simulated again at once. */
export const MAX_PICKED = 20;
const COPIED_MS = 2000;

/** The order that the table begins with. */
export function defaultOrder(variables: readonly string[]): ResultOrder {
  const column = resultColumns(variables)[defaultSortIndex(variables.length)] ?? 'cumulative_return';
  return { by: 'column', sort: { column, direction: 'desc' } };
}

/** The order by neighbourhood is of the whole batch: no filter goes with it. */
const filtersBeside = (order: ResultOrder | null, filters: readonly ColumnFilter[]) =>
  order?.by === 'neighbourhood' ? [] : filters;

const requestOf = ({ context }: { readonly context: ResultsContext }): PageRequest => ({
  batchId: context.batchId,
  variables: context.variables,
  order: context.order,
  filters: context.filters,
  cursor: context.cursors.at(-1) ?? null,
  isFresh: context.isFresh,
  isPartial: context.isPartial,
});

const FIRST_PAGE = { cursors: [] as readonly string[], isFresh: false } as const;

/** The results of one batch: waiting for it, loading, shown, failed; beside it the brief confirmation of a copy. */
export const resultsMachine = setup({
  types: {
    context: {} as ResultsContext,
    events: {} as ResultsEvent,
    input: {} as ResultsInput,
  },
  actors: {
    fetchPage: fromPromise<ResultRows, PageRequest>(() =>
      Promise.reject(new Error('fetchPage is not provided')),
    ),
  },
  guards: {
    hasNext: ({ context }) => context.page?.nextCursor != null,
    hasPrevious: ({ context }) => context.cursors.length > 0,
    isPartial: ({ context }) => context.isPartial,
  },
}).createMachine({
  id: 'results',
  type: 'parallel',
  context: ({ input }) => ({
    batchId: input.batchId,
    variables: input.variables,
    order: input.start?.order ?? defaultOrder(input.variables),
    filters: filtersBeside(input.start?.order ?? null, input.start?.filters ?? []),
    ...FIRST_PAGE,
    isPartial: false,
    page: null,
    error: null,
    picked: [],
    copied: null,
  }),
  states: {
    data: {
      initial: 'waiting',
      on: {
        // Order, filters and place stay as they were among the rows so far.
        'batch.finished': {
          guard: 'isPartial',
          target: '.loading',
          actions: assign({ isPartial: false, isFresh: true }),
        },
        'batch.failed': {
          guard: 'isPartial',
          target: '.waiting',
          actions: assign({ ...FIRST_PAGE, isPartial: false, page: null, error: null }),
        },
        'user.sort': {
          target: '.loading',
          actions: assign(({ context, event }) => ({
            ...FIRST_PAGE,
            order: {
              by: 'column' as const,
              sort: nextSort(context.order.by === 'column' ? context.order.sort : null, event.column),
            },
          })),
        },
        'user.orderByNeighbourhood': {
          target: '.loading',
          actions: assign(({ event }) => ({
            ...FIRST_PAGE,
            filters: [],
            order: { by: 'neighbourhood' as const, metric: event.metric },
          })),
        },
        'user.orderByColumn': {
          target: '.loading',
          actions: assign(({ context }) => ({ ...FIRST_PAGE, order: defaultOrder(context.variables) })),
        },
        'user.addFilter': {
          target: '.loading',
          actions: assign(({ context, event }) => ({
            ...FIRST_PAGE,
            filters: withFilter(context.filters, event.filter),
            // The neighbourhood order is of the whole batch; a filter goes back to the columns.
            order: context.order.by === 'column' ? context.order : defaultOrder(context.variables),
          })),
        },
        'user.setFilters': {
          target: '.loading',
          actions: assign(({ context, event }) => ({
            ...FIRST_PAGE,
            filters: event.filters,
            order: context.order.by === 'column' ? context.order : defaultOrder(context.variables),
          })),
        },
        'user.applyView': {
          target: '.loading',
          actions: assign(({ context, event }) => ({
            ...FIRST_PAGE,
            order: event.order ?? defaultOrder(context.variables),
            filters: filtersBeside(event.order, event.filters),
          })),
        },
        'user.refresh': { target: '.loading', actions: assign({ ...FIRST_PAGE, isFresh: true }) },
      },
      states: {
        waiting: {
          on: {
            'batch.finished': { target: 'loading', actions: assign({ isPartial: false }) },
            'batch.hasMoreRows': { target: 'loading', actions: assign({ isPartial: true }) },
          },
        },
        loading: {
          invoke: {
            src: 'fetchPage',
            input: requestOf,
            onDone: {
              target: 'shown',
              actions: assign({ page: ({ event }) => event.output, error: null, isFresh: false }),
            },
            onError: [
              {
                // Its first part has not finished, or it has begun anew.
                guard: ({ context, event }) =>
                  context.isPartial && codeOf(event.error) === 'results_not_ready',
                target: 'waiting',
                actions: assign({ ...FIRST_PAGE, page: null, error: null }),
              },
              {
                target: 'failed',
                actions: assign({ page: null, error: ({ event }) => event.error, isFresh: false }),
              },
            ],
          },
        },
        refreshing: {
          invoke: {
            src: 'fetchPage',
            input: requestOf,
            onDone: {
              target: 'shown',
              actions: assign({ page: ({ event }) => event.output, error: null }),
            },
            // Nobody has asked for it: the rows that are shown stay, say how many they are, and are asked for
            // again soon.
            onError: 'shown',
          },
        },
        shown: {
          on: {
            'batch.hasMoreRows': { guard: 'isPartial', target: 'refreshing' },
            'user.nextPage': {
              guard: 'hasNext',
              target: 'loading',
              actions: assign({
                cursors: ({ context }) =>
                  context.page?.nextCursor ? [...context.cursors, context.page.nextCursor] : context.cursors,
              }),
            },
            'user.previousPage': {
              guard: 'hasPrevious',
              target: 'loading',
              actions: assign({ cursors: ({ context }) => context.cursors.slice(0, -1) }),
            },
          },
        },
        failed: { on: { 'batch.hasMoreRows': { guard: 'isPartial', target: 'loading' } } },
      },
    },
    copying: {
      initial: 'idle',
      on: {
        'user.copied': {
          // Not `reenter` here: that would leave and enter every region, and the rows with them.
          target: '.copied',
          actions: assign({ copied: ({ event }) => event.combination }),
        },
      },
      states: {
        idle: {},
        copied: {
          on: {
            'user.copied': {
              target: 'copied',
              reenter: true,
              actions: assign({ copied: ({ event }) => event.combination }),
            },
          },
          after: { [COPIED_MS]: { target: 'idle', actions: assign({ copied: null }) } },
        },
      },
    },
  },
  on: {
    'user.pick': {
      actions: assign({
        picked: ({ context, event }) =>
          context.picked.includes(event.combination)
            ? context.picked.filter((one) => one !== event.combination)
            : [...context.picked, event.combination].slice(-MAX_PICKED),
      }),
    },
    'user.clearPicks': { actions: assign({ picked: [] }) },
  },
});
