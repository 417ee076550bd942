/**
 * How long one call of somebody who waits for an answer may take, in ms. Then it has failed, and its
 * connection is closed: the answer to a packet that was lost never comes, and the server may be well meanwhile.
 */
export const CALL_DEADLINE_MS = 10_000;
