import type { ListQueryValues } from '@quantloom/domain/contracts/http/list-query';
import { checkpointName, type Projection } from '@quantloom/domain/kernel/projection';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import {
  type ListingDocument,
  type ListingKind,
  listedId,
  listingId,
  listingsProjection,
} from '@quantloom/domain/listing/projection';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import type {
  CollectionName,
  Condition,
  FieldPath,
  FindQuery,
  ReadDocument,
  ReadModels,
  Where,
} from '@quantloom/domain/ports/read-models';
import { breath } from '@quantloom/http/breath';
import type { FastifyReply } from 'fastify';
import { areListsCatchingUp } from './catching-up.ts';
import { STALE_HEADER } from './consistency.ts';
import type { ReadDeps } from './deps.ts';

/** Lines of a list that names no limit, and the most that may be asked for. */
export const DEFAULT_LIMIT = 1000;

type SortName =
  | 'name'
  | 'created'
  | 'updated'
  | 'visibility'
  | 'type'
  | 'status'
  | 'strategy'
  | 'size'
  | 'return'
  | 'drawdown'
  | 'sharpe';
/** What a list sorts and filters by, and the field that holds it. */
type Fields<Doc = ReadDocument> = Readonly<Partial<Record<SortName, FieldPath<Doc>>>>;

/**
 * Documents that are read at once: some hold thousands of tickers or a person's notes, and others are
 * answered between them.
 */
const SLICE = 10;
/**
 * Characters of what lines hold without bounds, of all lines of an answer: ten times what the longest lists
 * of people have.
 */
const MOST_CHARACTERS = 16_000_000;
const TOO_LONG = refuse(
  422,
  'answer_too_long',
  'These lines hold too much for one answer. Please ask for fewer of them, with `limit` and `skip`.',
);

/** One kind of list. */
export interface ListSource<Doc extends ReadDocument, Line = Doc> {
  readonly kind: ListingKind;
  /** Where the documents are that make the lines. */
  readonly projection: Pick<Projection<Doc>, 'name' | 'version' | 'collection'>;
  /** The caller's own that are not deleted. */
  readonly own: (userId: string) => Where<Doc>;
  /** Names in the documents themselves: for an older folder, until its entries are built. */
  readonly fields: Fields<Doc>;
  /** Order of a list that names none. */
  readonly usual: 'created' | 'updated';
  /** What is kept of a document: all of a long list are in memory at once. */
  readonly lineOf: (document: Doc) => Line;
  /** Texts of a line of which there may be thousands. */
  readonly texts?: (document: Doc) => readonly string[];
}

const ENTRY_FIELDS: Fields<ListingDocument> = {
  name: 'title',
  created: 'createdAt',
  updated: 'updatedAt',
  visibility: 'isPublic',
  type: 'type',
  status: 'status',
  size: 'size',
  return: 'annual',
  drawdown: 'drawdown',
  sharpe: 'sharpe',
};
/** Figures that not everything has, and the field that says so: what has none comes last. */
const FIGURES: Readonly<Partial<Record<string, FieldPath<ListingDocument>>>> = {
  annual: 'hasAnnual',
  drawdown: 'hasDrawdown',
  sharpe: 'hasSharpe',
};

/**
 * A page of what the caller owns, sorted, filtered and searched; the number of all that match goes into the header
 * `x-total-count`, and the header `x-quantloom-stale` says that the lists do not hold all of the log yet. Things that
 * compare equal come in the order of their ids, so that pages neither overlap nor leave out.
 */
export async function listPage<Doc extends ReadDocument, Line>(
  deps: Pick<ReadDeps, 'readModels' | 'eventStore' | 'clock'>,
  reply: FastifyReply,
  source: ListSource<Doc, Line>,
  userId: string,
  query: ListQueryValues,
): Promise<Line[] | Refusal> {
  const { readModels } = deps;
  const { limit = DEFAULT_LIMIT, skip = 0 } = query;
  // Entries do not know what a batch was made from.
  const hasEntries = query.strategy === undefined && (await areEntriesBuilt(readModels, source.projection));
  const collection: CollectionName = (hasEntries ? listingsProjection : source.projection).collection.name;
  const where = hasEntries
    ? {
        owner: userId,
        shelf: query.archived ? `${source.kind}.archived` : source.kind,
        ...entriesThatMatch(source.kind, query),
      }
    : { ...source.own(userId), ...documentsThatMatch(source.fields, query) };
  const sort = orderOf(query.sort, source.usual, hasEntries ? ENTRY_FIELDS : source.fields);
  const page = await readModels.find<ReadDocument>(collection, { where, sort, limit, skip });
  const isWhole = skip === 0 && page.length < limit;
  reply.header('x-total-count', String(isWhole ? page.length : await readModels.count(collection, where)));
  if (await areListsCatchingUp(deps)) reply.header(STALE_HEADER, 'true');
  if (!hasEntries) return (page as Doc[]).map(source.lineOf);
  const ids = (page as ListingDocument[]).map(listedId);
  return await linesOf(readModels, source, ids);
}

/** The lines of so many documents, some at a time. */
async function linesOf<Doc extends ReadDocument, Line>(
  readModels: ReadModels,
  { projection, lineOf, texts = () => [] }: ListSource<Doc, Line>,
  ids: readonly string[],
): Promise<Line[] | Refusal> {
  const lines: Line[] = [];
  let characters = 0;
  for (let from = 0; from < ids.length; from += SLICE) {
    if (from > 0) await breath();
    const documents = await readModels.getMany<Doc>(
      projection.collection.name,
      ids.slice(from, from + SLICE),
    );
    for (const document of documents) {
      for (const text of texts(document)) characters += text.length;
      lines.push(lineOf(document));
    }
    if (characters > MOST_CHARACTERS) return TOO_LONG;
  }
  return lines;
}

/** Where entries were seen to be complete: they never fall behind for long again. */
const complete = new WeakMap<ReadModels, Set<string>>();

/** False on a folder from before there were entries, until they stand for all that the documents hold. */
async function areEntriesBuilt(
  readModels: ReadModels,
  projection: Pick<Projection, 'name' | 'version'>,
): Promise<boolean> {
  const known = complete.get(readModels) ?? new Set();
  if (known.has(projection.name)) return true;
  const [entries, documents] = await Promise.all(
    [listingsProjection, projection].map(
      async (of) => (await readModels.checkpoint(checkpointName(of))) ?? BEFORE_FIRST,
    ),
  );
  if (entries === undefined || documents === undefined || entries < documents) return false;
  complete.set(readModels, known.add(projection.name));
  return true;
}

/** `name:asc` as a sort; times go down and all else up where nothing is said. */
function orderOf(sort: string | undefined, usual: string, fields: Fields): NonNullable<FindQuery['sort']> {
  const [by = usual, said] = (sort ?? usual).split(':');
  const field = fields[by as keyof Fields] ?? fields[usual as keyof Fields];
  if (field === undefined) return [];
  const isTime = by === 'created' || by === 'updated';
  const order = said === 'asc' || (said === undefined && !isTime) ? 'asc' : 'desc';
  const flag = FIGURES[field];
  return [...(flag === undefined ? [] : [[flag, 'desc'] as const]), [field, order]];
}

function entriesThatMatch(kind: ListingKind, query: ListQueryValues): Where {
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  return {
    ...(query.ids !== undefined && {
      id: { in: query.ids.split(',').map((id) => listingId(kind, id)) },
    }),
    ...(words.length > 0 && { words: { holdsAll: words } }),
    ...(query.tag && { tags: { has: query.tag.trim().toLowerCase() } }),
    ...properties(ENTRY_FIELDS, query),
  };
}

function documentsThatMatch(fields: Fields, query: ListQueryValues): Where {
  return {
    ...(query.ids !== undefined && { id: { in: query.ids.split(',') } }),
    ...(query.search && { name: { containsAll: query.search.split(/\s+/).filter(Boolean) } }),
    ...properties(fields, query),
  };
}

function properties(fields: Fields, query: ListQueryValues): Where {
  const { visibility, type, status, strategy, created_from: from, created_to: to } = query;
  const created: Condition | null =
    from === undefined && to === undefined
      ? null
      : { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: dayAfter(to) }) };
  return {
    ...(fields.visibility && visibility && { [fields.visibility]: visibility === 'public' }),
    ...(fields.type && type && { [fields.type]: type }),
    ...(fields.status && status && { [fields.status]: { in: status.split(',') } }),
    ...(fields.strategy && strategy && { [fields.strategy]: strategy }),
    ...(fields.created && created && { [fields.created]: created }),
  };
}

/** So that the last day counts whole; a day that is none matches as text. */
function dayAfter(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time + 86_400_000).toISOString().slice(0, 10);
}
