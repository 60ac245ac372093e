import type { Payment } from '@tollgate/contracts/payments/payment';
import type { History } from '../history.ts';

/** Lists acknowledged payments that are not stored. */
export function lostPayments({ operations, events }: History): string[] {
  const stored = new Set(events.map(({ data }) => data.id));
  const acknowledged = new Set(
    operations.flatMap(({ attempts }) => attempts.map(({ payment }) => payment?.id)),
  );
  return [...acknowledged].filter((id) => id !== undefined && !stored.has(id)).map((id) => `${id} is lost`);
}

/** Lists responses with a payment that differs from what is stored under its version. */
export function wrongResponses({ operations, events }: History): string[] {
  const stored = new Map(events.map(({ data }) => [versionOf(data), JSON.stringify(data)]));
  const responses = operations.flatMap(({ attempts }) =>
    attempts.flatMap(({ payment }) => (payment ? [payment] : [])),
  );
  const wrong = responses.filter((payment) => stored.get(versionOf(payment)) !== JSON.stringify(payment));
  return wrong.map((payment) => {
    const version = versionOf(payment);
    return `${version} was ${JSON.stringify(payment)} in a response, and is ${stored.get(version) ?? 'not stored'}`;
  });
}

/** Lists payments that are not what their order says. */
export function wrongOrders({ orders, events, integrations }: History): string[] {
  const byName = new Map(orders.map((order) => [order.name, order]));
  return firstEvents(events).flatMap(({ data, application_id, environment }) => {
    const order = byName.get(data.reference ?? '');
    if (order === undefined) return [`${data.id} has no order`];
    const { integration, body } = order;
    const { applicationId, environment: ordered } = integrations[integration] ?? {};
    const isRight =
      application_id === applicationId &&
      environment === ordered &&
      data.amount === body.amount &&
      data.currency === body.currency &&
      data.payment_method === (body.payment_method ?? null);
    return isRight ? [] : [`${data.id} differs from ${order.name}: ${JSON.stringify(data)}`];
  });
}

/** Lists orders with more than one payment. Each order has an idempotency key of its own, or was requested once. */
export function duplicatedPayments({ events }: History): string[] {
  const byOrder = Map.groupBy(firstEvents(events), ({ data }) => data.reference);
  return [...byOrder]
    .filter(([, created]) => created.length > 1)
    .map(([order, created]) => `${order} has ${created.map(({ data }) => data.id).join(' and ')}`);
}

function firstEvents(events: History['events']): History['events'] {
  return events.filter(({ type }) => type === 'payment.created');
}

function versionOf({ id, version }: Payment): string {
  return `${id} version ${version}`;
}
