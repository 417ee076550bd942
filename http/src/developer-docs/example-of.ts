import {
  EXAMPLE_ALGORITHM,
  EXAMPLE_BACKTEST,
  EXAMPLE_BATCH,
} from '@quantloom/domain/contracts/http/examples';
import { type Json, referenceName } from './documented-schema.ts';

/** What stands in a field, by its name, where its schema takes it. The first that fits its type counts. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  id: ['01JGX2X76HGVEDYCSPN3NGRGDN'],
  user_id: ['00000000007Q4M8Y0C3RT9XKPB'],
  client_id: [null],
  strategy_id: ['01JGX2X76HGVEDYCSPN3NGRGDN'],
  lineage_id: ['01JGX2X76HGVEDYCSPN3NGRGDN'],
  block_id: ['node_01jgx2xax9mqgqgdkpxwp9vxw0'],
  name: ['Half and half'],
  label: ['You'],
  title: ['CBOE Volatility Index'],
  status: ['draft'],
  type: ['bot'],
  email: ['ann@example.com'],
  ticker: ['SPY'],
  benchmark_ticker: ['SPY'],
  benchmark: ['SPY', null],
  variables: [['$FIRST', '$SECOND'], { $FIRST: ['SPY', 'QQQ'], $SECOND: ['TLT'] }],
  variable_names: [['$FIRST', '$SECOND']],
  values: [{ $FIRST: 'SPY', $SECOND: 'TLT' }],
  first_day: ['2015-01-02'],
  last_day: ['2019-12-31'],
  start_date: ['2015-01-02'],
  end_date: ['2019-12-31'],
  date: ['2017-01-03'],
  from: ['2017-01-03'],
  to: ['2017-12-29'],
  period: ['2017'],
  peak: ['2018-09-20'],
  trough: ['2018-12-24'],
  recovery: ['2019-04-12'],
  depth: [0.102],
  created_at: ['2026-03-02T09:30:00.000Z'],
  updated_at: ['2026-03-02T09:30:00.000Z'],
  algorithm_updated_at: ['2026-03-02T09:30:00.000Z'],
  imported_at: ['2026-03-02T09:30:00.000Z'],
  pinned_at: ['2026-03-02T09:30:00.000Z'],
  expires_at: ['2026-03-02T09:45:00.000Z'],
  start_time: ['2026-03-02T09:30:00.000Z'],
  end_time: ['2026-03-02T09:30:04.000Z'],
  at: ['2026-03-02T09:30:00.000Z'],
  presigned_url: [
    'https://quantloom.example/api/v1/batch-backtests/01JGX2X76HGVEDYCSPN3NGRGDN/results/download?expires=1772444700000&signature=EXAMPLE',
  ],
  metric: ['sharpe_ratio'],
  columns: [['$FIRST', '$SECOND', 'sharpe_ratio', 'max_drawdown']],
  rows: [[['SPY', 'TLT', 0.98, 0.12]]],
  cells: [['SPY', 'TLT', 0.98]],
  metrics: [{ sharpe_ratio: 0.98, max_drawdown: 0.12 }],
  medians: [{ sharpe_ratio: 0.71, max_drawdown: 0.18 }],
  sharpe: [0.98],
  sharpe_ratio: [0.98],
  annualized_return: [0.081],
  max_drawdown: [0.12],
  standard_deviation: [0.083],
  verdict: ['likely_luck'],
  sentence: ['The best of 6 backtests is no better than the best of 6 worthless ones would be.'],
  summary: ['Renamed it'],
  event: ['StrategyRenamed'],
  correlation_id: ['01JGX2X76HGVEDYCSPN3NGRGDN'],
  data_version: ['demo-3'],
  engine_version: ['2.4.0'],
  version: ['demo-3', 'v1'],
  next_cursor: [null],
  next: [null],
  error: [null],
  sources: [[]],
  limit: [1_500_000],
  monthly_limit: [1_500_000],
  remaining: [1_499_520],
  current_monthly_usage: [480],
  remaining_after_backtests: [1_499_514],
  combinations: [6],
  requested_combinations: [6],
  new_combinations: [6],
  percent: [100],
  progress: [100],
  revision: [3],
  slippage_bps: [10],
  starting_balance: [10_000],
  json: ['(defsymphony "Half and half" {} (weight-equal [(asset "SPY") (asset "TLT")]))'],
};

/** Whole documents that stand for a named schema. */
const BY_SCHEMA: Readonly<Record<string, unknown>> = {
  Strategy: EXAMPLE_ALGORITHM,
  BacktestRequest: EXAMPLE_BACKTEST,
  EstimateRequest: EXAMPLE_BATCH,
  BatchRequest: { name: 'Pairs of funds', ...EXAMPLE_BATCH },
  TemplateBot: EXAMPLE_BATCH.template_bot,
  NewTradingBot: { name: 'Half and half', is_public: false, algorithm: EXAMPLE_ALGORITHM },
  TradingBotChange: { name: 'Half and half, monthly' },
  GroupBlock: {
    id: 'node_01jgx2xax9mqgqgdkpxwp9vxw0',
    node_type: 'group',
    name: 'Picked rows',
    children: EXAMPLE_ALGORITHM.children,
  },
  DebugData: {},
};

/** An example of a schema, the same at every call; `isValid` says whether a value would do. */
export class Examples {
  private readonly components: Readonly<Record<string, Json>>;
  private readonly isValid: (schema: Json, value: unknown) => boolean;

  constructor(
    components: Readonly<Record<string, Json>>,
    isValid: (schema: Json, value: unknown) => boolean,
  ) {
    this.components = components;
    this.isValid = isValid;
  }

  of(schema: Json, name = ''): unknown {
    const named = BY_NAME[name]?.find((value) => this.isValid(schema, value));
    if (named !== undefined) return named;
    const reference = referenceName(schema);
    if (reference !== null)
      return Object.hasOwn(BY_SCHEMA, reference)
        ? BY_SCHEMA[reference]
        : this.of(this.components[reference] ?? {}, name);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (Array.isArray(schema.examples)) return schema.examples[0];
    const options = (schema.oneOf ?? schema.anyOf) as readonly Json[] | undefined;
    if (options) return this.of(options.find(({ type }) => type !== 'null') ?? {}, name);
    const [type] = [schema.type].flat();
    switch (type) {
      case 'object':
        return this.object(schema);
      case 'array':
        return [this.of((schema.items as Json | undefined) ?? {}, name)];
      case 'boolean':
        return false;
      case 'integer':
        return Math.max(Number(schema.minimum ?? 0), 12);
      case 'number':
        return 0.12;
      case 'string':
        return this.text(schema, name);
      default:
        return null;
    }
  }

  private object(schema: Json): Json {
    const { properties, additionalProperties } = schema as {
      properties?: Record<string, Json>;
      additionalProperties?: Json | boolean;
    };
    if (properties)
      return Object.fromEntries(
        Object.entries(properties).map(([field, inner]) => [field, this.of(inner, field)]),
      );
    return typeof additionalProperties === 'object' ? { SPY: this.of(additionalProperties) } : {};
  }

  private text(schema: Json, name: string): string {
    if (schema.format === 'date') return '2015-01-02';
    const hash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    for (const text of [name.replaceAll('_', ' '), 'SPY', '2026-03-02', '12', 'asc', hash])
      if (this.isValid(schema, text)) return text;
    return '';
  }
}
