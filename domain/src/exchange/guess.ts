import { isRecord } from '../strategy/values.ts';
import { hasAnswerIndicators } from './source-answer.ts';

const READ =
  'Read are strategies of Composer (JSON, EDN or text), of QuantMage (JSON) and of this product (JSON or text).';

/** What something without a strategy looks like, and what is read. */
export function guessWords(given: unknown, datum: unknown): string {
  const guess =
    typeof given === 'string' && datum === undefined
      ? guessOfText(given.trimStart())
      : guessOfValue(datum ?? given);
  return guess === null ? READ : `${guess} ${READ}`;
}

/** Whether a text looks like something that is no strategy in any notation. */
export function looksForeign(text: string): boolean {
  return guessOfText(text.trimStart()) !== null;
}

function guessOfText(text: string): string | null {
  const start = text.slice(0, 4000);
  if (start === '') return 'This is empty.';
  if (start.startsWith('PK\u0003\u0004')) return 'This looks like a zip file: give it as a file.';
  if (start.startsWith('%PDF')) return 'This looks like a PDF.';
  if (/^#(?:[=_?'"({]|[a-z][\w./-]*\s*[{["(])/i.test(start))
    return 'This begins with a tagged value or a reader macro of Clojure, which are not read.';
  if (start.startsWith('<')) return 'This looks like a web page or XML.';
  if (/^\S*date\S*[,;\t]/i.test(start))
    return 'This looks like a table of prices or results: import prices with “quantloom data import”.';
  if (/^(?:import |from \w+ import|def |class |\/\/@version|\/\/|#include|function |const )/m.test(start))
    return 'This looks like program code.';
  if (/^https?:\/\/\S+$/.test(start.trim())) return 'This is an address: open it and paste what it holds.';
  return null;
}

function guessOfValue(value: unknown): string | null {
  if (hasAnswerIndicators(value))
    return (
      'This looks like the answer of a Composer backtest: values and weights by day, without the ' +
      'strategy that was run.'
    );
  if (Array.isArray(value))
    return value.length === 0 ? 'This is an empty list.' : 'This is a list without blocks.';
  if (!isRecord(value)) return 'This is a single value.';
  const names = Object.keys(value);
  if (names.length === 0) return 'This is an empty object.';
  if (['metrics', 'cumulative_return', 'stats', 'history'].some((name) => names.includes(name)))
    return 'This looks like the result of a backtest, without the strategy that was run.';
  return `This holds ${names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ')}${names.length > 5 ? ', …' : ''}.`;
}
