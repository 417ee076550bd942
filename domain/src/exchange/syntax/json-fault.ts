import { lineAndColumn } from './source-limits.ts';

const TOKEN = /[{}[\]:,]|"(?:[^"\\\n\r]{0,2000})|[^\s{}[\]:,"]{1,60}/y;
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

interface Open {
  readonly bracket: '{' | '[';
  readonly offset: number;
}

/**
 * Where a text that is nearly JSON stops being it, in a sentence with line and column. The parser of the
 * platform names the place in some cases only.
 */
export function jsonFault(text: string): string {
  const open: Open[] = [];
  let wants: 'value' | 'key' | 'colon' | 'next' = 'value';
  let isFirst = false;
  let at = 0;
  const told = (sentence: string, offset = at) =>
    `This is not valid JSON: ${sentence} (${lineAndColumn(text, offset)}).`;
  for (;;) {
    while (at < text.length && ' \t\n\r'.includes(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? text[at] ?? '';
    const top = open.at(-1);
    if (top === undefined && wants === 'next') return told(`${quoted(token)} follows after its end`);
    const isText = token.startsWith('"');
    const end = isText ? endOfText(text, at) : at + token.length;
    if (isText && end === null) return told(textFault(text, at));
    if (wants === 'colon') {
      if (token !== ':') return told(`a : is missing before ${quoted(token)}`);
      wants = 'value';
    } else if (wants === 'next') {
      if (token === ',') {
        wants = top?.bracket === '{' ? 'key' : 'value';
        isFirst = false;
      } else if (token === closerOf(top)) {
        open.pop();
        wants = 'next';
      } else if ('}]'.includes(token)) return told(`a ${token} stands where a ${closerOf(top)} is wanted`);
      else return told(`a comma is missing before ${quoted(token)}`);
    } else if (token === closerOf(top) && isFirst) {
      open.pop();
      wants = 'next';
    } else if (wants === 'key') {
      if (!isText) return told(`the name of a field is wanted, not ${quoted(token)}`);
      wants = 'colon';
    } else if (token === '{' || token === '[') {
      open.push({ bracket: token, offset: at });
      wants = token === '{' ? 'key' : 'value';
      isFirst = true;
      at += 1;
      continue;
    } else if (isText || SCALAR.test(token)) wants = 'next';
    else return told(`a value is wanted, not ${quoted(token)}`);
    isFirst = false;
    at = end ?? at + 1;
  }
  const last = open.at(-1);
  return last ? told(`the ${last.bracket} is never closed`, last.offset) : told('it ends too early');
}

function closerOf(open: Open | undefined): string {
  return open === undefined ? '' : open.bracket === '{' ? '}' : ']';
}

/** Behind the closing quotation mark of a text; null where it has none, or holds what no text may hold. */
function endOfText(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at += 1;
    else if (code < 0x20) return null;
  }
  return null;
}

function textFault(text: string, start: number): string {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x0a || code === 0x0d) return 'a text goes on over the end of its line';
    else if (code < 0x20) return `a text holds a control character (U+${code.toString(16).padStart(4, '0')})`;
  }
  return 'a text has no closing quotation mark';
}

function quoted(token: string): string {
  return token.length > 30 ? `${token.slice(0, 30)}…` : token;
}
