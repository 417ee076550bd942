import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';

/** Partitions of the rows table. A deletion rewrites the parts of one bucket only. */
export const BUCKETS = 32;

/** Inserts whose tokens the server remembers, per table. */
const DEDUPLICATION_WINDOW = 10_000;

/** What a row that was stored before its column was there has in it stands for null. */
const FLOAT = 'Float64 DEFAULT nan CODEC(ZSTD(1))';

const settings = `SETTINGS non_replicated_deduplication_window = ${DEDUPLICATION_WINDOW}`;

/** Tables as `docs/clickhouse.md` explains them. Statements are idempotent and only ever added to. */
export const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS result_batches (
     batch_id String,
     generation UInt32,
     is_deleted UInt8,
     variables String CODEC(ZSTD(3)),
     version UInt32 DEFAULT generation * 2 + is_deleted,
     inserted_at DateTime DEFAULT now()
   ) ENGINE = ReplacingMergeTree(version) ORDER BY batch_id`,
  `CREATE TABLE IF NOT EXISTS result_blocks (
     batch_id String,
     generation UInt32,
     first Int32,
     past Int32,
     inserted_at DateTime DEFAULT now()
   ) ENGINE = ReplacingMergeTree ORDER BY (batch_id, generation, first, past)`,
  `CREATE TABLE IF NOT EXISTS result_failures (
     batch_id String,
     generation UInt32,
     combination Int32 CODEC(Delta, ZSTD(1)),
     reason String CODEC(ZSTD(1)),
     inserted_at DateTime DEFAULT now()
   ) ENGINE = ReplacingMergeTree ORDER BY (batch_id, generation, combination)`,
  `CREATE TABLE IF NOT EXISTS result_rows (
     bucket UInt8,
     batch_id String CODEC(ZSTD(1)),
     generation UInt32 CODEC(ZSTD(1)),
     combination Int32 CODEC(Delta, ZSTD(1)),
     variables Array(UInt32) CODEC(ZSTD(1)),
     start_day Int32 CODEC(ZSTD(1)),
     end_day Int32 CODEC(ZSTD(1)),
     ${FLOAT_COLUMNS.map((name) => `${name} ${FLOAT}`).join(',\n     ')},
     inserted_at DateTime DEFAULT now() CODEC(ZSTD(1))
   ) ENGINE = ReplacingMergeTree PARTITION BY bucket ORDER BY (batch_id, generation, combination) ${settings}`,
  // Tables of an earlier version get what has been declared since, which changes no stored part.
  `ALTER TABLE result_rows ${FLOAT_COLUMNS.map((name) => `ADD COLUMN IF NOT EXISTS ${name} ${FLOAT}`).join(', ')}`,
];

/** The bucket of a batch: FNV-1a of its id, so that it never changes. */
export function bucketOf(batchId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(batchId, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

/** A text as a ClickHouse literal. */
export const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
