import { ACCOUNT_LIMITS } from '@tollgate/contracts/account';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { clientAddress } from '../request/client-address.ts';

/** Origin of a request, for throttling and audit. */
export function originOf(request: FastifyRequest): { address: string | null; user_agent: string | null } {
  return { address: clientAddress(request), user_agent: userAgent(request) };
}

/** IPv6 subscribers have a /64 or more, and could use another address for every request. */
const IPV6_NETWORK_BITS = 64;

/** Client network that rate limits apply to: the address, or the /64 network of an IPv6 address. */
export function networkOf(request: FastifyRequest): string {
  const address = clientAddress(request);
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? 'unknown';
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${IPV6_NETWORK_BITS}`).toString();
}

export function userAgent(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, ACCOUNT_LIMITS.userAgent) ?? null;
}
