const HARDLY = 0.001;

/** An estimated probability that is next to certain, in words: never 0 and never certain. Null for any other. */
export function nearlyCertain(p: number): string | null {
  if (p < HARDLY) return 'below 0.1%';
  return p > 1 - HARDLY ? 'above 99.9%' : null;
}
