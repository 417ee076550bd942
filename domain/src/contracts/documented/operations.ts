/** What each operation does beyond its summary, by its id; a test holds the list against the routes. */
export const OPERATION_TEXTS: Readonly<Record<string, string>> = {
  cloneTradingBot:
    'The copy is private and belongs to the caller. It stays in the lineage of the original, so that its ' +
    'trials are counted together.',
  createTradingBot:
    'Stores a strategy as a draft. Structure is checked (every field of its type, every block of a known ' +
    'type, one id each); whether it can run is told by a backtest. ' +
    'The answer has its `revision`: send it as `If-Match` with the next change. ' +
    '`status` is `draft`, the only one there is.',
  getTradingBot: 'Answers the strategy with its tree. A private one of somebody else answers 404.',
  getTradingBotImport:
    'What was taken, guessed, computes differently or was lost when the strategy was imported, as it was told then.',
  importStrategy:
    'Recognises the notation by itself: JSON, EDN and text of Composer, spells of QuantMage, the text ' +
    'language and the JSON of this product. The report names every difference with its place in the ' +
    'source and in the tree. Save the `algorithm` with createTradingBot.',
  setTradingBotHoldOut:
    'Every batch whose period crosses the date keeps it as its out-of-sample date. ' +
    'A first or an earlier date is refused where a batch of the lineage has ranked days from then on, or ' +
    'will; a later one gives the days between away. Clones take the date with them. ' +
    'Batches of a strategy that was never saved, and single backtests, are not covered.',
  undoTradingBotDeletion: 'Possible as long as the strategy is not erased with its account.',
  updateTradingBot:
    'Only the fields that are sent are changed. Every change is kept as a revision. ' +
    'Without `If-Match` the last one who saves wins. `status` is `draft`, the only one there is.',
  deleteDraft:
    'Its history stays, and undo-delete brings it back. Batches that were made of it are not touched.',
  listDrafts: 'Strategies and templates without their trees. Page with `limit` and `skip`.',
  listTemplates: 'Strategies with at least one variable, without their trees. Page with `limit` and `skip`.',
  getAccountHistory:
    'Every event of the account: what was done, when, by whom and through which client. ' +
    '`format=jsonl` (the default) streams one JSON object a line, `format=json` answers the newest as a ' +
    'list.',
  getArchive:
    'A ZIP file, written while it is read: profile, strategies with their revisions, variable lists, ' +
    'batches with their results as CSV, history, favorites, and a README.txt that says what is where. ' +
    'Deleted things are not in it. One archive of a person at a time. ' +
    '`link=true` answers an address instead, for browsers that download by themselves.',
  downloadArchive: 'Answers the archive of the person who asked for the link.',
  getTradingBotHistory: 'Every save with its changes in words, the newest first. Page with `before`.',
  getTradingBotRevision: 'The strategy with its tree at that revision.',
  getVariableListHistory: 'Every save with its changes in words, the newest first. Page with `before`.',
  getVariableListRevision: 'The list at that revision.',
  restoreTradingBot: 'Writes the earlier tree as a new revision.',
  restoreVariableList: 'Writes the earlier tickers as a new revision.',
  cloneVariableList: 'The copy is private and belongs to the caller.',
  createVariableList:
    'Tickers are put into capitals and kept once each. Lines that are no tickers are left out and named ' +
    'in `dropped`. At least one must be a ticker: 1 to 10 letters, digits or colons.',
  deleteVariableList: 'Its history stays, and undo-delete brings it back.',
  getVariableList: 'A private one of somebody else answers 404.',
  listVariableLists: 'The lists with their tickers. Page with `limit` and `skip`.',
  undoVariableListDeletion: 'Possible as long as the list is not erased with its account.',
  updateVariableList:
    'Only the fields that are sent are changed. Tickers, where they are sent, are read as for ' +
    'createVariableList. Every change is kept as a revision.',
  runBacktest:
    'Computes on the daily closes of the current data version, or of the one that is named. ' +
    'The answer says with which versions it was computed and which days were simulated. ' +
    'A strategy that cannot run (no asset block, an empty condition, a variable left unbound) is refused ' +
    'with 400, and `errors` names each block and field at fault; ' +
    'so are dates that are missing or no days. Large answers also come in columns: `Accept: ' +
    'application/vnd.quantloom.backtest-columns.v1`.',
  createBatchBacktest:
    'Counts the distinct combinations, reserves them from the month’s quota and queues the batch. ' +
    'Rows that an earlier batch of yours has computed on the same prices are taken over and cost no ' +
    'quota. Follow it with followBatchBacktest, or ask getBatchBacktest until its status is `Finished`.',
  deleteBatchBacktest: 'A running batch stops; what was not run goes back to the quota.',
  stopBatchBacktest:
    'What has not run goes back to the quota. The batch is `Stopped` for good: its rows are read with ' +
    '`partial=true`, and it has no verdict. All of its planned combinations stay counted as trials of the ' +
    'strategy.',
  estimateBatchBacktest: 'Nothing is stored and no quota is taken.',
  followBatchBacktest:
    'Each event `batch` has the data of a BatchEvent. The stream ends after the last one. ' +
    'Reconnect when it breaks: the first event says how things stand.',
  getBatchBacktest: 'Status, progress, terms, the best row, and the versions that it was computed with.',
  getBatchQuota: 'The month begins at midnight in New York on its first day.',
  listBatchBacktests: 'Page with `limit` and `skip`.',
  pinResultRow:
    'Pins belong to the batch and show on its page. `combination` is the number of one of its rows, below ' +
    '`combinations`.',
  unpinResultRow: 'Taking off a pin that is not there changes nothing.',
  updateBatchBacktest: 'One of the three fields at a time.',
  downloadBatchResults: 'Answers the very rows that the link was asked for with, in its format.',
  getBatchResults:
    'Without any parameter: all rows as CSV text in the order of the combinations. ' +
    'With `sort`, `filter`, `columns`, `limit` or `cursor`: a page, as JSON unless `format` says ' +
    'otherwise. `format=parquet` has all rows that match in one file. ' +
    '`link=true` answers an address instead, for programs that cannot send a token. ' +
    'Possible as soon as the batch has finished. While it runs, `partial=true` reads the rows of the ' +
    'first combinations: they are no sample of all, and there are more of them at each reading, so pages ' +
    'of a sorted table may overlap. A file of them is called `…_partial` and has the header ' +
    '`x-rows-so-far`.',
  listBatchFailures:
    'A combination that cannot run (tickers without common days, for instance) keeps its row and says ' +
    'why. Page with `cursor`.',
  compareBatches: 'Matches rows by the values of the variables that both have.',
  getBatchHeatMap:
    'Numbers are in order, tickers as given or by their mean. ' +
    '`x` and `y` are two different variables of the batch, with their `$`. ' +
    'Of more values than `cells`, neighbours share a cell.',
  getBatchHistograms: 'Over all rows, or over those that meet the filters.',
  getBatchParallelSample: 'Evenly drawn rows and the best ones, marked.',
  getBatchPeaks: 'A peak is a row that no neighbour (one step of one variable) beats.',
  getBatchRobustOrder: 'A row whose neighbours are good too is less likely to be an accident.',
  getBatchScatter: 'Points are drawn evenly; the frontier is computed over all rows.',
  getBatchVariableEffects: 'A variable that explains nothing need not be searched.',
  getBatchVerdict:
    'Tests the alpha of the best strategy against everything that was tried in its lineage, and whether ' +
    'what is best in one half of the time is good in the other. ' +
    '`sentence` is for people, `cell` and `verdict` for programs. See /docs/verdict.',
  recomputeBatchRows:
    'At most 20 rows. `group` can be pasted into a strategy. ' +
    'Each is named by its combination, below the batch’s `combinations`.',
  getBatchOutOfSample: 'While nobody has opened it, no answer holds anything that knows those days.',
  openBatchOutOfSample:
    'Cannot be undone: from then on every batch of the lineage says that these days were seen.',
  getBatchStability:
    'Works on the sums over blocks that every row keeps; nothing is run again. ' +
    'Regimes are told apart by what the benchmark did, known only afterwards.',
  computeBatchBands:
    'At most 20 rows. Draws are the same for all of them, and for the same rows of the same batch every ' +
    'time. Counted like running the rows again.',
  computeBatchRowFigures:
    'At most 50 rows. Of the whole period; of the days before the out-of-sample date while the rest is ' +
    'locked away. Counted like running the rows again.',
  getBatchWalkForward:
    'Works on the sums over blocks that every row keeps; nothing is run again. `precision` says what that loses.',
  computeBatchWalkForward:
    'The same choices as `GET …/analysis/walk-forward`, followed by daily returns. ' +
    'Counted like running the rows again: one for each row that was chosen, and the best in hindsight.',
  getAdminMarketData: 'Of the current version, or of the one that is named.',
  getAdminTicker: 'Of the current version, or of the one that is named.',
  getDataSet: 'Name its `version` as `data_version` of a backtest to compute on the same prices later.',
  listTickers:
    'The answer has an ETag: send it as `If-None-Match` and it comes again only when the prices have changed.',
  beginMarketDataImport: 'Announces the files; send each in pieces, then run the import.',
  getMarketDataImport: 'How far it is, and its report.',
  putMarketDataPiece: 'Pieces of a file come in order. One that is sent twice counts once.',
  runMarketDataImport: 'With `dry_run` nothing is changed: the report says what would be.',
  useMarketDataVersion: 'Makes an earlier version the one that new work uses.',
  createUser: 'Called by the page at the first sign-in.',
  getCurrentUser: 'For an API client: the user that it belongs to.',
  updateCurrentUser: 'The new address has to be proved before it is used.',
  getStorage: 'Sizes in bytes.',
  getSubscription: 'Plan and state of the subscription.',
  createApiClient:
    'For programs that know of one client only. Its id and secret get tokens at `/oauth/token`.',
  deleteApiClient: 'The oldest that works, where there are several.',
  getApiClient: 'The oldest that works, where there are several. No cache keeps the answer.',
  listApiClients: 'Without secrets.',
  addApiClient: 'Its id and secret get tokens at `/oauth/token`. No cache keeps the answer.',
  getApiClientSecret: 'No cache keeps the answer.',
  replaceApiClient:
    'The new client has the same name, scopes and end. Both work for a day, time to change programs.',
  removeApiClient: 'Other clients of the account go on.',
  changePlan: 'Where a payment provider is set up, the answer says where to go on.',
  getBilling: 'Plan, next payment and invoices.',
  receiveStripeMessage: 'For the payment provider alone: the signature in its header is checked.',
  joinWaitlist: 'Joining twice changes nothing. The address must look like one: `name@example.com`.',
  getBacktestError: 'With the request as it was sent.',
  listBacktestErrors: 'The newest first.',
  replayBacktestError: 'Runs the same request again and says whether it still fails.',
  replayBacktestErrors: 'Runs several again.',
  listParkedEvents: 'Events that a projection could not take in. Everything else goes on.',
  replayParkedEvent: 'Gives the event to its projection once more.',
  getUser: 'With plan, features and what was used.',
  listAdministratorActs:
    'Filtered by who did it, to whom, what and when. Reasons and addresses of erased accounts are gone; ' +
    'that something was done stays.',
  listUsers: 'Page with `limit` and `skip`.',
  listWaitlist: 'Addresses are read from the log as they are shown; nothing else keeps them.',
  assistUser:
    'Access tokens of ended sessions are refused within a minute; API clients go on. ' +
    'The link for a new password goes to the address of the account and works once, for an hour. ' +
    'An installation whose people sign in elsewhere refuses this with `done_by_issuer`: sessions and ' +
    'passwords are that provider’s.',
  setUserDeletion:
    'After seven days, as where the owner asks for it; until then the owner or an administrator can keep ' +
    'it. Administrators have to lose the administration first.',
  setUserAccess:
    'Works within a minute, for tokens and API clients that are in use too. Nothing is lost; ' +
    'an administrator cannot be disabled.',
  setUserFeature: 'Works at once, for tokens that are in use too.',
  setUserPlan: 'Works at once, for tokens that are in use too.',
  listDraftTags: 'For a list to choose from.',
  getStrategyRun: '`last` in the place of its id names the last one.',
  listStrategyRuns:
    'A run is recorded when a saved strategy is run as it is saved. Page with `limit` and `skip`.',
  listSharedResults: 'Withdrawn ones are left out.',
  shareResult: 'The run is made again first: where it comes to something else today, no link is made.',
  withdrawSharedResult: 'Works at once. The run itself is kept.',
  getCertificate:
    'Names the strategy, the terms, the versions of prices and engine, and the figures. ' +
    '`strategy=without` leaves the strategy out.',
  verifyCertificate: 'Runs what the certificate says on the prices that it names. Nothing is stored.',
  requestDeletion:
    'After seven days it cannot be undone: personal data is erased, and the log keeps only that there was an account.',
  undoDeletion: 'Possible until the deletion is carried out.',
  followStrategy:
    'The plan says how many may be followed at a time. What is to count later can be registered with it, ' +
    'before anything is known.',
  getTomorrow: 'Decisions of the last close that is known. `amount` is the money to divide.',
  getAsLived:
    'Holdings earn what the closes of today say and are traded at each close at the default costs; ' +
    'the purchase on the first day is not charged. The ' +
    ('backtest is the one of the revision that decided first. Where nothing was restated, changed ' +
      'or late, both are equal to rounding. Late decisions are not traded.'),
  listDecisions: 'No decision is changed or added later.',
  getAlerts:
    'Nothing is sent to begin with. The secret follows from the installation’s key: it is never stored, ' +
    'and is the same until it is renewed.',
  changeAlerts:
    'Mails need a confirmed address. A webhook needs an address on the public internet over HTTPS; ' +
    'its name is looked up, and every address that it resolves to is looked at, whenever something is ' +
    'sent.',
  renewWebhookSecret: 'Messages that wait are signed with the new one.',
  testWebhook:
    'The message is signed like all others. It is posted once, without further tries, and is not in the ' +
    'list of what was sent.',
  listSentAlerts:
    'A message that was not taken with a 2xx within 5 s is posted again after 1, 5, 30, 120, 480 and 900 ' +
    'minutes, with the same `Quantloom-Delivery`; then it is given up.',
  getFeed: 'The addresses are shown once, when they are made.',
  renewFeed:
    'The feed is Atom, the calendar iCalendar; both hold the newest 100 changes of holdings, failures and ' +
    'bands that were left, and take conditional requests. ' +
    'Each address is asked 30 times in 10 minutes at most.',
  removeFeed: 'Without addresses nothing happens.',
  getPaperAccount:
    'Orders are worked out at the closes of the newest day, from what the strategies of the account ' +
    'decided then. `record` sets the account beside the same money as lived.',
  openPaperAccount:
    'One account at a time. With `own` the money is of paper and the book is ours; ' +
    'with `alpaca` it is a paper account at Alpaca, whose key is stored encrypted and never shown. ' +
    'No address but that of paper accounts is ever asked.',
  closePaperAccount: 'Orders that a broker of others has taken already stay there.',
  approvePaperOrders:
    'Each order has an id that follows from account, day and ticker, so that none is placed twice. ' +
    'Our own book fills at the next close, as far as the money goes.',
  getPreferences:
    'The page of tomorrow fills its amount with it; the API of tomorrow takes the amount that it is asked with.',
  changePreferences: 'The amount is kept under the key of its owner, as addresses are.',
  listResultViews:
    'They belong to the account, not to a batch: what a view names and a batch does not have, such as the ' +
    'column of a variable, is left out there.',
  createResultView:
    'An account keeps 50 at most (422 `too_many_result_views`), each under a name of its own (409 ' +
    '`result_view_name_taken`).',
  changeResultView:
    'What is left out stays as it is. A view that becomes the default takes the place of the one before.',
  deleteResultView: 'Without its default view a batch opens as it did before.',
  listFavorites:
    'On every device the same; a favorite that was deleted, or is not public any more, stays in the list ' +
    'until it is taken out.',
  addFavorite: 'Marking it twice changes nothing.',
  removeFavorite: 'Doing it twice changes nothing.',
  listFollows: 'With the day from which each is followed.',
  unfollowStrategy: 'Ending it twice changes nothing.',
  runSensitivity:
    'Shows whether a result depends on one exact number. ' +
    'The strategy must run by itself, and both dates are needed, as for runBacktest.',
  getAdminDashboard: 'Figures on users, batches and nodes.',
};

/** What a parameter means where its own schema does not say it, by its name. */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  id: 'Id of the thing, as the answer that made or listed it named it',
  revision: 'Number of the revision, from 0',
  combination: 'Number of the row',
  ticker: 'The ticker',
  limit: 'Most entries of the answer',
  skip: 'Entries to leave out at the beginning',
  visibility: 'Only public ones, or only private ones',
  created_from: 'First day of creation, `YYYY-MM-DD`',
  type: 'Only strategies (`bot`), or only templates',
  after: 'Position of the last entry that is known; reading goes on behind it',
  before: 'Revision; entries before it are answered (`next` of the page before)',
  format: 'Form of the answer',
  filter:
    '`column:op:value`, several joined by AND. Operators: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in` ' +
    '(values separated by `|`), `isNull`, `isNotNull`. Columns: the variables, `start_date`, `end_date` ' +
    'and the metrics. Example: `sharpe_ratio:gt:1`',
  sort: '`column:asc` or `column:desc`; rows without a value come last',
  columns: 'Names of columns, separated by commas; the visible ones by default',
  link: 'Answer an address that works without a token until it expires',
  cursor: '`next_cursor` of the page before',
  expires: 'From the link',
  signature: 'From the link',
  query: 'From the link',
  with: 'Id of the other batch',
  metric: 'Metric that is looked at; `sharpe_ratio` by default',
  x: 'What goes along: a variable in a heat map, a metric in a scatter',
  y: 'What goes up: a variable in a heat map, a metric in a scatter',
  bins: 'Number of bins',
  size: 'Number of rows',
  points: 'Most points',
  mode: 'Choose on the last blocks (`rolling`) or on all so far (`anchored`)',
  version: 'Version of the prices; the current one by default',
  outcome: 'Only errors with this outcome',
  kind: 'Only errors of this kind',
  search: 'Words that must occur',
  since: 'First day',
  strategy: '`without`: the strategy is left out',
  projection: 'Only those of this projection',
  x_order: 'Order of the values',
  y_order: 'Order of the values',
  x_from: 'First place',
  x_to: 'Place behind the last',
  y_from: 'First place',
  y_to: 'Place behind the last',
};

/** Where an answer leads: operation → operations that take its `id`. */
export const OPERATION_LINKS: Readonly<Record<string, readonly string[]>> = {
  createTradingBot: ['getTradingBot', 'updateTradingBot', 'getTradingBotHistory', 'deleteDraft'],
  cloneTradingBot: ['getTradingBot', 'updateTradingBot'],
  createVariableList: ['getVariableList', 'updateVariableList', 'deleteVariableList'],
  createBatchBacktest: [
    'getBatchBacktest',
    'followBatchBacktest',
    'getBatchResults',
    'getBatchVerdict',
    'deleteBatchBacktest',
  ],
  getBatchBacktest: ['getBatchResults', 'getBatchVerdict', 'getBatchWalkForward'],
};
