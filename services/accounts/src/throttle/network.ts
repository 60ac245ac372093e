import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** One customer's network of IPv6 addresses: changing a single address in it costs nothing. */
const IPV6_PREFIX_BYTES = 8;

/**
 * The network that counts as one caller: the IPv4 address, or the /64 of the IPv6 address. Any input yields a text that
 * is safe as part of a key.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return createHash('sha256').update(address).digest('hex');
  const bytes = ipaddr.process(address).toByteArray();
  return Buffer.from(bytes.length === 4 ? bytes : bytes.slice(0, IPV6_PREFIX_BYTES)).toString('hex');
}
