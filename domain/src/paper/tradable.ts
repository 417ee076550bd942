/** Shares, rounded down to what an account trades: whole ones, or millionths. */
export function tradable(quantity: number, isFractional: boolean): number {
  // What is a hair below a whole number by rounding alone is that number.
  const scale = isFractional ? 1e6 : 1;
  return Math.max(0, Math.floor(quantity * scale + 1e-6) / scale);
}
