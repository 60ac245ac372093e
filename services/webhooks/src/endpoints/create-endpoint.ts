import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { requireRoleFor } from '../access/permissions.ts';
import { endpointAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { checkUrl } from './check-url.ts';
import { requireRoomForDeleted } from './deleted-endpoints.ts';
import { type Endpoint, type EndpointFields, newEndpoint } from './endpoint.ts';

export interface EndpointWithSecret {
  endpoint: Endpoint;
  secret: string;
}

export interface CreatedEndpoint {
  endpoint: Endpoint;
  /** Null in a replay. */
  secret: string | null;
}

type CreateEndpointRequest = EndpointFields & { applicationId: string; environment: Environment };

/** Creates an endpoint for one of the team's applications. Throws `not-found`, `forbidden`, `invalid-request`, `conflict`, `unavailable`. */
export async function createEndpoint(
  context: Context,
  actor: Actor,
  request: CreateEndpointRequest,
  call: IdempotentCall | null,
): Promise<CreatedEndpoint> {
  const { applicationId, environment } = request;
  const application = await findApplication(context, actor.team_id, applicationId);
  requireRoleFor(actor, environment, 'create webhook endpoints');
  return createOnce(context, actor, call, {
    newId: () => newId('webhookEndpoint'),
    idOf: ({ endpoint }) => endpoint.id,
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
  request: CreateEndpointRequest,
  reserveId: () => Promise<string>,
): Promise<CreatedEndpoint> {
  const { applicationId, environment } = request;
  await requireRoom(context, actor.team_id, applicationId);
  await requireRoomForDeleted(context, actor.team_id);
  requireNoCardNumber('/description', [request.description]);
  const url = await checkUrl(context, request.url, environment);

  const secret = newWebhookSecret();
  const now = new Date(context.clock.now());
  const id = await reserveId();
  const endpoint = newEndpoint(
    { id, teamId: actor.team_id, applicationId, environment },
    { url, description: request.description, eventTypes: request.eventTypes },
    context.cipher.seal(secret, id),
    now,
  );
  const audit = signAuditEntry(
    context.signer,
    endpointAuditEntry('webhook_endpoint.created', actor, null, endpoint, now),
  );
  if (!(await context.endpoints.insert(endpoint, audit))) throw noRoomInTeam();
  context.audit.enqueue([auditMessage(endpoint.id, audit)]);
  context.announce.endpoint(endpoint);
  return { endpoint, secret };
}

async function findApplication({ applications }: Context, teamId: string, applicationId: string) {
  const application = await applications.find(teamId, applicationId);
  if (!application) throw new Problem('not-found', `Your team has no application ${applicationId}.`);
  return application;
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
  if ((await endpoints.count(teamId, applicationId)) < max) return;
  throw new Problem(
    'conflict',
    `The application has reached its limit of ${max} webhook endpoints. Delete one first.`,
  );
}

function noRoomInTeam(): Problem {
  return new Problem(
    'conflict',
    `The team has reached its limit of ${WEBHOOK_LIMITS.endpointsPerTeam} webhook endpoints. Delete one first.`,
  );
}
