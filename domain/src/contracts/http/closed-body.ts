import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

type Json = Readonly<Record<string, unknown>>;

/** Read-only fields of our answers that may come back with a body. */
const READ_ONLY = { readOnly: true, description: 'Of an answer; may be sent back and is ignored' };

/**
 * A body whose sender may give back the whole document that an answer gave him: the answer's fields that the
 * body does not know are accepted by name, whatever they hold, and ignored.
 */
export function withFieldsOf<Fields extends TProperties>(
  body: TObject<Fields>,
  ...answers: readonly TObject[]
): TObject<Fields> {
  const known = new Set(Object.keys(body.properties));
  const names = answers
    .flatMap((answer) => Object.keys(answer.properties))
    .filter((name) => !known.has(name));
  const echoed = Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown(READ_ONLY))]));
  // No handler is to read them, so the type does not have them.
  return Type.Object({ ...body.properties, ...echoed }) as unknown as TObject<Fields>;
}

/**
 * The schema with every object in it closed: a field that it does not name is refused. Objects that say for
 * themselves what else they take (maps, trees) stay as they are.
 */
export function closed<Schema extends TSchema>(schema: Schema): Schema {
  return close(schema) as Schema;
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const given = schema as Json;
  const inner: Record<string, unknown> = {};
  for (const name of ['items', 'anyOf']) if (name in given) inner[name] = close(given[name]);
  if (typeof given.properties === 'object' && given.properties !== null) {
    inner.properties = Object.fromEntries(
      Object.entries(given.properties).map(([name, field]) => [name, close(field)]),
    );
    if (!('additionalProperties' in given)) inner.additionalProperties = false;
  }
  // What TypeBox marks its schemas with is not enumerable and has to go along.
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema));
  for (const [name, value] of Object.entries(inner))
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
