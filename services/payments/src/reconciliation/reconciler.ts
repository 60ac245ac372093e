import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { leaseTimes } from '@tollgate/store/lease';
import type { Context } from '../context.ts';
import { endedAtOf, erasureOf, type PaymentDocument } from '../lifecycle/payment.ts';
import { type Processor, processorNamed } from '../processors/processor.ts';
import { comparePayment } from './compare-payment.ts';
import { type ComparisonDocument, LEASE_MS } from './comparison-store.ts';
import { dayOf } from './difference.ts';

/** A day is compared this long after it ended: by then, processors have reported what is late. */
const COMPARED_AFTER_MS = HOUR_MS;
/** Days that are compared after the service was down. */
const DAYS_BACK = 7;
/** Questions to a processor at the same time. Few, because they compete with payments in progress. */
const AT_ONCE = 4;
/** Payments between two writes of the position: what a crash repeats. */
const BATCH_SIZE = 40;

/** The comparisons of one processor. Each has its own, so that a slow one does not delay the others. */
export function createReconciler(context: Context, name: string) {
  const { comparisons, clock } = context;
  const processor = processorNamed(context.processors, name);
  let newestDay: string | null = null;

  return {
    /** Asks about everything that is due: differences that were found or suspected, and the days that have ended. */
    async run(): Promise<void> {
      await compareDue(context, processor);
      const days = endedDays(clock.now());
      if (days[0] !== newestDay) {
        await comparisons.add(name, days, new Date(clock.now()));
        newestDay = days[0] ?? null;
      }
      while (mayAsk(context, processor)) {
        const claimed = await comparisons.claim(name, clock);
        if (!claimed) return;
        await compareDay(context, processor, claimed);
      }
    },
  };
}

/** Days in UTC that are due for a comparison, newest first. */
function endedDays(nowMs: number): string[] {
  const lastEnd = nowMs - COMPARED_AFTER_MS;
  return Array.from({ length: DAYS_BACK }, (_, index) => dayOf(new Date(lastEnd - (index + 1) * DAY_MS)));
}

async function compareDue(context: Context, processor: Processor): Promise<void> {
  while (mayAsk(context, processor)) {
    const due = await context.differences.claimDue(processor.name, leaseTimes(context.clock, LEASE_MS));
    if (!due) return;
    const payment = await context.store.findOfProcessor(processor.name, due._id);
    if (payment) await comparePayment(context, payment);
  }
}

/** Compares the rest of a day, or a part of it when the processor becomes unavailable. */
async function compareDay(
  context: Context,
  processor: Processor,
  claimed: ComparisonDocument,
): Promise<void> {
  const { store, comparisons, clock } = context;
  const from = new Date(`${claimed.day}T00:00:00Z`);
  const isCompared = (payment: PaymentDocument) => wasComparedBefore(payment, from);
  const period = { from, to: new Date(from.getTime() + DAY_MS) };
  let comparison: ComparisonDocument | null = claimed;
  while (comparison !== null) {
    const payments = await store.findEnded(processor.name, period, comparison.position, BATCH_SIZE);
    if (payments.length === 0) {
      await comparisons.complete(comparison, new Date(clock.now()));
      return;
    }
    const done = await compareInOrder(context, processor, payments, isCompared);
    const last = done.at(-1);
    if (!last) {
      await comparisons.release(comparison, new Date(clock.now()));
      return;
    }
    const compared = done.filter((payment) => !isCompared(payment));
    comparison = await comparisons.advance(comparison, { compared, last }, clock);
  }
}

/**
 * An erasure is the last change of a payment, which may have ended long before. It was compared for the day on which it ended, and its
 * processor may have forgotten it since.
 */
function wasComparedBefore(payment: PaymentDocument, from: Date): boolean {
  return (
    erasureOf(payment) !== undefined && endedAtOf(payment).getTime() < from.getTime() - DAYS_BACK * DAY_MS
  );
}

/** Returns the payments that need no comparison any more: all, or the first ones when the processor became unavailable. */
async function compareInOrder(
  context: Context,
  processor: Processor,
  payments: readonly PaymentDocument[],
  isCompared: (payment: PaymentDocument) => boolean,
): Promise<PaymentDocument[]> {
  const done: PaymentDocument[] = [];
  while (done.length < payments.length && mayAsk(context, processor)) {
    const atOnce = Math.min(AT_ONCE, processor.capacity());
    const next = payments.slice(done.length, done.length + atOnce);
    const results = await Promise.all(
      next.map((payment) => isCompared(payment) || comparePayment(context, payment)),
    );
    const missing = results.indexOf(false);
    done.push(...(missing === -1 ? next : next.slice(0, missing)));
    if (missing !== -1) break;
  }
  return done;
}

function mayAsk({ stopping }: Context, processor: Processor): boolean {
  return processor.capacity() > 0 && !stopping.aborted;
}
