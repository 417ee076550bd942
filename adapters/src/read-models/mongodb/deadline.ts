/**
 * How long one call of somebody who waits for an answer may take, in ms. Then it has failed, and its
 * connection is closed: the answer to a packet that was lost never comes, and the server may be well meanwhile.
 */
export const CALL_DEADLINE_MS = 10_000;

/**
 * How every client of ours keeps in touch with the server. One that is frozen still takes connections, and
 * when it wakes it first works through all that were given up meanwhile, before it answers anybody who waits:
 * so few are made, and each is waited for.
 *
 * - A connection has 10 s to be made: where packets were lost, the kernel sends the next one after 1, 3 and 7 s,
 *   so that the return of a network is noticed within 4 s.
 * - The server is asked every 30 s whether it is well, over one connection and not over two that wait for news.
 *   A call that fails, or looks for the server, has it asked at once.
 */
export const IN_TOUCH = {
  serverSelectionTimeoutMS: 10_000,
  connectTimeoutMS: 10_000,
  heartbeatFrequencyMS: 30_000,
  serverMonitoringMode: 'poll',
} as const;
