import { type NumberEntry, readNumber } from '../../lib/number-entry.ts';

/** As the API takes it. */
const LIMITS = { min: 0.01, max: 1e12 };

/**
 * The amount in dollars that a text stands for (`10000`, `$2,500.50`, `2.500,50 USD`), or a sentence why it
 * is none: a percentage, another currency.
 */
export function readAmount(entered: string): NumberEntry {
  const shown = entered.trim();
  if (shown.endsWith('%'))
    return {
      isRead: false,
      reason: `“${shown}” is a percentage: enter an amount of money`,
    };
  const foreign = /[€£¥₣₹]|\b(?:EUR|GBP|CHF|JPY|CAD|AUD)\b/i.exec(shown);
  if (foreign)
    return {
      isRead: false,
      reason: `“${shown}” is not in US dollars, and the closes are: enter the amount in dollars`,
    };
  const bare = shown.replace(/^(?:US)?\$|^USD\b/i, '').replace(/(?:\$|\bUSD)$/i, '');
  // Money has two decimals at most: three digits behind a mark are thousands.
  const grouped = /^\s*\d{1,3}([.,'’ ])\d{3}(?:\1\d{3})*\s*$/.test(bare);
  return readNumber(grouped ? bare.replace(/[^\d]/g, '') : bare, LIMITS);
}
