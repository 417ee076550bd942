const STRATEGIES = ['strategies', 'strategySummaries', 'listings', 'storedBytes'] as const;
const LISTS = ['variableLists', 'listings', 'storedBytes'] as const;
const BATCHES = ['batches', 'batchDefinitions', 'listings', 'usageMonths', 'storedBytes'] as const;
const FOLLOWS = ['follows', 'forwardRecords', 'bands'] as const;
const USERS = ['users'] as const;
const ADMINISTERED = ['users', 'administratorActs'] as const;
/** What it changes is no read model, or is read from where it was written. */
const NOTHING = [] as const;

/**
 * What people read after a write, by the route that writes: names of projections. A write is answered when
 * these have it, so that whoever asks for what they have just made finds it.
 */
export const READ_AFTER: Readonly<Record<string, readonly string[]>> = {
  createTradingBot: STRATEGIES,
  cloneTradingBot: STRATEGIES,
  importStrategy: STRATEGIES,
  updateTradingBot: STRATEGIES,
  setTradingBotHoldOut: STRATEGIES,
  restoreTradingBot: STRATEGIES,
  undoTradingBotDeletion: STRATEGIES,
  deleteDraft: STRATEGIES,
  runBacktest: ['strategyRuns', 'lastRuns', 'listings'],

  createVariableList: LISTS,
  cloneVariableList: LISTS,
  updateVariableList: LISTS,
  restoreVariableList: LISTS,
  deleteVariableList: LISTS,
  undoVariableListDeletion: LISTS,

  createBatchBacktest: BATCHES,
  updateBatchBacktest: BATCHES,
  stopBatchBacktest: BATCHES,
  deleteBatchBacktest: BATCHES,
  pinResultRow: BATCHES,
  unpinResultRow: BATCHES,
  openBatchOutOfSample: ['batches', 'batchLooks'],
  estimateBatchBacktest: NOTHING,
  replayBacktestError: ['backtestErrors', 'batches'],
  replayBacktestErrors: ['backtestErrors', 'batches'],

  shareResult: ['sharedResults', 'storedBytes'],
  withdrawSharedResult: ['sharedResults', 'storedBytes'],
  followStrategy: FOLLOWS,
  unfollowStrategy: FOLLOWS,
  addFavorite: ['favorites'],
  removeFavorite: ['favorites'],
  changePreferences: ['preferences'],
  createResultView: ['result_views'],
  changeResultView: ['result_views'],
  deleteResultView: ['result_views'],

  changeAlerts: ['alertSettings'],
  renewWebhookSecret: ['alertSettings'],
  testWebhook: NOTHING,
  renewFeed: ['feedAddresses'],
  removeFeed: ['feedAddresses'],
  approvePaperOrders: ['baskets'],
  openPaperAccount: NOTHING,
  closePaperAccount: NOTHING,

  createUser: USERS,
  updateCurrentUser: USERS,
  requestDeletion: USERS,
  undoDeletion: USERS,
  addApiClient: USERS,
  replaceApiClient: USERS,
  removeApiClient: USERS,
  createApiClient: USERS,
  deleteApiClient: USERS,
  changePlan: USERS,
  receiveStripeMessage: USERS,
  joinWaitlist: ['waitlist'],

  assistUser: ADMINISTERED,
  setUserAccess: ADMINISTERED,
  setUserDeletion: ADMINISTERED,
  setUserFeature: ADMINISTERED,
  setUserPlan: ADMINISTERED,
  replayParkedEvent: NOTHING,
  beginMarketDataImport: NOTHING,
  putMarketDataPiece: NOTHING,
  runMarketDataImport: NOTHING,
  useMarketDataVersion: NOTHING,
};
