import {
  type BacktestColumns,
  encodeColumns,
  isColumn,
  isMembers,
  listOf,
} from '@quantloom/domain/contracts/backtest-columns';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { AnswerForm } from '@quantloom/domain/ports/backtest-runner';

/**
 * Bytes of an answer: longer ones would take the memory of all threads, and JSON beyond twice as much is no
 * text that V8 can hold.
 */
const MOST_BYTES: Readonly<Record<AnswerForm, number>> = {
  columns: 400 * 1024 * 1024,
  json: 256 * 1024 * 1024,
};

/**
 * Written where it was computed, so that the thread that answers requests has only bytes to pass on.
 *
 * @throws RefusalError (422) for an answer that is too long, before it is in memory as a whole
 */
export function writeAnswer(
  answer: BacktestColumns,
  form: AnswerForm,
  most = MOST_BYTES[form],
): Uint8Array<ArrayBuffer> {
  const refuseLength = () => {
    throw tooLong(form, most);
  };
  if (form === 'columns') return encodeColumns(answer, most, refuseLength);
  const parts: Uint8Array[] = [];
  let size = 0;
  const encoder = new TextEncoder();
  writeJson(answer, (text) => {
    const part = encoder.encode(text);
    size += part.length;
    if (size > most) refuseLength();
    parts.push(part);
  });
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Writes the text that `JSON.stringify` gives for the answer with lists, column by column. */
function writeJson(value: unknown, write: (text: string) => void): void {
  if (isColumn(value)) write(JSON.stringify(listOf(value)));
  else if (isMembers(value)) {
    let before = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      write(`${before}${JSON.stringify(key)}:`);
      writeJson(member, write);
      before = ',';
    }
    write(before === '{' ? '{}' : '}');
  } else write(JSON.stringify(value));
}

function tooLong(form: AnswerForm, most: number): RefusalError {
  const way = form === 'json' ? ', or take it in columns (see the documentation of the call)' : '';
  return new RefusalError(
    refuse(
      422,
      'answer_too_long',
      `The answer would be longer than ${Math.floor(most / (1024 * 1024))} MB. Ask for a shorter ` +
        `range or for less of it ("include")${way}.`,
    ),
  );
}
