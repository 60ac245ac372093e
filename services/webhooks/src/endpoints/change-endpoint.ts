import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import { DEFAULT_SECRET_OVERLAP_S } from '@tollgate/contracts/webhooks/webhook';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { requireRecentAuthenticationForSecret, requireRoleFor } from '../access/permissions.ts';
import { endpointEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { destinationOf } from '../deliveries/delivery.ts';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { checkUrl } from './check-url.ts';
import { deleted, disabled, type Endpoint, enabled, withFields, withRotatedSecret } from './endpoint.ts';
import { endPending, sendNow } from './pending-deliveries.ts';

type EndpointRef = Static<typeof contract.enableEndpoint.request>;

/** Changes the fields that are given. Throws what `changeEndpoint` throws, and `invalid-request` for the URL and the description. */
export function updateEndpoint(
  context: Context,
  actor: Actor,
  request: Static<typeof contract.updateEndpoint.request>,
): Promise<Endpoint> {
  const { endpoint_id: _, if_version: __, ...fields } = request;
  return changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.updated',
    what: 'change webhook endpoints',
    async apply(before, now) {
      requireNoCardNumber('/description', [fields.description ?? '']);
      if (fields.url === undefined) return withFields(before, fields, now);
      const url = await checkUrl(context, fields.url, before.environment);
      return withFields(before, { ...fields, url }, now);
    },
  });
}

/** Enables the endpoint, or ends its pause. Deliveries that it missed are sent by a recovery or a replay. Throws what `changeEndpoint` throws. */
export async function enableEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef,
): Promise<Endpoint> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.enabled',
    what: 'enable webhook endpoints',
    apply: enabled,
  });
  await sendNow(context, destinationOf(endpoint));
  return { ...endpoint, health: { ...endpoint.health, pausedUntil: null } };
}

/** Disables the endpoint and skips its pending deliveries. Throws what `changeEndpoint` throws. */
export async function disableEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef & { reason?: string },
): Promise<Endpoint> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.disabled',
    what: 'disable webhook endpoints',
    apply: (before, now) => disabled(before, 'member', request.reason ?? null, now),
  });
  await endPending(context, endpoint);
  return endpoint;
}

/** Deletes the endpoint permanently and cancels its pending deliveries. Its deliveries stay readable. Throws what `changeEndpoint` throws. */
export async function deleteEndpoint(context: Context, actor: Actor, request: EndpointRef): Promise<void> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.deleted',
    what: 'delete webhook endpoints',
    apply: deleted,
  });
  await endPending(context, endpoint);
}

/** Creates a new secret; the old one also signs until the overlap ends. Throws `reauthentication-required`, and as `changeEndpoint`. */
export async function rotateSecret(
  context: Context,
  actor: Actor,
  request: EndpointRef & { overlap_s?: number },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newWebhookSecret();
  const overlapMs = (request.overlap_s ?? DEFAULT_SECRET_OVERLAP_S) * 1000;
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.secret_rotated',
    what: 'rotate the secrets of webhook endpoints',
    apply(before, now) {
      requireRecentAuthenticationForSecret(actor, before.environment, context);
      return withRotatedSecret(before, context.cipher.seal(secret, before._id), overlapMs, now);
    },
  });
  return { endpoint, secret };
}

interface EndpointChange {
  action: AuditAction;
  /** Completes "You cannot …". */
  what: string;
  apply: (endpoint: Endpoint, now: Date) => Endpoint | Promise<Endpoint>;
}

/** Stores a member's change of an endpoint. Throws `not-found`, `forbidden`, `precondition-failed`, `conflict`. */
async function changeEndpoint(
  context: Context,
  actor: Actor,
  { endpoint_id, if_version }: EndpointRef,
  { action, what, apply }: EndpointChange,
): Promise<Endpoint> {
  let read: Endpoint | undefined;
  const after = await changeAudited(
    context,
    context.endpoints,
    context.endpoints.existing(actor.team_id, endpoint_id),
    (before, now) => {
      read = before;
      requireRoleFor(actor, before.environment, what);
      requireVersion(if_version, before.version, 'the endpoint');
      return apply(before, now);
    },
    endpointEntry(action, actorAuthor(actor)),
  );
  if (after === read) return after;
  context.announce.endpoint(after);
  context.dispatcher.wake(destinationOf(after));
  return after;
}
