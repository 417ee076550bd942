import type { lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** A server that has not answered by then is asked once more; webhooks wait for 5 s altogether. */
const SERVER = { timeout: 1_500, tries: 2 };

/**
 * `dns.lookup` for names of strangers. That one asks the operating system, two names at a time in the whole
 * process: whoever names hosts whose servers never answer would keep the webhooks, mails and prices of
 * everybody waiting. This one asks the name servers itself, as many names at a time as there are, and knows
 * nothing of the hosts file, which names nothing on the public internet.
 */
export function lookUpByServers(resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = new Resolver(SERVER)) {
  const look = async (name: string) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    throw four.status === 'rejected' ? four.reason : new Error('No address');
  };
  const asLookup = (name: string, _options: object, done: (error: Error | null, found?: unknown) => void) =>
    void look(name).then(
      (found) => done(null, found),
      (error: Error) => done(error),
    );
  return asLookup as unknown as typeof lookup;
}
