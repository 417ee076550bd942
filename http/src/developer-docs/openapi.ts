import { ERROR_CODES } from '@quantloom/domain/contracts/documented/error-codes';
import {
  OPERATION_LINKS,
  OPERATION_TEXTS,
  PARAMETER_TEXTS,
} from '@quantloom/domain/contracts/documented/operations';
import {
  CORRELATION_HEADER,
  HEADER_PATTERNS,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  type RouteContract,
} from '@quantloom/domain/contracts/http/route';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { componentSchemas, documented, type Json, plain } from './documented-schema.ts';
import { Examples } from './example-of.ts';

export interface OpenApiOptions {
  /** Address of the API, without a slash at the end. */
  readonly serverUrl: string;
  /** With a slash at the end. */
  readonly issuer: string;
  readonly version: string;
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const header = (description: string, type = 'string') => ({ description, schema: { type } });
const text = (pattern: RegExp) => ({ type: 'string', pattern: pattern.source });
const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);

interface ProblemKind {
  /** Of its component. */
  readonly name: string;
  readonly description: string;
  readonly error: string;
  readonly code: keyof typeof ERROR_CODES;
  readonly headers?: Json;
}

const RETRY = { 'Retry-After': header('Seconds to wait', 'integer') };

/** Answers that every route of its kind may give. */
const PROBLEMS: Readonly<Record<string, ProblemKind>> = {
  '400': {
    name: 'BadRequest',
    description: 'The request is malformed',
    error: "body must not have the property 'colour'",
    code: 'invalid_request',
  },
  '401': {
    name: 'Unauthenticated',
    description: 'No valid access token',
    error: 'The access token has expired',
    code: 'invalid_token',
  },
  '403': {
    name: 'Forbidden',
    description: 'The plan, the scope or the owner forbids it',
    error: 'Your plan does not have this',
    code: 'feature_missing',
  },
  '404': {
    name: 'NotFound',
    description: 'There is nothing there, or it is private and somebody else’s',
    error: 'There is no such strategy',
    code: 'strategy_not_found',
  },
  '409': {
    name: 'Conflict',
    description: 'Refused in the present state, or somebody else has changed it since (`If-Match`)',
    error: 'Somebody else changed this in the meantime',
    code: 'wrong_revision',
  },
  '413': {
    name: 'TooLarge',
    description: 'Too large, or no room left in the account',
    error: 'The request body is too large',
    code: 'body_too_large',
  },
  '422': {
    name: 'Invalid',
    description: 'Well-formed, but not valid',
    error: 'Asset 1 has no ticker',
    code: 'invalid_algorithm',
  },
  '429': {
    name: 'TooMany',
    description: 'Too many requests, or too much work for this minute',
    error: 'Too many requests. Please wait a moment.',
    code: 'too_many_requests',
    headers: RETRY,
  },
  '503': {
    name: 'Unavailable',
    description: 'A part of the service does not answer',
    error: 'This is not available right now. Please try again.',
    code: 'unavailable',
    headers: RETRY,
  },
  default: {
    name: 'Failure',
    description: 'Any other failure',
    error: 'Something went wrong on our side. The error has been recorded.',
    code: 'internal_error',
  },
};

const problemResponse = (status: string, { description, error, code, headers }: ProblemKind): Json => ({
  description,
  ...(headers && { headers }),
  content: {
    'application/problem+json': {
      schema: PROBLEM,
      example: {
        error,
        code,
        status: Number(status === 'default' ? 500 : status),
        correlationId: '01JGX2X76HGVEDYCSPN3NGRGDN',
      },
    },
  },
});

const PROBLEM_SCHEMAS: Readonly<Record<string, Json>> = {
  ErrorCode: {
    type: 'string',
    description: Object.entries(ERROR_CODES)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join('\n'),
    enum: Object.keys(ERROR_CODES),
  },
  Problem: {
    type: 'object',
    description: 'Body of every answer that is not 2xx.',
    required: ['error', 'code', 'status'],
    properties: {
      error: { type: 'string', description: 'A sentence for people' },
      code: {
        description:
          'Stable, for programs. Of a strategy or of terms that were refused: the code of the first fault',
        anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'string' }],
      },
      status: { type: 'integer', description: 'The HTTP status' },
      errors: {
        type: 'array',
        description: 'Every fault of a document that was refused',
        items: { $ref: '#/components/schemas/Fault' },
      },
      currentRevision: { type: 'integer', description: 'With `wrong_revision`: the present one' },
      correlationId: { type: 'string', description: 'Name it when you report a problem' },
      retry_after: { type: 'number', description: 'With 429: seconds to wait' },
      cost_seconds: { type: 'number', description: 'With `cost_limit`: what the call costs' },
      left_seconds: { type: 'number', description: 'With `cost_limit`: what is left of the minute' },
      limit_seconds: { type: 'number', description: 'With `cost_limit`: what a minute has' },
    },
  },
  Fault: {
    type: 'object',
    description: 'A fault of a document.',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', description: 'Stable, for programs' },
      message: { type: 'string', description: 'A sentence for people' },
      nodeId: { type: 'string', description: 'Id of the block at fault' },
      path: { type: 'string', description: 'JSON pointer into the body' },
    },
  },
};

/** Makes the parts of the document; one for the whole of it, so that examples are checked by one validator. */
class DocumentWriter {
  readonly schemas: Record<string, Json>;
  private readonly examples: Examples;

  constructor() {
    this.schemas = { ...(componentSchemas() as Record<string, Json>), ...PROBLEM_SCHEMAS };
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'https://quantloom.local/openapi', components: { schemas: this.schemas } });
    this.examples = new Examples(this.schemas, (schema, value) =>
      ajv.validate(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/comp', '"https://quantloom.local/openapi#/comp')),
        value,
      ),
    );
  }

  operation(route: RouteContract): Json {
    const { access } = route;
    const limit = route.cost
      ? ' Counts towards the budget of a minute by what it costs; a refusal is 429 with `cost_limit`.'
      : '';
    const body = route.body && documented(plain(route.body));
    return {
      operationId: route.id,
      tags: [route.tag],
      summary: route.summary,
      description: `${sentence(OPERATION_TEXTS[route.id] ?? route.summary)}${limit}`,
      security: securityOf(route),
      ...(access.kind === 'user' && access.features && { 'x-features': access.features }),
      ...(access.kind === 'admin' && { 'x-features': ['web.admin.view'] }),
      parameters: parametersOf(route),
      ...(body && {
        requestBody: {
          required: true,
          description: typeof body.description === 'string' ? body.description : 'What to do',
          content: {
            'application/json': { schema: body, example: route.example?.body ?? this.examples.of(body) },
          },
        },
      }),
      responses: this.responses(route),
    };
  }

  private responses(route: RouteContract): Json {
    const status = String(route.status ?? 200);
    const links = OPERATION_LINKS[route.id];
    const success: Json = {
      description: 'Done',
      headers: {
        'RateLimit-Limit': header('Requests a minute', 'integer'),
        'RateLimit-Remaining': header('Requests left in this window', 'integer'),
        'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
        [CORRELATION_HEADER]: header('Id of this request: name it when you report a problem'),
        ...(route.side === 'command' && {
          [POSITION_HEADER]: header('Position of what was written; send it with your next reads'),
        }),
      },
      ...(status !== '204' && { content: this.content(route) }),
      ...(links && {
        links: Object.fromEntries(
          links.map((operationId) => [
            operationId,
            { operationId, parameters: { id: '$response.body#/id' }, description: 'By the id of the answer' },
          ]),
        ),
      }),
    };
    const problems = Object.entries(PROBLEMS).map(([code, { name }]) => [
      code,
      { $ref: `#/components/responses/${name}` },
    ]);
    return { [status]: success, ...Object.fromEntries(problems) };
  }

  /** Texts are answered in the other types that a route names, everything else as JSON. */
  private content(route: RouteContract): Json {
    const schema = documented(plain(route.answer));
    const options = (Array.isArray(schema.anyOf) ? schema.anyOf : [schema]) as readonly Json[];
    const others = route.alsoProduces ?? [];
    const json = others.length > 0 ? options.filter(({ type }) => type !== 'string') : options;
    const content: Json = Object.fromEntries(others.map((type) => [type, { schema: textOf(type) }]));
    if (json.length === 0) return content;
    const shown = json.length === options.length ? schema : { anyOf: json };
    return {
      'application/json': { schema: shown, example: route.example?.answer ?? this.examples.of(shown) },
      ...content,
    };
  }
}

function textOf(type: string): Json {
  const text = { type: 'string', contentMediaType: type };
  if (type === 'application/vnd.apache.parquet') return { ...text, format: 'binary' };
  // The data of each event.
  if (type === 'text/event-stream')
    return { ...text, contentSchema: { $ref: '#/components/schemas/BatchEvent' } };
  return text;
}

function parametersOf(route: RouteContract): Json[] {
  const of = (schema: unknown, place: 'path' | 'query'): Json[] => {
    const { properties = {}, required = [] } = (schema ? plain(schema) : {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...inner } = documented(property);
      return {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        description: sentence(String(description ?? PARAMETER_TEXTS[name] ?? name)),
        schema: inner,
      };
    });
  };
  const headers: Json[] = [];
  if (route.method === 'POST' && route.side === 'command')
    headers.push({
      name: IDEMPOTENCY_HEADER,
      in: 'header',
      description: 'Makes the request safe to repeat for 24 hours.',
      schema: text(HEADER_PATTERNS.idempotencyKey),
    });
  if (route.method === 'PATCH')
    headers.push({
      name: 'if-match',
      in: 'header',
      description: 'Revision that was edited; another one is refused with 409.',
      schema: text(HEADER_PATTERNS.ifMatch),
    });
  if (route.method === 'GET')
    headers.push({
      name: POSITION_HEADER,
      in: 'header',
      description: 'Highest position seen; the answer shows at least that much.',
      schema: text(HEADER_PATTERNS.position),
    });
  return [...of(route.params, 'path'), ...of(route.query, 'query'), ...headers];
}

function securityOf({ access }: RouteContract): Json[] {
  if (access.kind === 'public') return [];
  const person = { person: [] };
  return access.kind === 'user' && access.machine ? [{ machine: [API_SCOPE] }, person] : [person];
}

/** What each part of the API is for. */
const TAG_TEXTS: Readonly<Record<string, string>> = {
  'Trading bots': 'Strategies and templates: saved trees of blocks, and strategies of other tools.',
  History: 'Who did what when, and how it was before.',
  'Variable lists': 'Lists of tickers that batches use.',
  Backtests: 'One strategy over a range of days.',
  'Batch backtests': 'A template with every combination of the values of its variables.',
  'Batch results': 'The rows of a batch.',
  'Batch analysis': 'What the rows of a batch say, and how much of it is luck.',
  Results: 'Recorded runs of strategies, links to them, and certificates that anybody can compute again.',
  'Forward tests': 'Strategies that are followed from day to day: decisions, alerts and paper orders.',
  'Market data': 'Prices and their versions.',
  Account: 'The user, the plan, the API client.',
  Webhooks: 'What other services call.',
  Waitlist: 'For what is not there yet.',
  'Backtest errors': 'Backtests that ended with a defect of the engine. For administrators.',
  Administration: 'For administrators.',
};

const INTRODUCTION = `The same API that the ${PRODUCT_NAME} page uses. Every answer carries \`${CORRELATION_HEADER}\`; name it when you report a problem.

Fractions: 0.1 is 10%. Days are \`YYYY-MM-DD\`, times ISO 8601 in UTC. Texts that hold numbers are taken where numbers are.

A document may be sent back as it was answered: fields that nobody can set are ignored. Every other field that a body does not know is refused.

Every answer that is not 2xx is a Problem: show its \`error\`, check its \`code\`.`;

/** The OpenAPI 3.1 document of a list of routes. */
export function openApiDocument(routes: readonly RouteContract[], options: OpenApiOptions): Json {
  const writer = new DocumentWriter();
  const paths: Record<string, Json> = {};
  for (const route of inOrder(routes)) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = writer.operation(route);
    paths[route.path] = item;
  }
  const { info, servers, securitySchemes } = installationPart(options);
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAG_TEXTS[name] ?? name,
    })),
    paths,
    components: {
      schemas: usedOf(paths, writer.schemas),
      responses: Object.fromEntries(
        Object.entries(PROBLEMS).map(([code, kind]) => [kind.name, problemResponse(code, kind)]),
      ),
      securitySchemes,
    },
  };
}

/** What is different in the document of every installation. */
export function installationPart({ serverUrl, issuer, version }: OpenApiOptions) {
  return {
    info: {
      title: `${PRODUCT_NAME} API`,
      version,
      description: INTRODUCTION,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: serverUrl, description: 'This installation' }],
    securitySchemes: {
      machine: {
        type: 'oauth2',
        description: 'An API client, created under Account, API Clients',
        flows: {
          clientCredentials: {
            tokenUrl: `${issuer}oauth/token`,
            scopes: { [API_SCOPE]: 'All calls of the API' },
          },
        },
      },
      person: {
        type: 'openIdConnect',
        description: 'A signed-in person',
        openIdConnectUrl: `${issuer}.well-known/openid-configuration`,
      },
    },
  };
}

/** By tag, path and method: the exports of a file have no order that everything that loads it agrees upon. */
function inOrder(routes: readonly RouteContract[]): readonly RouteContract[] {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const key = ({ path, method }: RouteContract) => `${path} ${method}`;
  return [...routes].sort((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag) || (key(a) < key(b) ? -1 : 1));
}

/** The schemas that can be reached from the paths. */
function usedOf(paths: Json, schemas: Readonly<Record<string, Json>>): Json {
  const used = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(JSON.stringify(schemas[name] ?? {}));
    }
  };
  visit(JSON.stringify([paths, PROBLEM]));
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
