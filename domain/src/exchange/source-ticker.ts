/** A ticker of another tool in our spelling. */
export interface SourceTicker {
  /** Empty where it names nothing that is traded here. */
  readonly ticker: string;
  /** `crypto`, `unreadable`: why it is empty; `respelt`: more than letter case was changed. */
  readonly fault: 'crypto' | 'unreadable' | 'respelt' | null;
}

const MAX_LENGTH = 50;

/** `EQUITIES::SPY//USD` is `SPY`, `BRK/B` and `BRK.B` are `BRK-B`, `CRYPTO::BTC//USD` cannot be traded here. */
export function readTicker(value: unknown): SourceTicker {
  if (typeof value !== 'string') return { ticker: '', fault: 'unreadable' };
  const text = value.trim();
  // What an export of ours may hold and that tool does not: variables, simulated tickers and ratios.
  if (/^\$[A-Za-z0-9_]{1,49}$/.test(text)) return { ticker: text, fault: null };
  if (/^SIM:[A-Z0-9.-]{1,40}$/.test(text)) return { ticker: text, fault: null };
  const ratio = text.split(' / ');
  if (ratio.length === 2) {
    const sides = ratio.map((side) => readTicker(side).ticker);
    if (sides.every((side) => side !== '' && !side.includes('/')))
      return { ticker: sides.join('/'), fault: null };
  }
  const qualified = /^([A-Za-z_]+)::(.+)\/\/[A-Za-z]+$/.exec(text);
  if (qualified && (qualified[1] ?? '').toUpperCase() !== 'EQUITIES') return { ticker: '', fault: 'crypto' };
  const symbol = (qualified?.[2] ?? text).toUpperCase();
  const shareClass = /^([A-Z]{1,5})[./ ]([A-Z])$/.exec(symbol);
  const ticker = shareClass ? `${shareClass[1]}-${shareClass[2]}` : symbol;
  if (!/^[A-Z0-9^@=._-]{1,50}$/.test(ticker) || ticker.length > MAX_LENGTH)
    return { ticker: '', fault: 'unreadable' };
  return { ticker, fault: shareClass || qualified ? 'respelt' : null };
}
