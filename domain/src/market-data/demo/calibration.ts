/** What a demo series must look like, as ranges `[least, most]`; fractions, over its whole life. */
export interface Calibration {
  readonly ticker: string;
  /** Standard deviation of daily returns times the root of 252. */
  readonly volatility: readonly [number, number];
  /** With SPY's daily returns. */
  readonly correlation: readonly [number, number];
  /** Worst fall from a peak. */
  readonly drawdown: readonly [number, number];
  /** Growth a year. */
  readonly growth: readonly [number, number];
}

/**
 * The stated figures of the demo data set: round ranges about what these funds and companies have shown in
 * reality, wide where the model is coarse. `docs/market-data.md` prints them.
 */
export const CALIBRATIONS: readonly Calibration[] = [
  { ticker: 'SPY', volatility: [0.16, 0.2], correlation: [1, 1], drawdown: [0.5, 0.6], growth: [0.09, 0.12] },
  {
    ticker: 'QQQ',
    volatility: [0.2, 0.28],
    correlation: [0.83, 0.95],
    drawdown: [0.75, 0.88],
    growth: [0.08, 0.12],
  },
  {
    ticker: 'IWM',
    volatility: [0.2, 0.26],
    correlation: [0.83, 0.95],
    drawdown: [0.5, 0.65],
    growth: [0.06, 0.11],
  },
  {
    ticker: 'XLF',
    volatility: [0.2, 0.3],
    correlation: [0.75, 0.95],
    drawdown: [0.7, 0.88],
    growth: [0.04, 0.1],
  },
  {
    ticker: 'XLE',
    volatility: [0.2, 0.3],
    correlation: [0.6, 0.85],
    drawdown: [0.6, 0.8],
    growth: [0.05, 0.11],
  },
  {
    ticker: 'XLP',
    volatility: [0.12, 0.18],
    correlation: [0.65, 0.92],
    drawdown: [0.28, 0.45],
    growth: [0.05, 0.1],
  },
  {
    ticker: 'EFA',
    volatility: [0.17, 0.24],
    correlation: [0.8, 0.92],
    drawdown: [0.5, 0.65],
    growth: [0.04, 0.09],
  },
  {
    ticker: 'EEM',
    volatility: [0.2, 0.3],
    correlation: [0.7, 0.88],
    drawdown: [0.5, 0.7],
    growth: [0.06, 0.12],
  },
  {
    ticker: 'TLT',
    volatility: [0.12, 0.17],
    correlation: [-0.4, -0.15],
    drawdown: [0.4, 0.6],
    growth: [0.02, 0.06],
  },
  {
    ticker: 'IEF',
    volatility: [0.05, 0.08],
    correlation: [-0.4, -0.15],
    drawdown: [0.18, 0.33],
    growth: [0.015, 0.05],
  },
  {
    ticker: 'SHY',
    volatility: [0.008, 0.02],
    correlation: [-0.35, 0],
    drawdown: [0.01, 0.07],
    growth: [0.01, 0.03],
  },
  {
    ticker: 'BIL',
    volatility: [0, 0.004],
    correlation: [-0.1, 0.1],
    drawdown: [0, 0.01],
    growth: [0.01, 0.02],
  },
  {
    ticker: 'HYG',
    volatility: [0.08, 0.13],
    correlation: [0.6, 0.82],
    drawdown: [0.28, 0.5],
    growth: [0.04, 0.07],
  },
  {
    ticker: 'GLD',
    volatility: [0.14, 0.2],
    correlation: [-0.1, 0.15],
    drawdown: [0.35, 0.55],
    growth: [0.06, 0.11],
  },
  {
    ticker: 'USO',
    volatility: [0.3, 0.42],
    correlation: [-0.1, 0.4],
    drawdown: [0.95, 1],
    growth: [-0.2, -0.05],
  },
  {
    ticker: 'UVXY',
    volatility: [0.85, 1.3],
    correlation: [-0.85, -0.6],
    drawdown: [0.99, 1],
    growth: [-0.88, -0.65],
  },
  {
    ticker: 'TQQQ',
    volatility: [0.5, 0.75],
    correlation: [0.85, 0.97],
    drawdown: [0.75, 0.9],
    growth: [0.3, 0.6],
  },
  {
    ticker: 'SQQQ',
    volatility: [0.5, 0.75],
    correlation: [-0.97, -0.85],
    drawdown: [0.99, 1],
    growth: [-0.65, -0.4],
  },
  {
    ticker: 'TMF',
    volatility: [0.36, 0.5],
    correlation: [-0.4, -0.15],
    drawdown: [0.85, 0.97],
    growth: [-0.1, 0.02],
  },
  {
    ticker: 'AAPL',
    volatility: [0.28, 0.42],
    correlation: [0.5, 0.75],
    drawdown: [0.7, 0.9],
    growth: [0.15, 0.25],
  },
  {
    ticker: 'KO',
    volatility: [0.13, 0.24],
    correlation: [0.45, 0.75],
    drawdown: [0.35, 0.6],
    growth: [0.04, 0.12],
  },
  {
    ticker: 'NVDA',
    volatility: [0.4, 0.62],
    correlation: [0.45, 0.7],
    drawdown: [0.8, 0.97],
    growth: [0.15, 0.4],
  },
];
