import type { Breaker } from './breaker.ts';

/** How the methods of a port are guarded; those that are not named answer with a promise, which is. */
export interface GuardedMethods<T> {
  /** Answer with an async iterable whose every step is guarded. */
  readonly streams?: readonly (keyof T)[];
  /** The same, and half of it is worth nothing: once begun it outlasts an outage of seconds. */
  readonly files?: readonly (keyof T)[];
  /** May take as long as they like, and are told of nothing: they wait for the server by themselves. */
  readonly free?: readonly (keyof T)[];
  /** The same; while the process starts they are tried until the server is there. */
  readonly opening?: readonly (keyof T)[];
  /** Must not be done twice: while the process starts, too, they fail where the server goes away. */
  readonly once?: readonly (keyof T)[];
}

/** The port, behind the breaker of the server that it stands on. */
export function guarded<T extends object>(
  port: T,
  breaker: Breaker,
  { streams = [], files = [], free = [], opening = [], once = [] }: GuardedMethods<T> = {},
): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      const call = (parameters: unknown[]) => Reflect.apply(value, target, parameters) as unknown;
      if (free.includes(name as keyof T)) return (...parameters: unknown[]) => call(parameters);
      if (opening.includes(name as keyof T))
        return (...parameters: unknown[]) =>
          breaker.opened(async () => (await call(parameters)) as Promise<unknown>);
      const isFile = files.includes(name as keyof T);
      if (isFile || streams.includes(name as keyof T))
        return (...parameters: unknown[]) =>
          steps(() => call(parameters) as AsyncIterable<unknown>, breaker, isFile);
      return (...parameters: unknown[]) =>
        breaker.run(
          async () => (await call(parameters)) as Promise<unknown>,
          String(name),
          !once.includes(name as keyof T),
        );
    },
  });
}

/**
 * The port, of which only the methods that are named stand behind the breaker: for files, where reading needs
 * nothing that could be away.
 */
export function guardedWrites<T extends object>(port: T, breaker: Breaker, writes: readonly (keyof T)[]): T {
  return new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      const call = (parameters: unknown[]) => Reflect.apply(value, target, parameters) as unknown;
      if (!writes.includes(name as keyof T)) return (...parameters: unknown[]) => call(parameters);
      return (...parameters: unknown[]) =>
        breaker.run(async () => (await call(parameters)) as Promise<unknown>, String(name));
    },
  });
}

async function* steps(
  open: () => AsyncIterable<unknown>,
  breaker: Breaker,
  isFile: boolean,
): AsyncIterable<unknown> {
  const iterator = await breaker.run(async () => open()[Symbol.asyncIterator]());
  let isDone = false;
  let hasBegun = false;
  try {
    for (;;) {
      const next = await (hasBegun && isFile
        ? breaker.goOn(() => iterator.next())
        : // What a step has taken is not given again.
          breaker.run(() => iterator.next(), '', false));
      hasBegun = true;
      if (next.done) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // A step that a server away will never end must not hold up the one who has given up.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
