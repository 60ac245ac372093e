import type { Publisher } from '@tollgate/bus/publisher';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventSubject } from '@tollgate/contracts/platform/streams';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Signer } from '@tollgate/security/signature';
import { createOutboxRelay, type OutboxMessage } from '@tollgate/store/outbox-relay';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import { eventTypeOf, type HistoryEntry, type PaymentDocument, traceOfEntry } from '../lifecycle/payment.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { paymentEvent } from './payment-event.ts';
import type { PaymentMetrics } from './payment-metrics.ts';

/** The instance that made a more recent change is still publishing it. */
export const SWEEP_AFTER_MS = 5_000;

export type PaymentOutbox = ReturnType<typeof createPaymentOutbox>;

interface EventMessage extends OutboxMessage {
  body: PaymentEvent;
  trace: TraceContext | null;
}

/** Signs `history` entries as events, publishes them to the stream EVENTS at least once, and marks them in their payment. */
export function createPaymentOutbox(deps: {
  store: PaymentStore;
  verified: VerifiedPayments;
  publisher: Publisher;
  signer: Signer;
  clock: Clock;
  logger: Logger;
  paymentMetrics: PaymentMetrics;
  /** Stops a sweep after the current batch. */
  stopping: AbortSignal;
}) {
  const { store, verified, publisher, signer, clock, logger, paymentMetrics, stopping } = deps;
  const relay = createOutboxRelay<EventMessage>({
    publish(messages) {
      const bodies = messages.map(({ body }) => body);
      const signing = Promise.try(() => signer.signTogether('payment_event', bodies));
      return messages.map(async ({ subject, id, trace }, index) => {
        await publisher.publish(subject, (await signing)[index], { messageId: id, trace });
      });
    },
    async settle(messages) {
      const events = messages.map(({ body, documentId }) => ({
        applicationId: body.application_id,
        paymentId: documentId,
        version: body.data.version,
      }));
      await store.markPublished(events, new Date(clock.now()));
    },
    async *findUnpublished({ limit }) {
      const changedBefore = new Date(clock.now() - SWEEP_AFTER_MS);
      for await (const payments of store.findUnpublished(changedBefore, limit)) {
        if (stopping.aborted) return;
        yield payments.filter(verified.isVerified).flatMap(unpublishedOf);
      }
    },
    logger,
  });

  function enqueue(payment: PaymentDocument, isVerified: (payment: PaymentDocument) => boolean): void {
    const latest = payment.history.at(-1);
    if (!latest) throw new Error(`The payment ${payment._id} has no history.`);
    paymentMetrics.countChange({ type: eventTypeOf(latest), environment: payment.environment });
    if (isVerified(payment)) relay.enqueue([eventMessage(payment, latest)]);
  }

  return {
    /** Like `enqueueLatest`, for a payment that this process has just sealed and inserted: its seal needs no check. */
    enqueueCreated: (payment: PaymentDocument) => enqueue(payment, () => true),
    /** Schedules the event of a payment's newest version for publishing. Never throws and never waits. */
    enqueueLatest: (payment: PaymentDocument) => enqueue(payment, verified.isVerified),
    /** Publishes the events that a crash or an outage left behind, in batches. Resolves to the number of events found. */
    async sweep(): Promise<number> {
      const found = await relay.sweep();
      paymentMetrics.countSwept(found);
      return found;
    },
    /** Resolves when every enqueued event is published and marked, or left to the sweep. */
    drain: relay.drain,
  };
}

function unpublishedOf(payment: PaymentDocument): EventMessage[] {
  return payment.history
    .filter((entry) => entry.published_at === null)
    .map((entry) => eventMessage(payment, entry));
}

function eventMessage(payment: PaymentDocument, entry: HistoryEntry): EventMessage {
  return {
    documentId: payment._id,
    id: entry.event_id,
    subject: eventSubject(eventTypeOf(entry)),
    body: paymentEvent(payment, entry),
    trace: traceOfEntry(entry),
  };
}
