import { DuckDBInstance } from '@duckdb/node-api';
import { identifier, text } from './staging-sql.ts';

export interface ParquetHead {
  readonly columns: readonly string[];
  /** The first rows as texts. */
  readonly sample: readonly (readonly string[])[];
}

/** The columns and first rows of a Parquet file. */
export async function readParquetHead(path: string): Promise<ParquetHead> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${text(path)})`);
    const columns = described.getRows().map(([name]) => String(name));
    const texts = columns.map((name) => `CAST(${identifier(name)} AS VARCHAR)`).join(', ');
    const rows = await connection.runAndReadAll(`SELECT ${texts} FROM read_parquet(${text(path)}) LIMIT 200`);
    return { columns, sample: rows.getRows().map((row) => row.map((value) => String(value ?? ''))) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
