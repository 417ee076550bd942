/** Request header: highest log position the client has seen; a read waits (bounded) until the projections have reached it. Answer header of commands: position written. */
export const POSITION_HEADER = 'x-quantloom-position';
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const CORRELATION_HEADER = 'x-correlation-id';
