const GROUPS = 8;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What an address is counted as: one of IPv4 by itself, one of IPv6 with its 64 bits of network, since
 * whoever has such a network has as many addresses as he likes. What is no address is counted as it is written.
 */
export function networkOf(address: string): string {
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [written = ''] = address.split('%');
  const [before = '', after, ...more] = written.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  // An address of IPv4 at the end stands for two groups.
  const width = first.length + last.length + ([...first, ...last].at(-1)?.includes('.') ? 1 : 0);
  const isShort = after !== undefined;
  if (more.length > 0 || (isShort ? width >= GROUPS : width !== GROUPS)) return address;
  const groups = [...first, ...Array<string>(isShort ? GROUPS - width : 0).fill('0'), ...last].slice(0, 4);
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return address;
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

const OWN_V4 =
  /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const OWN_V6 = /^(?:::1$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/i;

/**
 * Whether an address is one of this machine or of a private network. Nobody comes from there over the
 * internet, unless a proxy that nobody has told of stands in between: then it is everybody's.
 */
export function isPrivateAddress(address: string): boolean {
  const [, mapped] = MAPPED.exec(address) ?? [];
  return OWN_V4.test(mapped ?? address) || OWN_V6.test(address);
}

/** What an address is counted as (`networkOf`); null for one that is private. */
export function publicNetworkOf(address: string): string | null {
  return isPrivateAddress(address) ? null : networkOf(address);
}
