/**
 * Request header: highest log position the client has seen; a read waits (bounded) until the projections have
 * reached it. Answer header of commands: position written.
 */
export const POSITION_HEADER = 'x-quantloom-position';
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const CORRELATION_HEADER = 'x-correlation-id';

/** What the headers of a request may hold, for the checks and for the documentation of the API. */
export const HEADER_PATTERNS = {
  position: /^\d{1,19}$/,
  idempotencyKey: /^[\x21-\x7e]{1,200}$/,
  /** `"3"`, `W/"3"` or plain `3`; `*`: any. */
  ifMatch: /^(?:\*|(?:W\/)?"?(\d{1,15})"?)$/,
} as const;

/** Of the answer to a backtest: the id under which the run of a saved strategy was recorded. */
export const RUN_HEADER = 'x-quantloom-run';
