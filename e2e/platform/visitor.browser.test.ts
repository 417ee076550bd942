import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillCredentials, openPlatform, type Platform, sees } from './platform-journey.ts';

/** The public site. `checklist.md` names these tests by their codes. */
describe('a visitor', () => {
  let platform: Platform;
  let page: Page;

  beforeAll(async () => {
    platform = await openPlatform();
    page = await platform.visitor();
  });
  afterAll(() => platform?.close());

  test('V1 reads the home page', async () => {
    await page.goto(platform.url);
    await page.getByRole('heading', { level: 1, name: 'Hedge Fund Power, Retail Simplicity.' }).waitFor();
    expect(await page.title()).toContain('Quantloom');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const header = page.getByRole('banner');
    for (const name of ['Pricing', 'Register', 'Login']) await header.getByRole('link', { name }).waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('link', { name: 'Get started' }).getAttribute('href')).toBe('/register');
    expect(await main.getByRole('link', { name: 'See pricing' }).getAttribute('href')).toBe('/pricing');
    expect(await page.getByRole('region', { name: 'Features' }).getByRole('heading').allInnerTexts()).toEqual(
      ['Templates', 'Variables', 'Configure Batch Tests', 'Status Updates', 'Analyze Results'],
    );
    await sees(page, /10,000\+ stocks and ETFs, daily closes only, at most one trade a day/);
    await sees(page, 'No crypto, options or futures.');
  });

  test('V2 reads the footer', async () => {
    const footer = page.getByRole('contentinfo');
    const text = await footer.innerText();
    for (const sentence of [
      /not a broker, an investment advisor or a trading platform/,
      /Data, analyses and backtests are provided as-is, with no guarantees/,
      /Nothing here is tax advice/,
      /Past backtest performance does not guarantee future results/,
      /trademarks belong to their owners/,
      /© 2025 Quantloom/,
    ])
      expect(text).toMatch(sentence);
    expect(await footer.getByRole('heading').allInnerTexts()).toEqual(['Product', 'Support', 'Legal']);
    await footer.getByRole('link', { name: 'Get started free' }).waitFor();
    expect(await footer.locator('a[href^="mailto:"]').innerText()).toMatch(/@/);
  });

  test('V3 reads the prices', async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL('**/pricing');
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor();
    expect(await page.title()).toMatch(/^Pricing .*Quantloom$/);
    const plans = page.getByRole('main').locator('section[aria-labelledby^="plan-"]');
    expect(await plans.count()).toBe(3);
    const api = await page.locator('section[aria-labelledby="plan-api"]').innerText();
    expect(api).toMatch(/\$30\s*\/month/);
    expect(api).toMatch(/1,500,000/);
    expect(api).toMatch(/API requests a minute\s*300/);
    const free = plans.nth(0);
    expect(await free.innerText()).toMatch(/\$0\s*\/month/);
    for (const missing of [
      'Batch backtests a month',
      'Template builder',
      'Variable lists',
      'API requests a minute',
    ])
      expect(await free.getByRole('listitem').filter({ hasText: missing }).textContent()).toBe(
        `${missing} not included`,
      );
    const copyTrader = await page.locator('section[aria-labelledby="plan-copy-trader"]').innerText();
    for (const fact of [/\$40\s*\/month/, /Coming Soon/, /2,500,000/, /API requests a minute\s*300/])
      expect(copyTrader).toMatch(fact);
    expect(await plans.filter({ hasText: /Trading bots\s*Unlimited/ }).count()).toBe(3);
  });

  test('V4 reads the legal pages', async () => {
    const read = async (link: string, path: string, title: string) => {
      await page.getByRole('contentinfo').getByRole('link', { name: link }).click();
      await page.waitForURL(`**${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await sees(page, 'Last updated March 17, 2025');
      return (await page.getByRole('article').getByRole('heading', { level: 2 }).allInnerTexts()).join('\n');
    };
    const terms = await read('Terms of service', '/terms-of-service', 'Terms of Service');
    const tail = [
      'Indemnification',
      'Arbitration',
      'Class-action waiver',
      'Termination',
      'Governing law',
      'Changes',
      'Contact',
    ];
    expect(
      terms
        .replace(/^\d+\. /gm, '')
        .split('\n')
        .slice(-7),
    ).toEqual(tail);
    await sees(page, /Delaware/);
    const privacy = await read('Privacy policy', '/privacy-policy', 'Privacy Policy');
    expect(privacy.replace(/^\d+\. /gm, '').split('\n')).toEqual([
      'Introduction',
      'Information we collect',
      'How we use it',
      'When we disclose it',
      'Security',
      'Your choices',
      'How long we keep it',
      'Children under 13',
      'California rights',
      'International users',
      'Changes to this policy',
      'Cookie policy',
      'Contact',
    ]);
  });

  test('V5 joins the waitlist without an account', async () => {
    await page.goto(platform.url);
    const answered = page.waitForResponse('**/api/v1/waitlist');
    await page.getByLabel('E-mail for the waitlist').fill('visitor@example.com');
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    const answer = await answered;
    expect(answer.status()).toBeLessThan(300);
    expect(answer.request().headers().authorization).toBeUndefined();
    await sees(page, /Thank you\. We will write to visitor@example\.com/);
  });

  test('V6 meets the not-found and the not-authorized view', async () => {
    await page.goto(`${platform.url}/no-such-page`);
    await sees(page, 'Not found', 'The resource you are looking for cannot be found.');
    expect(await page.title()).toMatch(/^Not found .*Quantloom$/);
    await page.goto(`${platform.url}/not-authorized`);
    await sees(
      page,
      'Access Restricted',
      "You don't have permission to access this feature. Please upgrade your account for access.",
    );
    const upgrade = page.getByRole('link', { name: 'Upgrade Account' });
    expect(await upgrade.getAttribute('href')).toBe('/account/billing');
  });

  test('V7 is told when a callback belongs to no sign-in', async () => {
    await page.goto(`${platform.url}/auth/callback?code=x&state=y`);
    await page.waitForURL(`${platform.url}/`);
    await sees(page, /Invalid state/);
  });

  test('V8 receives a strict content security policy, and no page needs another host', async () => {
    for (const path of ['/', '/pricing', '/drafts']) {
      const policy = (await fetch(platform.url + path)).headers.get('content-security-policy') ?? '';
      const directives = new Map(policy.split(';').map((one) => [one.trim().split(' ')[0], one.trim()]));
      const scripts = directives.get('script-src') ?? directives.get('default-src') ?? '';
      expect(scripts, path).toContain("'self'");
      expect(scripts, path).not.toContain("'unsafe-inline'");
      expect(policy, path).not.toMatch(/https?:/);
    }
    expect(platform.intrusions).toEqual([]);
  });

  test('V11 names its own address to previews and search engines', async () => {
    const text = async (path: string) => await (await fetch(platform.url + path)).text();
    const pricing = await text('/pricing');
    const image = /property="og:image"\s+content="([^"]+)"/.exec(pricing)?.[1] ?? '';
    expect(image.startsWith(`${platform.url}/`)).toBe(true);
    const picture = await fetch(image);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(pricing).toContain(`<link rel="canonical" href="${platform.url}/pricing"`);
    const sitemap = await text('/sitemap.xml');
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1]);
    expect(pages).toEqual(
      ['/', '/pricing', '/docs', '/developers', '/terms-of-service', '/privacy-policy'].map(
        (path) => platform.url + path,
      ),
    );
    expect(await text('/robots.txt')).toContain(`Sitemap: ${platform.url}/sitemap.xml`);
  });

  test.each([
    '/drafts',
    '/portfolio',
    '/tomorrow',
    '/editor/new',
    '/batch-backtests',
    '/variable-lists',
    '/account/general',
    '/admin/dashboard',
  ])('V9 is led from %s to the sign-in', async (path) => {
    await page.goto(platform.url + path);
    await page.locator('input[type=password]').waitFor();
    expect(new URL(page.url()).pathname).not.toBe(path);
  });

  test('V10 returns after signing up to the page that asked for it, with its query', async () => {
    let authorize = '';
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/authorize') authorize = request.url();
    });
    await page.goto(`${platform.url}/account/billing?from=mail`);
    await page.getByRole('link', { name: /sign up|create/i }).click();
    await page.locator('input[type=password]').waitFor();
    await fillCredentials(page, 'guarded@example.com');
    await page.waitForURL('**/account/billing?from=mail');
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    const query = new URL(authorize).searchParams;
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('response_type')).toBe('code');
    expect(query.get('redirect_uri')).toBe(`${platform.url}/auth/callback`);
    expect(query.get('audience')).not.toBeNull();
    expect(query.get('state')).not.toBeNull();
    expect(query.get('nonce')).not.toBeNull();
    expect(platform.faults).toEqual([]);
  });
});
