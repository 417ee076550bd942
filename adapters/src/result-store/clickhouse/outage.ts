import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { isDiskFull } from '@quantloom/domain/ports/disk-full';
import type { Probe } from '../../outages/breaker.ts';
import { PendingQuestion } from '../../outages/pending-question.ts';

/**
 * What the server says when it cannot just now: no room, too much to do, or a part of itself away. Nobody's
 * query is at fault.
 */
const NOT_NOW = new Set([
  'NOT_ENOUGH_SPACE',
  'TABLE_IS_READ_ONLY',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TOO_MANY_PARTS',
  'TOO_MANY_MUTATIONS',
  'CANNOT_ALLOCATE_MEMORY',
  'CANNOT_SCHEDULE_TASK',
  'SERVER_OVERLOADED',
  'TIMEOUT_EXCEEDED',
  'TOO_SLOW',
  'ABORTED',
  'TABLE_IS_BEING_RESTARTED',
  'NO_ZOOKEEPER',
  'TOO_FEW_LIVE_REPLICAS',
  'ALL_REPLICAS_ARE_STALE',
  'UNKNOWN_STATUS_OF_INSERT',
  'NETWORK_ERROR',
  'SOCKET_TIMEOUT',
  'KEEPER_EXCEPTION',
  'ALL_CONNECTION_TRIES_FAILED',
]);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether an error of the client means that the server is away, or has no room or no time just now. */
export function isClickHouseOutage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ClickHouseError)
      return NOT_NOW.has(cause.type ?? '') || isServersMemory(cause) || isDiskFull(cause);
    if (NETWORK.has(String((cause as { code?: unknown }).code))) return true;
    if (/socket hang up|^Timeout error|request was aborted/i.test(cause.message)) return true;
  }
  return false;
}

/** All queries together took too much; one that takes too much by itself is at fault, whenever it comes. */
function isServersMemory({ type, message }: ClickHouseError): boolean {
  return type === 'MEMORY_LIMIT_EXCEEDED' && !/\(for (query|user)\)|(Query|User) memory limit/i.test(message);
}

/** Asks the server for a row, with the name and password that the product uses. */
export function clickHouseProbe(url: string): Probe {
  let client: ClickHouseClient | null = null;
  const question = new PendingQuestion(async (signal) => {
    client ??= createClient({
      url,
      application: 'quantloom probe',
      max_open_connections: 1,
      log: { level: ClickHouseLogLevel.OFF },
    });
    const answer = await client.query({ query: 'SELECT 1', format: 'JSONEachRow', abort_signal: signal });
    await answer.text();
  });
  return {
    check: async () => {
      try {
        await question.answer();
      } catch (error) {
        throw new Error(sentenceOf(error), { cause: error });
      }
    },
    close: async () => {
      question.close();
      await client?.close();
    },
  };
}

function sentenceOf(error: unknown): string {
  const { type, message } = error as { type?: string; message: string };
  if (type === 'AUTHENTICATION_FAILED' || type === 'REQUIRED_PASSWORD' || type === 'WRONG_PASSWORD')
    return 'ClickHouse knows no such user and password; look at CLICKHOUSE_URL';
  if (isClickHouseOutage(error)) return 'ClickHouse is not reached';
  return `ClickHouse answers with an error (${message})`;
}
