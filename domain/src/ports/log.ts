/** Where it is said what happens while working. A logger of `pino` is one. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** For those who ask nobody to listen. */
export const NO_LOG: Log = { info: () => {}, warn: () => {}, error: () => {} };
