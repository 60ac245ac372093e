import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * IP address of the client; null if the trusted proxy sent no valid address.
 * An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`, as a dual-stack listener reports it) is reduced to IPv4.
 */
export function clientAddress(request: FastifyRequest): string | null {
  return ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : null;
}
