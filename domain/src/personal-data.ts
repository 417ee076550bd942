import type { Actor } from './kernel/event.ts';
import { PERSONAL_OWN_FIELDS } from './strategy/own-fields/own-fields.ts';

/** What stands in place of personal data whose key was erased. */
export const ERASED = 'deleted account';

/**
 * Which fields of which events say something about a person: addresses, the identity behind them, and what
 * people write themselves. Texts, or lists of them; a dot leads into an object. The log keeps them under a
 * key of the person (`docs/decisions/0236-a-key-for-each-person.md`).
 */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  UserRegistered: ['email', 'subject'],
  UserEmailChanged: ['email', 'previousEmail'],
  UserFeatureGranted: ['reason'],
  UserFeatureRevoked: ['reason'],
  AccountDisabled: ['reason'],
  AccountEnabled: ['reason'],
  AccountSignedOut: ['reason'],
  PasswordResetSent: ['reason'],
  AccountUnlocked: ['reason'],
  SecondFactorsRemoved: ['reason'],
  AccountDeletionRequested: ['reason'],
  AccountDeletionUndone: ['reason'],
  UserPlanChanged: ['reason'],
  WaitlistJoined: ['email'],
  StrategyCreated: ['name'],
  StrategyCloned: ['name'],
  StrategyImported: ['fileName'],
  StrategySaved: ['name'],
  StrategyRenamed: ['name'],
  StrategyRestored: ['name'],
  ...PERSONAL_OWN_FIELDS,
  ApiClientCreated: ['name'],
  ResultShared: ['name', 'strategyText'],
  VariableListCreated: ['name'],
  VariableListCloned: ['name'],
  VariableListUpdated: ['name'],
  VariableListRestored: ['name'],
  BatchBacktestCreated: ['name', 'template.name'],
  BatchBacktestRenamed: ['name'],
  BatchNoteChanged: ['text'],
  ResultRowPinned: ['note'],
  AlertsChanged: ['webhookUrl'],
  AmountPreferred: ['amount'],
  PortfolioPreferred: ['portfolio'],
  ResultViewSaved: ['name', 'content'],
  ResultViewRenamed: ['name'],
  PaperAccountOpened: ['sealedKey', 'keyHint'],
};

/** Name of the key of an entry of the waitlist: nobody's account yet. */
export const waitlistPerson = (stream: string): string => `waitlist:${stream}`;

/**
 * Whose personal data an event holds: of the user it is about, of the owner it names, else of who did it.
 * Null: nobody's.
 */
export function personOf(event: {
  readonly type: string;
  readonly stream: string;
  readonly data: unknown;
  readonly metadata: { readonly actor: Actor };
}): string | null {
  if (event.type === 'WaitlistJoined') return waitlistPerson(event.stream);
  const { userId, ownerId } = (event.data ?? {}) as { readonly userId?: unknown; readonly ownerId?: unknown };
  if (typeof userId === 'string') return userId;
  if (typeof ownerId === 'string') return ownerId;
  const { actor } = event.metadata;
  return actor.kind === 'system' ? null : actor.userId;
}
