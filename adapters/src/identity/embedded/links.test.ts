import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IdentityFile, openIdentityFile } from '../../../testing/identity/identity-file.ts';
import { createLinks, type Links } from './links.ts';

const HOUR = 60 * 60_000;
const ANN = { subject: 'ann', emailKey: 'ann@example.com' };
const BEN = { subject: 'ben', emailKey: 'ben@example.com' };

let file: IdentityFile;
let links: Links;
let time: number;

beforeEach(() => {
  time = 1_000;
  file = openIdentityFile();
  for (const { subject, emailKey } of [ANN, BEN]) file.addAccount(subject, emailKey);
  links = createLinks(file.store, () => time);
});
afterEach(() => file.close());

it('belongs to whom it was made for, and to its purpose alone', () => {
  const token = links.create('reset', ANN);
  expect(links.find('reset', token)).toEqual(ANN);
  expect([links.find('verify', token), links.use('unlock', token)]).toEqual([null, null]);
  expect(links.find('reset', `${token}x`)).toBeNull();
  expect(links.use('reset', token)).toEqual(ANN);
});

it('is used once, and with it end those of its purpose, not those of others', () => {
  const [first, second] = [links.create('reset', ANN), links.create('reset', ANN)];
  const others = { unlock: links.create('unlock', ANN), reset: links.create('reset', BEN) };
  expect(links.find('reset', first)).toEqual(ANN);
  expect(links.use('reset', second)).toEqual(ANN);
  expect([links.use('reset', second), links.find('reset', first)]).toEqual([null, null]);
  expect(links.find('unlock', others.unlock)).toEqual(ANN);
  expect(links.find('reset', others.reset)).toEqual(BEN);
});

it.each([
  ['verify', 7 * 24 * HOUR],
  ['reset', HOUR],
  ['unlock', HOUR],
] as const)('to %s works for so long', (purpose, lifetime) => {
  const token = links.create(purpose, ANN);
  time += lifetime - 1;
  links.removeExpired();
  expect(links.find(purpose, token)).toEqual(ANN);
  time += 1;
  expect([links.find(purpose, token), links.use(purpose, token)]).toEqual([null, null]);
  links.removeExpired();
  time = 1_000;
  expect(links.find(purpose, token)).toBeNull();
});

it('is worth nothing where it went to an address that the account has left', () => {
  const token = links.create('reset', { ...ANN, emailKey: 'former@example.com' });
  expect([links.find('reset', token), links.use('reset', token)]).toEqual([null, null]);
});
