import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { assign, fromPromise, setup } from 'xstate';
import { ApiError, statusOf } from '../../../lib/api.ts';
import type { EditorDocument } from '../model/editor-store.ts';

export interface SaveInput {
  readonly id: string;
  readonly revision: number | null;
  readonly document: EditorDocument;
  /** The strategy that was edited, as it was stored; null for a new one. */
  readonly base: TradingBot | null;
}

export type EditorEvent =
  | { readonly type: 'user.save'; readonly document: EditorDocument }
  | { readonly type: 'user.saveCopy'; readonly document: EditorDocument }
  | { readonly type: 'user.overwrite'; readonly document: EditorDocument }
  | { readonly type: 'user.reload' }
  | { readonly type: 'user.compare' }
  | { readonly type: 'user.back' }
  /** Unsaved work of an earlier visit was put back: it was made on this revision. */
  | { readonly type: 'draft.restored'; readonly revision: number }
  | { readonly type: 'user.dismiss' }
  | { readonly type: 'user.retry' }
  /** The hold-out was set from this page. */
  | {
      readonly type: 'server.heldOut';
      readonly revision: number;
      readonly holdOut: TradingBot['hold_out'] | null;
    }
  /** The strategy on the server became this one by another way: restored, imported. */
  | { readonly type: 'server.changed'; readonly bot: TradingBot };

interface EditorContext {
  /** `new` until the first save. */
  readonly id: string;
  readonly bot: TradingBot | null;
  /** What the server refused, until the next attempt. */
  readonly error: unknown;
  /** The document that is being saved. */
  readonly saving: EditorDocument | null;
  /** In a conflict: the revision that the server has now. */
  readonly serverRevision: number | null;
}

/** The revision that a refusal says the server has now. */
export const currentRevisionOf = (error: unknown): number | null => {
  const body = error instanceof ApiError ? (error.body as { currentRevision?: unknown } | null) : null;
  return typeof body?.currentRevision === 'number' ? body.currentRevision : null;
};

/**
 * The modes of the editor: loading, editing, saving, in conflict with a change made elsewhere. The document
 * itself and its undo history live in the `EditorStore`; the page tells both when a mode ends.
 */
export const editorMachine = setup({
  types: {
    context: {} as EditorContext,
    events: {} as EditorEvent,
    input: {} as { readonly id: string },
  },
  actors: {
    load: fromPromise<TradingBot, { readonly id: string }>(() =>
      Promise.reject(new Error('load is not provided')),
    ),
    save: fromPromise<TradingBot, SaveInput>(() => Promise.reject(new Error('save is not provided'))),
  },
  guards: {
    isNew: ({ context }) => context.id === 'new',
    isMissing: ({ event }) =>
      [403, 404].includes(statusOf((event as unknown as { error: unknown }).error) ?? 0),
    isConflict: ({ event }) => statusOf((event as unknown as { error: unknown }).error) === 409,
  },
  actions: {
    /** Provided by the page: puts a loaded strategy into the store. */
    openDocument: () => undefined,
    /** Provided by the page: clears the histories, follows a new id. */
    documentSaved: () => undefined,
  },
}).createMachine({
  id: 'editor',
  context: ({ input }) => ({ id: input.id, bot: null, error: null, saving: null, serverRevision: null }),
  initial: 'opening',
  states: {
    opening: {
      always: [{ guard: 'isNew', target: 'editing' }, { target: 'loading' }],
    },
    loading: {
      invoke: {
        src: 'load',
        input: ({ context }) => ({ id: context.id }),
        onDone: {
          target: 'editing',
          actions: [
            assign({ bot: ({ event }) => event.output, error: null, serverRevision: null }),
            'openDocument',
          ],
        },
        onError: [
          { guard: 'isMissing', target: 'missing' },
          { target: 'failed', actions: assign({ error: ({ event }) => event.error }) },
        ],
      },
    },
    missing: {},
    failed: { on: { 'user.retry': 'loading' } },
    editing: {
      on: {
        'user.save': {
          target: 'saving',
          actions: assign({ saving: ({ event }) => event.document, error: null }),
        },
        'user.reload': { guard: ({ context }) => context.id !== 'new', target: 'loading' },
        'draft.restored': {
          actions: assign({
            bot: ({ context, event }) => context.bot && { ...context.bot, revision: event.revision },
          }),
        },
        // A change of this page's own, beside the document: what is not saved stays, on the new revision.
        'server.heldOut': {
          actions: assign({
            bot: ({ context, event }) =>
              context.bot && { ...context.bot, revision: event.revision, hold_out: event.holdOut ?? null },
          }),
        },
        'server.changed': {
          actions: [assign({ bot: ({ event }) => event.bot, error: null }), 'openDocument'],
        },
      },
    },
    saving: {
      invoke: {
        src: 'save',
        input: ({ context }) => ({
          id: context.id,
          revision: context.bot?.revision ?? null,
          document: context.saving as EditorDocument,
          base: context.bot,
        }),
        onDone: {
          target: 'editing',
          actions: [
            assign({ id: ({ event }) => event.output.id, bot: ({ event }) => event.output }),
            'documentSaved',
          ],
        },
        onError: [
          {
            guard: 'isConflict',
            target: 'conflict',
            actions: assign({
              error: ({ event }) => event.error,
              serverRevision: ({ event }) => currentRevisionOf(event.error),
            }),
          },
          { target: 'editing', actions: assign({ error: ({ event }) => event.error }) },
        ],
      },
    },
    conflict: {
      initial: 'choosing',
      states: {
        choosing: { on: { 'user.compare': 'comparing' } },
        comparing: { on: { 'user.back': 'choosing' } },
      },
      on: {
        'user.reload': 'loading',
        'user.dismiss': 'editing',
        // As a strategy of one's own: what the other one wrote stays untouched.
        'user.saveCopy': {
          target: 'saving',
          actions: assign({ id: 'new', bot: null, saving: ({ event }) => event.document, error: null }),
        },
        // On purpose, after seeing the other version: as a change of the revision that the server has now.
        'user.overwrite': {
          target: 'saving',
          guard: ({ context }) => context.serverRevision !== null,
          actions: assign({
            saving: ({ event }) => event.document,
            bot: ({ context }) =>
              context.bot && { ...context.bot, revision: context.serverRevision ?? context.bot.revision },
            error: null,
          }),
        },
      },
    },
  },
});
