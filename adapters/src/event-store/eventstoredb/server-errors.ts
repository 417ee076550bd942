/** The kinds of errors, as both libraries call them. */
export const ErrorType = {
  TIMEOUT: 'timeout',
  DEADLINE_EXCEEDED: 'deadline-exceeded',
  UNAVAILABLE: 'unavailable',
  CANCELLED: 'cancelled',
  UNKNOWN: 'unknown',
  NOT_LEADER: 'not-leader',
  STREAM_NOT_FOUND: 'stream-not-found',
  ACCESS_DENIED: 'access-denied',
  INVALID_ARGUMENT: 'invalid-argument',
  STREAM_DELETED: 'stream-deleted',
  WRONG_EXPECTED_VERSION: 'wrong-expected-version',
  MAXIMUM_APPEND_SIZE_EXCEEDED: 'maximum-append-size-exceeded',
  UNSUPPORTED: 'unsupported',
} as const;

/** An error of ours that says what a library's would. */
export class ServerError extends Error {
  readonly type: string;
  constructor(type: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServerError';
    this.type = type;
  }
}

/** The server's name for what went wrong, or null for other errors. */
export function errorType(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { type } = error as { type?: unknown };
  return typeof type === 'string' ? type : null;
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  ErrorType.UNAVAILABLE,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
  ErrorType.CANCELLED,
]);

/** What a server answers while it starts, elects a leader or is overloaded, without a type that the client knows. */
const NOT_NOW = /Server Is (Not Ready|Busy|Too Busy)|No leader info available|Operation timed out/i;
/** The client's own, plain error: no node of the cluster has said who leads. */
const NO_NODE = /^Failed to discover after/;

/** Whether trying again may help: the server was not reached, was not ready, or was not the leader. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const type = errorType(error);
  if (type === null) return NO_NODE.test(error.message);
  return UNAVAILABLE.has(type) || (type === ErrorType.UNKNOWN && NOT_NOW.test(error.message));
}

/** Errors of a subscription that trying again does not cure. */
export const isHopeless = (error: unknown): boolean => HOPELESS.has(errorType(error) ?? '');

const HOPELESS: ReadonlySet<string> = new Set([
  ErrorType.ACCESS_DENIED,
  ErrorType.INVALID_ARGUMENT,
  ErrorType.UNSUPPORTED,
]);

/** gRPC's RESOURCE_EXHAUSTED: a message larger than an end takes. */
const MESSAGE_TOO_LARGE = 8;

/** The server takes no append, or no event (`MaxAppendEventSize` of KurrentDB), of this size. */
export function isTooLarge(error: unknown): boolean {
  const type = errorType(error);
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return true;
  if (type !== ErrorType.UNKNOWN) return false;
  const { code, message } = error as { code?: unknown; message: string };
  return code === MESSAGE_TOO_LARGE || /Maximum Append Event Size/i.test(message);
}
