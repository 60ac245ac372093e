import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import { insertInSlot } from '@tollgate/store/slots';
import type { Static } from 'typebox';
import { requireRoleFor } from '../access/permissions.ts';
import { endpointEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { checkUrl } from './check-url.ts';
import { requireRoomForDeleted } from './deleted-endpoints.ts';
import { type Endpoint, newEndpoint } from './endpoint.ts';

type CreateEndpointRequest = Static<typeof contract.createEndpoint.request>;

export interface CreatedEndpoint {
  endpoint: Endpoint;
  /** Null in a replay. */
  secret: string | null;
}

/** Creates an endpoint for one of the team's applications. Throws `not-found`, `forbidden`, `invalid-request`, `conflict`, `unavailable`. */
export async function createEndpoint(
  context: Context,
  actor: Actor,
  request: CreateEndpointRequest,
  call: IdempotentCall | null,
): Promise<CreatedEndpoint> {
  const { application_id, environment } = request;
  const application = await context.applications.find(actor.team_id, application_id);
  if (!application) throw new Problem('not-found', `Your team has no application ${application_id}.`);
  requireRoleFor(actor, environment, 'create webhook endpoints');
  return createOnce(context, actor, call, {
    newId: () => newId('webhookEndpoint'),
    idOf: ({ endpoint }) => endpoint._id,
    async find(id) {
      const endpoint = await context.endpoints.find(actor.team_id, id);
      return endpoint && { endpoint, secret: null };
    },
    async create(reserveId) {
      requireActive(application);
      return insertEndpoint(context, actor, request, reserveId);
    },
  });
}

async function insertEndpoint(
  context: Context,
  actor: Actor,
  { description = '', ...request }: CreateEndpointRequest,
  reserveId: () => Promise<string>,
): Promise<CreatedEndpoint> {
  const { team_id } = actor;
  await requireRoom(context, team_id, request.application_id);
  await requireRoomForDeleted(context, team_id);
  requireNoCardNumber('/description', [description]);
  const url = await checkUrl(context, request.url, request.environment);

  const secret = newWebhookSecret();
  const now = new Date(context.clock.now());
  const _id = await reserveId();
  const sealed = context.cipher.seal(secret, _id);
  const endpoint = newEndpoint({ _id, team_id, ...request, url, description }, sealed, now);
  const entry = endpointEntry('webhook_endpoint.created', actorAuthor(actor))(null, endpoint);
  const isStored = await insertInSlot({
    max: WEBHOOK_LIMITS.endpointsPerTeam,
    takenSlots: () => context.endpoints.takenSlots(team_id),
    async insert(slot) {
      await insertAudited(context, context.endpoints, { ...endpoint, slot }, entry);
    },
  });
  if (!isStored) throw atLimit('The team', WEBHOOK_LIMITS.endpointsPerTeam);
  context.announce.endpoint(endpoint);
  return { endpoint, secret };
}

function requireActive({ isArchived }: { isArchived: boolean }): void {
  if (!isArchived) return;
  throw new Problem(
    'conflict',
    'The application is archived. Restore it before you create endpoints for it.',
  );
}

/** Limits the cost of one event. It counts before the insert, so concurrent requests can exceed the limit by a few. */
async function requireRoom({ endpoints }: Context, teamId: string, applicationId: string) {
  const max = WEBHOOK_LIMITS.endpointsPerApplication;
  if ((await endpoints.count(teamId, applicationId)) >= max) throw atLimit('The application', max);
}

function atLimit(owner: string, max: number): Problem {
  const detail = `${owner} has reached its limit of ${max} webhook endpoints. Delete one first.`;
  return new Problem('conflict', detail);
}
