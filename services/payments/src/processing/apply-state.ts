import type { Clock } from '@tollgate/runtime/clock';
import type { PaymentDocument, ProcessorCall } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import type { ProcessorState } from '../processors/processor.ts';
import { differs } from '../reconciliation/difference.ts';
import type { DifferenceStore } from '../reconciliation/difference-store.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { claimGuard } from '../store/payment-writes.ts';
import { nextCallAt } from './call-times.ts';
import { changeForState } from './change-for-state.ts';

export interface ApplyDeps {
  store: PaymentStore;
  outbox: PaymentOutbox;
  differences: DifferenceStore;
  clock: Clock;
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
  const { store, outbox, differences, clock } = deps;
  const change = changeForState(payment, state);
  if (change === null) {
    if (!isFinal(payment.status)) return askLater(deps, payment, record, state.askAgainAt);
    // It may only be late, so the processor is asked before the difference is reported.
    if (differs(payment.status, state.status)) await differences.suspect(payment, new Date(clock.now()));
    return payment;
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
