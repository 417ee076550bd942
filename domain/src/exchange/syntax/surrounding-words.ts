import { MAX_SOURCE_FILES } from './source-limits.ts';

/** A text of which only the strategies are left. */
export interface WithoutWords {
  /** As long as what was given: words are blanks, so that offsets and lines stay. */
  readonly text: string;
  /** Each strategy, as its first and one behind its last character. */
  readonly parts: readonly (readonly [from: number, to: number])[];
  /** What was taken out, in words. */
  readonly changes: readonly string[];
}

/** How JSON, EDN and the text form of a strategy begin; words in brackets do not. */
const BEGINNING = /\{\s*["\u201c:}]|\[\s*[{:]|\(\s*defsymphony\b/g;
const CLOSER: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const SHOWN = 60;

/**
 * Parts strategies from the words that people write around them in mails and chats ("Here is my strategy:
 * …"). Takes time in proportion to the text, whatever it holds.
 * @returns null where no strategy begins in it, or where there are no words around it
 */
export function withoutSurroundingWords(given: string): WithoutWords | null {
  const isReply = /^[ \t]*>/m.test(given) && /^[ \t]*>[ \t]*[{[(]/m.test(given);
  const source = isReply ? given.replace(/^[ \t]*>+/gm, (marks) => ' '.repeat(marks.length)) : given;
  const parts: [number, number][] = [];
  BEGINNING.lastIndex = 0;
  for (let found = BEGINNING.exec(source); found; found = BEGINNING.exec(source)) {
    const to = endOf(source, found.index);
    parts.push([found.index, to]);
    BEGINNING.lastIndex = to;
    if (parts.length === MAX_SOURCE_FILES) break;
  }
  if (parts.length === 0) return null;
  const kept: string[] = [];
  const words: string[] = [];
  let at = 0;
  for (const [from, to] of [...parts, [source.length, source.length] as const]) {
    const between = source.slice(at, from);
    // The marks of a block of code are no words.
    const said = between
      .replace(/```\w*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (said !== '')
      words.push(
        `words around it (${JSON.stringify(said.length > SHOWN ? `${said.slice(0, SHOWN)}…` : said)})`,
      );
    kept.push(between.replace(/\S/g, ' '), source.slice(from, to));
    at = to;
  }
  if (words.length === 0 && !isReply && !source.includes('```')) return null;
  const marks = isReply ? ['the marks of a reply (">") at the beginnings of lines'] : [];
  return { text: kept.join(''), parts, changes: [...marks, ...words] };
}

/** One behind the bracket that closes the one at `start`; the end of the text where none does. */
function endOf(text: string, start: number): number {
  const wanted: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
      continue;
    }
    const closer = CLOSER[letter];
    if (closer !== undefined) wanted.push(closer);
    else if (letter === wanted.at(-1)) {
      wanted.pop();
      if (wanted.length === 0) return at + 1;
    }
  }
  return text.length;
}
