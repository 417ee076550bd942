/**
 * What is below these is rounding: for the engine and for whatever is computed from its answers. The kernels
 * have them written out.
 */

/** A deviation of daily returns. */
export const NO_DEVIATION = 1e-12;

/** A share of the portfolio that is traded on a day. */
export const TRADED = 1e-12;
