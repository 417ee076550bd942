import { afterEach, beforeEach, expect, it } from 'vitest';
import { type IdentityFile, openIdentityFile } from '../../../testing/identity/identity-file.ts';
import { createDevices, type Devices, unlockAccount, unlocksOf } from './devices.ts';

/** As the account keeps them. */
const MOST = 20;

let file: IdentityFile;
let devices: Devices;
let time: number;

beforeEach(() => {
  time = 1_000;
  file = openIdentityFile();
  for (const name of ['ann', 'ben']) file.addAccount(name, `${name}@example.com`);
  devices = createDevices(file.store, () => time);
});
afterEach(() => file.close());

/** A sign-in of Ann with a browser, later than those before it. */
const signIn = (device: string) => {
  time += 1;
  devices.remember(device, 'ann');
};
const isKnown = (device: string) => devices.accountsOf(device, 'Ann@Example.com').length > 0;

it('knows a browser again by the address of the account that signed in with it, and by no other', () => {
  signIn('laptop');
  expect(devices.accountsOf('laptop', 'ANN@example.com')).toEqual(['ann']);
  expect(devices.accountsOf('laptop', 'ben@example.com')).toEqual([]);
  expect(devices.accountsOf('phone', 'ann@example.com')).toEqual([]);
});

it('forgets the browser that was used longest ago where one account has too many', () => {
  const names = Array.from({ length: MOST }, (_, index) => `d${index}`);
  for (const name of names) signIn(name);
  devices.remember('bens', 'ben');
  // The first one is used again, so that the second one is the oldest.
  signIn('d0');
  signIn('new');
  expect([...names, 'new'].filter((name) => !isKnown(name))).toEqual(['d1']);
  expect(devices.accountsOf('bens', 'ben@example.com')).toEqual(['ben']);
});

it('counts how often an account is unlocked, since attempts begin anew after each time', () => {
  expect(unlocksOf(file.store, 'ann@example.com')).toBe(0);
  for (const count of [1, 2, 3]) {
    expect(unlockAccount(file.store, 'Ann@example.com')).toBe(true);
    expect(unlocksOf(file.store, 'ann@EXAMPLE.com')).toBe(count);
  }
  expect(unlocksOf(file.store, 'ben@example.com')).toBe(0);
  expect(unlockAccount(file.store, 'nobody@example.com')).toBe(false);
});
