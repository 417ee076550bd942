import { type Static, Type } from 'typebox';
import { defineRoute } from './route.ts';

const NullableNumber = Type.Union([Type.Number(), Type.Null()]);

/** What an operator needs at a glance. `null` stands where this installation cannot tell. */
export const AdminDashboardSchema = Type.Object({
  batches: Type.Object({
    queued: Type.Integer(),
    running: Type.Integer(),
    /** How long the oldest waiting partition has been waiting; null when none waits. */
    queue_wait_seconds: NullableNumber,
  }),
  /** Servers that do not answer just now, as seen from the process that was asked. */
  outages: Type.Optional(
    Type.Array(
      Type.Object({
        /** For example "results store". */
        name: Type.String(),
        /** ISO 8601. */
        since: Type.String(),
        reason: Type.String(),
      }),
    ),
  ),
  /** Messages that no delivery could handle and nobody has put back; null while the bus is away. */
  dead_letters: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** Compute nodes that gave a sign of life in the last minute. */
  nodes: Type.Array(
    Type.Object({
      node: Type.String(),
      /** Backtests a second. */
      rate: Type.Number(),
      partitions: Type.Integer(),
      /** ISO 8601: last sign of life. */
      at: Type.String(),
    }),
  ),
  /** Projections and message consumers: how many events or messages they are behind. */
  followers: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.Union([Type.Literal('projection'), Type.Literal('process'), Type.Literal('consumer')]),
      /** null while the server that knows does not answer. */
      lag: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
  /** Backtest errors in each of the last 24 hours, the oldest first. */
  errors_by_hour: Type.Array(Type.Integer()),
  /** Plan id → users. */
  users_by_plan: Type.Record(Type.String(), Type.Integer()),
});
export type AdminDashboard = Static<typeof AdminDashboardSchema>;

export const getAdminDashboard = defineRoute({
  id: 'getAdminDashboard',
  method: 'GET',
  path: '/api/v1/admin/dashboard',
  side: 'query',
  tag: 'Administration',
  summary: 'Batches, compute nodes, lag, errors and users at a glance',
  access: { kind: 'admin' },
  answer: AdminDashboardSchema,
});
