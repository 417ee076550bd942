import { describe, expect, it, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { CurrentUser, IdentityUser } from './identity.ts';
import { sessionMachine } from './session.machine.ts';

const IDENTITY: IdentityUser = { email: 'ann@example.com', subject: 'quantloom|1', userId: 'u1' };
const USER: CurrentUser = { id: 'u1', email: 'ann@example.com', features: [] };

function start(loadUser: (identity: IdentityUser) => Promise<CurrentUser> = () => Promise.resolve(USER)) {
  const spies = { logOutLocally: vi.fn(), goToMarketingHome: vi.fn(), startOver: vi.fn(), logged: vi.fn() };
  const actor = createActor(
    sessionMachine.provide({
      actors: { loadUser: fromPromise(({ input }) => loadUser(input)) },
      actions: {
        logOutLocally: spies.logOutLocally,
        goToMarketingHome: spies.goToMarketingHome,
        startOver: spies.startOver,
        logFailure: (_, { message }) => spies.logged(message),
      },
    }),
  ).start();
  const value = () => actor.getSnapshot().value;
  const isLoading = () => actor.getSnapshot().hasTag('loading');
  return { actor, value, isLoading, spies };
}

async function signedIn(loadUser?: (identity: IdentityUser) => Promise<CurrentUser>) {
  const session = start(loadUser);
  session.actor.send({ type: 'identity.found', identity: IDENTITY });
  await vi.waitFor(() => expect(session.value()).toBe('authenticated'), 30_000);
  return session;
}

describe('the session', () => {
  it('starts loading and is a visitor when the silent check finds nobody', () => {
    const { actor, value, isLoading } = start();
    expect(isLoading()).toBe(true);
    actor.send({ type: 'identity.none' });
    expect(value()).toBe('anonymous');
    expect(isLoading()).toBe(false);
  });

  it('is authenticated only once the user context has been loaded', async () => {
    let answer: (user: CurrentUser) => void = () => {};
    const { actor, value, isLoading } = start(() => new Promise((resolve) => (answer = resolve)));
    actor.send({ type: 'identity.found', identity: IDENTITY });
    expect(value()).toBe('loadingUser');
    expect(isLoading()).toBe(true);
    answer(USER);
    await vi.waitFor(() => expect(value()).toBe('authenticated'), 30_000);
    expect(actor.getSnapshot().context.user).toEqual(USER);
  });

  it('logs when the user context cannot be loaded, and tries again when asked', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('503')).mockResolvedValueOnce(USER);
    const { actor, value, isLoading, spies } = start(load);
    actor.send({ type: 'identity.found', identity: IDENTITY });
    await vi.waitFor(() => expect(value()).toBe('userFailed'), 30_000);
    expect(isLoading()).toBe(false);
    expect(spies.logged).toHaveBeenCalledExactlyOnceWith('Failed to load user context on initialization');
    actor.send({ type: 'user.retry' });
    await vi.waitFor(() => expect(value()).toBe('authenticated'), 30_000);
  });

  it('logs a failed authentication and goes to MarketingHome', () => {
    const { actor, value, spies } = start();
    const error = Object.assign(new Error('Invalid state'), { error: 'state_mismatch' });
    actor.send({ type: 'identity.failed', error });
    expect(value()).toBe('anonymous');
    expect(actor.getSnapshot().context.error).toBe(error);
    expect(spies.logged).toHaveBeenCalledExactlyOnceWith('Authentication failed');
    expect(spies.goToMarketingHome).toHaveBeenCalledOnce();
  });

  it('logs out locally when renewal needs a login, but keeps the page', async () => {
    const { actor, value, spies } = await signedIn();
    actor.send({ type: 'identity.lost' });
    actor.send({ type: 'identity.none' });
    expect(value()).toBe('expired');
    expect(spies.logOutLocally).toHaveBeenCalledOnce();
    expect(actor.getSnapshot().context.user).toEqual(USER);
    actor.send({ type: 'user.leave' });
    expect(value()).toBe('anonymous');
    expect(actor.getSnapshot().context.user).toBeNull();
  });

  it('goes on where it was when the same person signs in again', async () => {
    const { actor, value, isLoading, spies } = await signedIn();
    actor.send({ type: 'identity.lost' });
    actor.send({ type: 'identity.found', identity: IDENTITY });
    expect(isLoading()).toBe(false);
    await vi.waitFor(() => expect(value()).toBe('authenticated'), 30_000);
    expect(spies.startOver).not.toHaveBeenCalled();
  });

  it('starts over when somebody else signs in', async () => {
    const load = vi
      .fn()
      .mockResolvedValueOnce(USER)
      .mockResolvedValueOnce({ ...USER, id: 'u2' });
    const { actor, value, spies } = await signedIn(load);
    actor.send({ type: 'identity.lost' });
    actor.send({ type: 'identity.found', identity: { ...IDENTITY, userId: 'u2' } });
    await vi.waitFor(() => expect(value()).toBe('anonymous'), 30_000);
    expect(spies.startOver).toHaveBeenCalledOnce();
    expect(actor.getSnapshot().context.user).toBeNull();
  });

  it('forgets everything when another tab signs out, and does not begin anew by itself', async () => {
    const { actor, value, isLoading, spies } = await signedIn();
    actor.send({ type: 'tab.signedOut' });
    actor.send({ type: 'identity.none' });
    expect(value()).toBe('left');
    expect(isLoading()).toBe(false);
    expect(actor.getSnapshot().context).toEqual({ identity: null, user: null, error: null });
    expect(spies.logOutLocally).toHaveBeenCalledOnce();
    actor.send({ type: 'tab.signedIn', userId: 'u1' });
    expect(value()).toBe('replaced');
  });

  it('forgets everything when somebody else signs in in another tab, and only then', async () => {
    const { actor, value, isLoading } = await signedIn();
    actor.send({ type: 'tab.signedIn', userId: 'u1' });
    expect(value()).toBe('authenticated');
    actor.send({ type: 'tab.signedIn', userId: 'u2' });
    expect(value()).toBe('replaced');
    expect(isLoading()).toBe(true);
    expect(actor.getSnapshot().context.user).toBeNull();
  });

  it('of a page that lost it ends with the sign-out in another tab', async () => {
    const { actor, value } = await signedIn();
    actor.send({ type: 'identity.lost' });
    expect(value()).toBe('expired');
    actor.send({ type: 'tab.signedOut' });
    expect(value()).toBe('left');
    expect(actor.getSnapshot().context.user).toBeNull();
  });

  it('forgets who it was where the person could not be asked for and signs out elsewhere', async () => {
    for (const [event, state] of [
      [{ type: 'tab.signedOut' }, 'left'],
      [{ type: 'identity.lost' }, 'anonymous'],
      [{ type: 'identity.none' }, 'anonymous'],
    ] as const) {
      const { actor, value } = start(() => Promise.reject(new Error('503')));
      actor.send({ type: 'identity.found', identity: IDENTITY });
      await vi.waitFor(() => expect(value()).toBe('userFailed'), 30_000);
      actor.send(event);
      expect(value()).toBe(state);
      expect(actor.getSnapshot().context).toEqual({ identity: null, user: null, error: null });
    }
  });

  it('forgets who it was where it ends while the person is asked for', () => {
    for (const [type, state] of [
      ['identity.lost', 'anonymous'],
      ['tab.signedOut', 'left'],
    ] as const) {
      const { actor, value, spies } = start(() => new Promise(() => {}));
      actor.send({ type: 'identity.found', identity: IDENTITY });
      actor.send({ type });
      expect(value()).toBe(state);
      expect(actor.getSnapshot().context.identity).toBeNull();
      expect(spies.logOutLocally).toHaveBeenCalledOnce();
    }
  });

  it('stays expired, with the page, where the same person cannot be asked for again', async () => {
    const load = vi.fn().mockResolvedValueOnce(USER).mockRejectedValueOnce(new Error('503'));
    const { actor, value } = await signedIn(load.mockResolvedValue(USER));
    actor.send({ type: 'identity.lost' });
    actor.send({ type: 'identity.found', identity: IDENTITY });
    await vi.waitFor(() => expect(value()).toBe('expired'), 30_000);
    expect(actor.getSnapshot().context).toMatchObject({ user: USER, error: { message: '503' } });
    // Found once more, the failure is over.
    actor.send({ type: 'identity.found', identity: IDENTITY });
    expect(actor.getSnapshot().context.error).toBeNull();
    await vi.waitFor(() => expect(value()).toBe('authenticated'), 30_000);
  });

  it('of a visitor is left alone by a person who signs in in another tab', () => {
    const { actor, value } = start();
    actor.send({ type: 'identity.none' });
    actor.send({ type: 'tab.signedIn', userId: 'u2' });
    expect(value()).toBe('anonymous');
  });

  it('shows what the person changed about themselves', async () => {
    const { actor } = await signedIn();
    const user = { ...USER, features: ['new'] } as CurrentUser;
    actor.send({ type: 'user.changed', user });
    expect(actor.getSnapshot().context.user).toEqual(user);
  });
});
