import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import type { Frozen } from '../../kernel/define-stream.ts';
import type { DomainEvent } from '../../kernel/event.ts';
import { exactly, Id } from '../../kernel/event-fields.ts';
import { isRefusal, type Refusal } from '../../kernel/refusal.ts';
import { isSameDocument } from '../../kernel/same-document.ts';

/** An object that has one field, or may have it. */
type With<Key extends string, Value> = { readonly [Only in Key]: Value };
type MayHave<Key extends string, Value> = { readonly [Only in Key]?: Value };
type Schemas = Readonly<Record<string, TSchema>>;
type Kept<Value extends TSchema> = Frozen<Static<Value>>;

/** What is said of a field of a strategy that its owner sets as he likes, and that is not part of its content. */
interface Declared<Field extends string, Name extends string, Value extends TSchema, Sent extends TSchema> {
  /** Its name in the command, the state, the documents and the event. */
  readonly field: Field;
  /** Its name in the API. */
  readonly name: Name;
  /** Of events and answers. Without bounds: what the log holds stays valid when those of `sent` change. */
  readonly value: Value;
  /** What strategies have where nobody has set it, those of before there was such a field among them. */
  readonly unset: Kept<Value>;
  /** Of what may be sent: with its bounds and a description for the documentation. */
  readonly sent: Sent;
  /** What the documentation says in place of `sent`, where `read` is stricter and has the better sentence. */
  readonly documented?: TSchema;
  /** What is kept of what was sent, or why it is refused. */
  readonly read: (sent: Frozen<Static<Sent>>) => Kept<Value> | Refusal;
  /** Whether others who may see the strategy see it, too. */
  readonly isSeenByOthers: boolean;
  /** Whether a person writes it freely: it is then sealed in the log (`PERSONAL_FIELDS`). */
  readonly isPersonal: boolean;
}

/** How a field is recorded: the types of its events, and what each of them says. */
interface Recording<Value, Events extends Schemas, Event extends DomainEvent> {
  readonly schemas: Events;
  readonly eventOf: (strategyId: string, value: Value) => Event;
  /** The value that an event sets, which is one of these. */
  readonly setBy: (event: DomainEvent) => Value;
  /** What the history says of it. */
  readonly told: (value: Value) => string;
}

/** One field, as the decider, the projection, the history, the contract and the view take it. */
export interface OwnField<
  Field extends string,
  Name extends string,
  Value extends TSchema,
  Sent extends TSchema,
  Events extends Schemas,
  Event extends DomainEvent,
> {
  readonly field: Field;
  readonly name: Name;
  readonly schemas: Events;
  readonly isPersonal: boolean;
  readonly answer: TOptional<Value>;
  readonly body: TOptional<Sent>;
  readonly documented: TSchema;
  /** The field of a body as a command has it. */
  readonly given: (body: MayHave<Name, Static<Sent>>) => MayHave<Field, Frozen<Static<Sent>>>;
  /** What setting it leads to: no event where it is so already. */
  readonly decide: (
    strategyId: string,
    command: MayHave<Field, Frozen<Static<Sent>>>,
    state: MayHave<Field, Kept<Value>>,
  ) => readonly Event[] | Refusal;
  /** What an event changes of it: nothing where it is of another field. */
  readonly after: (event: DomainEvent) => MayHave<Field, Kept<Value>>;
  /** What the history says of an event, if it is of this field. */
  readonly told: (event: DomainEvent) => readonly string[];
  /** The field as the API shows it. */
  readonly shown: (strategy: MayHave<Field, Kept<Value>>) => With<Name, Static<Value>>;
  /** What others see in its place, where they do not see it. */
  readonly hidden: MayHave<Field, Kept<Value>>;
}

/** TypeScript takes an object with a computed key for one with any keys. */
function withOnly<Key extends string, Value>(key: Key, value: Value): With<Key, Value> {
  return { [key]: value } as With<Key, Value>;
}

/** As `structuredClone`, which takes half a microsecond for a flag: a page of drafts has a thousand of each field. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}

function fieldOf<
  Field extends string,
  Name extends string,
  Value extends TSchema,
  Sent extends TSchema,
  Events extends Schemas,
  Event extends DomainEvent,
>(
  declared: Declared<Field, Name, Value, Sent>,
  recording: Recording<Kept<Value>, Events, Event>,
): OwnField<Field, Name, Value, Sent, Events, Event> {
  const { field, name, unset, sent } = declared;
  const { schemas } = recording;
  const isOwn = ({ type }: DomainEvent) => Object.hasOwn(schemas, type);
  return {
    field,
    name,
    schemas,
    isPersonal: declared.isPersonal,
    answer: Type.Optional(declared.value) as TOptional<Value>,
    body: Type.Optional(sent) as TOptional<Sent>,
    documented: declared.documented ?? sent,
    given: (body) => {
      const value = body[name];
      return value === undefined ? {} : withOnly(field, value as Frozen<Static<Sent>>);
    },
    decide: (strategyId, command, state) => {
      const given = command[field];
      if (given === undefined) return [];
      const value = declared.read(given);
      if (isRefusal(value)) return value;
      return isSameDocument(value, state[field] ?? unset) ? [] : [recording.eventOf(strategyId, value)];
    },
    after: (event) => (isOwn(event) ? withOnly(field, recording.setBy(event)) : {}),
    told: (event) => (isOwn(event) ? [recording.told(recording.setBy(event))] : []),
    // A copy: what an answer holds may be changed, what a state or a document holds may not.
    shown: (strategy) => withOnly(name, copied(strategy[field] ?? unset) as Static<Value>),
    hidden: declared.isSeenByOthers ? {} : withOnly(field, unset),
  };
}

/** A field whose event holds all of its new value. */
export function ownField<
  const Field extends string,
  const Name extends string,
  Value extends TSchema,
  Sent extends TSchema,
  const EventType extends string,
>({
  event,
  told,
  ...declared
}: Declared<Field, Name, Value, Sent> & {
  /** Past tense, unique in the whole log. */
  readonly event: EventType;
  /** What the history says where it was set to this. */
  readonly told: (value: Kept<Value>) => string;
}) {
  const { field, value } = declared;
  const schema = exactly({ strategyId: Id, ...withOnly(field, value) });
  return fieldOf(declared, {
    schemas: withOnly(event, schema),
    eventOf: (strategyId, now) => ({ type: event, data: { strategyId, ...withOnly(field, now) } }),
    setBy: ({ data }) => (data as With<Field, Kept<Value>>)[field],
    told,
  });
}

/** A field that is on or off, an event for each; off where nobody has set it. */
export function ownFlag<
  const Field extends string,
  const Name extends string,
  const On extends string,
  const Off extends string,
>({
  description,
  on,
  off,
  ...declared
}: Pick<Declared<Field, Name, TSchema, TSchema>, 'field' | 'name' | 'isSeenByOthers'> & {
  /** For the documentation. */
  readonly description: string;
  /** The event that sets it, and what the history says of it. */
  readonly on: { readonly event: On; readonly told: string };
  readonly off: { readonly event: Off; readonly told: string };
}) {
  const whole = {
    ...declared,
    value: Type.Boolean(),
    unset: false,
    sent: Type.Boolean({ description }),
    read: (sent: boolean) => sent,
    isPersonal: false,
  };
  const reference = exactly({ strategyId: Id });
  return fieldOf(whole, {
    schemas: { ...withOnly(on.event, reference), ...withOnly(off.event, reference) },
    eventOf: (strategyId, value) => ({ type: value ? on.event : off.event, data: { strategyId } }),
    setBy: ({ type }) => type === on.event,
    told: (value) => (value ? on : off).told,
  });
}
