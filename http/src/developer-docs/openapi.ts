import {
  CORRELATION_HEADER,
  HEADER_PATTERNS,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  ProblemSchema,
  type RouteContract,
} from '@quantloom/domain/contracts/http/route';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';

export interface OpenApiOptions {
  /** Address of the API, without a slash at the end. */
  readonly serverUrl: string;
  /** With a slash at the end. */
  readonly issuer: string;
  readonly version: string;
}

type Json = Record<string, unknown>;

/** A JSON schema as plain JSON, without what only the validator's library needs. */
const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json;

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const header = (description: string, type = 'string') => ({ description, schema: { type } });
const text = (pattern: RegExp) => ({ type: 'string', pattern: pattern.source });

/** Answers that every route of its kind may give. */
const RESPONSES: Readonly<Record<string, Json>> = {
  '400': { description: 'The request is malformed' },
  '401': { description: 'No valid access token' },
  '403': { description: 'The plan, the scope or the owner forbids it' },
  '404': { description: 'There is nothing there' },
  '409': { description: 'Refused in the present state, or somebody else has changed it since (`If-Match`)' },
  '422': { description: 'Well-formed, but not valid' },
  '429': {
    description: 'Too many requests',
    headers: { 'Retry-After': header('Seconds to wait', 'integer') },
  },
  default: { description: 'Any other failure' },
};

function responsesOf(route: RouteContract): Json {
  const status = String(route.status ?? 200);
  const types = ['application/json', ...(route.alsoProduces ?? [])];
  const isEmpty = status === '204';
  const success: Json = {
    description: 'Done',
    headers: {
      'RateLimit-Limit': header('Requests a minute', 'integer'),
      'RateLimit-Remaining': header('Requests left in this window', 'integer'),
      'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
      ...(route.side === 'command' && {
        [POSITION_HEADER]: header('Position of what was written; send it with your next reads'),
      }),
    },
    ...(!isEmpty && {
      content: Object.fromEntries(
        types.map((type) => [
          type,
          type === 'application/json'
            ? {
                schema: plain(route.answer),
                ...(route.example?.answer !== undefined && { example: route.example.answer }),
              }
            : { schema: { type: 'string' } },
        ]),
      ),
    }),
  };
  const problems = Object.fromEntries(
    Object.entries(RESPONSES).map(([code, response]) => [
      code,
      { ...response, content: { 'application/problem+json': { schema: PROBLEM } } },
    ]),
  );
  return { [status]: success, ...problems };
}

function parametersOf(route: RouteContract): Json[] {
  const of = (schema: unknown, place: 'path' | 'query'): Json[] => {
    const { properties = {}, required = [] } = (schema ? plain(schema) : {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(typeof property.description === 'string' && { description: property.description }),
      schema: property,
    }));
  };
  const headers: Json[] = [];
  if (route.method === 'POST' && route.side === 'command')
    headers.push({
      name: IDEMPOTENCY_HEADER,
      in: 'header',
      description: 'Makes the request safe to repeat for 24 hours',
      schema: text(HEADER_PATTERNS.idempotencyKey),
    });
  if (route.method === 'PATCH')
    headers.push({
      name: 'if-match',
      in: 'header',
      description: 'Revision that was edited; another one is refused with 409',
      schema: text(HEADER_PATTERNS.ifMatch),
    });
  if (route.method === 'GET')
    headers.push({
      name: POSITION_HEADER,
      in: 'header',
      description: 'Highest position seen; the answer shows at least that much',
      schema: text(HEADER_PATTERNS.position),
    });
  return [...of(route.params, 'path'), ...of(route.query, 'query'), ...headers];
}

function securityOf({ access }: RouteContract): Json[] {
  if (access.kind === 'public') return [];
  const person = { person: [] };
  return access.kind === 'user' && access.machine ? [{ machine: [API_SCOPE] }, person] : [person];
}

function operationOf(route: RouteContract): Json {
  const { access } = route;
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    security: securityOf(route),
    ...(access.kind === 'user' && access.features && { 'x-features': access.features }),
    ...(access.kind === 'admin' && { 'x-features': ['web.admin.view'] }),
    parameters: parametersOf(route),
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: plain(route.body),
            ...(route.example?.body !== undefined && { example: route.example.body }),
          },
        },
      },
    }),
    responses: responsesOf(route),
  };
}

/** The OpenAPI 3.1 document of a list of routes. */
export function openApiDocument(routes: readonly RouteContract[], options: OpenApiOptions): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operationOf(route);
    paths[route.path] = item;
  }
  const { $id: _, ...problem } = plain(ProblemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT_NAME} API`,
      version: options.version,
      description: `The same API that the ${PRODUCT_NAME} page uses. Every answer carries \`${CORRELATION_HEADER}\`; name it when you report a problem.`,
    },
    servers: [{ url: options.serverUrl }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        machine: {
          type: 'oauth2',
          description: 'An API client, created under Account, API Clients',
          flows: {
            clientCredentials: {
              tokenUrl: `${options.issuer}oauth/token`,
              scopes: { [API_SCOPE]: 'All calls of the API' },
            },
          },
        },
        person: {
          type: 'openIdConnect',
          description: 'A signed-in person',
          openIdConnectUrl: `${options.issuer}.well-known/openid-configuration`,
        },
      },
    },
  };
}
