import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { toPlainText } from '@tollgate/contracts/platform/plain-text';
import type { FastifyRequest } from 'fastify';

/** Origin of a request, for throttling and audit. */
export function originOf(request: FastifyRequest): { address: string | null; user_agent: string | null } {
  return { address: request.clientAddress, user_agent: userAgent(request) };
}

export function userAgent(request: FastifyRequest): string | null {
  const sent = request.headers['user-agent'];
  return sent === undefined ? null : toPlainText(sent).slice(0, ACCOUNT_LIMITS.userAgent);
}
