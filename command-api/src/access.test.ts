import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import {
  ACCESS_TABLE,
  type AccessRow,
  CHANGES_BY_SCOPE,
  type Outcome,
  READS_BY_SCOPE,
  ROLES,
  type Role,
  type Thing,
  WHEN_PUBLIC,
} from '@quantloom/domain/contracts/http/access-table';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import type { ResultShared } from '@quantloom/domain/shared-result/shared-result';
import { FIGURE_NAMES, type RecordedRun } from '@quantloom/domain/strategy-run/events';
import { strategyRunsId } from '@quantloom/domain/strategy-run/strategy-run';
import { refuseAccess } from '@quantloom/http/routes';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDeps } from '../testing/embedded-deps.ts';
import { sampleBody } from '../testing/sample-body.ts';
import { type Caller, PRINCIPALS, startTestApi, type TestApi } from '../testing/test-api.ts';

const CALLER_OF: Readonly<Record<Role, Caller | null>> = {
  visitor: null,
  free: 'free',
  owner: 'paid',
  other: 'other',
  machine: 'machine',
  machineWithoutScope: 'machineWithoutScope',
  admin: 'admin',
  adminMachine: 'adminMachine',
};

/** Of routes that need one, by the last part of the path. */
const QUERIES: Readonly<Record<string, string>> = {
  download: '?user=x&expires=1&signature=x',
  'heat-map': '?x=$A&y=$B',
  compare: '?with=01ARZ3NDEKTSV4RRFFQ69G5FAV',
};
/** Things that their owner can show to others. */
const PUBLISHABLE: readonly Thing[] = ['tradingBot', 'variableList', 'batch'];
const contracts: RouteContract[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(await embeddedDeps(), (contract) => contracts.push(contract));
});
afterAll(async () => {
  await api.close();
});

const algorithm = { id: 'r', node_type: 'root', name: 'R', children: [] };

/** A thing of the owner; its id. */
async function make(thing: Thing, isPublic = false): Promise<string> {
  if (thing === 'none') return ulid();
  if (thing === 'batch') return await makeBatch(isPublic);
  if (thing === 'sharedResult') return await makeSharedResult();
  const isBot = thing === 'tradingBot' || thing === 'deletedTradingBot';
  const created = isBot
    ? await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'Bot', is_public: isPublic, algorithm })
    : await api.call('paid', 'POST', '/api/v1/variable-lists', {
        name: 'List',
        is_public: isPublic,
        variables: ['SPY'],
      });
  const { id } = created.json();
  if (thing === 'tradingBot') await recordRun(id);
  if (thing === 'deletedTradingBot') await api.call('paid', 'DELETE', `/api/v1/drafts/${id}`);
  if (thing === 'deletedVariableList') await api.call('paid', 'DELETE', `/api/v1/variable-lists/${id}`);
  return id;
}

const TERMS = {
  start_date: '2020-01-01',
  end_date: '2020-12-31',
  starting_balance: 10_000,
  slippage_bps: 10,
  benchmark_ticker: 'SPY',
};

/** Begins a stream with an event of the owner's. */
async function append(stream: string, type: string, data: object): Promise<void> {
  const id = ulid();
  const event: NewEvent = {
    id: ulid(),
    type,
    data,
    metadata: {
      schemaVersion: 1,
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { kind: 'user', userId: 'user-paid' },
      recordedAt: new Date().toISOString(),
    },
  };
  const { position } = await api.deps.eventStore.append(stream, [event], 'noStream');
  expect(await api.projectors.whenReached(position)).toBe(true);
}

async function makeSharedResult(): Promise<string> {
  const id = ulid();
  const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, null])) as RecordedRun['figures'];
  const data: ResultShared['data'] = {
    shareId: id,
    key: '0'.repeat(32),
    ownerId: 'user-paid',
    strategyId: 's',
    runId: 'x',
    revision: 0,
    treeHash: '0'.repeat(64),
    name: 'Bot',
    strategyText: null,
    result: {
      terms: TERMS,
      dataVersion: 'v',
      engineVersion: '1',
      isSimulated: true,
      resultHash: '0'.repeat(64),
      firstDay: '2020-01-02',
      lastDay: '2020-12-31',
      firstDayDecidedBy: [],
      lastDayDecidedBy: [],
      figures,
      benchmarkFigures: null,
      curve: { days: [], value: [], benchmark: null },
      years: [],
      drawdowns: [],
      further: {
        sortino: null,
        ulcerIndex: null,
        turnoverPerYear: null,
        exposure: null,
        beta: null,
        correlation: null,
        trades: 0,
      },
    },
  };
  await append(`sharedResult-${id}`, 'ResultShared', data);
  return id;
}

/** A run of the name that every `{run}` of this test has. */
async function recordRun(strategyId: string): Promise<void> {
  const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, null])) as RecordedRun['figures'];
  const run: RecordedRun = {
    strategyId,
    ownerId: 'user-paid',
    runId: 'x',
    revision: 0,
    treeHash: '0'.repeat(64),
    terms: TERMS,
    dataVersion: 'v',
    engineVersion: '1',
    isSimulated: true,
    resultHash: '0'.repeat(64),
    firstDay: '2020-01-02',
    lastDay: '2020-12-31',
    figures,
    line: [],
  };
  await append(
    `strategyRuns-${strategyRunsId(strategyId, new Date().toISOString())}`,
    'StrategyRunRecorded',
    run,
  );
}

async function makeBatch(isPublic: boolean): Promise<string> {
  const id = ulid();
  const created = BATCH_STREAM.events.find(({ type }) => type === 'BatchBacktestCreated');
  const event: NewEvent = {
    id: ulid(),
    type: 'BatchBacktestCreated',
    data: {
      batchId: id,
      userId: 'user-paid',
      name: 'Batch',
      isPublic,
      template: { name: 'T', variables: ['$A'], algorithm },
      variables: [{ name: '$A', values: ['SPY'] }],
      config: { start_date: '2020-01-01', end_date: '2021-01-01' },
      requestedCombinations: 1,
      combinations: 1,
      partitionSize: 1,
      partitions: 1,
      timeEstimateSeconds: 1,
      isQuick: true,
      dataVersion: 'v',
      engineVersion: '1',
      isSimulated: true,
      strategyId: null,
      strategyRevision: null,
      lineageId: id,
      fingerprint: 'f',
      reuse: [],
      quotaMonth: '2026-01',
      quotaByPartition: [1],
    },
    metadata: {
      schemaVersion: created?.version ?? 1,
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { kind: 'user', userId: 'user-paid' },
      recordedAt: new Date().toISOString(),
    },
  };
  const { position } = await api.deps.eventStore.append(`batch-${id}`, [event], 'noStream');
  expect(await api.projectors.whenReached(position)).toBe(true);
  return id;
}

/** A body with which the call would go through. */
function bodyOf(contract: RouteContract, role: Role): unknown {
  const caller = CALLER_OF[role];
  if (contract.id === 'createUser' && caller)
    return { email: PRINCIPALS[caller].email, auth0_id: PRINCIPALS[caller].subject };
  if (contract.id === 'updateBatchBacktest') return { name: 'Renamed' };
  if (contract.id === 'shareResult') return { run_id: 'x' };
  if (contract.path.endsWith('/rows')) return { combinations: [0] };
  return sampleBody(contract);
}

/**
 * What the answer says about access. A thing that does not exist is no answer about access where the route
 * names none.
 */
function outcomeOf(status: number, row: AccessRow): Outcome | 'broken' {
  if (status >= 500) return 'broken';
  if (status === 401 || status === 403) return status;
  return status === 404 && row.thing !== 'none' ? 404 : 'ok';
}

describe('access', () => {
  /** Tries a route as a role on a thing; null where the outcome is the expected one. */
  async function fault(
    contract: RouteContract,
    row: AccessRow,
    role: Role,
    expected: Outcome,
    isPublic = false,
  ): Promise<string | null> {
    const id = await make(row.thing, isPublic);
    const url = contract.path
      .replace('{id}', id)
      .replace('{revision}', '0')
      .replace('{combination}', '0')
      .replace(/\{\w+\}/g, 'x');
    const query = QUERIES[contract.path.split('/').at(-1) ?? ''] ?? '';
    // Event streams go on for ever; a caller who is let in needs no more than the headers.
    if (contract.path.endsWith('/events') && expected === 'ok') return null;
    const body = bodyOf(contract, role);
    const answer = await api.call(CALLER_OF[role], contract.method, `${url}${query}`, body);
    if (outcomeOf(answer.statusCode, row) === expected) return null;
    return `${role} ${contract.method} ${contract.path}: ${answer.statusCode} ${answer.body.slice(0, 120)}`;
  }

  it('every registered route is in the table, and no other', () => {
    const routes = contracts.map(({ method, path }) => `${method} ${path}`).sort();
    expect(routes.length).toBeGreaterThan(50);
    expect(Object.keys(ACCESS_TABLE).sort(), 'Say in ACCESS_TABLE who may call each').toEqual(routes);
    const onThings = Object.entries(ACCESS_TABLE).filter(([, { thing }]) => PUBLISHABLE.includes(thing));
    expect(
      Object.keys(WHEN_PUBLIC).sort(),
      'Say in WHEN_PUBLIC what others get of each where it is public',
    ).toEqual(onThings.map(([route]) => route).sort());
  });

  it('every route lets through exactly whom the table names', async () => {
    const wrong: (string | null)[] = [];
    for (const contract of contracts) {
      const row = ACCESS_TABLE[`${contract.method} ${contract.path}`];
      if (!row) continue;
      for (const role of ROLES) wrong.push(await fault(contract, row, role, row.outcomes[role]));
    }
    expect(wrong.filter((line) => line !== null)).toEqual([]);
  }, 60_000);

  it('lets an API client through with the scopes that the table names, and with no other', () => {
    const open = Object.entries(ACCESS_TABLE).filter(
      ([, { outcomes }]) => outcomes.visitor === 401 && outcomes.machine !== 403,
    );
    const changes = Object.values(CHANGES_BY_SCOPE).flat();
    expect(changes.filter((route) => !open.some(([each]) => each === route))).toEqual([]);
    const wrong: string[] = [];
    for (const [route] of open) {
      const contract = contracts.find(({ method, path }) => `${method} ${path}` === route);
      if (!contract) throw new Error(`${route} is not registered`);
      const own = (['backtest', 'batches'] as const).filter(
        (scope) => CHANGES_BY_SCOPE[scope].includes(route) || READS_BY_SCOPE[scope].includes(route),
      );
      const expected: readonly string[] = changes.includes(route) ? own : ['read', ...own];
      for (const scope of API_SCOPES) {
        const caller = { ...PRINCIPALS.machine, scopes: ['api:backtester', scope] };
        const refusal = refuseAccess(contract, caller);
        const isAsExpected = expected.includes(scope) ? refusal === null : refusal?.code === 'scope_missing';
        if (!isAsExpected) wrong.push(`${route} with ${scope}: ${refusal?.code ?? 'let through'}`);
      }
    }
    expect(wrong, 'Name each in CHANGES_BY_SCOPE or READS_BY_SCOPE, or change its contract').toEqual([]);
    expect(open.length).toBeGreaterThan(50);
  });

  it('what is public may be looked at and copied by others, and nothing else', async () => {
    const wrong: (string | null)[] = [];
    for (const contract of contracts) {
      const route = `${contract.method} ${contract.path}`;
      const row = ACCESS_TABLE[route];
      const expected = WHEN_PUBLIC[route];
      if (!row || expected === undefined) continue;
      wrong.push(await fault(contract, row, 'other', expected, true));
      wrong.push(await fault(contract, row, 'visitor', 401, true));
    }
    expect(wrong.filter((line) => line !== null)).toEqual([]);
  }, 60_000);
});
