import type { TreeWriter } from '../tree-writer.ts';

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
      writer.report.once(
        `unknown ${name}`,
        'lost',
        path,
        `${name} ${JSON.stringify(value)}`,
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
