import { ACCOUNT_LIMITS } from '@tollgate/contracts/account';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Origin of a request, for throttling and audit. */
export function originOf(request: FastifyRequest): { address: string | null; user_agent: string | null } {
  return { address: personAddress(request), user_agent: userAgent(request) };
}

/**
 * IP address of the member; null if the trusted proxy sent no valid address.
 * An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, as a dual-stack listener reports it) is reduced to IPv4.
 */
export function personAddress(request: FastifyRequest): string | null {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : null;
}

/** IPv6 subscribers have a /64 or more, and could use another address for every request. */
const IPV6_NETWORK_BITS = 64;

/** Client network that rate limits apply to: the address, or the /64 network of an IPv6 address. */
export function networkOf(request: FastifyRequest): string {
  const address = personAddress(request);
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? 'unknown';
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${IPV6_NETWORK_BITS}`).toString();
}

export function userAgent(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, ACCOUNT_LIMITS.userAgent) ?? null;
}
