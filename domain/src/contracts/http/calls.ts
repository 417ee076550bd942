import type * as adminActs from './admin-acts.ts';
import type * as adminDashboard from './admin-dashboard.ts';
import type * as adminUsers from './admin-users.ts';
import type * as alerts from './alerts.ts';
import type * as analysis from './analysis.ts';
import type * as archive from './archive.ts';
import type * as backtestErrors from './backtest-errors.ts';
import type * as backtests from './backtests.ts';
import type * as batches from './batches.ts';
import type * as billing from './billing.ts';
import type { CallableRoute } from './client.ts';
import type * as history from './history.ts';
import type * as marketData from './market-data.ts';
import type * as marketDataImports from './market-data-imports.ts';
import type * as outOfSample from './out-of-sample.ts';
import type * as parkedEvents from './parked-events.ts';
import type * as results from './results.ts';
import type { CallOf, RouteContract } from './route.ts';
import type * as strategies from './strategies.ts';
import type * as templates from './templates.ts';
import type * as variableLists from './variable-lists.ts';
import type * as waitlist from './waitlist.ts';
import type * as walkForward from './walk-forward.ts';

/**
 * What the pages call, by method, path and access alone. The contracts are named for their types only: their schemas, and the library
 * that builds them, stay out of the browser. A test holds each row to its contract.
 */
function callOf<C extends RouteContract>(
  method: C['method'],
  path: string,
  kind: CallableRoute['access']['kind'] = 'user',
): CallOf<C> {
  const call: CallableRoute = { method, path, access: { kind } };
  return call as CallOf<C>;
}

export const getAdminDashboard = callOf<typeof adminDashboard.getAdminDashboard>(
  'GET',
  '/api/v1/admin/dashboard',
  'admin',
);

export const listAdministratorActs = callOf<typeof adminActs.listAdministratorActs>(
  'GET',
  '/api/v1/admin/acts',
  'admin',
);
export const getUser = callOf<typeof adminUsers.getUser>('GET', '/api/v1/admin/users/{id}', 'admin');
export const listUsers = callOf<typeof adminUsers.listUsers>('GET', '/api/v1/admin/users', 'admin');
export const setUserFeature = callOf<typeof adminUsers.setUserFeature>(
  'POST',
  '/api/v1/admin/users/{id}/features',
  'admin',
);
export const setUserAccess = callOf<typeof adminUsers.setUserAccess>(
  'POST',
  '/api/v1/admin/users/{id}/access',
  'admin',
);
export const listWaitlist = callOf<typeof waitlist.listWaitlist>('GET', '/api/v1/admin/waitlist', 'admin');
export const assistUser = callOf<typeof adminUsers.assistUser>(
  'POST',
  '/api/v1/admin/users/{id}/assistance',
  'admin',
);
export const setUserDeletion = callOf<typeof adminUsers.setUserDeletion>(
  'POST',
  '/api/v1/admin/users/{id}/deletion',
  'admin',
);
export const setUserPlan = callOf<typeof adminUsers.setUserPlan>(
  'POST',
  '/api/v1/admin/users/{id}/plan',
  'admin',
);

export const changeAlerts = callOf<typeof alerts.changeAlerts>('PATCH', '/api/v1/alerts');
export const getAlerts = callOf<typeof alerts.getAlerts>('GET', '/api/v1/alerts');
export const getFeed = callOf<typeof alerts.getFeed>('GET', '/api/v1/alerts/feed');
export const listSentAlerts = callOf<typeof alerts.listSentAlerts>('GET', '/api/v1/alerts/sent');
export const removeFeed = callOf<typeof alerts.removeFeed>('DELETE', '/api/v1/alerts/feed');
export const renewFeed = callOf<typeof alerts.renewFeed>('POST', '/api/v1/alerts/feed');
export const renewWebhookSecret = callOf<typeof alerts.renewWebhookSecret>(
  'POST',
  '/api/v1/alerts/webhook/secret',
);
export const testWebhook = callOf<typeof alerts.testWebhook>('POST', '/api/v1/alerts/webhook/test');

export const compareBatches = callOf<typeof analysis.compareBatches>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/compare',
);
export const getHeatMap = callOf<typeof analysis.getHeatMap>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/heat-map',
);
export const getHistograms = callOf<typeof analysis.getHistograms>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/histograms',
);
export const getParallelSample = callOf<typeof analysis.getParallelSample>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/parallel',
);
export const getPeaks = callOf<typeof analysis.getPeaks>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/peaks',
);
export const getRobustOrder = callOf<typeof analysis.getRobustOrder>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/robust',
);
export const getScatter = callOf<typeof analysis.getScatter>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/scatter',
);
export const getVariableEffects = callOf<typeof analysis.getVariableEffects>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/variables',
);
export const getVerdict = callOf<typeof analysis.getVerdict>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/verdict',
);
export const recomputeRows = callOf<typeof analysis.recomputeRows>(
  'POST',
  '/api/v1/batch-backtests/{id}/rows',
);

export const getBacktestError = callOf<typeof backtestErrors.getBacktestError>(
  'GET',
  '/api/v1/backtests/errors/{id}',
  'admin',
);
export const listBacktestErrors = callOf<typeof backtestErrors.listBacktestErrors>(
  'GET',
  '/api/v1/backtests/errors',
  'admin',
);
export const replayBacktestError = callOf<typeof backtestErrors.replayBacktestError>(
  'POST',
  '/api/v1/backtests/errors/{id}/replay',
  'admin',
);
export const replayBacktestErrors = callOf<typeof backtestErrors.replayBacktestErrors>(
  'POST',
  '/api/v1/backtests/errors/replay',
  'admin',
);

export const runBacktest = callOf<typeof backtests.runBacktest>('POST', '/api/v1/backtests');
export const runSensitivity = callOf<typeof backtests.runSensitivity>(
  'POST',
  '/api/v1/backtests/sensitivity',
);

export const stopBatchBacktest = callOf<typeof batches.stopBatchBacktest>(
  'POST',
  '/api/v1/batch-backtests/{id}/stop',
);
export const createBatchBacktest = callOf<typeof batches.createBatchBacktest>(
  'POST',
  '/api/v1/batch-backtests',
);
export const deleteBatchBacktest = callOf<typeof batches.deleteBatchBacktest>(
  'DELETE',
  '/api/v1/batch-backtests/{id}',
);
export const estimateBatchBacktest = callOf<typeof batches.estimateBatchBacktest>(
  'POST',
  '/api/v1/batch-backtests/estimate',
);
export const followBatchBacktest = callOf<typeof batches.followBatchBacktest>(
  'GET',
  '/api/v1/batch-backtests/{id}/events',
);
export const getBatchBacktest = callOf<typeof batches.getBatchBacktest>(
  'GET',
  '/api/v1/batch-backtests/{id}',
);
export const getBatchQuota = callOf<typeof batches.getBatchQuota>('GET', '/api/v1/batch-backtests/quota');
export const listBatchBacktests = callOf<typeof batches.listBatchBacktests>('GET', '/api/v1/batch-backtests');
export const pinResultRow = callOf<typeof batches.pinResultRow>('POST', '/api/v1/batch-backtests/{id}/pins');
export const unpinResultRow = callOf<typeof batches.unpinResultRow>(
  'DELETE',
  '/api/v1/batch-backtests/{id}/pins/{combination}',
);
export const updateBatchBacktest = callOf<typeof batches.updateBatchBacktest>(
  'PATCH',
  '/api/v1/batch-backtests/{id}',
);

export const getWalkForward = callOf<typeof walkForward.getWalkForward>(
  'GET',
  '/api/v1/batch-backtests/{id}/analysis/walk-forward',
);
export const getOutOfSample = callOf<typeof outOfSample.getOutOfSample>(
  'GET',
  '/api/v1/batch-backtests/{id}/out-of-sample',
);
export const openOutOfSample = callOf<typeof outOfSample.openOutOfSample>(
  'POST',
  '/api/v1/batch-backtests/{id}/out-of-sample',
);

export const changePlan = callOf<typeof billing.changePlan>('POST', '/api/v1/billing/plan');
export const getBilling = callOf<typeof billing.getBilling>('GET', '/api/v1/billing');

export const getArchive = callOf<typeof archive.getArchive>('GET', '/api/v1/users/me/archive');

export const getAccountHistory = callOf<typeof history.getAccountHistory>('GET', '/api/v1/users/me/history');
export const getTradingBotHistory = callOf<typeof history.getTradingBotHistory>(
  'GET',
  '/api/v1/trading-bots/{id}/history',
);
export const getTradingBotRevision = callOf<typeof history.getTradingBotRevision>(
  'GET',
  '/api/v1/trading-bots/{id}/history/{revision}',
);
export const restoreTradingBot = callOf<typeof history.restoreTradingBot>(
  'POST',
  '/api/v1/trading-bots/{id}/history/{revision}/restore',
);

export const getAdminMarketData = callOf<typeof marketData.getAdminMarketData>(
  'GET',
  '/api/v1/admin/market-data',
  'admin',
);
export const getAdminTicker = callOf<typeof marketData.getAdminTicker>(
  'GET',
  '/api/v1/admin/market-data/tickers/{ticker}',
  'admin',
);
export const beginMarketDataImport = callOf<typeof marketDataImports.beginMarketDataImport>(
  'POST',
  '/api/v1/admin/market-data/imports',
  'admin',
);
export const putMarketDataPiece = callOf<typeof marketDataImports.putMarketDataPiece>(
  'POST',
  '/api/v1/admin/market-data/imports/{id}/pieces',
  'admin',
);
export const runMarketDataImport = callOf<typeof marketDataImports.runMarketDataImport>(
  'POST',
  '/api/v1/admin/market-data/imports/{id}/run',
  'admin',
);
export const getMarketDataImport = callOf<typeof marketDataImports.getMarketDataImport>(
  'GET',
  '/api/v1/admin/market-data/imports/{id}',
  'admin',
);
export const useMarketDataVersion = callOf<typeof marketDataImports.useMarketDataVersion>(
  'POST',
  '/api/v1/admin/market-data/use',
  'admin',
);
export const getDataSet = callOf<typeof marketData.getDataSet>('GET', '/api/v1/market-data');
export const listTickers = callOf<typeof marketData.listTickers>('GET', '/api/v1/tickers');

export const listParkedEvents = callOf<typeof parkedEvents.listParkedEvents>(
  'GET',
  '/api/v1/admin/parked-events',
  'admin',
);
export const replayParkedEvent = callOf<typeof parkedEvents.replayParkedEvent>(
  'POST',
  '/api/v1/admin/parked-events/{id}/replay',
  'admin',
);

export const getBatchResults = callOf<typeof results.getBatchResults>(
  'GET',
  '/api/v1/batch-backtests/{id}/results',
);
export const listBatchFailures = callOf<typeof results.listBatchFailures>(
  'GET',
  '/api/v1/batch-backtests/{id}/results/failures',
);

export const cloneTradingBot = callOf<typeof strategies.cloneTradingBot>(
  'POST',
  '/api/v1/trading-bots/{id}/clone',
);
export const createTradingBot = callOf<typeof strategies.createTradingBot>('POST', '/api/v1/trading-bots');
export const getTradingBot = callOf<typeof strategies.getTradingBot>('GET', '/api/v1/trading-bots/{id}');
export const getTradingBotImport = callOf<typeof strategies.getTradingBotImport>(
  'GET',
  '/api/v1/trading-bots/{id}/import',
);
export const importStrategy = callOf<typeof strategies.importStrategy>('POST', '/api/v1/import');
export const setTradingBotHoldOut = callOf<typeof strategies.setTradingBotHoldOut>(
  'POST',
  '/api/v1/trading-bots/{id}/hold-out',
);
export const updateTradingBot = callOf<typeof strategies.updateTradingBot>(
  'PATCH',
  '/api/v1/trading-bots/{id}',
);

export const listTemplates = callOf<typeof templates.listTemplates>('GET', '/api/v1/templates');

export const cloneVariableList = callOf<typeof variableLists.cloneVariableList>(
  'POST',
  '/api/v1/variable-lists/{id}/clone',
);
export const createVariableList = callOf<typeof variableLists.createVariableList>(
  'POST',
  '/api/v1/variable-lists',
);
export const deleteVariableList = callOf<typeof variableLists.deleteVariableList>(
  'DELETE',
  '/api/v1/variable-lists/{id}',
);
export const getVariableList = callOf<typeof variableLists.getVariableList>(
  'GET',
  '/api/v1/variable-lists/{id}',
);
export const listVariableLists = callOf<typeof variableLists.listVariableLists>(
  'GET',
  '/api/v1/variable-lists',
);
export const undoVariableListDeletion = callOf<typeof variableLists.undoVariableListDeletion>(
  'POST',
  '/api/v1/variable-lists/{id}/undo-delete',
);
export const updateVariableList = callOf<typeof variableLists.updateVariableList>(
  'PATCH',
  '/api/v1/variable-lists/{id}',
);
