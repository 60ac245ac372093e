import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyInstance } from 'fastify';
import { keyRejection } from './key-rejection.ts';
import type { Principals } from './principals.ts';

/**
 * Says on the ops port whether this gateway accepts a key: 204, or 404. `npm start` waits for its keys with it, because a
 * request to the API would count as usage. The lookup id is the public part of a key.
 */
export function registerKeyStatus(
  ops: FastifyInstance,
  { principals, clock }: { principals: Principals; clock: Clock },
): void {
  ops.get<{ Params: { lookup_id: string } }>('/api-keys/:lookup_id', (request, reply) => {
    const key = principals.findKey(request.params.lookup_id);
    const application = key && principals.findApplication(key.applicationId);
    const isAccepted = application?.status === 'active' && key && keyRejection(key, clock.now()) === null;
    return reply.code(isAccepted ? 204 : 404).send();
  });
}
