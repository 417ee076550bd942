import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type {
  FakeBar,
  FakeProviderServer,
} from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import { openPersonKeys } from '@quantloom/deploy/wiring/person-keys';
import { alertSettingsStream, NO_ALERTS } from '@quantloom/domain/alerts/settings';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { type CommandContext, handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { TICKERS } from './strategies.ts';

const PRICES = path.join(import.meta.dirname, '../../docs/examples/public_domain.csv.gz');
/** Strategies that one user follows: as many as the API plan allows. */
const PER_USER = 100;

/** Real closes by ticker, from the day on that all tickers have. */
export function realPrices(): ReadonlyMap<string, readonly FakeBar[]> {
  const real = new Map<string, FakeBar[]>(TICKERS.map((ticker) => [ticker, []]));
  for (const line of gunzipSync(readFileSync(PRICES)).toString().split('\n').slice(1)) {
    const [date = '', ticker = '', close] = line.split(',');
    real.get(ticker)?.push({ date, close: Number(close) });
  }
  const shortest = Math.min(...[...real.values()].map((bars) => bars.length));
  return new Map([...real].map(([ticker, bars]) => [ticker, bars.slice(-shortest)]));
}

/** Takes webhooks, and counts how often each message came. */
export class HookReceiver {
  readonly came = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    const id = String(request.headers['quantloom-delivery']);
    this.came.set(id, (this.came.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.writeHead(204).end());
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }
  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export interface World {
  readonly dataDir: string;
  readonly provider: FakeProviderServer;
  readonly hooks: HookReceiver;
  readonly real: ReadonlyMap<string, readonly FakeBar[]>;
  readonly days: readonly string[];
  readonly strategies: ReadonlyMap<string, object>;
  readonly first: number;
}

/** The log of a data folder, beside a product that may have it open as well. */
export async function openLog(dataDir: string) {
  const database = openSqliteDatabase(path.join(dataDir, 'quantloom.sqlite'));
  const keys = await openPersonKeys({ CLUSTER_NAME: '', DATA_DIR: dataDir });
  const eventStore = openSealedEventStore(openSqliteEventStore(database), keys);
  return {
    eventStore,
    close: async () => {
      await eventStore.close();
      await keys.close();
      database.close();
    },
  };
}

export const nightOf = (day: string): number => Date.parse(`${day}T23:30:00Z`);

/**
 * Strategies, users who follow them, and what they want to be told, written as the API would.
 *
 * @param followers how many follow the first strategy
 */
export async function writeLog(world: World, followers = 1): Promise<void> {
  const { dataDir, strategies, days, first, hooks } = world;
  const log = await openLog(dataDir);
  const startDay = days[first - 1] ?? '';
  const say = async <Command, State, Event extends DomainEvent>(
    kind: StreamKind<Command, State, Event>,
    id: string,
    command: Command,
  ) => {
    const commandId = derivedId(nightOf(startDay), kind.category, id);
    const context: CommandContext = {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'bench' },
      now: new Date(nightOf(startDay)).toISOString(),
    };
    const done = await handleCommand(log.eventStore, kind, id, command, context);
    if (isRefusal(done)) throw new Error(`${kind.category}-${id}: ${done.detail}`);
  };
  let index = 0;
  for (const [strategyId, algorithm] of strategies) {
    const userId = userOf(index);
    if (index % PER_USER === 0) {
      await say(USER_STREAM, userId, {
        type: 'RegisterUser',
        userId,
        subject: `bench|${userId}`,
        email: `${userId.toLowerCase()}@example.com`,
        planId: 'api',
        grantedFeatures: [],
      });
      const settings = { ...NO_ALERTS, webhookUrl: hooks.url };
      await say(alertSettingsStream, userId, { type: 'ChangeAlerts', userId, settings });
    }
    await say(strategyStream, strategyId, {
      type: 'CreateStrategy',
      strategyId,
      caller: { userId, features: [] },
      name: `Strategy ${index}`,
      isPublic: false,
      status: 'draft',
      algorithm,
    });
    const follow = { userId, strategyId, revision: 0, startDay, registration: null };
    await say(followStream, followId(follow), { type: 'FollowStrategy', follow });
    index += 1;
  }
  const [strategyId = ''] = strategies.keys();
  for (let i = 1; i < followers; i++) {
    const userId = derivedId(0, 'further user', String(i));
    const follow = { userId, strategyId, revision: 0, startDay, registration: null };
    await say(followStream, followId(follow), { type: 'FollowStrategy', follow });
  }
  await log.close();
}

export const userOf = (index: number): string => derivedId(0, 'user', String(Math.floor(index / PER_USER)));
