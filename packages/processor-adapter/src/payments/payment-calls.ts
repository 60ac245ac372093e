import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Adapter, StartedPayment } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { PaymentState, ProcessorPayment } from '../contract/payment-state.ts';
import type { NewCallback, PaymentRecord, PaymentStore } from '../store/payment-store.ts';
import { askAdapter } from './ask-adapter.ts';
import { fingerprintOf } from './fingerprint.ts';
import { hasEnded } from './has-ended.ts';
import { endedState, isRegression, nextState } from './next-state.ts';

export interface CallDeps {
  adapter: Adapter;
  store: PaymentStore;
  clock: Clock;
  logger: Logger;
}

const CANCELED: PaymentState = { status: 'canceled', reference: null };

/**
 * Starts the payment once. A repeated start returns the current state; only while the outcome of the start is unknown does the
 * adapter start it again.
 */
export async function startPayment(
  deps: CallDeps,
  payment: ProcessorPayment,
  signal: AbortSignal,
): Promise<PaymentState> {
  const { adapter, store, clock } = deps;
  const fingerprint = fingerprintOf(payment);
  const known = store.find(payment.id);
  if (known?.fingerprint && known.fingerprint !== fingerprint) throw differentPayment();
  if (known?.state) return currentState(deps, known, signal);

  // Stored first: after a crash, the payment counts as started.
  const record = known ?? store.insertStarted(payment, fingerprint, new Date(clock.now()));
  const { firstStartedAt, payment: stored } = startedPayment(record);
  return keepState(deps, record, await askAdapter(() => adapter.start(stored, { firstStartedAt, signal })));
}

/**
 * Null when the payment was never started.
 *
 * @param options.asksAgain whether the processor is asked about a payment that has ended
 */
export async function readPayment(
  deps: CallDeps,
  id: string,
  { signal, asksAgain }: { signal: AbortSignal; asksAgain: boolean },
): Promise<PaymentState | null> {
  const record = deps.store.find(id);
  if (!record) return null;
  const { payment, state } = record;
  // Without a reference, the processor never had the payment.
  if (!asksAgain || !hasEnded(payment, state) || state.reference === null)
    return currentState(deps, record, signal);
  const reported = await askAdapter(() => deps.adapter.status(startedPayment(record), { signal }));
  return { ...reported, reference: state.reference };
}

/** A payment that was never started is marked as canceled, so that a start that arrives later starts nothing. */
export async function cancelPayment(deps: CallDeps, id: string, signal: AbortSignal): Promise<PaymentState> {
  const { adapter, store } = deps;
  const record = store.find(id);
  if (record === null) {
    store.insertCanceled(id, CANCELED);
    return CANCELED;
  }
  if (hasEnded(record.payment, record.state)) return record.state;
  const started = startedPayment(record);
  return keepState(deps, record, await askAdapter(() => adapter.cancel(started, { signal })));
}

/**
 * Asks the processor, and stores a change together with the callback that reports it. Of a payment that has ended, only refunds
 * and disputes change.
 */
export async function reportState(
  deps: CallDeps,
  record: PaymentRecord,
  signal: AbortSignal,
  newCallback: (state: PaymentState) => NewCallback,
): Promise<void> {
  const { payment, state } = record;
  if (hasEnded(payment, state) && state.reference === null) return;
  const reported = await askAdapter(() => deps.adapter.status(startedPayment(record), { signal }));
  keepState(deps, record, hasEnded(payment, state) ? endedState(state, reported) : reported, newCallback);
}

/** Asks the processor, unless the payment has ended, and stores a change. */
async function currentState(
  deps: CallDeps,
  record: PaymentRecord,
  signal: AbortSignal,
): Promise<PaymentState> {
  if (hasEnded(record.payment, record.state)) return record.state;
  const started = startedPayment(record);
  return keepState(deps, record, await askAdapter(() => deps.adapter.status(started, { signal })));
}

function keepState(
  { store, logger }: CallDeps,
  { id, payment, state: known }: PaymentRecord,
  reported: PaymentState,
  newCallback?: (state: PaymentState) => NewCallback,
): PaymentState {
  if (isRegression(known, reported)) {
    logger.warn(
      { payment_id: id, state: known?.status, reason: reported.status },
      'the processor reports an earlier status; it is ignored',
    );
  }
  const next = nextState(known, reported);
  if (!isDeepStrictEqual(known, next)) {
    store.saveState(id, next, { isLast: hasEnded(payment, next), callback: newCallback?.(next) });
  }
  return next;
}

/** Only of a payment that was not canceled before its start: that one has nothing that the adapter could use. */
function startedPayment({ payment, firstStartedAt, state }: PaymentRecord): StartedPayment {
  return {
    payment: payment as ProcessorPayment,
    firstStartedAt: firstStartedAt as Date,
    reference: state?.reference ?? null,
  };
}

function differentPayment(): AdapterError {
  return new AdapterError(
    400,
    'The payment id was used before for a payment with other content. The earlier payment is unchanged. Use a new id for another payment.',
  );
}
