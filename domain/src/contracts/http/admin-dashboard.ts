import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const NullableNumber = Type.Union([Type.Number(), Type.Null()]);

/** What an operator needs at a glance. `null` stands where this installation cannot tell. */
export const AdminDashboardSchema = Type.Object({
  batches: Type.Object({
    queued: Type.Integer(),
    running: Type.Integer(),
    queue_wait_seconds: said(
      'How long the oldest waiting partition has been waiting; null when none waits.',
      NullableNumber,
    ),
  }),
  outages: said(
    'Servers that do not answer just now, as seen from the process that was asked.',
    Type.Optional(
      Type.Array(
        Type.Object({
          name: said('For example "results store".', Type.String()),
          since: said('ISO 8601.', Type.String()),
          reason: Type.String(),
        }),
      ),
    ),
  ),
  dead_letters: said(
    'Messages that no delivery could handle and nobody has put back; null while the bus is away.',
    Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  ),
  nodes: said(
    'Compute nodes that gave a sign of life in the last minute.',
    Type.Array(
      Type.Object({
        node: Type.String(),
        rate: said('Backtests a second.', Type.Number()),
        partitions: Type.Integer(),
        at: said('ISO 8601: last sign of life.', Type.String()),
      }),
    ),
  ),
  followers: said(
    'Projections and message consumers: how many events or messages they are behind.',
    Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Union([Type.Literal('projection'), Type.Literal('process'), Type.Literal('consumer')]),
        lag: said(
          'null while the server that knows does not answer.',
          Type.Union([Type.Integer(), Type.Null()]),
        ),
      }),
    ),
  ),
  errors_by_hour: said(
    'Backtest errors in each of the last 24 hours, the oldest first.',
    Type.Array(Type.Integer()),
  ),
  users_by_plan: said('Plan id → users.', Type.Record(Type.String(), Type.Integer())),
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
