import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { EVENT_TYPES, type WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import { jsonOf } from '@tollgate/store/json-of';
import type { Static } from 'typebox';
import { findOwn } from '../access/find-own.ts';
import { requireRoleFor } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { type Delivery, destinationOf, newDelivery } from '../deliveries/delivery.ts';
import { auditAction } from '../endpoints/audit-action.ts';
import { type Endpoint, requireEnabled, typesOf } from '../endpoints/endpoint.ts';
import { sendNow } from '../endpoints/pending-deliveries.ts';
import { newEvent, type StoredEvent } from '../fan-out/event.ts';

/** Retries the failed deliveries created since then. Resolves to their number. Throws what `prepareRecovery` throws. */
export async function recoverEndpoint(
  context: Context,
  actor: Actor,
  { endpoint_id, ...request }: Static<typeof contract.recoverEndpoint.request>,
): Promise<number> {
  const since = new Date(request.since);
  const named = { action: 'webhook_endpoint.recovered', what: 'recover webhook endpoints' } as const;
  const endpoint = await prepareRecovery(context, actor, endpoint_id, named, { since });
  const count = await resume(context, endpoint, 'failed', since);
  context.announce.endpoint(endpoint);
  await sendNow(context, destinationOf(endpoint));
  return count;
}

/** Events per call, which must return within seconds. The next call continues after them. */
const ONE_CALL = { pages: 10, eventsPerPage: 500 };

/**
 * Sends what the endpoint missed since then: skipped deliveries, and events that it was not subscribed to, starting after the event
 * `cursor`. Throws what `prepareRecovery` throws.
 *
 * @returns the number sent, and the last event read, after which there may be more; null when there are no more
 */
export async function replayMissing(
  context: Context,
  actor: Actor,
  { endpoint_id, cursor = '', ...request }: Static<typeof contract.replayMissing.request>,
  oneCall = ONE_CALL,
): Promise<Static<typeof contract.replayMissing.reply>> {
  const since = new Date(request.since);
  const named = { action: 'webhook_endpoint.replayed', what: 'replay missing deliveries' } as const;
  const endpoint = await prepareRecovery(context, actor, endpoint_id, named, { since });
  const resumed = await resume(context, endpoint, 'skipped', since);
  const { inserted, next_cursor } = await insertMissing(context, endpoint, { since, cursor }, oneCall);
  context.announce.endpoint(endpoint);
  await sendNow(context, destinationOf(endpoint));
  return { deliveries: resumed + inserted, next_cursor };
}

function resume(
  { deliveries, clock }: Context,
  { team_id, _id: endpoint_id }: Endpoint,
  status: 'failed' | 'skipped',
  since: Date,
): Promise<number> {
  return deliveries.resume({ team_id, endpoint_id }, status, since, new Date(clock.now()));
}

async function insertMissing(
  { events, deliveries, clock }: Context,
  endpoint: Endpoint,
  { since, cursor }: { since: Date; cursor: string },
  { pages, eventsPerPage: limit }: typeof ONE_CALL,
): Promise<{ inserted: number; next_cursor: string | null }> {
  let inserted = 0;
  let after = cursor;
  for (let page = 0; page < pages; page += 1) {
    const wanted = { types: typesOf(endpoint), since, after, limit };
    const found = await events.listWanted(endpoint, wanted);
    const now = new Date(clock.now());
    // Existing deliveries stay unchanged, with any status.
    const missing = await deliveries.insertMissing(found.map((event) => newDelivery(event, endpoint, now)));
    inserted += missing.length;
    if (missing.length > 0) {
      const eventIds = missing.map(({ event_id }) => event_id);
      await events.keepForDeliveries(endpoint.team_id, eventIds, now);
    }
    if (found.length < limit) return { inserted, next_cursor: null };
    after = found.at(-1)?._id ?? after;
  }
  return { inserted, next_cursor: after };
}

/** Sends the example of an event type to this endpoint only. Throws what `prepareRecovery` throws. */
export async function sendTestEvent(
  context: Context,
  actor: Actor,
  { endpoint_id, event_type }: Static<typeof contract.sendTestEvent.request>,
): Promise<Delivery> {
  const named = { action: 'webhook_endpoint.tested', what: 'send test events' } as const;
  const endpoint = await prepareRecovery(context, actor, endpoint_id, named, { event_type });
  const now = new Date(context.clock.now());
  const event = testEvent(endpoint, event_type, now);
  await context.events.insertMissing([event]);
  const delivery = newDelivery(event, endpoint, now);
  await context.deliveries.insertMissing([delivery]);
  context.announce.delivery(delivery);
  await sendNow(context, destinationOf(endpoint));
  return delivery;
}

function testEvent(endpoint: Endpoint, type: PaymentEventType, now: Date): StoredEvent {
  const definition = EVENT_TYPES.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`Unknown event type ${type}.`);
  const { team_id, application_id, environment } = endpoint;
  const timestamp = now.toISOString();
  const data = { ...definition.example.data, environment, application_id, updated_at: timestamp };
  const body: WebhookBody = { type, timestamp, data };
  return newEvent({ _id: newId('event'), team_id, environment, is_test: true }, body, now);
}

/**
 * Checks the endpoint and the member's role before deliveries are sent, and stores the audit entry first: a crash amid the many
 * writes must not leave some without an entry. Throws `not-found`, `forbidden`, `conflict`.
 */
async function prepareRecovery(
  context: Context,
  actor: Actor,
  endpointId: string,
  { action, what }: { action: AuditAction; what: string },
  parameters: { since?: Date; event_type?: PaymentEventType },
): Promise<Endpoint> {
  const endpoint = await findOwn(context.endpoints, actor, endpointId);
  requireRoleFor(actor, endpoint.environment, what);
  requireEnabled(endpoint);
  await auditAction(context, actor, endpoint, action, jsonOf(parameters));
  return endpoint;
}
