import type { TSchema } from 'typebox';
import type { EventOf } from '../../kernel/define-stream.ts';
import { isRefusal, type Refusal } from '../../kernel/refusal.ts';
import { isArchived } from './is-archived.ts';
import { tags } from './tags.ts';

/**
 * The fields of a strategy that its owner sets as he likes. They are no part of its content: nothing of it has
 * changed where they have, so its times stay. Each is declared once, in the file that is named for it; events,
 * command, state, documents, history, contract, documentation and answers have those that stand in this list,
 * in its order.
 */
const OWN_FIELDS = [tags, isArchived] as const;

type Field = (typeof OWN_FIELDS)[number];
type KeysOf<One> = One extends unknown ? keyof One : never;
type At<Whole, Key> = Key extends keyof Whole ? Whole[Key] : never;
type EventType = KeysOf<Field['schemas']>;

/** The schemas of their events, by type. */
export const OWN_FIELD_SCHEMAS = together<{
  readonly [Type in EventType]: Extract<Field['schemas'], Readonly<Record<Type, TSchema>>>[Type];
}>(OWN_FIELDS.map(({ schemas }) => schemas));
export type OwnFieldEvent = EventOf<{ readonly schemas: typeof OWN_FIELD_SCHEMAS }>;

/** The fields as a state or a document has them. Missing: never set. */
export type OwnFieldValues = {
  readonly [One in Field as One['field']]?: At<Required<ReturnType<One['after']>>, One['field']>;
};
/** As a command sets them. Missing: left as they are. */
export type OwnFieldChanges = {
  readonly [One in Field as One['field']]?: At<Required<ReturnType<One['given']>>, One['field']>;
};
/** As the API shows them. */
export type OwnFieldsShown = { [One in Field as One['name']]: At<ReturnType<One['shown']>, One['name']> };

/** By their names in the API: of answers, of what may be sent, and what the documentation says of that. */
export const OWN_FIELD_ANSWERS = together<{ [One in Field as One['name']]: One['answer'] }>(
  OWN_FIELDS.map(({ name, answer }) => ({ [name]: answer })),
);
export const OWN_FIELD_BODIES = together<{ [One in Field as One['name']]: One['body'] }>(
  OWN_FIELDS.map(({ name, body }) => ({ [name]: body })),
);
export const OWN_FIELDS_DOCUMENTED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = together(
  OWN_FIELDS.map(({ name, documented }) => ({ [name]: { ...documented } })),
);

/** Those that a person writes freely, by the types of their events. */
export const PERSONAL_OWN_FIELDS: Readonly<Record<string, readonly string[]>> = together(
  OWN_FIELDS.filter(({ isPersonal }) => isPersonal).map(({ field, schemas }) =>
    Object.fromEntries(Object.keys(schemas).map((type) => [type, [field]])),
  ),
);

/** What a body sets of them. */
export function ownFieldsGiven(body: Partial<OwnFieldsShown>): OwnFieldChanges {
  return together<OwnFieldChanges>(OWN_FIELDS.map((field) => field.given(body)));
}

/** The events that a command leads to, none of what is so already; or the first refusal. */
export function ownFieldEvents(
  strategyId: string,
  command: OwnFieldChanges,
  state: OwnFieldValues,
): readonly OwnFieldEvent[] | Refusal {
  const events: OwnFieldEvent[] = [];
  for (const field of OWN_FIELDS) {
    const decided = field.decide(strategyId, command, state);
    if (isRefusal(decided)) return decided;
    events.push(...decided);
  }
  return events;
}

/** What an event has changed. */
export function ownFieldsAfter(event: OwnFieldEvent): OwnFieldValues {
  return together<OwnFieldValues>(OWN_FIELDS.map((field) => field.after(event)));
}

/** What the history says of an event. */
export function ownFieldTold(event: OwnFieldEvent): string {
  return OWN_FIELDS.flatMap((field) => field.told(event)).join('');
}

/** All of them as the API shows them to who may see them. */
export function ownFieldsShown(strategy: OwnFieldValues): OwnFieldsShown {
  return together<OwnFieldsShown>(OWN_FIELDS.map((field) => field.shown(strategy)));
}

/** A strategy with what those see who do not own it. */
export function asOthersSee<Strategy extends OwnFieldValues>(strategy: Strategy): Strategy & OwnFieldValues {
  return { ...strategy, ...together<OwnFieldValues>(OWN_FIELDS.map(({ hidden }) => hidden)) };
}

/** What all fields have a part of, as one object. */
function together<Whole extends object>(parts: readonly Partial<Whole>[]): Whole {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part))) as Whole;
}
