import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** A network of IPv6 addresses that one customer has; a single address of it costs nothing to change. */
const IPV6_PREFIX_BYTES = 8;

/** What counts as one caller: the IPv4 address, or the /64 of the IPv6 address. Safe as part of a key, whatever was given. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return createHash('sha256').update(address).digest('hex');
  const bytes = ipaddr.process(address).toByteArray();
  return Buffer.from(bytes.length === 4 ? bytes : bytes.slice(0, IPV6_PREFIX_BYTES)).toString('hex');
}
