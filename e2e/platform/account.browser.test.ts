import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fits } from '../harness/width.ts';
import {
  fillCredentials,
  openPlatform,
  PASSWORD,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

/** What every account has: shell, drafts, settings. `checklist.md` names these tests by their codes. */
describe('an account', () => {
  let platform: Platform;
  let admin: Person;
  let free: Person;

  beforeAll(async () => {
    platform = await openPlatform();
    admin = await platform.signUp('ada');
    free = await platform.signUp('eve');
  });
  afterAll(() => platform?.close());

  test('A1 starts with an empty list that says how to begin', async () => {
    const { page } = admin;
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    await page.getByRole('heading', { name: 'No Trading Bots' }).waitFor();
    await sees(page, 'Get started by creating a Trading Bot');
    const start = page.getByRole('link', { name: 'New Trading Bot' });
    expect(await start.getAttribute('href')).toBe('/editor/new');
    expect(await page.title()).toMatch(/^Drafts .*Quantloom$/);
    await page.getByRole('button', { name: 'Skip the tour' }).click();
  });

  test('A2 has the links of its features in the top bar and the user menu', async () => {
    const linksOf = async ({ page }: Person) =>
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    expect(await linksOf(admin)).toEqual(['Drafts', 'Variables', 'Batch Tests']);
    expect(await linksOf(free)).toEqual(['Drafts']);
    const entriesOf = async ({ page, email }: Person) => {
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await sees(page, email);
      const names = await page.getByRole('menuitem').allTextContents();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'hidden' });
      return names;
    };
    await free.page.getByRole('button', { name: 'Skip the tour' }).click();
    expect(await entriesOf(admin)).toEqual(expect.arrayContaining(['Account', 'Admin', 'Sign out']));
    const names = await entriesOf(free);
    expect(names).toEqual(expect.arrayContaining(['Account', 'Sign out']));
    expect(names).not.toContain('Admin');
    const newBot = admin.page.getByRole('banner').getByRole('link', { name: 'New Bot' });
    expect(await newBot.getAttribute('href')).toBe('/editor/new');
    type Styles = { getComputedStyle(element: unknown): { readonly backgroundColor: string } };
    const colour = await newBot.evaluate(
      (link) => (globalThis as unknown as Styles).getComputedStyle(link).backgroundColor,
    );
    const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
    expect(green).toBeGreaterThan(Math.max(red, blue));
  });

  test('A3 lists drafts, deletes one after a question, and brings it back', async () => {
    const { page, api } = admin;
    const [kept, gone] = await saveDrafts(api, 'Kept strategy', 'Doomed strategy');
    await api.patch(`/api/v1/trading-bots/${kept}`, { is_public: true });
    await page.reload();
    const table = page.getByRole('table', { name: 'Drafts' });
    const row = (name: string) => table.getByRole('row').filter({ hasText: name });
    await row('Doomed strategy').waitFor();
    const headers = (await table.getByRole('columnheader').allTextContents()).map((text) => text.trim());
    expect(headers.slice(0, 5)).toEqual(['Name', 'Type', 'Visibility', 'Created', 'Last modified']);
    await row('Kept strategy').getByText('Public', { exact: true }).waitFor();
    await row('Doomed strategy').getByText('Private', { exact: true }).waitFor();
    await row('Doomed strategy').getByText('bot', { exact: true }).waitFor();
    expect(await row('Kept strategy').textContent()).toMatch(/[A-Z][a-z]+ \d{1,2}, 20\d\d/);
    for (const name of ['Doomed strategy', 'Edit Doomed strategy'])
      expect(await table.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(
        `/editor/${gone}`,
      );

    const ask = () => page.getByRole('button', { name: 'Delete Doomed strategy' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' });
    await ask();
    await dialog.getByRole('button', { name: "Don't delete" }).click();
    await dialog.waitFor({ state: 'hidden' });
    await ask();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await api.get('/api/v1/drafts')).body).toHaveLength(2);
    await ask();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row('Doomed strategy').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await sees(page, 'Doomed strategy is back');
    await row('Doomed strategy').waitFor();
    expect((await api.get(`/api/v1/trading-bots/${gone}`)).status).toBe(200);
  });

  test('A4 finds drafts and works on rows by keyboard', async () => {
    const { page } = admin;
    const rows = page.locator('tr[data-row]');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('kept');
    await sees(page, '1 of 2 strategies');
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Search drafts').fill('');
    await sees(page, '2 strategies');
    await rows.first().focus();
    await page.keyboard.press('s');
    await rows.first().locator('button[aria-pressed=true]').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/editor/*');
  });

  test('A5 creates an API client, sees its secret only on demand, replaces and deletes it', async () => {
    const { page, api } = admin;
    await page.goto(`${platform.url}/account/api-clients`);
    const side = page.getByRole('navigation', { name: 'Account settings' });
    await side.waitFor();
    expect(await side.getByRole('link').allTextContents()).toEqual([
      'Account',
      'API Clients',
      'Billing',
      'History',
    ]);
    await page.getByRole('button', { name: 'Create API Client' }).click();
    const form = page.getByRole('dialog', { name: 'Create API Client' });
    await form.getByLabel('Name').fill('Nightly');
    await form.getByRole('switch', { name: 'Backtest' }).press('Space');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await form.getByLabel('Name').press('Enter');
    expect((await sent).postDataJSON()).toEqual({ name: 'Nightly', scopes: ['read', 'batches'] });
    await sees(page, 'Client ID', 'Secret', /^May: Read, Batches$/, /^Last used: never$/);
    const { id, secret } = (await api.get('/api/v1/oauth/clients')).body as { id: string; secret: string };
    await sees(page, id, /^Created: [A-Z][a-z]+ \d{1,2}, 20\d\d$/);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Show secret' }).click();
    await sees(page, secret);
    await page.getByRole('button', { name: 'Hide secret' }).click();
    await page.getByText(secret, { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replace Nightly' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace', exact: true }).click();
    await sees(page, /^Replaced, works until: /);
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(page, 360);
    await page.setViewportSize({ width: 1440, height: 900 });
    const successor = page.getByRole('button', { name: 'Delete Nightly' }).last();
    await successor.click();
    await page
      .getByRole('alertdialog', { name: 'Confirm Deletion' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await page.getByRole('button', { name: 'Replace Nightly' }).waitFor({ state: 'detached' });
    const docs = await page.getByRole('link', { name: 'Developer Docs' }).getAttribute('href');
    expect((await fetch(new URL(docs ?? '', platform.url))).status).toBe(200);
    await page.getByRole('button', { name: 'Delete Nightly' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await sees(page, 'No API client');
  });

  test('A6 is told to upgrade where the plan has no API', async () => {
    const { page } = free;
    await page.goto(`${platform.url}/account/api-clients`);
    await sees(page, 'Upgrade your plan to access the API.');
    await page.getByRole('link', { name: 'Upgrade Plan' }).click();
    await page.waitForURL('**/account/billing');
  });

  test('A7 sees plan, price, payment methods and invoices', async () => {
    const { page, api } = admin;
    await page.goto(`${platform.url}/account/billing`);
    const { body } = await api.get('/api/v1/subscriptions/me');
    await sees(page, body.product.name);
    await sees(page, `$${(body.price.unit_amount / 100).toFixed(2)} a month`);
    for (const name of ['Payment methods', 'Invoice history'])
      expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(
        new URL(body.management_url, platform.url).href,
      );
    await page.getByRole('link', { name: 'Payment methods' }).click();
    await page.getByRole('heading', { level: 1, name: 'Manage billing' }).waitFor();
  });

  test('A8 has the same links on a phone, in a menu that slides over', async () => {
    const page = await admin.context.newPage();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${platform.url}/drafts`);
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog');
    for (const name of ['Drafts', 'Variables', 'Batch Tests', 'Account', 'Admin', 'New Bot'])
      await menu.getByRole('link', { name }).waitFor();
    await menu.getByRole('button', { name: 'Log out' }).waitFor();
    await menu.getByRole('link', { name: 'Account' }).click();
    await page.waitForURL('**/account/general');
    await page.close();
  });

  test('A9 logs out, and logs in again to its drafts', async () => {
    const { page, email } = admin;
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hedge Fund Power, Retail Simplicity.' }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await page.locator('input[type=password]').waitFor();
    await fillCredentials(page, email);
    await page.waitForURL('**/drafts');
    await sees(page, 'Kept strategy');
  });

  test('A11 reads what was done with the account, narrows it, and takes it along', async () => {
    const { page } = admin;
    await page.goto(`${platform.url}/account/history`);
    const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await entries.filter({ hasText: 'Api client deleted' }).first().waitFor();
    expect(await entries.first().textContent()).toContain('You, in a browser');
    const all = await entries.count();
    await page.getByLabel('Search the history').fill('api client');
    // Created, replaced by another one, and both of them deleted.
    await expect.poll(() => entries.count()).toBe(5);
    await sees(page, '5 entries');
    await page.getByLabel('Search the history').fill('');
    await expect.poll(() => entries.count()).toBe(all);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all' }).click();
    expect((await saved).suggestedFilename()).toBe('account-history.jsonl');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await seriousViolations(page)).toEqual([]);
    await fits(page, 360);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Done by').click();
    await page.getByRole('option', { name: 'API clients' }).click();
    await sees(page, 'Nothing found');
  });

  test('A12 is asked for the password again when it was given long ago, and then goes on', async () => {
    const { page } = admin;
    await page.goto(`${platform.url}/account/api-clients`);
    await page.getByRole('button', { name: 'Create API Client' }).waitFor();
    const identity = new DatabaseSync(path.join(platform.dataDir, 'identity.sqlite'));
    identity.exec('UPDATE identity_sessions SET confirmed_at = confirmed_at - 11 * 60000');
    identity.close();
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'Create API Client' }).click();
      const form = page.getByRole('dialog', { name: 'Create API Client' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Name').press('Enter');
    };
    await create('Late');
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await proof.getByRole('link', { name: 'Enter password' }).click();
    const issuer = await opened;
    await issuer.getByLabel('Password').fill(PASSWORD);
    await issuer.keyboard.press('Enter');
    await issuer.getByRole('heading', { name: 'Confirm that it is you' }).waitFor({ state: 'detached' });
    await issuer.close();
    // A browser without windows does not tell that the page is looked at again.
    const again = proof.getByRole('button', { name: 'I have confirmed it' });
    if (await again.isVisible()) await again.click();
    await page.getByRole('button', { name: 'Delete Late' }).waitFor();
    await page.getByRole('button', { name: 'Delete Late' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await sees(page, 'No API client');
  });

  test('A14 finds in the history what was changed about signing in', async () => {
    const { page } = admin;
    await page.goto(`${platform.url}/u/account`);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed.').waitFor();
    const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await expect
      .poll(
        async () => {
          await page.goto(`${platform.url}/account/history`);
          await entries.first().waitFor();
          return await entries.first().textContent();
        },
        { timeout: 30_000 },
      )
      .toContain('Password changed');
    expect(await entries.first().textContent()).toContain('You, in a browser');
  });

  test('A13 takes everything along as one file, asked for by keyboard on a phone', async () => {
    const { page, email } = admin;
    await page.goto(`${platform.url}/account/general`);
    await page.setViewportSize({ width: 360, height: 740 });
    const button = page.getByRole('button', { name: 'Download everything' });
    await button.focus();
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    await sees(page, 'Your browser is downloading the file.');
    expect(await seriousViolations(page)).toEqual([]);
    await fits(page, 360);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());
    expect(JSON.parse(text('account.json'))).toMatchObject({ email });
    expect(text('README.txt')).toContain('Passwords and secrets are in no archive.');
    const current = Object.keys(files).filter((name) => name.endsWith('/current.json'));
    const names = current.map((name) => JSON.parse(text(name)).name).sort();
    expect(names).toEqual(['Doomed strategy', 'Kept strategy']);
    const lines = text('history.jsonl').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toContain('StrategyCreated');
  });

  test('A10 changes its e-mail address and is logged out three seconds later', async () => {
    const { page } = free;
    await page.goto(`${platform.url}/account/general`);
    await sees(page, 'If you update your emaill, you will be logged out and will need to log in again.');
    const field = page.getByLabel('E-mail', { exact: true });
    expect(await field.getAttribute('type')).toBe('email');
    await field.fill('eve.new@example.com');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect((await sent).postDataJSON()).toEqual({ email: 'eve.new@example.com' });
    await sees(page, 'Saved');
    const savedAt = Date.now();
    await page.waitForURL(`${platform.url}/`);
    expect(Date.now() - savedAt).toBeGreaterThan(2000);
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    expect(platform.faults).toEqual([]);
    expect(platform.intrusions).toEqual([]);
  });
});
