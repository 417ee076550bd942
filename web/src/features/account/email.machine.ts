import { assign, fromPromise, setup } from 'xstate';

/** How long `Saved` is shown before the user is logged out, ms. */
const LOGOUT_DELAY_MS = 3_000;

const toText = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Saving the e-mail address: on success `Saved`, and 3 seconds later the user is logged out. */
export const emailMachine = setup({
  types: {
    context: {} as { email: string; failure: string | null },
    input: {} as { email: string },
    events: {} as { type: 'email.edit'; email: string } | { type: 'email.save' },
  },
  actors: {
    save: fromPromise<unknown, { email: string }>(() => Promise.reject(new Error('save is not provided'))),
  },
  actions: { logOut: () => {} },
  delays: { untilLogout: LOGOUT_DELAY_MS },
}).createMachine({
  id: 'email',
  context: ({ input }) => ({ email: input.email, failure: null }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'email.edit': { actions: assign({ email: ({ event }) => event.email, failure: null }) },
        'email.save': 'saving',
      },
    },
    saving: {
      invoke: {
        src: 'save',
        input: ({ context }) => ({ email: context.email }),
        onDone: 'saved',
        onError: { target: 'editing', actions: assign({ failure: ({ event }) => toText(event.error) }) },
      },
    },
    saved: { after: { untilLogout: { target: 'loggedOut', actions: 'logOut' } } },
    loggedOut: { type: 'final' },
  },
});
