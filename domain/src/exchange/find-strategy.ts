import { normalNodeType } from '../strategy/node-fields.ts';
import { field, isRecord } from '../strategy/values.ts';
import { headOf } from './composer/text-conditions.ts';
import { isBlockForm } from './composer/text-form.ts';
import { isSpell } from './quantmage/spell.ts';
import { type Datum, Form, Pairs } from './syntax/datum.ts';
import { SourceError } from './syntax/source-limits.ts';
import { type Notation, notationOf, type ReadSource, readSource } from './syntax/source-text.ts';

/** A tree in what was given, of whatever tool. */
export interface FoundStrategy {
  readonly kind:
    | 'quantloom'
    | 'symphony'
    | 'text-form'
    | 'spell'
    | 'symphony-block'
    | 'form-block'
    | 'incantation';
  readonly value: Datum;
  /** JSON pointer to it. */
  readonly path: string;
  /** The objects around it, the nearest first: requests and answers with settings. */
  readonly around: readonly Readonly<Record<string, unknown>>[];
  readonly name: string | null;
  readonly notation: Notation;
  /** The text that its offsets count in. */
  readonly text: string;
  /** Whether it stood as text within text. */
  readonly isWrapped: boolean;
}

interface Place extends Omit<FoundStrategy, 'kind'> {
  readonly nested: number;
}

const STEPS: ReadonlySet<unknown> = new Set([
  ...[
    'wt-cash-equal',
    'wt-cash-specified',
    'wt-inverse-vol',
    'wt-marketcap',
    'group',
    'if',
    'filter',
    'asset',
  ],
]);
const MAX_LOOKED_AT = 200_000;
const MAX_NESTED_TEXTS = 3;
const HINTS = ['defsymphony', 'step', 'node_type', 'incantation', 'symphony', 'weight-equal'];

export interface Search {
  /** Whole strategies, the outermost first; none of them inside another. */
  readonly wholes: readonly FoundStrategy[];
  /** Blocks without a root. */
  readonly blocks: readonly FoundStrategy[];
  /** Why a text within the source that looked like a strategy could not be read. */
  readonly fault: string | null;
}

const WHOLES: ReadonlySet<FoundStrategy['kind']> = new Set(['quantloom', 'symphony', 'text-form', 'spell']);

/** The strategies in a source, and the blocks that stand alone in it. */
export function findStrategies(source: ReadSource): Search {
  const queue: Place[] = [
    {
      value: source.datum,
      path: '',
      around: [],
      name: null,
      notation: source.notation,
      text: source.text,
      isWrapped: source.quoted > 0,
      nested: 0,
    },
  ];
  const wholes: FoundStrategy[] = [];
  const blocks: FoundStrategy[] = [];
  let fault: string | null = null;
  for (let index = 0; index < queue.length && index < MAX_LOOKED_AT; index += 1) {
    const place = queue[index];
    if (!place) break;
    const { value } = place;
    if (typeof value === 'string') {
      const inner = innerText(place);
      if (typeof inner === 'string') fault ??= inner;
      else if (inner) queue.push(inner);
      continue;
    }
    const kind = kindOf(value);
    // One by one: a list may be longer than a call has arguments.
    if (kind === null) for (const inner of within(place)) queue.push(inner);
    else if (WHOLES.has(kind)) wholes.push({ ...place, kind });
    else blocks.push({ ...place, kind });
  }
  return { wholes, blocks, fault };
}

function kindOf(value: Datum): FoundStrategy['kind'] | null {
  if (value instanceof Form) {
    if (headOf(value) === 'defsymphony') return 'text-form';
    return isBlockForm(value) ? 'form-block' : null;
  }
  if (!isRecord(value)) return null;
  const step = field(value, 'step');
  if (step === 'root') return 'symphony';
  if (normalNodeType(field(value, 'node_type')) === 'root') return 'quantloom';
  if (isSpell(value)) return 'spell';
  if (STEPS.has(step)) return 'symphony-block';
  return typeof field(value, 'incantation_type') === 'string' ? 'incantation' : null;
}

/** What a text within the source holds, where it looks like a strategy; the reason where it cannot be read. */
function innerText(place: Place): Place | string | null {
  const text = String(place.value);
  if (text.length < 20 || place.nested >= MAX_NESTED_TEXTS || !HINTS.some((hint) => text.includes(hint)))
    return null;
  if (notationOf(text) === null) return null;
  try {
    const inner = readSource(text);
    if (!inner) return null;
    const { datum: value, notation } = inner;
    return { ...place, value, notation, text: inner.text, isWrapped: true, nested: place.nested + 1 };
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}

function* within(place: Place): Generator<Place> {
  const { value, path } = place;
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, MAX_LOOKED_AT).entries())
      yield { ...place, value: item as unknown, path: `${path}/${index}` };
    return;
  }
  if (value instanceof Form) {
    for (const item of value.items) yield { ...place, value: item };
    return;
  }
  if (!isRecord(value) || value instanceof Pairs) return;
  const own = field(value, 'name');
  const name = typeof own === 'string' && own.trim() !== '' ? own.trim() : place.name;
  const around = [value, ...place.around].slice(0, 5);
  for (const [key, item] of Object.entries(value)) {
    const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield { ...place, value: item, path: `${path}/${step}`, around, name };
  }
}
