import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Webhook } from 'standardwebhooks';
import type { History, HistoryIntegration, StoredDelivery } from '../history.ts';

/** Lists events without a delivery to their endpoint, and deliveries that have no end, no reason for it, or an attempt recorded twice. */
export function wrongDeliveries({ integrations, events, deliveries, webhooks }: History): string[] {
  const stored = Map.groupBy(deliveries, ({ eventId, endpointId }) => `${eventId} to ${endpointId}`);
  const received = new Set(webhooks.map(({ id, path }) => `${id} at ${path}`));
  return events.flatMap((event) => {
    const endpoint = endpointOf(integrations, event);
    if (!endpoint) return [];
    const name = `${event.id} to ${endpoint.id}`;
    const [delivery, ...others] = stored.get(name) ?? [];
    if (delivery === undefined) return [`${event.type} ${name} has no delivery`];
    if (others.length > 0) return [`${name} has ${others.length + 1} deliveries`];
    if (new Set(delivery.attempts).size < delivery.attempts.length)
      return [`${name} has the attempts ${delivery.attempts.join(', ')}`];
    return endOf(name, delivery, received.has(`${event.id} at ${endpoint.path}`));
  });
}

function endOf(name: string, { status, error }: StoredDelivery, isReceived: boolean): string[] {
  if (status === 'succeeded') return isReceived ? [] : [`${name} succeeded, and was not received`];
  if (status === 'pending') return [`${name} is pending`];
  return status === 'failed' && error === null ? [`${name} failed without a reason`] : [];
}

/** Lists requests and deliveries to endpoints of another team, application, or environment. */
export function foreignDeliveries({ integrations, events, deliveries, webhooks }: History): string[] {
  const owners = new Map(events.map((event) => [event.id, endpointOf(integrations, event)]));
  return [
    ...webhooks
      .filter(({ id, path }) => owners.get(id)?.path !== path)
      .map(({ id, path }) => `${id} was sent to ${path}`),
    ...deliveries
      .filter(({ eventId, endpointId }) => owners.get(eventId)?.id !== endpointId)
      .map(({ eventId, endpointId }) => `${eventId} has a delivery to ${endpointId}`),
  ];
}

/** How old a signature may be when the request arrives, as receivers check it (Standard Webhooks). */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** Lists requests whose signature did not verify when they arrived, and repetitions with another body. */
export function forgedWebhooks({ integrations, webhooks, maxClockErrorMs }: History): string[] {
  const verifiers = new Map(
    integrations.flatMap(({ endpoint }) =>
      endpoint ? [[endpoint.path, new Webhook(endpoint.secret)] as const] : [],
    ),
  );
  const bodies = new Map<string, Buffer>();
  return webhooks.flatMap((webhook) => {
    const { id, path, rawBody } = webhook;
    const earlier = bodies.get(id) ?? rawBody;
    bodies.set(id, earlier);
    if (!earlier.equals(rawBody)) return [`${id} was repeated with another body`];
    const verifier = verifiers.get(path);
    return verifier ? forgeryOf(webhook, verifier, TOLERANCE_MS + maxClockErrorMs) : [];
  });
}

/** The library verifies only at the current time, and a run can last longer than the tolerance. */
function forgeryOf(
  { id, headers, rawBody, receivedAtMs }: History['webhooks'][number],
  verifier: Webhook,
  toleranceMs: number,
): string[] {
  const signedAt = new Date(Number(headers['webhook-timestamp']) * SECOND_MS);
  if (Math.abs(receivedAtMs - signedAt.getTime()) > toleranceMs)
    return [`${id} arrived at ${new Date(receivedAtMs).toISOString()}, signed at ${signedAt.toISOString()}`];
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.includes(verifier.sign(id, signedAt, rawBody)) ? [] : [`${id} does not verify`];
}

function endpointOf(
  integrations: readonly HistoryIntegration[],
  { application_id, environment }: History['events'][number],
): HistoryIntegration['endpoint'] {
  const owner = integrations.find(
    (each) => each.applicationId === application_id && each.environment === environment,
  );
  return owner?.endpoint ?? null;
}
