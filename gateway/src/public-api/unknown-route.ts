import { Problem } from '@tollgate/contracts/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findTargetProblem, pathOf } from '../request/target.ts';
import { allowedMethods } from './allowed-methods.ts';

/** Refuses what no route takes: malformed-request, route-not-found, or method-not-allowed with its `Allow` header. */
export function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
  const target = request.originalUrl;
  const found = findTargetProblem(target);
  if (found) throw new Problem(found.code, found.detail);
  const allow = allowedMethods(pathOf(target));
  if (allow === null) throw new Problem('route-not-found', 'There is nothing at this path.');
  reply.header('allow', allow);
  throw new Problem('method-not-allowed', `This path does not take ${request.method}, only ${allow}.`);
}
