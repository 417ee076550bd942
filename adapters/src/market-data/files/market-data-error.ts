export type MarketDataErrorCode =
  | 'no_data_set'
  | 'unknown_version'
  | 'data_set_damaged'
  | 'import_running'
  | 'import_refused'
  | 'provider_refused';

/** What a user can say so that a refused import goes through: the order of day and month, or what a comma is. */
export type ImportQuestion = 'dates' | 'decimal';

/** An expected failure of market data; the message is a sentence for the user. */
export class MarketDataError extends Error {
  readonly code: MarketDataErrorCode;
  readonly question: ImportQuestion | null;
  constructor(
    code: MarketDataErrorCode,
    message: string,
    options: ErrorOptions & { question?: ImportQuestion } = {},
  ) {
    super(message, options);
    this.name = 'MarketDataError';
    this.code = code;
    this.question = options.question ?? null;
  }
}
