import { DOCUMENTED_SCHEMAS, NAMED_SCHEMAS } from '@quantloom/domain/contracts/documented/named-schemas';
import { SHOWN_AS } from '@quantloom/domain/kernel/said';

export type Json = Record<string, unknown>;

/** A JSON schema as plain JSON, without what only the validator's library needs. */
export const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json;

const REFERENCE = '#/components/schemas/';

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What makes two schemas the same: everything but what is said about them. */
function keyOf({ description: _, $id: _id, ...schema }: Json): string {
  return JSON.stringify(schema);
}

const NAMES = new Map(
  Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [keyOf(plain(schema)), name] as const),
);

/** Fields of an answer that may come back with a body and are ignored: they are not documented with the body. */
const isEchoed = (schema: unknown) => isJson(schema) && schema.readOnly === true && !('type' in schema);

/** Constants as one list of values, which is what programs want to see. */
function withoutConstants(options: readonly unknown[]): readonly unknown[] {
  const constants = options.filter((option) => isJson(option) && typeof option.const === 'string');
  if (constants.length < 2) return options;
  const values = constants.map((option) => (option as Json).const);
  return [
    { type: 'string', enum: values },
    ...options.filter((option) => !(isJson(option) && typeof option.const === 'string')),
  ];
}

/** The part of a schema in the form in which it is documented: named schemas by reference, choices and maps in their plainest form. */
export function documented(schema: unknown, isTop = false): Json {
  if (!isJson(schema)) return {};
  const { description } = schema;
  const name = schema[SHOWN_AS] ?? (isTop ? undefined : NAMES.get(keyOf(schema)));
  if (typeof name === 'string')
    return { $ref: `${REFERENCE}${name}`, ...(typeof description === 'string' && { description }) };
  const result: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id' || key === SHOWN_AS) continue;
    if (key === 'properties' && isJson(value))
      result.properties = Object.fromEntries(
        Object.entries(value)
          .filter(([, field]) => !isEchoed(field))
          .map(([field, inner]) => [field, documented(inner)]),
      );
    else if (key === 'items') result.items = documented(value);
    else if (key === 'patternProperties' && isJson(value))
      result.additionalProperties = documented(Object.values(value)[0]);
    else if (key === 'additionalProperties' && isJson(value)) result.additionalProperties = documented(value);
    else if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) {
      const options = withoutConstants(value).map((option) => documented(option));
      const [only] = options;
      if (options.length === 1 && only) Object.assign(result, only);
      else result[key] = options;
    } else result[key] = value;
  }
  return result;
}

/** All components, in the order of their names. */
export function componentSchemas(): Json {
  const named = Object.entries(NAMED_SCHEMAS).map(([name, schema]) => {
    const own = documented(plain(schema), true);
    return [name, own] as const;
  });
  const components: Record<string, Json> = { ...DOCUMENTED_SCHEMAS, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The name that a reference leads to; null where the schema is none. */
export function referenceName(schema: Json): string | null {
  return typeof schema.$ref === 'string' ? schema.$ref.slice(REFERENCE.length) : null;
}
