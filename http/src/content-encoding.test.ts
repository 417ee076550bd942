import { expect, it } from 'vitest';
import { chooseEncoding } from './content-encoding.ts';

it.each([
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['BR', 'br'],
  ['br;q=0.1, gzip;q=0.9', 'br'],
  ['gzip', 'gzip'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip, br;q=0.0', 'gzip'],
  ['gzip, br; q=0.000', 'gzip'],
  ['gzip;q=0.5, br;q=0', 'gzip'],
  ['*', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, *', 'br'],
  ['*, gzip;q=0', 'br'],
  ['gzip;q=0, br;q=0, *', 'identity'],
  ['gzip, *;q=0', 'gzip'],
  ['br;q=0.5, *;q=0', 'br'],
  ['gzip;q=0, br;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('%j gets %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
