import { Ajv, type ErrorObject, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

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

type Validate = ((data: unknown) => boolean) & { errors?: Partial<ErrorObject>[] | null };

/** Names of numbers that stores and arithmetic would not keep exactly. */
function inexactNumbers(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data)
    .filter(([, value]) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    .map(([name]) => name);
}

/**
 * Bodies are taken as they are: nothing is converted or removed. Parameters and query strings are texts by nature, so numbers, booleans and
 * lists are read out of them.
 */
export function useStrictValidation(app: FastifyInstance): void {
  const strict = new Ajv({ ...COMMON, coerceTypes: false });
  const reading = new Ajv({ ...COMMON, coerceTypes: 'array' });
  for (const ajv of [strict, reading]) (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'body') return strict.compile(schema as object);
    const validate = reading.compile(schema as object);
    const check: Validate = (data) => {
      const isValid = validate(data);
      check.errors = validate.errors ?? null;
      const [name] = isValid ? inexactNumbers(data) : [];
      if (name === undefined) return isValid;
      check.errors = [{ instancePath: `/${name}`, message: 'must be a smaller number' }];
      return false;
    };
    return check as never;
  });
}
