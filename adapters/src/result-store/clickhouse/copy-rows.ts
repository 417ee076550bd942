import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { ranksOfCombination } from '../dictionary.ts';
import type { ClickHouseConnection } from './clickhouse-connection.ts';
import type { RowOwner } from './native-block.ts';
import { text } from './schema.ts';

/** Pairs per insert, so that each makes one part. */
const PAIRS = 500_000;

/** Copies failures, then rows. What was copied before is written again and collapses with itself. */
export async function insertCopies(
  connection: ClickHouseConnection,
  source: RowOwner,
  target: RowOwner,
  pairs: ReadonlyMap<number, number>,
): Promise<void> {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const owner = `${text(target.batchId)}, ${target.generation}`;
  const from = `batch_id = ${text(source.batchId)} AND generation = ${source.generation}`;
  const mapping = "input('target Int32, source Int32, ranks Array(UInt32)')";
  for (let start = 0; start < sorted.length; start += PAIRS) {
    const bytes = [rowBinary(sorted.slice(start, start + PAIRS), target)];
    await connection.insertBytes(
      `INSERT INTO result_failures (batch_id, generation, combination, reason)
       SELECT ${owner}, m.target, f.reason FROM ${mapping} AS m
       INNER JOIN (SELECT combination, reason FROM result_failures FINAL WHERE ${from}) AS f ON f.combination = m.source
       FORMAT RowBinary`,
      bytes,
    );
    const floats = FLOAT_COLUMNS.join();
    await connection.insertBytes(
      `INSERT INTO result_rows (bucket, batch_id, generation, combination, variables, start_day, end_day, ${floats})
       SELECT ${target.bucket}, ${owner}, m.target, m.ranks, s.start_day, s.end_day, ${FLOAT_COLUMNS.map((name) => `s.${name}`).join()}
       FROM ${mapping} AS m
       INNER JOIN (
         SELECT combination, start_day, end_day, ${floats} FROM result_rows FINAL
         WHERE bucket = ${source.bucket} AND ${from}
       ) AS s ON s.combination = m.source
       FORMAT RowBinary`,
      bytes,
    );
  }
}

/**
 * Rows of target, source, and the ranks of the target's variables; arrays of fewer than 128 elements have a
 * one-byte length.
 */
function rowBinary(pairs: readonly (readonly [number, number])[], { dictionaries }: RowOwner): Buffer {
  const width = dictionaries.length;
  if (width > 127) throw new Error(`${width} variables are more than the format of copies holds`);
  const size = 9 + 4 * width;
  const bytes = Buffer.alloc(pairs.length * size);
  const ranks = new Int32Array(width);
  pairs.forEach(([target, source], row) => {
    const at = row * size;
    bytes.writeInt32LE(target, at);
    bytes.writeInt32LE(source, at + 4);
    bytes.writeUInt8(width, at + 8);
    ranksOfCombination(target, dictionaries, ranks);
    ranks.forEach((rank, i) => {
      bytes.writeUInt32LE(rank, at + 9 + 4 * i);
    });
  });
  return bytes;
}
