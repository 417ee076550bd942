import type { TSchema } from 'typebox';

function copyWith<Schema extends TSchema>(schema: Schema, more: Readonly<Record<string, string>>): Schema {
  // What TypeBox marks its schemas with is not enumerable and has to go along.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema));
  for (const [name, value] of Object.entries(more))
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy as Schema;
}

/** The schema with what it means: read by the documentation of the API and by the clients that are made from it. */
export function said<Schema extends TSchema>(description: string, schema: Schema): Schema {
  return copyWith(schema, { description });
}

/** Name of the member that says under which name a schema is documented. Validators do not look at it. */
export const SHOWN_AS = 'x-shown-as';

/**
 * A schema that validates leniently, because its reader has the better sentence, and is documented as the named one
 * (`contracts/documented`). What the named one takes, the reader takes.
 */
export function shownAs<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return copyWith(schema, { [SHOWN_AS]: name });
}
