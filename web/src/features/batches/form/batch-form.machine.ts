import type { Estimate } from '@quantloom/domain/contracts/http/batches';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { assign, fromPromise, setup } from 'xstate';
import { ApiError, blockOf } from '../../../lib/api.ts';
import { type BatchForm, canCreate, isValidForm, withDefaultName } from '../model/batch-form.ts';

export type BatchFormEvent =
  /** Any change of a field, as a function of the form. */
  | { readonly type: 'user.change'; readonly change: (form: BatchForm) => BatchForm }
  | { readonly type: 'lists.loaded'; readonly lists: readonly VariableList[] }
  | { readonly type: 'user.estimate' }
  | { readonly type: 'user.create'; readonly key: string };

interface BatchFormContext {
  readonly form: BatchForm;
  readonly lists: readonly VariableList[];
  readonly createError: string | null;
  readonly createdId: string | null;
}

const bodyOf = (error: unknown): Record<string, unknown> =>
  error instanceof ApiError && typeof error.body === 'object' && error.body !== null
    ? (error.body as Record<string, unknown>)
    : {};
const sentence = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
/** Without the id of the block that it is about: the id is for programs. */
const wordsOf = (error: unknown, said: string | null): string | null =>
  said?.replace(` (${blockOf(error)})`, '') ?? null;

/** What a failed estimate says; a refused one (403) may carry the usage, which is shown all the same. */
export function estimateFault(error: unknown): Pick<BatchForm, 'estimateError' | 'refusedUsage'> {
  const body = bodyOf(error);
  const usage = (body.usage ?? null) as Estimate['usage'] | null;
  if (error instanceof ApiError && error.status === 403)
    return { estimateError: sentence(body.error) ?? 'Monthly limit exceeded', refusedUsage: usage };
  const message = error instanceof Error ? error.message : null;
  return {
    estimateError:
      wordsOf(error, sentence(body.error)) ??
      sentence(message) ??
      'An error occurred while getting the estimate',
    refusedUsage: usage,
  };
}

/** What a failed create says. */
export function createFault(error: unknown): string {
  const body = bodyOf(error);
  const fromServer = wordsOf(error, sentence(body.error) ?? sentence(body.message));
  if (error instanceof ApiError && error.status === 400)
    return fromServer ?? 'Failed to create batch backtest';
  const message = error instanceof Error ? error.message : null;
  return fromServer ?? sentence(message) ?? 'An error occurred while creating the batch backtest';
}

/**
 * The new batch: editing, estimating, creating, created. An estimate that comes back after a change of what
 * it was for is dropped.
 */
export const batchFormMachine = setup({
  types: {
    context: {} as BatchFormContext,
    events: {} as BatchFormEvent,
    input: {} as { readonly form: BatchForm },
  },
  actors: {
    estimate: fromPromise<Estimate, { form: BatchForm; lists: readonly VariableList[] }>(() =>
      Promise.reject(new Error('estimate is not provided')),
    ),
    create: fromPromise<{ id: string }, { form: BatchForm; lists: readonly VariableList[]; key: string }>(
      () => Promise.reject(new Error('create is not provided')),
    ),
  },
  guards: {
    isValid: ({ context }) => isValidForm(context.form, context.lists),
    canCreate: ({ context }) => canCreate(context.form, context.lists),
  },
  actions: {
    change: assign({
      form: ({ context, event }) =>
        event.type === 'user.change' ? event.change(context.form) : context.form,
      createError: null,
    }),
    takeLists: assign({
      // What was found before stays: its lists may have been chosen.
      lists: ({ context, event }) =>
        event.type === 'lists.loaded'
          ? [...new Map([...context.lists, ...event.lists].map((list) => [list.id, list])).values()]
          : context.lists,
    }),
  },
}).createMachine({
  id: 'batchForm',
  context: ({ input }) => ({ form: input.form, lists: [], createError: null, createdId: null }),
  initial: 'editing',
  on: { 'lists.loaded': { actions: 'takeLists' } },
  states: {
    editing: {
      on: {
        'user.change': { actions: 'change' },
        'user.estimate': { guard: 'isValid', target: 'estimating' },
        'user.create': { guard: 'canCreate', target: 'creating' },
      },
    },
    estimating: {
      entry: assign({
        form: ({ context }) => ({
          ...withDefaultName(context.form),
          estimate: null,
          estimateError: null,
          refusedUsage: null,
        }),
      }),
      on: { 'user.change': { target: 'editing', actions: 'change' } },
      invoke: {
        src: 'estimate',
        input: ({ context }) => ({ form: context.form, lists: context.lists }),
        onDone: {
          target: 'editing',
          actions: assign({ form: ({ context, event }) => ({ ...context.form, estimate: event.output }) }),
        },
        onError: {
          target: 'editing',
          actions: assign({
            form: ({ context, event }) => ({ ...context.form, ...estimateFault(event.error) }),
          }),
        },
      },
    },
    creating: {
      entry: assign({ createError: null }),
      invoke: {
        src: 'create',
        input: ({ context, event }) => ({
          form: context.form,
          lists: context.lists,
          key: event.type === 'user.create' ? event.key : '',
        }),
        onDone: { target: 'created', actions: assign({ createdId: ({ event }) => event.output.id }) },
        onError: {
          target: 'editing',
          actions: assign({ createError: ({ event }) => createFault(event.error) }),
        },
      },
    },
    created: { type: 'final' },
  },
});
