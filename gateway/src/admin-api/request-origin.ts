import { ACCOUNT_LIMITS } from '@tollgate/contracts/account';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Where a request comes from, for throttling and audit. */
export function originOf(request: FastifyRequest): { address: string | null; user_agent: string | null } {
  return { address: personAddress(request), user_agent: userAgent(request) };
}

/**
 * IP address of the person who asks; null when a trusted proxy named none that is one.
 * IPv4 written as IPv6 (`::ffff:192.0.2.1`, as a dual-stack listener shows it) is the same person as plain IPv4.
 */
export function personAddress(request: FastifyRequest): string | null {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : null;
}

export function userAgent(request: FastifyRequest): string | null {
  return request.headers['user-agent']?.slice(0, ACCOUNT_LIMITS.userAgent) ?? null;
}
