import { type Problem, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
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

function validator(coerceTypes: false | 'array'): Ajv {
  const ajv = new Ajv({ ...COMMON, coerceTypes });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv;
}

/**
 * What is wrong with the shape of a body, in the words of the HTTP interface, or null: for whoever takes the same bodies another way.
 */
export function bodyFault(schema: object, body: unknown): Refusal | null {
  const validate = validator(false).compile(schema);
  return validate(body) ? null : shapeRefusal('body', validate.errors ?? []);
}

/** The refusal of what does not have the shape of its schema; `part` says which part of a request it is. */
export function shapeRefusal(part: string, faults: readonly Partial<ErrorObject>[]): Refusal {
  const problems = faults.map(
    ({ instancePath = '', message = 'is invalid' }): Problem => ({
      code: 'invalid_field',
      message: `${part}${instancePath} ${message}`,
      path: instancePath,
    }),
  );
  return refuse(400, 'invalid_request', problems[0]?.message ?? 'The request is invalid', { problems });
}

/**
 * Bodies are taken as they are: nothing is converted or removed. Parameters and query strings are texts by nature, so numbers, booleans and
 * lists are read out of them.
 */
export function useStrictValidation(app: FastifyInstance): void {
  const strict = validator(false);
  const reading = validator('array');
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
