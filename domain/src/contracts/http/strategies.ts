import { type Static, Type } from 'typebox';
import { ComparisonSchema } from '../../exchange/answer-comparison.ts';
import { FidelityItemSchema, FidelityReportSchema } from '../../exchange/fidelity-report.ts';
import { said, shownAs } from '../../kernel/said.ts';
import { OWN_FIELD_ANSWERS, OWN_FIELD_BODIES } from '../../strategy/own-fields/own-fields.ts';
import type { Algorithm } from '../../strategy/tree.ts';
import { withFieldsOf } from './closed-body.ts';
import { EXAMPLE_ALGORITHM } from './examples.ts';
import { defineRoute } from './route.ts';

const machineToo = { kind: 'user', machine: true } as const;

/** Strategies are larger than other bodies: 10,000 blocks are about 3 MB. */
export const STRATEGY_BODY_LIMIT = 8 * 1024 * 1024;

export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const AlgorithmAnswer = shownAs(
  'Strategy',
  Type.Unsafe<Algorithm>({ type: 'object', additionalProperties: true }),
);

/** The days that all batches of a strategy leave out of their rankings. */
export const HoldOutAnswer = said(
  'From which day on batches rank nothing; null where it was never set.',
  Type.Union([
    Type.Null(),
    Type.Object({
      date: said(
        'First day that is held out; null where it was taken off.',
        Type.Union([Type.String(), Type.Null()]),
      ),
      given_away_until: said(
        'The days before it were held out once and given away: they cannot be held out again.',
        Type.Union([Type.String(), Type.Null()]),
      ),
    }),
  ]),
);

/** A trading bot as every call answers it. Times are ISO 8601. */
export const TradingBotSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  is_public: Type.Boolean(),
  type: Type.String({ description: 'template when the algorithm holds any variable, otherwise bot' }),
  variables: Type.Array(Type.String()),
  algorithm: AlgorithmAnswer,
  user_id: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  algorithm_updated_at: Type.String(),
  revision: said('To be sent as `If-Match` with the next change.', Type.Integer()),
  lineage_id: said('The same for all clones of one original.', Type.String()),
  ...OWN_FIELD_ANSWERS,
  hold_out: Type.Optional(HoldOutAnswer),
});
export type TradingBot = Static<typeof TradingBotSchema>;

/** `type` and `variables` may be sent, but follow from the algorithm. */
const tradingBotFields = {
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  is_public: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.String({ maxLength: 20 })),
  type: Type.Optional(Type.String({ maxLength: 20 })),
  variables: Type.Optional(Type.Unknown()),
  algorithm: Type.Unknown({ description: 'The strategy: its root block' }),
};
/** A bot may be sent back as it was answered: what nobody can set is ignored. */
export const UpdateTradingBotBody = withFieldsOf(
  Type.Object({
    ...tradingBotFields,
    algorithm: Type.Optional(tradingBotFields.algorithm),
    ...OWN_FIELD_BODIES,
  }),
  TradingBotSchema,
);

/**
 * The report of an import: what was taken, guessed, computes differently or was lost, each with its place and
 * its block.
 */
export const ImportReportSchema = Type.Object({
  ...FidelityReportSchema.properties,
  blocks: Type.Integer({ description: 'How many blocks were read' }),
  notes: said(
    "What the caller's plan does not have.",
    Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        path: Type.String({ description: 'JSON pointer into the given JSON' }),
        nodeId: Type.Optional(Type.String()),
      }),
    ),
  ),
});

/** Where a new bot came from: the report of its import, kept with it and read by its owner alone. */
export const ImportOrigin = Type.Object({
  file_name: Type.Union([Type.String({ maxLength: 300 }), Type.Null()]),
  /** As the import answered it; its `blocks` and `notes` are not kept. */
  report: withFieldsOf(
    Type.Object({
      ...FidelityReportSchema.properties,
      source: Type.String({ maxLength: 300 }),
      items: Type.Array(FidelityItemSchema, { maxItems: 2100 }),
    }),
    ImportReportSchema,
  ),
});

export const createTradingBot = defineRoute({
  id: 'createTradingBot',
  document: 'strategy',
  cost: 'save',
  method: 'POST',
  path: '/api/v1/trading-bots',
  side: 'command',
  tag: 'Trading bots',
  summary: 'Creates a trading bot; an incomplete one is a draft like any other',
  access: machineToo,
  body: shownAs(
    'NewTradingBot',
    withFieldsOf(
      Type.Object({ ...tradingBotFields, imported_from: Type.Optional(ImportOrigin) }),
      TradingBotSchema,
    ),
  ),
  answer: TradingBotSchema,
  status: 201,
  bodyLimit: STRATEGY_BODY_LIMIT,
  example: { body: { name: 'Half and half', is_public: false, algorithm: EXAMPLE_ALGORITHM } },
});

export const getTradingBot = defineRoute({
  id: 'getTradingBot',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}',
  side: 'query',
  tag: 'Trading bots',
  summary: "One of the caller's trading bots, or anybody's public one",
  access: machineToo,
  params: IdParams,
  answer: TradingBotSchema,
});

export const updateTradingBot = defineRoute({
  id: 'updateTradingBot',
  document: 'strategy',
  cost: 'save',
  method: 'PATCH',
  path: '/api/v1/trading-bots/{id}',
  side: 'command',
  tag: 'Trading bots',
  summary:
    'Changes name, visibility, tags, archive or algorithm; with If-Match only when nobody else has changed it since',
  access: machineToo,
  params: IdParams,
  body: shownAs('TradingBotChange', UpdateTradingBotBody),
  answer: TradingBotSchema,
  bodyLimit: STRATEGY_BODY_LIMIT,
});

export const cloneTradingBot = defineRoute({
  id: 'cloneTradingBot',
  cost: 'clone',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/clone',
  side: 'command',
  tag: 'Trading bots',
  summary: "Makes a private draft 'Copy of …' of a trading bot that the caller can see",
  access: machineToo,
  params: IdParams,
  answer: TradingBotSchema,
  status: 201,
});

export const setTradingBotHoldOut = defineRoute({
  id: 'setTradingBotHoldOut',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/hold-out',
  side: 'command',
  tag: 'Trading bots',
  summary:
    'Holds the days from a date on out of all batches of a trading bot, before the first has ranked them',
  access: machineToo,
  params: IdParams,
  body: Type.Object({
    date: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
      description: 'First day that is held out, such as 2020-01-02; null takes it off',
    }),
  }),
  answer: Type.Object({ id: Type.String(), revision: Type.Integer(), hold_out: HoldOutAnswer }),
  status: 200,
});

export const undoTradingBotDeletion = defineRoute({
  id: 'undoTradingBotDeletion',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/undo-delete',
  side: 'command',
  tag: 'Trading bots',
  summary: 'Brings a deleted trading bot back',
  access: machineToo,
  params: IdParams,
  answer: TradingBotSchema,
});

/** Settings of the run that stood around the strategy. */
const SourceSettingsSchema = Type.Object({
  start_date: Type.Optional(Type.String()),
  end_date: Type.Optional(Type.String()),
  starting_balance: Type.Optional(Type.Number()),
  slippage_bps: Type.Optional(Type.Number()),
  benchmark_ticker: Type.Optional(Type.String()),
});

/** One strategy of a source. */
export const ImportedSchema = Type.Object({
  name: Type.String(),
  algorithm: AlgorithmAnswer,
  report: ImportReportSchema,
  settings: SourceSettingsSchema,
});

export const importStrategy = defineRoute({
  id: 'importStrategy',
  document: 'import',
  cost: 'import',
  method: 'POST',
  path: '/api/v1/import',
  side: 'command',
  tag: 'Trading bots',
  summary:
    'Reads a strategy of Composer, QuantMage or this product, with a report of every difference; nothing is stored',
  access: machineToo,
  body: shownAs(
    'ImportRequest',
    Type.Object({
      json: Type.Unknown({
        description: 'The strategy as JSON, or as the text of a file of any of the notations',
      }),
    }),
  ),
  answer: Type.Object({
    ...ImportedSchema.properties,
    further: Type.Array(ImportedSchema, { description: 'Other strategies of the same source' }),
    comparison: said(
      'Indicator values that the source holds beside ours; ' +
        'null where it holds none, or where there are no real prices to compare with. ' +
        'A source without a strategy is refused, and its refusal has the same field.',
      Type.Union([ComparisonSchema, Type.Null()]),
    ),
  }),
  status: 200,
  bodyLimit: STRATEGY_BODY_LIMIT,
});

export const getTradingBotImport = defineRoute({
  id: 'getTradingBotImport',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/import',
  side: 'query',
  tag: 'Trading bots',
  summary:
    'The report of the import that a trading bot of the caller came from; null where it did not come from one',
  access: machineToo,
  params: IdParams,
  answer: Type.Object({
    imported_at: said('ISO 8601.', Type.Union([Type.String(), Type.Null()])),
    file_name: Type.Union([Type.String(), Type.Null()]),
    report: Type.Union([FidelityReportSchema, Type.Null()]),
  }),
});
