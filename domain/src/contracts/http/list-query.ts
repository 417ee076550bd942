import { type Static, Type } from 'typebox';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** What the lists of strategies, variable lists and batches take; without any of it they answer as they always have. */
const fields = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words that must all occur, in any case and order, in the name, the tickers used or the day of ' +
        'creation (2026-03-21)',
    }),
  ),
  visibility: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('private')])),
  created_from: Type.Optional(Day),
  created_to: Type.Optional({ ...Day, description: 'Last day, included' }),
  ids: Type.Optional(
    Type.String({
      maxLength: 8_000,
      pattern: '^[^,]+(,[^,]+)*$',
      description: 'Only these, separated by commas',
    }),
  ),
};

const sortOf = <Field extends string>(...names: readonly Field[]) =>
  Type.Optional(
    Type.String({
      pattern: `^(${names.join('|')})(:(asc|desc))?$`,
      description: `One of ${names.join(', ')}, with :asc or :desc`,
    }),
  );

/** Strategies: drafts and templates. */
export const StrategyListQuery = Type.Object({
  ...fields,
  sort: sortOf('name', 'created', 'updated', 'type', 'visibility', 'return', 'drawdown', 'sharpe'),
  tag: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only those that have this tag, whatever its case' }),
  ),
  archived: Type.Optional(
    Type.Literal('only', { description: 'The archived ones; without it those that are not' }),
  ),
  lines: Type.Optional(Type.Literal('true', { description: 'With the thin line of the last run’s value' })),
  type: Type.Optional(Type.Union([Type.Literal('bot'), Type.Literal('template')])),
});

export const VariableListQuery = Type.Object({
  ...fields,
  sort: sortOf('name', 'created', 'updated', 'size', 'visibility'),
});

const STATUS = 'Queued|Running|CompilingResults|Finished|Stopped|Error';
export const BatchListQuery = Type.Object({
  ...fields,
  sort: sortOf('name', 'created', 'updated', 'size', 'visibility', 'status'),
  status: Type.Optional(
    Type.String({
      pattern: `^(${STATUS})(,(${STATUS}))*$`,
      description: 'One or several, separated by commas',
    }),
  ),
  strategy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'Only batches made from this saved strategy, by its id; a search then looks through names alone',
    }),
  ),
});

/** Any of the above. */
export type ListQueryValues = Omit<Static<typeof StrategyListQuery>, 'sort' | 'type'> & {
  readonly sort?: string;
  readonly type?: string;
  readonly status?: string;
  readonly strategy?: string;
};
