import { Ajv, type ErrorObject, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import buildSerializer from 'fast-json-stringify';

const COMMON: Options = {
  strict: false,
  // Not part of `strict: false`: `1e309` is read as Infinity, which is no number that anything can work with.
  strictNumbers: true,
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  addUsedSchema: false,
  allowUnionTypes: true,
};

/** Says whether something has a shape; `errors` are those of the last time. */
export type Validate = ((data: unknown) => boolean) & { errors?: Partial<ErrorObject>[] | null };

/**
 * By schema, once for all servers of a process and not before it is needed: compiling those of every route took
 * half of the time in which a process starts, and most routes are not called in the life of one.
 */
function compiledOnce<F>(compile: (schema: object) => F): (schema: object) => F {
  const known = new WeakMap<object, F>();
  return (schema) => {
    const old = known.get(schema);
    if (old !== undefined) return old;
    const compiled = compile(schema);
    known.set(schema, compiled);
    return compiled;
  };
}

function validator(coerceTypes: false | 'array'): (schema: object) => Validate {
  const ajv = new Ajv({ ...COMMON, coerceTypes });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return (schema) => ajv.compile(schema);
}

/** What checks bodies: they are taken as they are, nothing is converted or removed. */
export const strictValidator = compiledOnce(validator(false));

/** What checks parameters and query strings: texts by nature, out of which numbers, booleans and lists are read. */
export const readingValidator = compiledOnce(validator('array'));

/** What writes answers, with the fields of their schema alone. */
export const serializer = compiledOnce<(answer: unknown) => string>((schema) => buildSerializer(schema));
