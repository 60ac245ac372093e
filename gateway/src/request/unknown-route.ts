import { Problem } from '@tollgate/contracts/platform/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedMethods } from './allowed-methods.ts';
import { findTargetProblem, originForm, pathOf } from './target.ts';

/**
 * Rejects requests without a route: malformed-request, route-not-found, or method-not-allowed with its `Allow` header.
 */
export type RejectUnknownRoute = (request: FastifyRequest, reply: FastifyReply) => never;

export function createRejectUnknownRoute(
  allowedMethods: AllowedMethods,
  maxTargetLength: number,
): RejectUnknownRoute {
  return function rejectUnknownRoute(request, reply) {
    const target = originForm(request.originalUrl);
    const found = findTargetProblem(target, maxTargetLength);
    if (found) throw new Problem(found.code, found.detail);
    const allow = allowedMethods(pathOf(target));
    if (allow === null) throw new Problem('route-not-found', 'No route matches this path.');
    reply.header('allow', allow);
    throw new Problem(
      'method-not-allowed',
      `${request.method} is not allowed for this path. Allowed: ${allow}.`,
    );
  };
}
