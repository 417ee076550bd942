/** Which processes of a side answer; asked for readiness all the time, so that a dead one gets no more requests. */
export interface Upstreams {
  /** The next one in turn that was ready last time; any when none was. */
  next(): string;
  close(): void;
}

const CHECK_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;

/** @param urls `http://host:port`, at least one */
export function watchUpstreams(urls: readonly string[]): Upstreams {
  const ready = new Set(urls);
  const abort = new AbortController();
  let turn = 0;
  const check = async (url: string) => {
    try {
      const answer = await fetch(`${url}/ready`, {
        signal: AbortSignal.any([abort.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
      });
      await answer.body?.cancel();
      if (answer.ok) ready.add(url);
      else ready.delete(url);
    } catch {
      // Refused, or too slow to answer: it gets nothing until it does.
      ready.delete(url);
    }
  };
  const timer = setInterval(() => {
    for (const url of urls) void check(url);
  }, CHECK_MS);
  timer.unref();
  return {
    next: () => {
      const candidates = ready.size > 0 ? urls.filter((url) => ready.has(url)) : urls;
      turn += 1;
      return candidates[turn % candidates.length] as string;
    },
    close: () => {
      clearInterval(timer);
      abort.abort();
    },
  };
}
