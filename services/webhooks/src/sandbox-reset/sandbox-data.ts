import type { Connection } from 'mongoose';
import type { StoredDelivery } from '../deliveries/delivery.ts';
import { SANDBOX_INDEX, type StoredEvent } from '../fan-out/event.ts';

type EventPart = Pick<StoredEvent, '_id' | 'payment_id' | 'is_test'>;

/** Deletes events and deliveries of the sandbox, and of no other environment. */
export function createSandboxData(connection: Connection) {
  const events = connection.collection<StoredEvent>('events');
  const deliveries = connection.collection<StoredDelivery>('deliveries');

  /** Deliveries whose audit entries the audit log has not confirmed stay, with their events. */
  async function deleteDeliveries(teamId: string, of: object): Promise<Set<string>> {
    const ofSandbox = { team_id: teamId, environment: 'sandbox', ...of } as const;
    await deliveries.deleteMany({ ...ofSandbox, 'outbox.id': { $exists: false } });
    const kept = await deliveries.find(ofSandbox, { projection: { event_id: 1 } }).toArray();
    return new Set(kept.map(({ event_id }) => event_id));
  }

  async function deleteEvents(teamId: string, of: object, kept: Set<string>): Promise<number> {
    const { deletedCount } = await events.deleteMany({
      team_id: teamId,
      environment: 'sandbox',
      ...of,
      ...(kept.size > 0 && { _id: { $nin: [...kept] } }),
    });
    return deletedCount;
  }

  return {
    /** Deletes all events of these payments with their deliveries. Resolves to the number of deleted events. */
    async deleteOfPayments(teamId: string, paymentIds: readonly string[]): Promise<number> {
      if (paymentIds.length === 0) return 0;
      const ofPayments = { payment_id: { $in: [...new Set(paymentIds)] } };
      const kept = await deleteDeliveries(teamId, ofPayments);
      return deleteEvents(teamId, { ...ofPayments, is_test: false }, kept);
    },

    /** Deletes these test events with their deliveries. Their payment does not exist, and all of them name the same. */
    async deleteTests(teamId: string, eventIds: readonly string[]): Promise<number> {
      if (eventIds.length === 0) return 0;
      const kept = await deleteDeliveries(teamId, { event_id: { $in: [...eventIds] } });
      const ids = eventIds.filter((id) => !kept.has(id));
      return deleteEvents(teamId, { _id: { $in: ids }, is_test: true }, new Set());
    },

    /** The oldest events from before a time. A payment that was created before it has its first event among them. */
    async listBefore(teamId: string, time: Date, limit: number): Promise<EventPart[]> {
      return events
        .find(
          { team_id: teamId, environment: 'sandbox', occurred_at: { $lt: time } },
          { projection: { payment_id: 1, is_test: 1 }, hint: SANDBOX_INDEX, sort: { occurred_at: 1 }, limit },
        )
        .toArray();
    },
  };
}
