import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's special-purpose registries (IPv4), and what is not for one machine on the internet. */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/**
 * Within the global unicast range 2000::/3: protocol assignments (Teredo among them), documentation, and
 * 6to4, which leads to any IPv4 address.
 */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateV4 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) privateV4.addSubnet(net, prefix, 'ipv4');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');
const privateV6 = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V6) privateV6.addSubnet(net, prefix, 'ipv6');

/**
 * Whether an IP address is one on the public internet: no loopback, private, link-local, shared, reserved or
 * translated one.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateV4.check(address, 'ipv4');
  return isIPv6(address) && globalV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
}
