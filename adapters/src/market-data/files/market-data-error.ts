export type MarketDataErrorCode =
  | 'no_data_set'
  | 'unknown_version'
  | 'data_set_damaged'
  | 'import_running'
  | 'import_refused'
  | 'provider_refused';

/** An expected failure of market data; the message is a sentence for the user. */
export class MarketDataError extends Error {
  readonly code: MarketDataErrorCode;
  constructor(code: MarketDataErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MarketDataError';
    this.code = code;
  }
}
