import {
  type AnswerOf,
  type BodyOf,
  type ParamsOf,
  ProblemSchema,
  type QueryOf,
  type RouteContract,
} from '@quantloom/domain/contracts/http/route';
import { scopesThatAllow } from '@quantloom/domain/identity/api-scopes';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { TokenClaims } from '@quantloom/domain/ports/identity';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_TURNS } from './answer-turns.ts';
import { type CostMeter, FREE_METER } from './costs.ts';
import { sendRefusal } from './errors.ts';
import { hasFeatures, type Principal } from './principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook; `null` for visitors. */
    principal: Principal | null;
    /** What the call costs its user; `null` where nobody counts. */
    cost: CostMeter | null;
    /** Whether the answer was an object, of which JSON had to be made on this thread. */
    isAnswerWritten: boolean;
    /**
     * Whether the caller would be let in once more: for answers that go on for long. A session that has
     * ended, an account that was disabled and a token that has expired are not; where somebody who has to be
     * asked does not answer, the caller stays.
     */
    isStillLetIn: (() => Promise<boolean>) | null;
    /** Set on routes of access `identity`, when the person behind the token is not a user yet. */
    identityClaims: TokenClaims | null;
  }
}

export interface RouteCall<C> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  /** The caller; on public routes possibly nobody (use `visitor`). */
  readonly principal: Principal;
  readonly visitor: Principal | null;
  /** Counts what the call costs, on routes with a kind of cost. */
  readonly cost: CostMeter;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The contract of a request's route; undefined for what is not of the API, and where there is no route. */
export const contractOf = (request: FastifyRequest): RouteContract | undefined =>
  (request.routeOptions.config as { contract?: RouteContract }).contract;

/** An answer that is JSON already: large ones are not parsed only to be written again. */
export class RawJson {
  /** Text, or its bytes in UTF-8. */
  readonly body: string | Buffer;
  /** Whether it was written for this call, which is paid for by its length, and not only sent on. */
  readonly isWritten: boolean;

  constructor(body: string | Buffer, { isWritten = false } = {}) {
    this.body = body;
    this.isWritten = isWritten;
  }

  get text(): string {
    return String(this.body);
  }
}

/** What a handler answers: the body, a refusal, or the reply itself when it has sent or streams its own. */
export type RouteAnswer<C> = AnswerOf<C> | RawJson | Refusal | FastifyReply;

const UNAUTHENTICATED = refuse(401, 'unauthenticated', 'Missing Authorization header');
const PEOPLE_ONLY = refuse(403, 'people_only', 'This call is not available to API clients');
const NO_ACCESS = refuse(
  403,
  'feature_missing',
  "You don't have permission to access this feature. Please upgrade your account for access.",
);

/** Why the caller may not use the route at all, or null. Ownership of single things is the handler's business. */
export function refuseAccess(
  contract: RouteContract,
  principal: Principal | null,
  identity: TokenClaims | null = null,
): Refusal | null {
  const { access } = contract;
  if (access.kind === 'public') return null;
  if (access.kind === 'identity') {
    if (!principal) return identity ? null : UNAUTHENTICATED;
    return principal.clientId === null ? null : PEOPLE_ONLY;
  }
  if (!principal) return UNAUTHENTICATED;
  if (access.kind === 'admin')
    return principal.clientId === null && hasFeatures(principal, ['web.admin.view']) ? null : NO_ACCESS;
  if (principal.clientId !== null) {
    if (!access.machine) return PEOPLE_ONLY;
    if (!principal.scopes.includes('api:backtester'))
      return refuse(403, 'scope_missing', 'The access token lacks the scope api:backtester');
    const allowing = scopesThatAllow(contract);
    if (!allowing.some((scope) => principal.scopes.includes(scope)))
      return refuse(403, 'scope_missing', `This API client lacks the scope ${allowing.join(' or ')}.`);
  }
  return hasFeatures(principal, access.features ?? []) ? null : NO_ACCESS;
}

/** Mounts a contract: schemas, permission check, body limit and the shared error body. */
export function mountRoute<C extends RouteContract>(
  app: FastifyInstance,
  contract: C,
  handler: (call: RouteCall<C>) => Promise<RouteAnswer<C>> | RouteAnswer<C>,
): void {
  const status = contract.status ?? 200;
  app.route({
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(contract.bodyLimit && { bodyLimit: contract.bodyLimit }),
    config: { contract },
    schema: {
      operationId: contract.id,
      tags: [contract.tag],
      summary: contract.summary,
      ...(contract.params && { params: contract.params }),
      ...(contract.query && { querystring: contract.query }),
      ...(contract.body && { body: contract.body }),
      // Every failure: one without a schema would go out with whatever fields it has.
      response: { [status]: contract.answer, '4xx': ProblemSchema, '5xx': ProblemSchema },
    },
    onRequest: async (request) => {
      // Before the body is read: a stranger neither learns anything about the shape of a private route nor
      // makes us parse for him.
      const refusal = refuseAccess(contract, request.principal, request.identityClaims);
      if (refusal) throw new RefusalError(refusal);
    },
    handler: async (request, reply) => {
      if (contract.holdsSecret) reply.header('cache-control', 'no-store');
      const answer = await handler({
        params: request.params as ParamsOf<C>,
        query: request.query as QueryOf<C>,
        body: request.body as BodyOf<C>,
        principal: request.principal as Principal,
        visitor: request.principal,
        cost: request.cost ?? FREE_METER,
        request,
        reply,
      });
      // A reply is thenable: awaiting one that a handler returned gives nothing, but then it has been sent.
      if (answer === reply || reply.sent) return reply;
      if (isRefusal(answer)) return sendRefusal(reply, answer);
      if (contract.cost && request.principal) await ANSWER_TURNS.take(request.principal.userId);
      if (answer instanceof RawJson) {
        request.isAnswerWritten = answer.isWritten;
        return reply
          .code(status)
          .type('application/json; charset=utf-8')
          .serializer((text) => String(text))
          .send(answer.body);
      }
      request.isAnswerWritten = true;
      return reply.code(status).send(status === 204 ? undefined : answer);
    },
  });
}
