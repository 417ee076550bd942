import type { TSchema } from 'typebox';
import { CertificateSchema } from '../../certificate/certificate.ts';
import { FidelityItemSchema, FidelityReportSchema } from '../../exchange/fidelity-report.ts';
import { FigureSchema, MetricName, VerdictSchema } from '../http/analysis.ts';
import { ApiClientListSchema, NamedApiClientSchema } from '../http/api-clients.ts';
import { AsLivedSchema } from '../http/as-lived.ts';
import {
  BatchDetailSchema,
  BatchEventSchema,
  BatchListItemSchema,
  BatchProgressSchema,
  BatchStatusSchema,
  EstimatedUsageSchema,
  EstimateSchema,
  QuotaSchema,
} from '../http/batches.ts';
import { DeletedSchema, DraftSchema } from '../http/drafts.ts';
import {
  AccountHistoryLineSchema,
  ActorSchema,
  HistoryEntrySchema,
  HistoryPageSchema,
} from '../http/history.ts';
import { ConditionSeriesSchema, DataSetSchema, TickerSchema, TickersAnswer } from '../http/market-data.ts';
import { ApiClientSchema } from '../http/oauth-clients.ts';
import { OutOfSampleFiguresSchema, OutOfSampleSchema } from '../http/out-of-sample.ts';
import { PresignedSchema, ResultRowSchema, ResultsPageSchema } from '../http/results.ts';
import { SharedResultSchema } from '../http/shared-results.ts';
import { BandsSchema, RowFiguresSchema, StabilitySchema } from '../http/stability.ts';
import { StorageSchema } from '../http/storage.ts';
import { ImportedSchema, ImportOrigin, ImportReportSchema, TradingBotSchema } from '../http/strategies.ts';
import { StrategyRunSchema } from '../http/strategy-runs.ts';
import { UserSchema } from '../http/users.ts';
import { VariableListSchema } from '../http/variable-lists.ts';
import { SkillSchema } from '../http/verdict-skill.ts';
import { ExactWalkForwardSchema, WalkForwardSchema } from '../http/walk-forward.ts';
import { BACKTEST_SCHEMAS } from './backtest.ts';
import { REQUEST_SCHEMAS } from './requests.ts';
import type { Schema } from './schema.ts';
import { STRATEGY_SCHEMAS } from './strategy.ts';

/** Schemas that are documented under a name of their own, wherever a contract uses them. */
export const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  TradingBot: TradingBotSchema,
  Draft: DraftSchema,
  Deleted: DeletedSchema,
  ImportedStrategy: ImportedSchema,
  ImportReport: ImportReportSchema,
  ImportOrigin,
  FidelityReport: FidelityReportSchema,
  FidelityItem: FidelityItemSchema,
  VariableList: VariableListSchema,
  Batch: BatchDetailSchema,
  BatchListItem: BatchListItemSchema,
  BatchStatus: BatchStatusSchema,
  BatchProgress: BatchProgressSchema,
  BatchEvent: BatchEventSchema,
  Estimate: EstimateSchema,
  EstimatedUsage: EstimatedUsageSchema,
  Quota: QuotaSchema,
  ResultsPage: ResultsPageSchema,
  ResultRow: ResultRowSchema,
  ResultsLink: PresignedSchema,
  Metric: MetricName,
  Verdict: VerdictSchema,
  VerdictFigure: FigureSchema,
  Skill: SkillSchema,
  OutOfSample: OutOfSampleSchema,
  OutOfSampleFigures: OutOfSampleFiguresSchema,
  WalkForward: WalkForwardSchema,
  ExactWalkForward: ExactWalkForwardSchema,
  Stability: StabilitySchema,
  Bands: BandsSchema,
  RowFigures: RowFiguresSchema,
  AsLived: AsLivedSchema,
  Ticker: TickerSchema,
  Tickers: TickersAnswer,
  ConditionSeries: ConditionSeriesSchema,
  DataSet: DataSetSchema,
  HistoryPage: HistoryPageSchema,
  HistoryEntry: HistoryEntrySchema,
  AccountHistoryLine: AccountHistoryLineSchema,
  Actor: ActorSchema,
  User: UserSchema,
  Certificate: CertificateSchema,
  StrategyRun: StrategyRunSchema,
  SharedResult: SharedResultSchema,
  Storage: StorageSchema,
  ApiClient: ApiClientSchema,
  ApiClientList: ApiClientListSchema,
  NamedApiClient: NamedApiClientSchema,
};

/** Schemas that only the documentation knows: what contracts name by `shownAs`. */
export const DOCUMENTED_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...STRATEGY_SCHEMAS,
  ...BACKTEST_SCHEMAS,
  ...REQUEST_SCHEMAS,
};
