import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';

const Whose = exactly({ userId: Id });

/**
 * What somebody changed about how he signs in, as the issuer that is part of the product tells it: no secret,
 * no name of a passkey, no address. Another issuer keeps a record of its own. One stream
 * `signIn-{userId}-{YYYY-MM}` a month, so that none grows for ever.
 */
export const SIGN_IN_EVENTS = defineStream({
  category: 'signIn',
  events: {
    PasswordChanged: Whose,
    /** By a link that was sent by mail. */
    PasswordReset: Whose,
    PasskeyAdded: Whose,
    PasskeyRemoved: Whose,
    AuthenticatorAppTurnedOn: Whose,
    AuthenticatorAppTurnedOff: Whose,
    RecoveryCodesRenewed: Whose,
    /** From another browser than the one that was signed out. */
    BrowserSignedOut: Whose,
    OtherBrowsersSignedOut: Whose,
  },
});
export type SignInEvent = EventOf<typeof SIGN_IN_EVENTS>;
export type SignInChange = SignInEvent['type'];

export interface SignInCommand {
  readonly type: 'RecordSignInChange';
  readonly change: SignInChange;
  readonly userId: string;
}

/** The id of the stream that holds what a user changed at a time. @param at ISO 8601 */
export const signInStreamId = (userId: string, at: string): string => `${userId}-${at.slice(0, 7)}`;

/** Records what has happened elsewhere: there is nothing to refuse. */
export const signInStream: StreamKind<SignInCommand, null, SignInEvent> = {
  ...SIGN_IN_EVENTS,
  decider: {
    initialState: null,
    decide: ({ change, userId }) => [{ type: change, data: { userId } }],
    evolve: () => null,
  },
};
