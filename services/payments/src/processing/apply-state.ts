import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { PaymentDocument, ProcessorCall } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import type { ProcessorState } from '../processors/processor.ts';
import { claimGuard, type PaymentStore } from '../store/payment-store.ts';
import { nextCallAt } from './call-times.ts';
import { changeForState } from './change-for-state.ts';

export interface ApplyDeps {
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
  logger: Logger;
}

/**
 * Writes what a processor said about a payment: a visible change, or only the time of the next call. Returns the payment
 * after the write, or null when it was changed or claimed since it was read.
 */
export async function applyState(
  deps: ApplyDeps,
  payment: PaymentDocument,
  state: ProcessorState,
  record: ProcessorCall,
): Promise<PaymentDocument | null> {
  const { store, outbox, clock, logger } = deps;
  const change = changeForState(payment, state);
  if (change === null) {
    if (contradicts(payment, state)) {
      logger.error(
        { payment_id: payment._id, processor: payment.settlement.processor, processor_status: state.status },
        `a processor reports another outcome for a payment that is ${payment.status}; check the payment there`,
      );
    }
    return isFinal(payment.status) ? payment : askLater(deps, payment, record, state.askAgainAt);
  }
  const at = new Date(clock.now());
  const changed = await store.transition(
    payment,
    {
      ...change,
      at,
      cause: { type: 'processor', id: payment.settlement.processor },
      requestId: null,
      call: record,
      set: {
        ...change.set,
        'settlement.calls': 0,
        'settlement.due_at': state.askAgainAt ?? nextCallAt(at, 0),
      },
    },
    claimGuard(payment),
  );
  if (changed) outbox.enqueueLatest(changed);
  return changed;
}

/** Schedules the next call after one that changed nothing. Null when the payment was changed or claimed since it was read. */
export async function askLater(
  { store, clock }: Pick<ApplyDeps, 'store' | 'clock'>,
  payment: PaymentDocument,
  record: ProcessorCall,
  askAgainAt?: Date,
): Promise<PaymentDocument | null> {
  const calls = (payment.settlement.calls ?? 0) + 1;
  const due_at = askAgainAt ?? nextCallAt(new Date(clock.now()), calls);
  return store.updateSettlement(payment, { due_at, calls }, record);
}

/** Money may have moved for a payment that callers see as failed or canceled, or the reverse. */
function contradicts({ status }: PaymentDocument, state: ProcessorState): boolean {
  if (!isFinal(status) || state.status === status) return false;
  return status === 'succeeded' || state.status === 'succeeded';
}
