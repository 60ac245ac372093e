import type { FastifyInstance } from 'fastify';

/** On every listener, for the health check of a load balancer, which may reach no other port. */
export const READINESS = { path: '/readyz', methods: ['GET', 'HEAD'] };

/** Needs no credential, and says nothing more: the reasons are on the ops port. */
export function registerReadiness(app: FastifyInstance, isReady: () => boolean): void {
  app.route({
    method: READINESS.methods,
    url: READINESS.path,
    handler: (_request, reply) =>
      isReady() ? { status: 'ready' } : reply.code(503).send({ status: 'not ready' }),
  });
}
