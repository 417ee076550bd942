import { type Static, type TSchema, Type } from 'typebox';
import type { Feature } from '../../identity/plans.ts';
import type { CostKind } from '../../limits/cost.ts';
import { closed } from './closed-body.ts';

/**
 * Who may call a route. One table for the whole product is built from these (`access-table.ts`), and a test
 * walks every registered route through it.
 */
export type Access =
  /** Works without a token. */
  | { readonly kind: 'public' }
  /** A verified token of a person, who need not be a user yet: the call that creates him. */
  | { readonly kind: 'identity' }
  /**
   * A signed-in user, with all of `features`. Machine clients (scope `api:backtester`) only where `machine`
   * says so.
   */
  | { readonly kind: 'user'; readonly features?: readonly Feature[]; readonly machine: boolean }
  /** Feature `web.admin.view`, people only. */
  | { readonly kind: 'admin' };

/** One route, declared once: validation, web types, permissions and OpenAPI all come from here. */
export interface RouteContract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  /** OpenAPI operation id, camelCase, unique. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{param}` placeholders, from `/api/v1` on. */
  readonly path: string;
  /** Which API serves it. */
  readonly side: 'command' | 'query';
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Schema of the 2xx answer; `Type.Null()` for 204. */
  readonly answer: Answer;
  readonly status?: 200 | 201 | 202 | 204;
  /** Content types other than JSON that the answer may have. */
  readonly alsoProduces?: readonly string[];
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /**
   * Kind of cost that a call takes from its user's budget (`limits/cost.ts`); missing: as `small` or, where
   * it writes, as `change`.
   */
  readonly cost?: CostKind;
  /**
   * What a large body is read as by another thread: a strategy in the field `algorithm`, the `json` of an
   * import; or it is checked there: a strategy that is to be run (`trading_bot`; the tree of a `run` stays
   * JSON, that of a `sensitivity` does not), one with its variables (`template_bot`), one that was run
   * (`trading_bot`, whatever is wrong with it).
   */
  readonly document?: 'strategy' | 'import' | 'run' | 'sensitivity' | 'batch' | 'certificate';
  /** The answer holds a secret: no cache may keep it, and we don't keep it for idempotency keys either. */
  readonly holdsSecret?: boolean;
  readonly example?: { readonly body?: unknown; readonly answer?: unknown };
}

/**
 * Keeps the schema types of a contract. Its body takes no field that the schema does not name (`withFieldsOf`
 * names those of answers).
 */
export function defineRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
>(contract: RouteContract<Params, Query, Body, Answer>): RouteContract<Params, Query, Body, Answer> {
  return contract.body ? { ...contract, body: closed(contract.body) } : contract;
}

declare const contract: unique symbol;
/** What is left of a contract in the browser (`calls.ts`); its schemas live on as types. */
export type CallOf<C extends RouteContract> = Pick<C, 'method' | 'path'> & {
  readonly access: Pick<Access, 'kind'>;
  readonly [contract]: C;
};
type ContractOf<C> = C extends { readonly [contract]: infer Whole } ? Whole : C;

type StaticOr<S, Fallback> = S extends TSchema ? (TSchema extends S ? Fallback : Static<S>) : Fallback;
export type ParamsOf<C> =
  ContractOf<C> extends RouteContract<infer P, infer _Q, infer _B, infer _A> ? StaticOr<P, unknown> : never;
export type QueryOf<C> =
  ContractOf<C> extends RouteContract<infer _P, infer Q, infer _B, infer _A> ? StaticOr<Q, unknown> : never;
export type BodyOf<C> =
  ContractOf<C> extends RouteContract<infer _P, infer _Q, infer B, infer _A> ? StaticOr<B, unknown> : never;
export type AnswerOf<C> =
  ContractOf<C> extends RouteContract<infer _P, infer _Q, infer _B, infer A> ? StaticOr<A, unknown> : never;

/** Body of every non-2xx answer. `error` is the sentence that the user reads, `code` is stable. */
export const ProblemSchema = Type.Object(
  {
    error: Type.String(),
    code: Type.String(),
    status: Type.Integer(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.String(),
          message: Type.String(),
          nodeId: Type.Optional(Type.String()),
          path: Type.Optional(Type.String()),
        }),
      ),
    ),
    currentRevision: Type.Optional(Type.Integer()),
    correlationId: Type.Optional(Type.String()),
  },
  { additionalProperties: true, $id: 'Problem' },
);

export { CORRELATION_HEADER, HEADER_PATTERNS, IDEMPOTENCY_HEADER, POSITION_HEADER } from './headers.ts';
