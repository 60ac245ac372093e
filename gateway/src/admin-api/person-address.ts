import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * IP address of the person who asks, for throttling and audit; null when a trusted proxy named none that is one.
 * IPv4 written as IPv6 (`::ffff:192.0.2.1`, as a dual-stack listener shows it) is the same person as plain IPv4.
 */
export function personAddress(request: FastifyRequest): string | null {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : null;
}
