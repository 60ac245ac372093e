import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Context } from '../context.ts';
import { FIRST_VERSION, type PaymentDocument } from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { advancePayment } from '../processing/advance-payment.ts';
import type { Processor } from '../processors/processor.ts';

/** How often the payment is read while a worker or an earlier request asks. */
const READ_INTERVAL_MS = 100;

/**
 * The payment as the request that creates it returns it: with the first reply of its processor, which is asked here. It is as it was created
 * when no processor is asked yet, without a reply in time, and while many callers wait for this processor. A worker asks then.
 *
 * A repetition of the request waits for the same reply, and later changes do not affect what it returns.
 */
export async function withFirstReply(
  context: Context,
  created: PaymentDocument,
  waitMs: number,
): Promise<Payment> {
  const processor = context.processors.get(created.settlement.processor);
  if (!processor || waitMs === 0 || !isAskedAtOnce(processor, created))
    return paymentAtVersion(created, FIRST_VERSION);
  const mayReply = isUnchanged(created) && processor.capacity() > 0;
  const payment = mayReply ? await askOrFollow(context, created, waitMs) : created;
  const [, second] = payment.history;
  return paymentAtVersion(payment, second?.cause.type === 'processor' ? second.version : FIRST_VERSION);
}

/** Whether the processor is asked as soon as the payment is created, and not only later or never. */
function isAskedAtOnce(
  processor: Processor,
  { payment_method, created_at: createdAt }: PaymentDocument,
): boolean {
  const dueAt = processor.firstDueAt({ payment_method, createdAt });
  return dueAt !== null && dueAt <= createdAt;
}

function isUnchanged({ version }: PaymentDocument): boolean {
  return version === FIRST_VERSION;
}

async function askOrFollow(
  context: Context,
  created: PaymentDocument,
  waitMs: number,
): Promise<PaymentDocument> {
  const { callerSlots, logger } = context;
  const endsAtMs = performance.now() + waitMs;
  const call = () => firstReply(context, created, endsAtMs);
  try {
    return (await callerSlots.run(created.settlement.processor, call, waitMs)) ?? created;
  } catch (error) {
    // The payment exists: an error could lead a caller without an idempotency key to create another one.
    logger.warn({ err: error, payment_id: created._id }, 'waiting for a processor failed; a worker asks it');
    return created;
  }
}

/** Null when the payment is unchanged at the end. */
async function firstReply(
  context: Context,
  created: PaymentDocument,
  endsAtMs: number,
): Promise<PaymentDocument | null> {
  const { store, clock } = context;
  const { due_at: dueAt } = created.settlement;
  // Otherwise, a worker or an earlier request has claimed the payment.
  const isDue = dueAt !== undefined && dueAt.getTime() <= clock.now();
  const advanced = isDue ? await advancePayment(context, created) : null;
  if (advanced && !isUnchanged(advanced)) return advanced;
  for (;;) {
    const payment = await store.findOfTeam(created.team_id, created._id);
    if (!payment || !isUnchanged(payment)) return payment;
    const leftMs = endsAtMs - performance.now();
    // At once, because the caller's slot is needed by the next one.
    if (leftMs <= 0) return null;
    await sleep(Math.min(READ_INTERVAL_MS, leftMs));
  }
}
