import { BATCH_EVENTS } from '../batch/events.ts';
import { type EventOf, isOf, only } from '../kernel/define-stream.ts';
import {
  defineProjection,
  type HandledEvent,
  type Projection,
  type Unstamped,
} from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { STRATEGY_EVENTS, type StrategyEvent } from '../strategy/events.ts';
import type { OwnFieldEvent } from '../strategy/own-fields/own-fields.ts';
import type { HeldTree } from '../strategy/stored-tree.ts';
import { STRATEGY_RUN_EVENTS, type StrategyRunRecorded } from '../strategy-run/events.ts';
import { VARIABLE_LIST_EVENTS, type VariableListEvent } from '../variable-list/events.ts';

/** Kinds of things that people have lists of. */
export type ListingKind = 'strategy' | 'variableList' | 'batch';

/**
 * What a list sorts, filters and searches by, of a strategy, a variable list or a batch; small, so that
 * looking through all of a person's is quick.
 */
export interface ListingDocument extends ReadDocument {
  readonly kind: ListingKind;
  readonly owner: string;
  /** The kind, `<kind>.archived`, or `<kind>.deleted` for what can be brought back. */
  readonly shelf: string;
  /** The name in lower case. */
  readonly title: string;
  /** What a search looks through, in lower case: name, tickers, day of creation. */
  readonly words: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isPublic: boolean;
  /** `bot` or `template` of a strategy, else null. */
  readonly type: string | null;
  /** Of a strategy or batch, else null. */
  readonly status: string | null;
  /** Tickers of a variable list, combinations of a batch, else 0. */
  readonly size: number;
  /** In lower case; missing: none. */
  readonly tags?: readonly string[];
  /** Whether there are any (1). */
  readonly hasTags?: number;
  readonly isArchived?: boolean;
  /** Figures of a strategy's last recorded run; null without one. */
  readonly annual: number | null;
  readonly drawdown: number | null;
  readonly sharpe: number | null;
  /** Which of them there are (1, else 0), so that what has none comes last in either order. */
  readonly hasAnnual: number;
  readonly hasDrawdown: number;
  readonly hasSharpe: number;
}

type Bare = Unstamped<ListingDocument>;

/** Tickers kept of one thing: a list of thousands is found by its name. */
const MOST_TICKERS = 500;

/** Id of a thing's entry. */
export const listingId = (kind: ListingKind, id: string): string => `${kind}.${id}`;

/** The thing's own id. */
export const listedId = ({ id, kind }: Pick<ListingDocument, 'id' | 'kind'>): string =>
  id.slice(kind.length + 1);

/** Values of fields that name an asset, wherever they are in a strategy. Bad trees of the past have none. */
function tickersOf(algorithm: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(algorithm)) for (const one of algorithm) tickersOf(one, found);
  else if (typeof algorithm === 'object' && algorithm !== null)
    for (const [key, value] of Object.entries(algorithm))
      if (typeof value === 'object') tickersOf(value, found);
      else if ((key === 'ticker' || key === 'lhs_val' || key === 'rhs_val') && typeof value === 'string')
        found.add(value);
  return found;
}

const tickersOfHeld = (held: HeldTree): Iterable<unknown> =>
  held.tree ? held.tree.tickers : tickersOf(held.algorithm);

function wordsOf(name: string, tickers: Iterable<unknown>, createdAt: string): string {
  const named = [...tickers].filter((ticker) => typeof ticker === 'string').slice(0, MOST_TICKERS);
  return [name, ...named, createdAt.slice(0, 10)].join('\n').toLowerCase();
}

const tickersAgain = (words: string) => words.split('\n').slice(1, -1);

function begun(
  kind: ListingKind,
  id: string,
  at: string,
  thing: {
    readonly owner: string;
    readonly name: string;
    readonly isPublic: boolean;
    readonly tickers: Iterable<unknown>;
  },
): Bare {
  const { owner, name, isPublic, tickers } = thing;
  return {
    id: listingId(kind, id),
    kind,
    owner,
    shelf: kind,
    title: name.toLowerCase(),
    words: wordsOf(name, tickers, at),
    createdAt: at,
    updatedAt: at,
    isPublic,
    type: null,
    status: null,
    size: 0,
    ...figuresOf(null),
  };
}

/** What lists sort by of a run. */
function figuresOf(run: StrategyRunRecorded['data'] | null) {
  const {
    annualized_return: annual = null,
    max_drawdown: drawdown = null,
    sharpe = null,
  } = run?.figures ?? {};
  const has = (value: number | null) => Number(value !== null);
  const flags = { hasAnnual: has(annual), hasDrawdown: has(drawdown), hasSharpe: has(sharpe) };
  return { annual, drawdown, sharpe, ...flags };
}

function renamed(
  document: Bare,
  name: string,
  tickers: Iterable<unknown> = tickersAgain(document.words),
): Bare {
  return { ...document, title: name.toLowerCase(), words: wordsOf(name, tickers, document.createdAt) };
}

/** A name stands in one line of what is searched. */
const oneLine = (name: string) => name.replaceAll('\n', ' ');

function evolveStrategy(document: Bare | null, event: StrategyEvent, at: string): Bare | null {
  if (event.type === 'StrategyCreated' || event.type === 'StrategyCloned') {
    const { strategyId, ownerId, name, type, isPublic, status } = event.data;
    const tickers = tickersOfHeld(event.data);
    const thing = { owner: ownerId, name: oneLine(name), isPublic, tickers };
    return { ...begun('strategy', strategyId, at, thing), type, status };
  }
  if (!document) return null;
  const changed = { ...document, updatedAt: at };
  switch (event.type) {
    case 'StrategySaved':
    case 'StrategyRestored': {
      const { name, type } = event.data;
      return { ...renamed(changed, oneLine(name), tickersOfHeld(event.data)), type };
    }
    case 'StrategyImported':
    case 'StrategyHoldOutSet':
      return document;
    case 'StrategyRenamed':
      return renamed(changed, oneLine(event.data.name));
    case 'StrategyVisibilityChanged':
      return { ...changed, isPublic: event.data.isPublic };
    case 'StrategyDeleted':
      return { ...changed, shelf: 'strategy.deleted' };
    case 'StrategyDeletionUndone':
      return { ...changed, shelf: document.isArchived ? 'strategy.archived' : 'strategy' };
    case 'StrategyTagged': {
      const tags = event.data.tags.map((tag) => tag.toLowerCase());
      return { ...document, tags, hasTags: Number(tags.length > 0) };
    }
    case 'StrategyArchived':
      return { ...document, shelf: 'strategy.archived', isArchived: true };
    case 'StrategyUnarchived':
      return { ...document, shelf: 'strategy', isArchived: false };
    default:
      // Lists are neither found nor sorted by the other ones.
      event satisfies OwnFieldEvent;
      return document;
  }
}

function evolveList(document: Bare | null, event: VariableListEvent, at: string): Bare | null {
  if (event.type === 'VariableListCreated' || event.type === 'VariableListCloned') {
    const { listId, ownerId, name, isPublic, variables } = event.data;
    const thing = { owner: ownerId, name: oneLine(name), isPublic, tickers: variables };
    return { ...begun('variableList', listId, at, thing), size: variables.length };
  }
  if (!document) return null;
  const changed = { ...document, updatedAt: at };
  switch (event.type) {
    case 'VariableListUpdated':
    case 'VariableListRestored': {
      const { name, isPublic, variables } = event.data;
      return { ...renamed(changed, oneLine(name), variables), isPublic, size: variables.length };
    }
    case 'VariableListDeleted':
      return { ...changed, shelf: 'variableList.deleted' };
    case 'VariableListDeletionUndone':
      return { ...changed, shelf: 'variableList' };
    default:
      event satisfies never;
      return document;
  }
}

function evolveBatch(
  document: Bare | null,
  event: EventOf<typeof LISTED_BATCH_EVENTS>,
  at: string,
): Bare | null {
  if (event.type === 'BatchBacktestCreated') {
    const { batchId, userId, name, isPublic, template, variables, combinations } = event.data;
    const tickers = new Set<unknown>(tickersOf(template.algorithm));
    for (const { values } of variables) for (const value of values.slice(0, MOST_TICKERS)) tickers.add(value);
    const thing = { owner: userId, name: oneLine(name), isPublic, tickers };
    return { ...begun('batch', batchId, at, thing), status: 'Queued', size: combinations };
  }
  if (!document) return null;
  const changed = { ...document, updatedAt: at };
  switch (event.type) {
    case 'PartitionStarted':
      return document.status === 'Queued' ? { ...changed, status: 'Running' } : document;
    case 'BatchCompilingStarted':
      return { ...changed, status: 'CompilingResults' };
    case 'BatchBacktestFinished':
      return { ...changed, status: 'Finished' };
    case 'BatchBacktestStopped':
      return { ...changed, status: 'Stopped' };
    case 'BatchBacktestFailed':
      return { ...changed, status: 'Error' };
    case 'BatchBacktestReplayed':
      return { ...changed, status: 'Running' };
    case 'BatchBacktestDeleted':
      return null;
    case 'BatchBacktestRenamed':
      return renamed(changed, oneLine(event.data.name));
    case 'BatchVisibilityChanged':
      return { ...changed, isPublic: event.data.isPublic };
    default:
      event satisfies never;
      return document;
  }
}

const LISTED_BATCH_EVENTS = only(
  BATCH_EVENTS,
  'BatchBacktestCreated',
  'PartitionStarted',
  'BatchCompilingStarted',
  'BatchBacktestFinished',
  'BatchBacktestStopped',
  'BatchBacktestFailed',
  'BatchBacktestReplayed',
  'BatchBacktestDeleted',
  'BatchBacktestRenamed',
  'BatchVisibilityChanged',
);
const LISTED_EVENTS = [
  STRATEGY_EVENTS,
  STRATEGY_RUN_EVENTS,
  VARIABLE_LIST_EVENTS,
  LISTED_BATCH_EVENTS,
] as const;

function entryOf({ data }: HandledEvent<typeof LISTED_EVENTS>): string {
  // A batch names the strategy that it was made of, too.
  if ('batchId' in data) return listingId('batch', data.batchId);
  if ('listId' in data) return listingId('variableList', data.listId);
  return listingId('strategy', data.strategyId);
}

/** One entry for everything that stands in somebody's list of strategies, variable lists or batches. */
export const listingsProjection: Projection<ListingDocument> = defineProjection({
  name: 'listings',
  version: 3,
  collection: {
    name: 'listings_v3',
    // With the words behind it a search in the usual order, and its count, read nothing but the index.
    indexes: [
      ['owner', 'shelf', 'updatedAt', 'words'],
      ['owner', 'shelf', 'createdAt', 'words'],
      ['owner', 'shelf', 'title'],
      ['owner', 'shelf', 'size'],
    ],
  },
  events: LISTED_EVENTS,
  keys: (event) => [entryOf(event)],
  evolve: (document, event) => {
    const at = event.metadata.recordedAt;
    if (event.type === 'StrategyRunRecorded') return document && { ...document, ...figuresOf(event.data) };
    if (isOf(LISTED_BATCH_EVENTS, event)) return evolveBatch(document, event, at);
    if (isOf(VARIABLE_LIST_EVENTS, event)) return evolveList(document, event, at);
    return evolveStrategy(document, event, at);
  },
});
