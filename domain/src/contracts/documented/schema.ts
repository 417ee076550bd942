/** A JSON schema of the 2020-12 dialect as plain JSON, with `$ref`s into the components of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

export const ref = (name: string, description?: string): Schema => ({
  $ref: `#/components/schemas/${name}`,
  ...(description !== undefined && { description }),
});

export const text = (description?: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...(description !== undefined && { description }),
  ...more,
});

export const number = (description?: string, more: Schema = {}): Schema => ({
  type: 'number',
  ...(description !== undefined && { description }),
  ...more,
});

export const whole = (description?: string, more: Schema = {}): Schema => ({
  type: 'integer',
  ...(description !== undefined && { description }),
  ...more,
});

export const flag = (description: string): Schema => ({ type: 'boolean', description });

export const oneOf = (values: readonly string[], description?: string): Schema => ({
  type: 'string',
  enum: [...values],
  ...(description !== undefined && { description }),
});

export const listOf = (items: Schema, description?: string, more: Schema = {}): Schema => ({
  type: 'array',
  items,
  ...(description !== undefined && { description }),
  ...more,
});

/** Any key, each with such a value. */
export const mapOf = (values: Schema, description?: string): Schema => ({
  type: 'object',
  additionalProperties: values,
  ...(description !== undefined && { description }),
});

/** The value or null. The description moves outside, where readers look for it. */
export function orNull(schema: Schema): Schema {
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** An object whose fields are all there, but for those named as optional. */
export function objectOf(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
  };
}
