import ipaddr from 'ipaddr.js';

/** One customer's network of IPv6 addresses: changing a single address in it costs nothing. */
const IPV6_PREFIX_BYTES = 8;

/**
 * The network that counts as one caller: the IPv4 address, or the /64 of the IPv6 address, as a text that is safe as part of a key. All
 * callers whose address is unreadable (null) are one.
 */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const bytes = ipaddr.process(address).toByteArray();
  return Buffer.from(bytes.length === 4 ? bytes : bytes.slice(0, IPV6_PREFIX_BYTES)).toString('hex');
}
