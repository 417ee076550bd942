import { type DuckDBConnection, DuckDBDataChunk, INTEGER } from '@duckdb/node-api';
import { copyablePairs } from '../copyable-pairs.ts';
import { ranksOfCombination } from '../dictionary.ts';
import { type Range, runsOf } from '../ranges.ts';
import type { ResultColumns } from '../result-columns.ts';

interface StoredBatch {
  readonly no: number;
  readonly table: string;
  readonly columns: ResultColumns;
  readonly stored: readonly Range[];
  readonly floats: readonly string[];
}

const CHUNK = 2048;

/**
 * Copies rows within the connection's transaction and answers with the combinations that were copied, ascending: those whose
 * source is stored and that the target does not have yet. The variables are the target's own.
 */
export async function copyMapped(
  connection: DuckDBConnection,
  change: { source: StoredBatch; target: StoredBatch; targets: Int32Array; map: Int32Array },
): Promise<Int32Array> {
  const { source, target } = change;
  const pairs = copyablePairs(change);
  const copied = Int32Array.from(pairs.keys()).sort();
  if (copied.length === 0) return copied;
  const { dictionaries } = target.columns;
  const ranks = dictionaries.map((_, i) => `v${i}`);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE copied (target INTEGER, source INTEGER${ranks.map((name) => `, ${name} INTEGER`).join('')})`,
  );
  const appender = await connection.createAppender('copied', null, 'temp');
  const digits = new Int32Array(dictionaries.length);
  for (let from = 0; from < copied.length; from += CHUNK) {
    const part = copied.subarray(from, from + CHUNK);
    const columns: number[][] = [...part].map((combination) => {
      ranksOfCombination(combination, dictionaries, digits);
      return [combination, pairs.get(combination) as number, ...digits];
    });
    const chunk = DuckDBDataChunk.create([INTEGER, INTEGER, ...ranks.map(() => INTEGER)]);
    chunk.setRows(columns);
    appender.appendDataChunk(chunk);
    // Queries get their turn on this thread.
    await new Promise(setImmediate);
  }
  appender.flushSync();
  appender.closeSync();
  const names = target.floats;
  const floats = names.map((name) => source.columns.get(name).sql).join(', ');
  const own = ranks.map((name) => `, c.${name}`).join('');
  await connection.run(
    `INSERT INTO ${target.table} (combination, start_date, end_date${ranks.map((name) => `, ${name}`).join('')}, ${names.join(', ')})
     SELECT c.target, s.start_date, s.end_date${own}, ${floats}
     FROM copied c JOIN ${source.table} s ON s.combination = c.source ORDER BY c.target`,
  );
  await connection.run(
    `INSERT INTO failures SELECT ${target.no}, c.target, f.reason
     FROM copied c JOIN failures f ON f.combination = c.source WHERE f.no = ${source.no}`,
  );
  const blocks = await connection.createAppender('blocks');
  for (const { from, to } of runsOf(copied)) {
    blocks.appendInteger(target.no);
    blocks.appendInteger(from);
    blocks.appendInteger(to);
    blocks.endRow();
  }
  blocks.flushSync();
  blocks.closeSync();
  await connection.run('DROP TABLE temp.copied');
  return copied;
}
