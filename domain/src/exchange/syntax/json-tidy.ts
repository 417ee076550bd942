/** JSON as people edit it by hand, made JSON again. */
export interface TidyJson {
  readonly text: string;
  /** What was taken out, in words; empty where nothing was. */
  readonly changes: readonly string[];
}

/**
 * Takes comments and commas before a closing bracket out of a text that is else JSON, and makes quotation
 * marks of typography plain where the text uses no others. Nothing inside a text changes. Offsets stay: what
 * is taken out becomes blanks.
 */
export function tidyJson(given: string): TidyJson {
  const isTypographic = /^[\s[]*\{\s*[\u201c\u201d]/.test(given.slice(0, 1000));
  const source = isTypographic ? given.replace(/[\u201c\u201d]/g, '"') : given;
  const parts: string[] = [];
  let [commas, comments, from] = [0, 0, 0];
  const blank = (start: number, end: number) => {
    parts.push(source.slice(from, start), source.slice(start, end).replace(/[^\n]/g, ' '));
    from = end;
  };
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x22) at = endOfText(source, at);
    else if (code === 0x2f) {
      const end = endOfComment(source, at);
      if (end === null) continue;
      blank(at, end);
      comments += 1;
      at = end - 1;
    } else if (code === 0x2c && isBeforeCloser(source, at + 1)) {
      blank(at, at + 1);
      commas += 1;
    }
  }
  parts.push(source.slice(from));
  const changes = [
    ...(isTypographic ? ['quotation marks of typography'] : []),
    ...(commas > 0 ? [`${commas} ${commas === 1 ? 'comma' : 'commas'} before a closing bracket`] : []),
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment' : 'comments'}`] : []),
  ];
  return { text: parts.join(''), changes };
}

/** The offset of the closing quotation mark; the end of the source where there is none. */
function endOfText(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return source.length;
}

/** Where a comment ends that begins here; null where none begins. */
function endOfComment(source: string, start: number): number | null {
  if (source[start + 1] === '/') {
    const end = source.indexOf('\n', start);
    return end === -1 ? source.length : end;
  }
  if (source[start + 1] !== '*') return null;
  const end = source.indexOf('*/', start + 2);
  return end === -1 ? source.length : end + 2;
}

/** Whether only blanks and comments stand between here and a closing bracket. */
function isBeforeCloser(source: string, start: number): boolean {
  for (let at = start; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x5d || code === 0x7d) return true;
    if (code === 0x2f) {
      const end = endOfComment(source, at);
      if (end === null) return false;
      at = end - 1;
    } else if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return false;
  }
  return false;
}
