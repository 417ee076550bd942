import { isEmail, normalizeEmail } from '../identity/email.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { derivedId } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** The events of a `waitlist-{hash}` stream. */
export const WAITLIST_EVENTS = defineStream({
  category: 'waitlist',
  events: { WaitlistJoined: exactly({ email: Id }) },
});
export type WaitlistJoined = EventOf<typeof WAITLIST_EVENTS>;

export interface JoinWaitlist {
  readonly type: 'JoinWaitlist';
  readonly email: string;
}

export interface WaitlistEntryState {
  readonly hasJoined: boolean;
}

/** The address as it is compared and stored, or null where the text is none. */
export function waitlistEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return isEmail(email) ? email : null;
}

/** Part of the stream name behind `waitlist-`: one stream per address, so that the list can be as long as it likes. */
export function waitlistId(email: string): string {
  return derivedId(0, 'waitlist', email);
}

/** The refusal of a text that is no e-mail address. */
export const INVALID_EMAIL: Refusal = refuse(
  422,
  'invalid_email',
  'Please enter an e-mail address such as name@example.com.',
);

/** Streams `waitlist-{hash of the address}`. Joining again changes nothing. */
export const waitlistStream: StreamKind<JoinWaitlist, WaitlistEntryState, WaitlistJoined> = {
  ...WAITLIST_EVENTS,
  decider: {
    initialState: { hasJoined: false },
    decide: ({ email }, { hasJoined }) => {
      const address = waitlistEmail(email);
      if (address === null) return INVALID_EMAIL;
      return hasJoined ? [] : [{ type: 'WaitlistJoined', data: { email: address } }];
    },
    evolve: () => ({ hasJoined: true }),
  },
};
