import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import type { ResultView, ResultViewsState } from '../../result-views/result-views.ts';
import {
  MOST_VIEW_COLUMNS,
  MOST_VIEW_FILTERS,
  VIEW_FILTER_OPS,
  VIEW_PICTURES,
} from '../../result-views/view-content.ts';
import { METRIC_COLUMNS } from '../result-block.ts';
import { withFieldsOf } from './closed-body.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const tag = 'Batch backtests';
/** How somebody looks at results is nobody else’s business, and no program’s. */
const person = { kind: 'user', machine: false } as const;

const Column = Type.String({ minLength: 1, maxLength: 200 });
const Metric = Type.Enum([...METRIC_COLUMNS]);
const Order = Type.Union([
  Type.Object({
    by: Type.Literal('column'),
    column: Column,
    direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
  }),
  Type.Object({
    by: said(
      '`neighbourhood`: by the median of the metric over each row and its neighbours.',
      Type.Literal('neighbourhood'),
    ),
    metric: Metric,
  }),
  Type.Null(),
]);
const Filter = Type.Object({
  column: Column,
  op: Type.Enum([...VIEW_FILTER_OPS]),
  text: said(
    'As it is typed: percent columns in percent, several values separated by commas.',
    Type.String({ maxLength: 2000 }),
  ),
});
const CONTENT = {
  columns: said(
    'In the order of the table. Variables that are not named are shown all the same.',
    Type.Array(Column, { maxItems: MOST_VIEW_COLUMNS }),
  ),
  order: said('How rows are ordered; null: as every table begins.', Order),
  filters: Type.Array(Filter, { maxItems: MOST_VIEW_FILTERS }),
  picture: said('What is in front: the table, or a picture of the analysis.', Type.Enum([...VIEW_PICTURES])),
  metric: said('What the pictures are of.', Metric),
};
const Name = Type.String({ maxLength: 1000 });
const IsDefault = said('Whether batches open with it; at most one view is.', Type.Boolean());

export const ResultViewSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_default: IsDefault,
  ...CONTENT,
});
export type ResultViewAnswer = Static<typeof ResultViewSchema>;

const BodySchema = Type.Object({
  name: Name,
  is_default: Type.Optional(IsDefault),
  ...CONTENT,
});

/** A view as it is answered. */
export const resultViewAnswer = (
  view: ResultView,
  { defaultId }: Pick<ResultViewsState, 'defaultId'>,
): ResultViewAnswer => ({
  id: view.id,
  name: view.name,
  is_default: view.id === defaultId,
  columns: [...view.columns],
  order: view.order,
  filters: [...view.filters],
  picture: view.picture,
  metric: view.metric,
});

const EXAMPLE_BODY = {
  name: 'What trading costs',
  is_default: true,
  columns: ['sharpe_ratio', 'trades', 'turnover_per_year'],
  order: { by: 'column' as const, column: 'sharpe_ratio', direction: 'desc' as const },
  filters: [{ column: 'max_drawdown', op: 'lte' as const, text: '25' }],
  picture: 'table' as const,
  metric: 'sharpe_ratio' as const,
};
const EXAMPLE: ResultViewAnswer = { id: '01KBVIEW000000000000000001', ...EXAMPLE_BODY };

export const listResultViews = defineRoute({
  id: 'listResultViews',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/result-views',
  side: 'query',
  tag,
  summary: 'The caller’s saved views of batch results, the oldest first',
  access: person,
  answer: Type.Array(ResultViewSchema),
  example: { answer: [EXAMPLE] },
});

export const createResultView = defineRoute({
  id: 'createResultView',
  cost: 'save',
  method: 'POST',
  path: '/api/v1/result-views',
  side: 'command',
  tag,
  summary: 'Saves a view of batch results under a name',
  access: person,
  body: withFieldsOf(BodySchema, ResultViewSchema),
  answer: ResultViewSchema,
  status: 201,
  example: { body: EXAMPLE_BODY, answer: EXAMPLE },
});

export const changeResultView = defineRoute({
  id: 'changeResultView',
  cost: 'save',
  method: 'PATCH',
  path: '/api/v1/result-views/{id}',
  side: 'command',
  tag,
  summary: 'Renames a view, replaces what it shows, or makes it the one that batches open with',
  access: person,
  params: IdParams,
  body: withFieldsOf(Type.Partial(BodySchema, { minProperties: 1 }), ResultViewSchema),
  answer: ResultViewSchema,
  status: 200,
  example: { body: { name: 'Costs' }, answer: { ...EXAMPLE, name: 'Costs' } },
});

export const deleteResultView = defineRoute({
  id: 'deleteResultView',
  method: 'DELETE',
  path: '/api/v1/result-views/{id}',
  side: 'command',
  tag,
  summary: 'Deletes a view; batches and their rows stay as they are',
  access: person,
  params: IdParams,
  answer: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
});
