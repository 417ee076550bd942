import fc, { type Arbitrary } from 'fast-check';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Levels of references that are followed: blocks hold blocks. */
const MOST_REFERENCES = 7;

/** The schema with every reference replaced by what it names; what lies deeper takes nothing but null. */
export function inlined(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  depth = 0,
): JsonSchema {
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named && depth < MOST_REFERENCES ? inlined(named, schemas, depth + 1) : { const: null };
  }
  const inner = (one: JsonSchema) => inlined(one, schemas, depth);
  return {
    ...schema,
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: inner(schema.additionalProperties),
    }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, inner(field)]),
      ),
    }),
  };
}

/** Texts that have broken servers before. */
const NASTY = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  'null',
  '../../etc/passwd',
  "'; DROP TABLE x; --",
  '<script>alert(1)</script>',
  '$VAR',
  '\u0000',
  '\ud800',
  '🐎'.repeat(50),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '2024-02-30',
  '1e309',
);
const ANYTHING: Arbitrary<unknown> = fc.oneof(fc.jsonValue(), NASTY);

function text(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.pattern !== undefined) {
    try {
      return fc.stringMatching(new RegExp(schema.pattern));
    } catch {
      return fc.string();
    }
  }
  const minLength = schema.minLength ?? 0;
  return fc.string({
    minLength,
    maxLength: Math.min(schema.maxLength ?? 40, minLength + 40),
    unit: 'grapheme',
  });
}

/** Values that a JSON schema allows (those keywords that the product's schemas use). */
export function validValue(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map(validValue));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1_000, Number.MIN_SAFE_INTEGER),
        max: Math.min(schema.maximum ?? 100_000, Number.MAX_SAFE_INTEGER),
      });
    case 'number':
      return fc.double({
        min: schema.minimum ?? -1e6,
        max: schema.maximum ?? 1e6,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      });
    case 'object': {
      const inner = schema.additionalProperties;
      if (typeof inner === 'object')
        return fc.dictionary(fc.constantFrom('$A', '$B', 'x'), validValue(inner), { maxKeys: 3 });
      const properties = Object.entries(schema.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, validValue(inner)])), {
        requiredKeys: [...(schema.required ?? [])],
      });
    }
    default:
      return ANYTHING;
  }
}

/** Values near what a schema allows: a field wrong, missing or too much, or something else altogether. */
export function brokenValue(schema: JsonSchema): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const others: Arbitrary<unknown>[] = [ANYTHING];
  if (names.length > 0) {
    const base = validValue(schema) as Arbitrary<Record<string, unknown>>;
    others.push(
      fc
        .tuple(base, fc.constantFrom(...names), ANYTHING)
        .map(([value, name, wrong]) => ({ ...value, [name]: wrong })),
      fc.tuple(base, fc.constantFrom(...names)).map(([value, name]) => {
        const { [name]: _, ...rest } = value;
        return rest;
      }),
      fc.tuple(base, NASTY, ANYTHING).map(([value, name, more]) => ({ ...value, [String(name)]: more })),
    );
  }
  return fc.oneof(...others);
}
