import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Cause, PaymentDocument } from '../lifecycle/payment.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import { type ProcessorOutcome, type Processors, processorNamed } from '../processors/processor.ts';
import type { TrustedPayments } from '../seals/trusted-payments.ts';
import { claimPayment, finishSettlement } from '../settlement/settlement.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** Number of payments that one worker settles at the same time. */
const BATCH_SIZE = 50;

export interface SettlementWorker {
  store: PaymentStore;
  trusted: TrustedPayments;
  outbox: PaymentOutbox;
  processors: Processors;
  clock: Clock;
  logger: Logger;
  /** Stops the work after the current batch. */
  stopping: AbortSignal;
}

/**
 * Settles every payment that is due now, in batches, or until the process stops. Any number of workers may run at
 * once: each payment is claimed first, and only one claim succeeds. A failed settlement is retried when its lease
 * expires.
 */
export async function settleDuePayments(worker: SettlementWorker): Promise<void> {
  for await (const due of worker.store.findDue(new Date(worker.clock.now()), BATCH_SIZE)) {
    if (worker.stopping.aborted) return;
    await Promise.all(due.map((payment) => settleSafely(worker, payment)));
  }
}

/** A payment that cannot be settled must not delay the others. */
async function settleSafely(worker: SettlementWorker, payment: PaymentDocument): Promise<void> {
  try {
    await settle(worker, payment);
  } catch (error) {
    worker.logger.error({ err: error, payment_id: payment._id }, 'settlement failed; it will be retried');
  }
}

async function settle(worker: SettlementWorker, payment: PaymentDocument): Promise<void> {
  const { store, trusted, outbox, clock } = worker;
  if (!trusted.isTrusted(payment)) return;
  const now = new Date(clock.now());
  const claimed = await claimPayment(store, payment, { now, cause: causeOf(payment) });
  if (!claimed) return;
  if (payment.status === 'pending') outbox.enqueueLatest(claimed);
  // The decision and the processor are those of the claim, not those that were read before it.
  if (!trusted.isTrusted(claimed)) return;

  const response = claimed.settlement.decision?.outcome ?? (await askProcessor(worker, claimed, now));
  if (response.status === 'undecided') {
    await store.updateSettlement(claimed, { due_at: response.askAgainAt });
    return;
  }
  const finished = await finishSettlement(store, claimed, response, {
    now: new Date(clock.now()),
    cause: causeOf(claimed),
  });
  if (finished) outbox.enqueueLatest(finished);
  else
    worker.logger.warn(
      { payment_id: payment._id },
      'the lease of a settlement expired; another worker holds it',
    );
}

/** Called only after the claim, which hides a payment that cannot be settled from workers until its lease expires. */
async function askProcessor(
  { processors }: SettlementWorker,
  claimed: PaymentDocument,
  now: Date,
): Promise<ProcessorOutcome> {
  return processorNamed(processors, claimed.settlement.processor).settle(claimed, now);
}

function causeOf({ settlement }: PaymentDocument): Cause {
  const { decision, processor } = settlement;
  return decision?.cause ?? { type: 'processor', id: processor };
}
