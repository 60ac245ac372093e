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

/** Lists requests whose signature does not verify, and repetitions with another body. */
export function forgedWebhooks({ integrations, webhooks }: History): string[] {
  const verifiers = new Map(
    integrations.flatMap(({ endpoint }) =>
      endpoint ? [[endpoint.path, new Webhook(endpoint.secret)] as const] : [],
    ),
  );
  const bodies = new Map<string, Buffer>();
  return webhooks.flatMap(({ id, path, headers, rawBody }) => {
    const earlier = bodies.get(id) ?? rawBody;
    bodies.set(id, earlier);
    if (!earlier.equals(rawBody)) return [`${id} was repeated with another body`];
    try {
      verifiers.get(path)?.verify(rawBody, headers as Record<string, string>);
      return [];
    } catch (error) {
      return [`${id} does not verify: ${(error as Error).message}`];
    }
  });
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
