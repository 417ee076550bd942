import { breath } from './breath.ts';
import { RawJson } from './routes.ts';

/**
 * Elements of a list are written until this many characters are there, about a millisecond's work; then
 * others come first.
 */
const CHARACTERS_AT_ONCE = 100_000;

/**
 * A large answer as JSON, one of its lists written piece by piece with a breath in between: in one go it
 * would keep the thread that serves everybody for as long as fifty small calls take.
 *
 * @param list name of the list, whose elements each are small
 */
export async function writeInPieces<A extends object, L extends keyof A & string>(
  answer: A,
  list: L,
): Promise<RawJson> {
  const { [list]: elements, ...rest } = answer;
  const written: string[] = [];
  let since = 0;
  for (const element of elements as readonly unknown[]) {
    const text = JSON.stringify(element);
    written.push(text);
    since += text.length;
    if (since < CHARACTERS_AT_ONCE) continue;
    since = 0;
    await breath();
  }
  const others = JSON.stringify(rest).slice(1);
  const listed = `{${JSON.stringify(list)}:[${written.join(',')}]`;
  return new RawJson(others === '}' ? `${listed}}` : `${listed},${others}`, { isWritten: true });
}
