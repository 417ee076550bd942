import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, until } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { signIn } from '../upgrade/people.ts';
import { largeInstallation, OF_EACH } from './large-installation.ts';

let server: RunningServer;
let ada: Api;
let dataDir = '';
beforeAll(async () => {
  dataDir = await largeInstallation();
  server = await startServer({ dataDir, environment: { BOOTSTRAP_API_CLIENT: '' } });
  ada = await signIn(server.url, 'ada', 'login');
}, 900_000);
afterAll(async () => {
  await server?.stop();
  if (dataDir !== '') await removeDataDir(path.dirname(dataDir));
});

const LISTS = [['/api/v1/drafts'], ['/api/v1/variable-lists'], ['/api/v1/batch-backtests']] as const;

interface Line {
  readonly id: string;
  readonly name: string;
}

async function page(list: string, query: string): Promise<{ rows: Line[]; total: number; isStale: boolean }> {
  const { status, body, headers } = await ada.get(`${list}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    rows: body as Line[],
    total: Number(headers.get('x-total-count')),
    isStale: headers.has('x-quantloom-stale'),
  };
}

describe(`a person with ${OF_EACH} of everything`, { timeout: 900_000 }, () => {
  it('gets answers from the first minute on, which say that they are not all while the lists catch up', async () => {
    for (const [list] of LISTS) {
      const last = await until(
        async () => await page(list, 'limit=100'),
        ({ rows, total, isStale }) => {
          expect(rows.length).toBe(Math.min(100, total));
          if (!isStale) expect(total).toBe(OF_EACH);
          return !isStale;
        },
        600_000,
      );
      expect(last.total).toBe(OF_EACH);
    }
  });

  it.each(LISTS)('reaches each of them, once, page by page: %s', async (list) => {
    const seen = new Map<string, string>();
    for (let skip = 0; skip < OF_EACH; skip += 1_000)
      for (const { id, name } of (await page(list, `limit=1000&skip=${skip}&sort=created:asc`)).rows)
        seen.set(id, name);
    expect(seen.size).toBe(OF_EACH);
    const names = [...seen.values()];
    const byName = await page(list, `limit=5&skip=${OF_EACH - 5}&sort=name:asc`);
    const last = names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).slice(-5);
    expect(byName.rows.map(({ name }) => name)).toEqual(last);
  });

  it.each(LISTS)('finds the oldest by its name, and counts what a word is in: %s', async (list) => {
    const [oldest] = (await page(list, 'limit=1&sort=created:asc')).rows;
    const found = await page(list, `limit=20&search=${encodeURIComponent(oldest?.name ?? '')}`);
    expect(found.rows.map(({ id }) => id)).toContain(oldest?.id);
    const withWord = await page(list, 'limit=1&search=QQQ');
    expect(withWord.total).toBeGreaterThan(1_000);
    expect(withWord.total).toBeLessThan(OF_EACH);
    const lastOfThem = await page(list, `limit=10&search=qqq&skip=${withWord.total - 3}`);
    expect(lastOfThem.rows).toHaveLength(3);
    expect(await page(list, 'limit=10&search=no-such-thing')).toMatchObject({ rows: [], total: 0 });
  });
});
