import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import { isClickHouseOutage } from './outage.ts';

const error = (type: string, message: string) => new ClickHouseError({ code: '1', type, message });

describe('an error of ClickHouse', () => {
  it.each([
    ['NOT_ENOUGH_SPACE', 'Cannot reserve 1.00 MiB, not enough space'],
    ['MEMORY_LIMIT_EXCEEDED', 'Memory limit (total) exceeded: would use 3.60 GiB, maximum: 3.60 GiB'],
    [
      'MEMORY_LIMIT_EXCEEDED',
      '(total) memory limit exceeded: would use 3.60 GiB (attempt to allocate chunk)',
    ],
    ['TIMEOUT_EXCEEDED', 'Timeout exceeded: elapsed 300 seconds'],
    ['SERVER_OVERLOADED', 'CPU is overloaded'],
    ['CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'Cannot write to file: errno: 28, strerror: No space left on device'],
  ])('%s is nobody’s fault: %s', (type, message) => {
    expect(isClickHouseOutage(new Error('the step failed', { cause: error(type, message) }))).toBe(true);
  });

  it.each([
    ['MEMORY_LIMIT_EXCEEDED', 'Memory limit (for query) exceeded: would use 9.32 GiB, maximum: 9.31 GiB'],
    ['MEMORY_LIMIT_EXCEEDED', 'Query memory limit exceeded: would use 9.32 GiB, maximum: 9.31 GiB'],
    ['SYNTAX_ERROR', 'Syntax error: failed at position 1'],
  ])('%s is the fault of what was asked: %s', (type, message) => {
    expect(isClickHouseOutage(error(type, message))).toBe(false);
  });
});
