import { describe, expect, it, vi } from 'vitest';
import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { emailMachine } from './email.machine.ts';

function start(save: (email: string) => Promise<unknown>) {
  const clock = new SimulatedClock();
  const logOut = vi.fn();
  const actor = createActor(
    emailMachine.provide({
      actors: { save: fromPromise(({ input }) => save(input.email)) },
      actions: { logOut },
    }),
    { clock, input: { email: 'old@example.com' } },
  ).start();
  return { actor, clock, logOut };
}

describe('saving the e-mail address', () => {
  it('shows Saved and logs out 3 seconds later, not before', async () => {
    const save = vi.fn(() => Promise.resolve());
    const { actor, clock, logOut } = start(save);
    actor.send({ type: 'email.edit', email: 'new@example.com' });
    actor.send({ type: 'email.save' });
    await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('saved'), 30_000);
    expect(save).toHaveBeenCalledExactlyOnceWith('new@example.com');
    clock.increment(2_999);
    expect(logOut).not.toHaveBeenCalled();
    clock.increment(1);
    expect(logOut).toHaveBeenCalledOnce();
  });

  it('keeps what was typed and says why when saving fails', async () => {
    const { actor, clock, logOut } = start(() =>
      Promise.reject(new Error('Another account uses this e-mail address')),
    );
    actor.send({ type: 'email.edit', email: 'taken@example.com' });
    actor.send({ type: 'email.save' });
    await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('editing'), 30_000);
    expect(actor.getSnapshot().context).toEqual({
      email: 'taken@example.com',
      failure: 'Another account uses this e-mail address',
    });
    clock.increment(10_000);
    expect(logOut).not.toHaveBeenCalled();
  });

  it('ignores a second save while the first is under way', () => {
    const save = vi.fn(() => new Promise(() => {}));
    const { actor } = start(save);
    actor.send({ type: 'email.save' });
    actor.send({ type: 'email.save' });
    expect(save).toHaveBeenCalledOnce();
  });
});
