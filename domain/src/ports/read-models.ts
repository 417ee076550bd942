import type { EventReference, Position } from './event-store.ts';

export type Scalar = string | number | boolean | null;

/**
 * `id` is the entity's; `_revision` and `_position` are of the last event that changed the document and are
 * set by the projector runtime. What is written outside of projections counts its own changes, or none.
 */
export interface ReadDocument {
  readonly id: string;
  readonly _revision: number;
  /** Decimal string. */
  readonly _position: string;
}

/** Names of an object's own fields; a list or a plain value has none. */
type FieldsIn<Value> = Value extends Scalar | undefined | readonly unknown[] ? never : keyof Value & string;

type PathsOf<Doc> = Doc extends unknown
  ? {
      [Field in keyof Doc & string]-?: Field | `${Field}.${FieldsIn<Doc[Field]>}`;
    }[keyof Doc & string]
  : never;

/** Whether nobody says more about the documents than that they are some. */
type IsAnyDocument<Doc> = ReadDocument extends Doc ? true : string extends keyof Doc ? true : false;

/**
 * What finds may filter and sort by: a field of the document, or a field within one of them (`subject.kind`).
 * Of a document that nobody says more about than that it is one, any.
 */
export type FieldPath<Doc> = IsAnyDocument<Doc> extends true ? string : PathsOf<Doc>;

type FieldOf<Value, Field> = Value extends unknown
  ? Field extends keyof Value
    ? Value[Field]
    : undefined
  : never;

/** What stands at a path; `undefined` where a variant of the document has no such field. */
type ValueAt<Doc, Path> = Path extends keyof Doc
  ? Doc[Path]
  : Path extends `${infer Field}.${infer Rest}`
    ? FieldOf<FieldOf<Doc, Field>, Rest>
    : FieldOf<Doc, Path>;

declare const DOCUMENTS: unique symbol;

/**
 * The name of a collection, which knows for the compiler what its documents are. At run time it is a plain
 * text, and a plain text is one of documents that nobody says more about.
 */
export type CollectionName<Doc = ReadDocument> = string & { readonly [DOCUMENTS]?: Doc };

export interface CollectionSpec<Doc = ReadDocument> {
  /** camelCase plural with its version, for example `strategies_v1`. */
  readonly name: CollectionName<Doc>;
  /** Fields (dotted paths allowed) that finds filter or sort by, each list one compound index. */
  readonly indexes: readonly (readonly string[])[];
}

export type Condition =
  | Scalar
  | { readonly in: readonly Scalar[] }
  | { readonly gt?: Scalar; readonly gte?: Scalar; readonly lt?: Scalar; readonly lte?: Scalar }
  /** Case-insensitive substring. */
  | { readonly contains: string }
  /** Case-insensitive substrings, all of which must occur. */
  | { readonly containsAll: readonly string[] }
  /**
   * Substrings, all of which must occur as they are written, of a field that is text everywhere; quick where
   * an index holds the field.
   */
  | { readonly holdsAll: readonly string[] }
  /** The field is an array that holds this value. */
  | { readonly has: Scalar };

type Comparable<Value> = Extract<Value, Scalar> | null;

/** The conditions that make sense of a field that holds such values. */
type ConditionOn<Value> =
  | Comparable<Value>
  | { readonly in: readonly Comparable<Value>[] }
  | {
      readonly gt?: Comparable<Value>;
      readonly gte?: Comparable<Value>;
      readonly lt?: Comparable<Value>;
      readonly lte?: Comparable<Value>;
    }
  | (Extract<Value, string> extends never
      ? never
      : Extract<
          Condition,
          | { readonly contains: string }
          | { readonly containsAll: readonly string[] }
          | { readonly holdsAll: readonly string[] }
        >)
  | (Value extends readonly (infer Item)[] ? { readonly has: Extract<Item, Scalar> } : never);

/**
 * What documents have to meet, all of it together: the fields are those of the document, what they are
 * compared with their values.
 */
export type Where<Doc = ReadDocument> =
  IsAnyDocument<Doc> extends true
    ? Readonly<Record<string, Condition>>
    : { readonly [Path in FieldPath<Doc>]?: ConditionOn<ValueAt<Doc, Path>> };

/** Each field with its condition, for who carries them out. */
export function conditionsOf<Doc>(where: Where<Doc> | undefined): [path: string, condition: Condition][] {
  return Object.entries(where ?? {});
}

export interface FindQuery<Doc = ReadDocument> {
  readonly where?: Where<Doc>;
  readonly sort?: readonly (readonly [field: FieldPath<Doc>, direction: 'asc' | 'desc'])[];
  readonly limit?: number;
  readonly skip?: number;
}

export type DocumentWrite<Doc extends ReadDocument = ReadDocument> =
  | { readonly collection: string; readonly put: Doc }
  /** Removes the document. The caller keeps replays harmless by the checkpoint. */
  | { readonly collection: string; readonly delete: string };

/** A change of one document that is made only where it stands as it was seen. */
export type Swap =
  | { readonly id: string; readonly expected: null; readonly next: ReadDocument }
  /** `next` null: the document goes. */
  | { readonly id: string; readonly expected: number; readonly next: ReadDocument | null };

export interface CheckpointChange {
  /** Null: there is none yet. */
  readonly expected: Position | null;
  readonly next: Position;
  /** The last event up to `next`, so that another log in its place is noticed (`EventStore.reaches`). */
  readonly standsOn?: EventReference | null;
  /** The edition of the documents that the writes were worked out from; missing: of no documents. */
  readonly edition?: string | null;
}

/** Documents by id, indexed finds, and the projection's checkpoint in the same write. */
export interface ReadModels {
  /** Creates collection and indexes where they are missing. */
  ensureCollection(spec: CollectionSpec): Promise<void>;
  get<Doc extends ReadDocument>(collection: CollectionName<Doc>, id: string): Promise<Doc | null>;
  getMany<Doc extends ReadDocument>(collection: CollectionName<Doc>, ids: readonly string[]): Promise<Doc[]>;
  find<Doc extends ReadDocument>(
    collection: CollectionName<Doc>,
    query?: FindQuery<NoInfer<Doc>>,
  ): Promise<Doc[]>;
  count<Doc extends ReadDocument>(
    collection: CollectionName<Doc>,
    where?: Where<NoInfer<Doc>>,
  ): Promise<number>;
  /**
   * The sum of a field that is a number in all of these documents; 0 of none. Quick where an index holds the
   * field behind those of `where`.
   */
  sum<Doc extends ReadDocument>(
    collection: CollectionName<Doc>,
    field: FieldPath<NoInfer<Doc>>,
    where?: Where<NoInfer<Doc>>,
  ): Promise<number>;
  /**
   * All writes and the new checkpoint, or nothing. Rejects with `CheckpointConflictError` when the stored
   * checkpoint is not `expected` (null: none yet) or not of this `edition`: somebody else runs this projection
   * or has built it anew, so this runner must stop.
   */
  commit(
    projection: string,
    change: CheckpointChange & { readonly writes: readonly DocumentWrite[] },
  ): Promise<void>;
  checkpoint(projection: string): Promise<Position | null>;
  /** All that a runner goes on from, as one moment had it. */
  resumePoint(projection: string): Promise<ResumePoint>;
  /** Writes outside any projection (progress, presence). Last writer wins. */
  put(collection: string, document: ReadDocument): Promise<void>;
  delete(collection: string, id: string): Promise<void>;
  /**
   * Writes outside any projection where the document's `_revision` is `expected`, null: where there is no
   * document. False: it is not, and nothing was written. Of several at the same time with the same
   * expectation exactly one gets true.
   */
  swap(collection: string, swap: Swap): Promise<boolean>;
  /** Drops documents and definition, and the checkpoint of the projection of that name. */
  drop(collection: string, projection?: string): Promise<void>;
  /**
   * Atomically makes `from` (collection and checkpoint of projection `fromProjection`) take the place of `to`,
   * as a new edition: the position may be the one that it had before, the documents are not.
   */
  replace(change: { from: string; to: string; fromProjection: string; toProjection: string }): Promise<void>;
  close(): Promise<void>;
}

/** Where a projection stands. */
export interface ResumePoint {
  /** The checkpoint; null: there is none yet. */
  readonly position: Position | null;
  /** The event that was given with the checkpoint; null where none was. */
  readonly standsOn: EventReference | null;
  /**
   * The edition of the projection's documents: another one after each `replace`, null before the first.
   * Documents that are read once this is known are of that edition or a later one.
   */
  readonly edition: string | null;
}

export class CheckpointConflictError extends Error {
  readonly code = 'checkpoint_conflict';
  constructor(projection: string, expected: Position | null, actual: Position | null) {
    super(
      expected === actual
        ? `${projection} was built anew by another process`
        : `Checkpoint of ${projection} is ${actual}, expected ${expected}: another process runs this projection`,
    );
    this.name = 'CheckpointConflictError';
  }
}
