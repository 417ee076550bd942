import { Market } from '@quantloom/compute/engine/series/market';
import { BROKEN_TICKER, isBroken } from './defects.ts';

/** The product's worker thread, with a defect that can be switched on and off. */
const returnsOf = Market.prototype.returns;
Market.prototype.returns = function returns(ticker) {
  if (ticker === BROKEN_TICKER && isBroken('engine')) throw new Error(`Returns of ${ticker} are broken`);
  return returnsOf.call(this, ticker);
};

await import('@quantloom/compute/pool/worker');
