import { DOCUMENTED_SCHEMAS } from '@quantloom/domain/contracts/documented/named-schemas';
import type { Schema } from '@quantloom/domain/contracts/documented/schema';
import type { Api } from './api.ts';
import { explanationOf } from './explain.ts';

type Input = Readonly<Record<string, unknown>>;

/** A tool of the server: an operation of the API, or a few of them. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it leaves anything behind: such tools are offered only where they are allowed. */
  readonly writes: boolean;
  readonly input: Schema;
  run(api: Api, input: Input): Promise<unknown>;
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** A documented schema by itself, with all that it refers to beside it. */
function standAlone(schema: Schema): Schema {
  const definitions: Record<string, unknown> = {};
  const add = (value: unknown): unknown => {
    const text = JSON.stringify(value);
    for (const [, name = ''] of text.matchAll(REFERENCE)) {
      if (name in definitions) continue;
      definitions[name] = null;
      definitions[name] = add(DOCUMENTED_SCHEMAS[name] ?? {});
    }
    return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'));
  };
  const own = add(schema) as Schema;
  return Object.keys(definitions).length > 0 ? { ...own, $defs: definitions } : own;
}

const documented = (name: string): Schema => standAlone(DOCUMENTED_SCHEMAS[name] ?? {});

const batchId = { type: 'string', description: 'Id of the batch', minLength: 1 };
const ofBatch = (more: Schema = {}): Schema => ({
  type: 'object',
  properties: { id: batchId, ...more },
  required: ['id'],
  additionalProperties: false,
});
const placeOf = (input: Input) => `/api/v1/batch-backtests/${encodeURIComponent(String(input.id))}`;

export const TOOLS: readonly Tool[] = [
  {
    name: 'import_strategy',
    title: 'Import a strategy',
    description:
      'Reads a strategy of Composer (JSON, EDN, text), QuantMage or this product. ' +
      'Answers it as a tree of blocks, with a report of every difference. Nothing is stored.',
    writes: false,
    input: documented('ImportRequest'),
    run: (api, input) => api.call('POST', '/api/v1/import', { body: input }),
  },
  {
    name: 'backtest',
    title: 'Run a backtest',
    description:
      'Runs one strategy over a range of days. Answers metrics as fractions (0.1 is 10%), the days that ' +
      'were simulated, and whether prices are simulated: say so when you show a figure.',
    writes: false,
    input: documented('BacktestRequest'),
    run: (api, input) => api.call('POST', '/api/v1/backtests', { body: input }),
  },
  {
    name: 'explain',
    title: 'Explain a day',
    description:
      'Why a strategy held what it held on one day: its weights, each condition with both sides, and what ' +
      'each filter chose.',
    writes: false,
    input: standAlone({
      type: 'object',
      properties: {
        request: { $ref: '#/components/schemas/BacktestRequest' },
        day: { type: 'string', format: 'date', description: 'A trading day of the backtest, `YYYY-MM-DD`' },
      },
      required: ['request', 'day'],
      additionalProperties: false,
    }),
    run: async (api, input) => {
      const request = input.request as Input;
      const answer = await api.call('POST', '/api/v1/backtests', {
        body: { ...request, include: { history: true, explanation: true } },
      });
      return explanationOf(answer, String(input.day));
    },
  },
  {
    name: 'estimate_batch',
    title: 'Estimate a batch',
    description:
      'Counts the combinations of a batch, how long they take, and what is left of the month. ' +
      'Ask before you start one.',
    writes: false,
    input: documented('EstimateRequest'),
    run: (api, input) => api.call('POST', '/api/v1/batch-backtests/estimate', { body: input }),
  },
  {
    name: 'get_batch',
    title: 'Look at a batch',
    description: 'Status, progress, terms and the best row of a batch.',
    writes: false,
    input: ofBatch(),
    run: (api, input) => api.call('GET', placeOf(input)),
  },
  {
    name: 'batch_rows',
    title: 'Read rows of a batch',
    description:
      'Rows of a finished batch, sorted and filtered. The best of many is always good: read the verdict ' +
      'before you recommend one.',
    writes: false,
    input: ofBatch({
      sort: { type: 'string', description: '`column:asc` or `column:desc`, such as `sharpe_ratio:desc`' },
      filter: { type: 'string', description: '`column:op:value`, such as `max_drawdown:lt:0.2`' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Rows; 20 by default' },
    }),
    run: (api, input) => {
      const { sort = 'sharpe_ratio:desc', filter, limit = 20 } = input;
      return api.call('GET', `${placeOf(input)}/results`, {
        query: {
          format: 'json',
          sort: String(sort),
          limit: String(limit),
          ...(filter !== undefined && { filter: String(filter) }),
        },
      });
    },
  },
  {
    name: 'verdict',
    title: 'Is it luck?',
    description:
      'What the best result of a finished batch is worth after everything that was tried. `sentence` is for people.',
    writes: false,
    input: ofBatch(),
    run: (api, input) => api.call('GET', `${placeOf(input)}/analysis/verdict`),
  },
  {
    name: 'start_batch',
    title: 'Start a batch',
    description: 'Starts a batch of all combinations. It takes from the quota of the month.',
    writes: true,
    input: documented('BatchRequest'),
    run: (api, input) => api.call('POST', '/api/v1/batch-backtests', { body: input }),
  },
  {
    name: 'save_strategy',
    title: 'Save a strategy',
    description: 'Saves a strategy as a draft of the account.',
    writes: true,
    input: documented('NewTradingBot'),
    run: (api, input) => api.call('POST', '/api/v1/trading-bots', { body: input }),
  },
];
