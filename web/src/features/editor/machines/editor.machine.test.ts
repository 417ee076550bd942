import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { describe, expect, it, vi } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { ApiError } from '../../../lib/api.ts';
import type { EditorDocument } from '../model/editor-store.ts';
import { editorMachine, type SaveInput } from './editor.machine.ts';

let count = 0;
const algorithm = newAlgorithm(() => `node_${++count}`);
const document: EditorDocument = { name: 'Mine', isPublic: false, algorithm };
const bot = (id: string, revision: number) =>
  ({ id, name: 'Stored', is_public: false, algorithm, revision }) as TradingBot;
const refused = (status: number, body: object = {}) =>
  Object.assign(Object.create(ApiError.prototype) as ApiError, { status, body, message: 'refused' });

function start(id: string, save: (input: SaveInput) => Promise<TradingBot>, load = async () => bot(id, 3)) {
  const opened = vi.fn();
  const saved = vi.fn();
  const actor = createActor(
    editorMachine.provide({
      actors: {
        load: fromPromise(load),
        save: fromPromise(({ input }: { input: SaveInput }) => save(input)),
      },
      actions: { openDocument: opened, documentSaved: saved },
    }),
    { input: { id } },
  ).start();
  return { actor, opened, saved };
}
const modeOf = (actor: ReturnType<typeof start>['actor']) => actor.getSnapshot().value;

describe('opening', () => {
  it('begins with editing when the strategy is new, and loads every other', async () => {
    expect(modeOf(start('new', async () => bot('a', 1)).actor)).toBe('editing');
    const { actor, opened } = start('a', async () => bot('a', 4));
    expect(modeOf(actor)).toBe('loading');
    await waitFor(actor, (state) => state.matches('editing'));
    expect(opened).toHaveBeenCalledOnce();
    expect(actor.getSnapshot().context.bot?.revision).toBe(3);
  });
  it.each([403, 404])('tells a %s as missing', async (status) => {
    const { actor } = start(
      'a',
      async () => bot('a', 1),
      () => Promise.reject(refused(status)),
    );
    await waitFor(actor, (state) => state.matches('missing'));
  });
  it('tries again after a failure', async () => {
    let attempts = 0;
    const { actor } = start(
      'a',
      async () => bot('a', 1),
      async () => {
        if (++attempts === 1) throw refused(500);
        return bot('a', 3);
      },
    );
    await waitFor(actor, (state) => state.matches('failed'));
    actor.send({ type: 'user.retry' });
    await waitFor(actor, (state) => state.matches('editing'));
    expect(actor.getSnapshot().context.error).toBeNull();
  });
  it('has nothing to load anew before the first save', async () => {
    const { actor } = start('new', async () => bot('made', 1));
    actor.send({ type: 'user.reload' });
    expect(modeOf(actor)).toBe('editing');
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('editing'));
    actor.send({ type: 'user.reload' });
    expect(modeOf(actor)).toBe('loading');
  });
});

describe('a change beside the document', () => {
  const editing = async () => {
    const inputs: SaveInput[] = [];
    const run = start('a', async (input) => {
      inputs.push(input);
      return bot('a', 9);
    });
    await waitFor(run.actor, (state) => state.matches('editing'));
    const saves = async () => {
      run.actor.send({ type: 'user.save', document });
      await waitFor(run.actor, (state) => state.matches('editing'));
      return inputs.at(-1);
    };
    return { ...run, saves };
  };
  it('of the hold-out leaves the document, which is saved on the new revision', async () => {
    const { actor, opened, saves } = await editing();
    const holdOut = { from: '2024-01-01' } as unknown as NonNullable<TradingBot['hold_out']>;
    actor.send({ type: 'server.heldOut', revision: 5, holdOut });
    expect(actor.getSnapshot().context.bot).toMatchObject({ id: 'a', revision: 5, hold_out: holdOut });
    expect(opened).toHaveBeenCalledOnce();
    expect(await saves()).toMatchObject({ revision: 5, base: { hold_out: holdOut } });
    actor.send({ type: 'server.heldOut', revision: 10, holdOut: null });
    expect(await saves()).toMatchObject({ revision: 10, base: { hold_out: null } });
  });
  it('that replaces the strategy opens it, and is saved on its revision', async () => {
    const { actor, opened, saves } = await editing();
    actor.send({ type: 'server.changed', bot: bot('a', 6) });
    expect(opened).toHaveBeenCalledTimes(2);
    expect((await saves())?.revision).toBe(6);
  });
});

describe('saving', () => {
  it('names the revision that was edited and follows the new id', async () => {
    const inputs: SaveInput[] = [];
    const { actor, saved } = start('new', async (input) => {
      inputs.push(input);
      return bot('made', 1);
    });
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('editing'));
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('editing'));
    expect(inputs.map(({ id, revision }) => [id, revision])).toEqual([
      ['new', null],
      ['made', 1],
    ]);
    expect(saved).toHaveBeenCalledTimes(2);
  });
  it('keeps editing with the error in sight when the server refuses', async () => {
    const { actor, saved } = start('new', () => Promise.reject(refused(500)));
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('editing') && state.context.error !== null);
    expect(saved).not.toHaveBeenCalled();
    // The next attempt has not failed.
    actor.send({ type: 'user.save', document });
    expect(actor.getSnapshot().context.error).toBeNull();
  });
  it('ignores a second save while one is under way', () => {
    const save = vi.fn(() => new Promise<TradingBot>(() => {}));
    const { actor } = start('new', save);
    actor.send({ type: 'user.save', document });
    actor.send({ type: 'user.save', document });
    expect(save).toHaveBeenCalledOnce();
  });
  it('saves restored work on the revision that it was made on', async () => {
    const inputs: SaveInput[] = [];
    const { actor } = start('a', async (input) => {
      inputs.push(input);
      return bot('a', 4);
    });
    await waitFor(actor, (state) => state.matches('editing'));
    actor.send({ type: 'draft.restored', revision: 2 });
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('editing'));
    expect(inputs[0]?.revision).toBe(2);
  });
});

describe('a conflict', () => {
  const conflicting = async (answers: (TradingBot | null)[]) => {
    const inputs: SaveInput[] = [];
    const run = start('a', async (input) => {
      inputs.push(input);
      const answer = answers.shift();
      if (!answer) throw refused(409, { currentRevision: 7 });
      return answer;
    });
    await waitFor(run.actor, (state) => state.matches('editing'));
    run.actor.send({ type: 'user.save', document });
    await waitFor(run.actor, (state) => state.matches('conflict'));
    return { ...run, inputs };
  };
  it('is compared and left again without losing anything', async () => {
    const { actor } = await conflicting([null]);
    actor.send({ type: 'user.compare' });
    expect(modeOf(actor)).toEqual({ conflict: 'comparing' });
    actor.send({ type: 'user.back' });
    actor.send({ type: 'user.dismiss' });
    expect(modeOf(actor)).toBe('editing');
  });
  it('reloads the stored version', async () => {
    const { actor, opened } = await conflicting([null]);
    actor.send({ type: 'user.reload' });
    await waitFor(actor, (state) => state.matches('editing'));
    expect(opened).toHaveBeenCalledTimes(2);
  });
  it('saves mine as a new strategy, or over the version that was seen', async () => {
    const copied = await conflicting([null, bot('copy', 1)]);
    copied.actor.send({ type: 'user.saveCopy', document });
    await waitFor(copied.actor, (state) => state.matches('editing'));
    expect(copied.inputs[1]).toMatchObject({ id: 'new', revision: null });
    expect(copied.actor.getSnapshot().context.id).toBe('copy');
    const over = await conflicting([null, bot('a', 8)]);
    over.actor.send({ type: 'user.overwrite', document });
    await waitFor(over.actor, (state) => state.matches('editing'));
    expect(over.inputs[1]).toMatchObject({ id: 'a', revision: 7 });
  });
  it('is not saved over where nobody says which version the server has', async () => {
    const save = vi.fn(() => Promise.reject(refused(409)));
    const { actor } = start('a', save);
    await waitFor(actor, (state) => state.matches('editing'));
    actor.send({ type: 'user.save', document });
    await waitFor(actor, (state) => state.matches('conflict'));
    actor.send({ type: 'user.overwrite', document });
    expect(modeOf(actor)).toEqual({ conflict: 'choosing' });
    expect(save).toHaveBeenCalledOnce();
  });
});
