import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** IPv6 subscribers have a /64 or more, and could use another address for every request. */
const IPV6_NETWORK_BITS = 64;

/**
 * IP address of the client; null if the trusted proxy sent no valid address.
 * An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, as a dual-stack listener reports it) is reduced to IPv4.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip'>): string | null {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : null;
}

/** Client network that rate limits apply to: the address, or the /64 network of an IPv6 address. */
export function networkOf(request: Pick<FastifyRequest, 'ip'>): string {
  const address = clientAddress(request);
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? 'unknown';
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${IPV6_NETWORK_BITS}`).toString();
}
