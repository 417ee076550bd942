import { type Config, ConfigurationError } from '../config.ts';

/** Which processes of a side answer; asked for readiness all the time, so that a dead one gets no more requests. */
export interface Upstreams {
  /** The next one in turn that was ready last time; else one that does a part of its work; any when none was. */
  next(): string;
  /** Whether one of them was ready last time, or does a part of its work. */
  areThere(): boolean;
  close(): void;
}

const CHECK_MS = 500;
const CHECK_TIMEOUT_MS = 2_000;

type State = 'ready' | 'partly' | 'away';

/** The processes of a side that the gateway passes requests on to; without any it cannot work. */
export function upstreamUrls<Name extends 'COMMAND_API_URLS' | 'QUERY_API_URLS'>(
  name: Name,
  config: Pick<Config, Name>,
): string[] {
  const urls = (config[name] ?? '')
    .split(',')
    .map((url) => url.trim().replace(/\/+$/, ''))
    .filter(Boolean);
  if (urls.length === 0) throw new ConfigurationError(`${name} is needed by the gateway`);
  return urls;
}

/** @param urls `http://host:port`, at least one */
export function watchUpstreams(urls: readonly string[], { checkMs = CHECK_MS } = {}): Upstreams {
  const states = new Map<string, State>(urls.map((url) => [url, 'ready']));
  const abort = new AbortController();
  let turn = 0;
  const check = async (url: string) => {
    try {
      // A server away is away for all of them: what works without it is to be answered.
      const answer = await fetch(`${url}/ready?partly=enough`, {
        signal: AbortSignal.any([abort.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]),
      });
      const { status } = (await answer.json()) as { status?: unknown };
      if (answer.ok) states.set(url, status === 'partly' ? 'partly' : 'ready');
      else states.set(url, 'away');
    } catch {
      // Refused, or too slow to answer: it gets nothing until it does.
      states.set(url, 'away');
    }
  };
  const timer = setInterval(() => {
    for (const url of urls) void check(url);
  }, checkMs);
  timer.unref();
  const those = (state: State) => urls.filter((url) => states.get(url) === state);
  return {
    next: () => {
      const candidates = [those('ready'), those('partly'), urls].find((some) => some.length > 0) ?? urls;
      turn += 1;
      return candidates[turn % candidates.length] as string;
    },
    areThere: () => those('away').length < urls.length,
    close: () => {
      clearInterval(timer);
      abort.abort();
    },
  };
}
