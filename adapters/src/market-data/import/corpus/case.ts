import type { ImportOptions } from '../import-files.ts';
import type { PanelRow, PanelTicker } from './panel.ts';

/** Which price of the panel a file holds. */
export type PriceKind = 'adjusted' | 'close';

export interface CorpusCase {
  /** Source and form, for the test's name. */
  readonly name: string;
  /** Path below the folder of the case to content. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  /** What is imported; default all files, by their names. */
  readonly paths?: readonly string[];
  readonly options?: Partial<ImportOptions>;
  readonly expected:
    | {
        /** The stored ticker to the panel's ticker and price; no other ticker may be there. */
        readonly tickers: Readonly<Record<string, readonly [PanelTicker, PriceKind]>>;
        /** Rows of the panel that the files leave out. */
        readonly without?: (ticker: PanelTicker, row: PanelRow) => boolean;
        /** Of all prices. */
        readonly times?: number;
      }
    | { readonly refused: RegExp };
}

const ADJUSTED = 'adjusted' as const;
const CLOSE = 'close' as const;
export const SPY_ADJUSTED = { SPY: ['SPY', ADJUSTED] } as const;
export const SPY_CLOSE = { SPY: ['SPY', CLOSE] } as const;
export const ALL_ADJUSTED = {
  SPY: ['SPY', ADJUSTED],
  QQQ: ['QQQ', ADJUSTED],
  'BRK-B': ['BRK-B', ADJUSTED],
} as const;
export const ALL_CLOSE = { SPY: ['SPY', CLOSE], QQQ: ['QQQ', CLOSE], 'BRK-B': ['BRK-B', CLOSE] } as const;
