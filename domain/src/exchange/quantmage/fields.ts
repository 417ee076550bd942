import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';

/** Lines of one unknown field that are told one by one. */
const MAX_ALIKE = 50;

export type Source = Readonly<Record<string, unknown>>;

/** Tells of every field that is not read. */
export function tellUnknown(
  writer: TreeWriter,
  source: Source,
  known: ReadonlySet<string>,
  path: string,
  id: string,
): void {
  for (const [name, value] of Object.entries(source))
    if (!known.has(name) && value !== null)
      writer.report.few(
        `unknown ${name}`,
        MAX_ALIKE,
        'lost',
        path,
        `${name} ${sourceWords(value)}`,
        'left out',
        'Not known here: what it changes there is unknown',
        id,
      );
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
