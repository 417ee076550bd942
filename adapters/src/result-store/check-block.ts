import { FLOAT_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { Dictionary } from './dictionary.ts';

/** Throws on a block that does not fit its batch, before anything of it is written. */
export function checkBlock(block: ResultBlock, dictionaries: readonly Dictionary[]): void {
  const name = `Block ${block.from} of batch ${block.batchId}`;
  const check = (column: string, length: number | undefined) => {
    if (length !== block.count) throw new Error(`${name}: ${column} has ${length} rows, not ${block.count}`);
  };
  check('startDay', block.startDay.length);
  check('endDay', block.endDay.length);
  if (block.variables.length !== dictionaries.length) {
    throw new Error(`${name} has ${block.variables.length} variables, the batch has ${dictionaries.length}`);
  }
  block.variables.forEach((column, i) => {
    const { name: variable, values } = dictionaries[i] as Dictionary;
    check(variable, column.length);
    if (column.some((index) => index < 0 || index >= values.length)) {
      throw new Error(`${name}: an index of ${variable} is beyond its ${values.length} values`);
    }
  });
  for (const column of FLOAT_COLUMNS) if (block.floats[column]) check(column, block.floats[column].length);
}
