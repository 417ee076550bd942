import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openPlatform,
  type Person,
  type Platform,
  saveDrafts,
  sees,
  seriousViolations,
} from './platform-journey.ts';

/** What somebody finds on a route: a page by its title, the sign-in, or a refusal. */
type Found = { readonly title: RegExp } | 'sign-in';
const page = (title: string): Found => ({ title: new RegExp(`^${title} \\| Quantloom$`) });
const NOT_FOUND = page('Not found');
const RESTRICTED = page('Access Restricted');
type Who = 'visitor' | 'free' | 'plan' | 'admin';
type Row = readonly [path: string, found: Readonly<Record<Who, Found>>];

const open = (path: string, title: string): Row => {
  const found = title === '' ? { title: /^Quantloom$/ } : page(title);
  return [path, { visitor: found, free: found, plan: found, admin: found }];
};
const signedIn = (path: string, title: string): Row => {
  const found = page(title);
  return [path, { visitor: 'sign-in', free: found, plan: found, admin: found }];
};
const withBatches = (path: string, title: string): Row => {
  const found = page(title);
  return [path, { visitor: 'sign-in', free: RESTRICTED, plan: found, admin: found }];
};
const forAdmins = (path: string, title: string): Row => [
  path,
  { visitor: 'sign-in', free: NOT_FOUND, plan: NOT_FOUND, admin: page(title) },
];

const missing = (path: string, found: Found): Row => [
  path,
  { visitor: 'sign-in', free: found, plan: found, admin: found },
];
const missingWithBatches = (path: string, found: Found): Row => [
  path,
  { visitor: 'sign-in', free: RESTRICTED, plan: found, admin: found },
];

/** `:draft` and `:list` stand for things of the visiting person. */
const ROUTES: readonly Row[] = [
  open('/', ''),
  open('/pricing', 'Pricing'),
  open('/terms-of-service', 'Terms of Service'),
  open('/privacy-policy', 'Privacy Policy'),
  open('/not-authorized', 'Access Restricted'),
  open('/no-such-page', 'Not found'),
  open('/design-system', 'Design system'),
  signedIn('/drafts', 'Drafts'),
  signedIn('/starters', 'Starter strategies'),
  signedIn('/portfolio', 'Portfolio'),
  signedIn('/tomorrow', 'Tomorrow'),
  signedIn('/verify', 'Check a certificate'),
  signedIn('/editor/new', '.*'),
  signedIn('/editor/:draft', '.*'),
  signedIn('/account/general', 'Account'),
  signedIn('/account/api-clients', 'API Clients'),
  signedIn('/account/billing', 'Billing'),
  signedIn('/account/history', 'History'),
  signedIn('/account/billing/manage', 'Manage billing'),
  withBatches('/batch-backtests', 'Batch Backtests'),
  withBatches('/batch-backtests/new', 'New Batch Backtest'),
  withBatches('/variable-lists', 'Variable Lists'),
  withBatches('/variable-lists/:list', '.*'),
  withBatches('/variable-lists/:list/edit', '.*'),
  missing('/editor/no-such-strategy', NOT_FOUND),
  missingWithBatches('/batch-backtests/no-such-batch', NOT_FOUND),
  missingWithBatches('/variable-lists/no-such-list', NOT_FOUND),
  missingWithBatches('/variable-lists/no-such-list/edit', page('Variable List Not Found')),
  forAdmins('/admin/users/no-such-user', 'Not found'),
  forAdmins('/admin/dashboard', 'Dashboard'),
  forAdmins('/admin/backtests/errors', 'Backtest Errors'),
  forAdmins('/admin/parked-events', 'Parked Events'),
  forAdmins('/admin/market-data', 'Market Data'),
  forAdmins('/admin/market-data/SPY', 'Prices of a Ticker'),
  forAdmins('/admin/users', 'Users'),
  forAdmins('/admin/acts', 'Audit'),
  forAdmins('/admin/waitlist', 'Waitlist'),
  forAdmins('/admin/users/:user', '.*'),
];

async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  await page.waitForLoadState('networkidle');
}

/** Every route for everybody: what is found, its title, axe, and the width of a phone. */
describe('every route', () => {
  let platform: Platform;
  const people: Partial<Record<Who, Person>> = {};
  const things = new Map<Who, Readonly<Record<string, string>>>();

  beforeAll(async () => {
    platform = await openPlatform();
    const admin = await platform.signUp('ada');
    const free = await platform.signUp('eve');
    const plan = await platform.signUp('pat');
    Object.assign(people, { admin, free, plan });
    const { id: planId } = (await plan.api.get('/api/v1/users/me')).body;
    expect((await admin.api.post(`/api/v1/admin/users/${planId}/plan`, { plan_id: 'api' })).status).toBe(200);
    for (const [who, { api }] of Object.entries(people) as [Who, Person][]) {
      const [draft = ''] = await saveDrafts(
        api,
        'A strategy with a name that is longer than a phone is wide',
      );
      const list =
        who === 'free'
          ? 'some-list'
          : (await api.post('/api/v1/variable-lists', { name: 'Sectors', variables: ['XLE', 'XLF'] })).body
              .id;
      things.set(who, { draft, list, user: planId });
    }
  });
  afterAll(() => platform?.close());

  /** Walks all routes; answers everything that is not as it must be. */
  async function walk(who: Who): Promise<readonly string[]> {
    const context = people[who]?.context;
    const page = context ? await context.newPage() : await platform.visitor();
    const faults: string[] = [];
    /** A refusal, like the sign-in, looks the same to this person wherever it comes. */
    const looked = new Set<Found>();
    for (const [path, found] of ROUTES) {
      const address = path.replace(/:(\w+)/, (_, name) => things.get(who)?.[name] ?? 'some-id');
      const expected = found[who];
      const isNew = !looked.has(expected);
      looked.add(expected);
      const fault = (text: string) => faults.push(`${who} ${path}: ${text}`);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(platform.url + address);
      if (expected === 'sign-in') {
        await page.locator('input[type=password]').waitFor();
        if (!isNew) continue;
      } else {
        await settled(page);
        await expect.poll(() => page.title(), { message: `${who} ${path}` }).toMatch(expected.title);
        if (expected === NOT_FOUND) await sees(page, 'The resource you are looking for cannot be found.');
        if (expected === RESTRICTED) await page.getByRole('link', { name: 'Upgrade Account' }).waitFor();
      }
      if (isNew) for (const violation of await seriousViolations(page)) fault(violation);
      // Narrowed while it is open: charts and tables must follow.
      await page.setViewportSize({ width: 360, height: 740 });
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
      await expect
        .poll(width, { timeout: 3000 })
        .toBeLessThanOrEqual(360)
        .catch(async () => fault(`${await width()} px wide on a phone`));
      if (isNew) for (const violation of await seriousViolations(page)) fault(`on a phone: ${violation}`);
    }
    await page.close();
    return faults;
  }

  const everybody: readonly Who[] = ['visitor', 'free', 'plan', 'admin'];
  // Each of some thirty pages is checked twice for accessibility: a minute, and more on a busy machine.
  test.for(everybody)(
    'E1 shows what a %s may see, accessibly, on a phone as well, from this host alone',
    {
      timeout: 300_000,
    },
    async (who) => {
      expect(await walk(who)).toEqual([]);
      expect(platform.faults).toEqual([]);
      expect(platform.intrusions).toEqual([]);
    },
  );
});
