import { isRefusal, type Problem, type Refusal, refuse } from '../kernel/refusal.ts';
import { importStrategy } from '../strategy/import.ts';
import { readStructure } from '../strategy/structure.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { field, isRecord } from '../strategy/values.ts';
import { readSymphony } from './composer/symphony.ts';
import { readTextForm } from './composer/text-form.ts';
import { tellWholeStrategy } from './composer/whole-strategy.ts';
import { type FidelityItem, type FidelityReport, ReportWriter } from './fidelity-report.ts';
import { type FoundStrategy, findStrategies } from './find-strategy.ts';
import { guessWords, looksForeign } from './guess.ts';
import { readSpell } from './quantmage/spell.ts';
import { readSettings, type SourceSettings } from './run-settings.ts';
import { type AnswerIndicators, readAnswerIndicators } from './source-answer.ts';
import { Form } from './syntax/datum.ts';
import { checkValue } from './syntax/json-reader.ts';
import { MAX_SOURCE_FILES, SourceError } from './syntax/source-limits.ts';
import { type ReadSource, readAmidWords, readSource } from './syntax/source-text.ts';
import { parseText } from './text/parser.ts';
import { printStrategy } from './text/printer.ts';
import { TextError } from './text/tokens.ts';
import { TreeWriter } from './tree-writer.ts';

export interface ImportedSource {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly report: FidelityReport;
  /** What stood around the strategy. */
  readonly settings: SourceSettings;
  /** Indicator values of an answer that came with it. */
  readonly answer: AnswerIndicators | null;
  /** Other strategies of the same source, each read on its own. */
  readonly further: readonly ImportedSource[];
}

const DEFAULT_NAME = 'Imported Trading Bot';
const MAX_NAME_LENGTH = 200;

const NOTATION_WORDS = { json: 'JSON', edn: 'EDN', form: 'text' } as const;

/**
 * Reads a strategy of this or another tool: Composer (JSON, EDN, text), QuantMage, Quantloom; whole or inside
 * a request, an answer or a quoted text. Total: nothing in it is carried out, and whatever is wrong is a sentence.
 * @param given a text, or a value that was JSON
 */
export function importSource(given: unknown, newNodeId: () => string): ImportedSource | Refusal {
  try {
    const source = readGiven(given);
    if (source) return importRead(given, source, newNodeId);
    const own = importText(String(given), newNodeId);
    if (!isRefusal(own)) return own;
    const amidWords = readAmidWords(String(given));
    if (!amidWords) return own;
    const read = importRead(given, amidWords, newNodeId);
    return isRefusal(read) && read.code === 'no_strategy_found' ? own : read;
  } catch (error) {
    if (error instanceof SourceError) return refuse(422, `source_${error.code}`, error.message);
    throw error;
  }
}

function importRead(given: unknown, source: ReadSource, newNodeId: () => string): ImportedSource | Refusal {
  const { wholes, blocks, fault } = findStrategies(source);
  if (wholes.length > 0) return importWholes(wholes, source, newNodeId);
  if (blocks.length > 0) return importFound(blocks, source, newNodeId);
  return importBlocks(given, source, newNodeId) ?? nothingFound(given, fault, source);
}

/**
 * Why a value that was JSON is not read at all: nested deeper, or larger, than any strategy is; null where it
 * is read.
 */
export function unreadable(given: unknown): Refusal | null {
  try {
    if (typeof given !== 'string') checkValue(given);
    return null;
  } catch (error) {
    if (error instanceof SourceError) return refuse(422, `source_${error.code}`, error.message);
    throw error;
  }
}

function readGiven(given: unknown): ReadSource | null {
  if (typeof given === 'string') return readPasted(given);
  checkValue(given);
  return { notation: 'json', datum: given, text: '', quoted: 0, changes: [] };
}

/** Words behind a strategy are told from a fault in it by whether it can be read without them. */
function readPasted(given: string): ReadSource | null {
  try {
    return readSource(given);
  } catch (error) {
    if (!(error instanceof SourceError) || error.code === 'too_large') throw error;
    const amidWords = amidWordsOrNull(given);
    const found = amidWords && findStrategies(amidWords);
    if (!found || found.wholes.length + found.blocks.length === 0) throw error;
    return amidWords;
  }
}

function amidWordsOrNull(given: string): ReadSource | null {
  try {
    return readAmidWords(given);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

/** The first of several strategies that can be read, with the others beside it. */
function importWholes(
  wholes: readonly FoundStrategy[],
  source: ReadSource,
  newNodeId: () => string,
): ImportedSource | Refusal {
  const read = wholes
    .slice(0, MAX_SOURCE_FILES)
    .map((found) => ({ found, result: importWhole(found, source, newNodeId) }));
  const good = read.flatMap(({ found, result }) => (isRefusal(result) ? [] : [{ found, result }]));
  const [first, ...others] = good;
  const refused = read.flatMap(({ found, result }) => (isRefusal(result) ? [{ found, result }] : []));
  if (!first) return refused[0]?.result ?? nothingFound(source.text, null, source);
  const seen = new Set([sameness(first.result)]);
  const further: ImportedSource[] = [];
  const lines: FidelityItem[] = refused.map(({ found, result }) =>
    line('lost', found.path, `a further strategy ${JSON.stringify(nameOf(found))}`, 'none', result.detail),
  );
  for (const { found, result } of others) {
    const isKnown = seen.has(sameness(result));
    seen.add(sameness(result));
    if (!isKnown) further.push(result);
    const said = `a further strategy ${JSON.stringify(result.name)}`;
    lines.push(
      isKnown
        ? line('taken', found.path, `${said}, once more`, 'left out', 'None: the same strategy')
        : line('taken', found.path, said, 'a strategy of its own', 'None: it is beside this one'),
    );
  }
  if (wholes.length > read.length)
    lines.push(
      line('lost', '', `${wholes.length - read.length} further strategies`, 'none', 'Import them in parts'),
    );
  return { ...first.result, report: withItems(first.result.report, lines), further };
}

/** The name of a strategy that was not read: its own, or that of what it stands in. */
function nameOf({ value, name }: FoundStrategy): string {
  const own = isRecord(value) ? field(value, 'name') : undefined;
  return (typeof own === 'string' && own.trim() ? own.trim() : (name ?? '')).slice(0, MAX_NAME_LENGTH);
}

function line(
  kind: 'lost' | 'taken',
  path: string,
  said: string,
  became: string,
  effect: string,
): FidelityItem {
  return { kind, path, said, became, effect, block_id: null };
}

function withItems(report: FidelityReport, items: readonly FidelityItem[]): FidelityReport {
  const lost = items.filter(({ kind }) => kind === 'lost').length;
  return {
    ...report,
    counts: { ...report.counts, lost: report.counts.lost + lost },
    items: [...report.items, ...items],
  };
}

/** Two strategies with the same text are the same: ids and what is folded play no part. */
function sameness({ algorithm }: ImportedSource): string {
  return printStrategy(algorithm);
}

function importWhole(
  found: FoundStrategy,
  source: ReadSource,
  newNodeId: () => string,
): ImportedSource | Refusal {
  return found.kind === 'quantloom'
    ? importOwn(found.value, found.name, newNodeId)
    : importFound([found], source, newNodeId);
}

function nothingFound(given: unknown, fault: string | null, source?: ReadSource): Refusal {
  const why =
    fault === null ? guessWords(given, source?.datum) : `A text in it looks like one, but: ${fault}`;
  return refuse(422, 'no_strategy_found', `No strategy was found. ${why}`);
}

/** A tree of our own, or blocks of one. */
function importOwn(value: unknown, name: string | null, newNodeId: () => string): ImportedSource | Refusal {
  const imported = importStrategy(value, newNodeId, []);
  if (isRefusal(imported)) return imported;
  const { algorithm } = imported;
  const report = new ReportWriter();
  for (let block = 0; block < imported.report.blocks; block += 1) report.read();
  for (const note of imported.report.notes)
    if (!note.code.startsWith('plan_'))
      report.add(
        note.code === 'ids_renewed' ? 'taken' : 'lost',
        note.path ?? '',
        note.message,
        'what a new block would hold, or nothing',
        note.code === 'ids_renewed' ? 'None' : 'What the block does',
        note.nodeId ?? null,
      );
  const own = isRecord(value) ? field(value, 'name') : undefined;
  const isNamed = name === null || (typeof own === 'string' && own.trim() !== '');
  const title = isNamed ? imported.name : name.slice(0, MAX_NAME_LENGTH);
  return {
    name: title,
    algorithm: isNamed ? algorithm : { ...algorithm, name: title },
    report: report.report('Quantloom JSON'),
    settings: {},
    answer: null,
    further: [],
  };
}

/** The language of our own tree; what looks like something else is called by its name. */
function importText(given: string, newNodeId: () => string): ImportedSource | Refusal {
  const text = given.replace(/^\uFEFF/, '');
  try {
    const { head, blocks, count } = parseText(text, newNodeId);
    // A line of prose reads like a list of tickers.
    const isProse =
      head === null && blocks.every(({ node_type: type }) => type === 'asset') && /[a-z]/.test(text);
    if (isProse) return nothingFound(given, null);
    const root = {
      id: newNodeId(),
      node_type: 'root',
      name: '',
      ...head,
      children: blocks,
    };
    const structure = readStructure({ ...root, name: root.name.trim() || DEFAULT_NAME });
    if (structure.problems) return malformed(structure.problems);
    const report = new ReportWriter();
    for (let block = 0; block < count; block += 1) report.read();
    const { algorithm } = structure;
    return {
      name: algorithm.name,
      algorithm,
      report: report.report('Quantloom text'),
      settings: {},
      answer: null,
      further: [],
    };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    if (looksForeign(text)) return nothingFound(given, null);
    return refuse(422, 'text_fault', `This cannot be read as a strategy, ${error.placed(text)}.`);
  }
}

function malformed(problems: readonly Problem[]): Refusal {
  return refuse(422, 'invalid_algorithm', problems[0]?.message ?? 'The strategy is malformed', { problems });
}

function importBlocks(given: unknown, source: ReadSource, newNodeId: () => string): ImportedSource | null {
  if (source.notation !== 'json') return null;
  const own = importOwn(source.datum ?? given, null, newNodeId);
  return isRefusal(own) ? null : own;
}

/** @param all a whole strategy, or blocks that stand side by side */
function importFound(
  all: readonly FoundStrategy[],
  source: ReadSource,
  newNodeId: () => string,
): ImportedSource | Refusal {
  const [found] = all;
  if (!found) throw new TypeError('There is nothing to import');
  const report = new ReportWriter();
  const writer = new TreeWriter(newNodeId, report);
  for (const change of source.changes)
    report.add('taken', '', change, 'left out, so that it can be read', 'None', null);
  const read = readFound(all, found, writer);
  if (writer.assets === 0) return nothingLeft(report.report(''));
  const { tool, whole } = toolOf(found);
  if (tool === 'Composer') tellWholeStrategy(report, read, found.path);
  const settings = readSettings(report, tool, found, read.id);
  const name = read.name.trim() || found.name || DEFAULT_NAME;
  const structure = readStructure({ ...read, name: name.slice(0, MAX_NAME_LENGTH) });
  if (structure.problems) return malformed(structure.problems);
  const form = NOTATION_WORDS[found.notation];
  const wrapped = found.isWrapped ? ', quoted' : '';
  const inside = found.path === '' ? '' : `, at ${found.path}`;
  const blocks = whole ? '' : all.length === 1 ? ', a block' : `, ${all.length} blocks`;
  return {
    name: structure.algorithm.name,
    algorithm: structure.algorithm,
    report: report.report(`${tool} ${form}${blocks}${wrapped}${inside}`),
    settings,
    answer: readAnswerIndicators(source.datum),
    further: [],
  };
}

/** Why a strategy without any asset is refused: the parts that were lost, or that there were none. */
function nothingLeft({ items }: FidelityReport): Refusal {
  const lost = items.filter(({ kind }) => kind === 'lost').slice(0, 3);
  const parts = lost.map(({ said, path }) => (path === '' ? said : `${said} (${path})`)).join('; ');
  return refuse(
    422,
    'nothing_left',
    parts === ''
      ? 'This strategy holds no asset: there is nothing to run.'
      : `Nothing of this strategy can be expressed here: ${parts}.`,
  );
}

function toolOf({ kind }: FoundStrategy): {
  readonly tool: 'Composer' | 'QuantMage';
  readonly whole: boolean;
} {
  return {
    tool: kind === 'spell' || kind === 'incantation' ? 'QuantMage' : 'Composer',
    whole: kind === 'symphony' || kind === 'text-form' || kind === 'spell',
  };
}

function readFound(all: readonly FoundStrategy[], found: FoundStrategy, writer: TreeWriter): Algorithm {
  const { kind, value, path, text, name } = found;
  const record = isRecord(value) ? value : {};
  switch (kind) {
    case 'text-form':
      return readTextForm(writer, formsOf([found]), text);
    case 'form-block':
      return readTextForm(writer, formsOf(all), text);
    case 'spell':
      return readSpell(writer, record, path);
    case 'incantation': {
      const incantation =
        all.length === 1
          ? value
          : { incantation_type: 'Weighted', type: 'Equal', incantations: all.map((one) => one.value) };
      return readSpell(writer, { name: field(record, 'name'), incantation, trading_type: 'Daily' }, path);
    }
    case 'symphony-block':
      return readSymphony(
        writer,
        { name: name ?? field(record, 'name'), rebalance: 'daily', children: all.map((one) => one.value) },
        all.length === 1 ? path : path.replace(/\/\d+$/, ''),
      );
    default:
      return readSymphony(writer, record, path);
  }
}

function formsOf(all: readonly FoundStrategy[]): readonly Form[] {
  return all.flatMap(({ value }) => (value instanceof Form ? [value] : []));
}

/** The indicator values of an answer of another tool, with or without a strategy; null where there are none. */
export function answerIn(given: string): AnswerIndicators | null {
  try {
    return readAnswerIndicators(readSource(given)?.datum);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}
