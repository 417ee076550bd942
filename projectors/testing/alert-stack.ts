import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { Delivery } from '@quantloom/domain/alerts/delivery';
import { type AlertSettings, alertSettingsStream } from '@quantloom/domain/alerts/settings';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { type BandFixed, bandId, bandStream } from '@quantloom/domain/forward-test/band';
import { type Decided, decisionId, decisionStream } from '@quantloom/domain/forward-test/decision';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { MailMessage } from '@quantloom/domain/ports/mail';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { someBand } from '@quantloom/domain/testing/forward-test/some-band';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { type SendingAlerts, startSendingAlerts } from '../src/alerts/send-alerts.ts';
import { createProjectors } from '../src/projectors.ts';

/** Who is told. */
export const USER = 'ann';
export const TAKEN: Delivery = { isDelivered: true, status: 204, reason: null };

export interface Posted {
  readonly id: string;
  readonly body: { readonly alerts: readonly { kind: string; is_late: boolean; text: string }[] };
}

/** How a decision is other than most. */
type Made = Partial<Pick<Decided, 'revision' | 'conditions'>> & { readonly isLate?: boolean };

export type AlertStack = Awaited<ReturnType<typeof openAlertStack>>;

/** Everything around alerts, with a user who follows two strategies, a receiver of webhooks and a mailbox. */
export async function openAlertStack() {
  const folder = mkdtempSync(path.join(tmpdir(), 'alerts-'));
  const database = openSqliteDatabase(path.join(folder, 'app.sqlite'), { pollMs: 5 });
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  /** What a test sets, and what came. */
  const world = {
    time: Date.parse('2026-11-20T22:00:00Z'),
    posted: [] as Posted[],
    mails: [] as MailMessage[],
    isConfirmed: true,
    /** Whether the identity provider still knows the user. */
    isKnown: true,
    /** Whether mails can be sent just now. */
    takesMails: true,
    answer: async (_id: string): Promise<Delivery> => TAKEN,
  };
  const open: SendingAlerts[] = [];
  const clock = { now: () => new Date(world.time) };
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  await projectors.start();

  async function act<Command, State, Event extends DomainEvent>(
    kind: StreamKind<Command, State, Event>,
    id: string,
    command: Command,
  ) {
    const commandId = ulid();
    const context = { commandId, correlationId: commandId, actor: { kind: 'user', userId: USER } as const };
    const result = await handleCommand(eventStore, kind, id, command, {
      ...context,
      now: clock.now().toISOString(),
    });
    if (isRefusal(result)) throw new Error(result.detail);
  }
  async function create(strategyId: string, ownerId = USER) {
    const algorithm = STARTERS[0]?.build(ulid);
    const caller = { userId: ownerId, features: [] };
    const rest = { isPublic: ownerId !== USER, status: 'draft', algorithm, caller };
    const name = `Name of ${strategyId}`;
    await act(strategyStream, strategyId, { type: 'CreateStrategy', strategyId, name, ...rest });
  }
  async function follow(strategyId: string, startDay = '2026-11-01', userId = USER) {
    const one = { userId, strategyId, revision: 0, startDay, registration: null };
    await act(followStream, followId(one), { type: 'FollowStrategy', follow: one });
  }
  const wants = (settings: AlertSettings) =>
    act(alertSettingsStream, USER, { type: 'ChangeAlerts', userId: USER, settings });

  async function decide(
    strategyId: string,
    day: string,
    weights: Decided['weights'],
    { revision = 0, conditions = [], isLate = false }: Made = {},
  ) {
    const rest = {
      revision,
      runFrom: '2020-01-02',
      dataVersion: 'v',
      engineVersion: '4',
      isSimulated: false,
    };
    const decided = { strategyId, day, weights, ...rest, conditions, branches: [], closes: {} };
    await act(decisionStream, decisionId(decided), { type: 'MakeDecision', decided, isLate });
  }

  const fixBand = (key: Pick<BandFixed, 'strategyId' | 'startDay' | 'number'>) =>
    act(bandStream, bandId(key), { type: 'FixBand', band: someBand(key) });

  /** A process that sends; its own loop does not come round in a test. */
  async function sender(): Promise<SendingAlerts> {
    const one = await startSendingAlerts({
      eventStore,
      readModels,
      webhooks: {
        secretOf: (userId, number) => `secret of ${userId} ${number}`,
        post: async ({ id, body }) => {
          world.posted.push({ id, body: JSON.parse(body) });
          return await world.answer(id);
        },
      },
      mail: {
        send: async (message) => {
          if (!world.takesMails) throw new Error('The mail server is gone');
          world.mails.push(message);
        },
      },
      identity: {
        account: async (subject) =>
          world.isKnown
            ? {
                subject,
                email: 'ann@example.org',
                userId: USER,
                isEmailVerified: world.isConfirmed,
                hasSecondFactor: false,
              }
            : null,
      },
      settingsUrl: 'https://quantloom.example/tomorrow',
      clock,
      ids: ulid,
      log: NO_LOG,
      lookEveryMs: 1e9,
    });
    open.push(one);
    await one.pass();
    return one;
  }
  async function passed(one: SendingAlerts) {
    await projectors.whenReached(await eventStore.head(), { timeoutMs: 30_000 });
    await one.pass();
    await projectors.whenReached(await eventStore.head(), { timeoutMs: 30_000 });
  }
  const idsPosted = () => world.posted.map(({ id }) => id);

  const registered = {
    subject: 'sub',
    email: 'ann@example.org',
    planId: 'api',
    grantedFeatures: [],
  } as const;
  await act(USER_STREAM, USER, { type: 'RegisterUser', userId: USER, ...registered });
  for (const strategyId of ['s1', 's2']) {
    await create(strategyId);
    await follow(strategyId);
  }
  const close = async () => {
    for (const one of open.splice(0)) await one.close();
    await projectors.stop();
    await eventStore.close();
    await readModels.close();
    database.close();
    rmSync(folder, { recursive: true });
  };
  return { readModels, world, act, create, follow, wants, decide, fixBand, sender, passed, idsPosted, close };
}
