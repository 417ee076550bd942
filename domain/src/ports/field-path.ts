import type { ReadDocument, Scalar } from './read-models.ts';

/** Names of an object's own fields; a list or a plain value has none. */
type FieldsIn<Value> = Value extends Scalar | undefined | readonly unknown[] ? never : keyof Value & string;

type PathsOf<Doc> = Doc extends unknown
  ? {
      [Field in keyof Doc & string]-?: Field | `${Field}.${FieldsIn<Doc[Field]>}`;
    }[keyof Doc & string]
  : never;

/** Whether nobody says more about the documents than that they are some. */
export type IsAnyDocument<Doc> = ReadDocument extends Doc ? true : string extends keyof Doc ? true : false;

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
export type ValueAt<Doc, Path> = Path extends keyof Doc
  ? Doc[Path]
  : Path extends `${infer Field}.${infer Rest}`
    ? FieldOf<FieldOf<Doc, Field>, Rest>
    : FieldOf<Doc, Path>;
